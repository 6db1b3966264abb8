"""Blocks of statements, each with names of its own; also those that work out a value."""

from __future__ import annotations

from ichiba.dsl.names.context import Context, Setting
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.names.narrowing import forget
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind

NO_BLOCK = ir.Block(())


def write_block(c: Context, block: t.Block, env: Env) -> ir.Block:
    """A block has names of its own."""
    inside = env.inner()
    return write_body(c, block.body, inside)


def write_body(c: Context, statements: tuple[t.Statement, ...], env: Env) -> ir.Block:
    made: list[ir.Stm] = []
    env.leads.clear()
    for statement in statements:
        done = c.statement(c, statement, env)
        made.extend(done)
        env.done.extend(done)
        forget(env, statement)
    return ir.Block(tuple(made))


def write_loop(c: Context, block: t.Block, env: Env, again: list[ir.Stm]) -> ir.Block:
    """A block that may be done more than once."""
    forget(env, block)
    made = write_block(c, block, env)
    again.extend(made.body)
    return made


def write_value_block(c: Context, block: t.Block, env: Env, kind: Kind) -> ir.Block:
    outer = c.setting
    c.setting = Setting("a value", gives=kind)
    try:
        made = write_block(c, block, env)
    finally:
        c.setting = outer
    if not _always_gives(made):
        c.faults.add(
            "E307",
            block.span,
            "this value does not give anything at its end",
            label="`give …` is missing",
        )
    return made


def _always_gives(block: ir.Block) -> bool:
    for statement in block.body:
        if isinstance(statement, ir.GiveBack):
            return True
        if isinstance(statement, ir.If) and _always_gives(statement.yes) and _always_gives(statement.no):
            return True
    return False
