"""What comes with a board when it comes into play."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from ichiba.dsl.meaning.wanted import first_in
from ichiba.dsl.names.blocks import NO_BLOCK
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.names.members import member_definition
from ichiba.dsl.names.sorts import kind_test
from ichiba.dsl.rules import ir
from ichiba.dsl.statements.procedures import proc_ref
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, maybe, set_of

ENTRY = "the entry of a board"


def with_entry(c: Context, made: list[ir.Stm], target: ir.Exp, env: Env) -> list[ir.Stm]:
    """A board that comes into play is set up at once, as one effect."""
    if not isinstance(target, ir.ZoneAt) or "in_play" not in target.member.words:
        return made
    done: list[ir.Stm] = []
    for statement in made:
        done.extend(entering(c, statement, target, env))
    return done


def _within(c: Context, block: ir.Block, target: ir.Exp, env: Env) -> ir.Block:
    return ir.Block(tuple(with_entry(c, list(block.body), target, env)))


def entering(c: Context, statement: ir.Stm, target: ir.ZoneAt, env: Env) -> list[ir.Stm]:
    kind = Kind("thing", target.kind.name)
    board = ir.Var("entering", kind)
    use = ir.Use(board, kind)
    match statement:
        case ir.MovePiece(piece=piece, notes=notes, span=span):
            return [
                ir.Assign(board, piece, span),
                entry(ir.MovePiece(use, target, None, notes, span), *set_up(c, use, env)),
            ]
        case ir.MoveSet(set=inner, notes=notes, span=span):
            body = ir.Block((entry(ir.MovePiece(use, target, None, notes, span), *set_up(c, use, env)),))
            return [ir.For(board, inner, False, body, span)]
        case ir.MoveSome(amount=amount, sorts=sorts, sources=sources, notes=notes, span=span):
            inner = ir.Pieces(sources, sorts, set_of(kind))
            body = ir.Block((entry(ir.MovePiece(use, target, None, notes, span), *set_up(c, use, env)),))
            if amount is None:
                return [ir.For(board, inner, False, body, span)]
            first = ir.Assign(board, first_in(inner), span)
            return [ir.Repeat(amount, None, ir.Block((first, *body.body)), span)]
        case ir.Draw(amount=amount, span=span):
            var = statement.var or board
            one = replace(statement, amount=ir.Const(1, NUMBER), var=var)
            came = ir.Op("!=", (ir.Use(var, maybe(kind)), ir.Const(-1, kind)), FLAG)
            setup = ir.If(came, ir.Block(tuple(set_up(c, ir.Use(var, kind), env))), NO_BLOCK, span)
            if isinstance(amount, ir.Const) and amount.value == 1:
                return [entry(one, setup)]
            return [ir.Repeat(amount, None, ir.Block((entry(one, setup),)), span)]
        case ir.If(yes=yes):
            return [replace(statement, yes=_within(c, yes, target, env))]
        case ir.For(body=body):
            return [replace(statement, body=_within(c, body, target, env))]
        case (
            ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.Pick() | ir.Shuffle() | ir.Require()
            | ir.Block() | ir.Repeat() | ir.Turns() | ir.Perform() | ir.Named() | ir.Leave()
            | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide()
            | ir.Offer() | ir.ChooseSome() | ir.Secret()
        ):  # nothing comes into play by these
            return [statement]
        case _:
            assert_never(statement)


def set_up(c: Context, board: ir.Exp, env: Env) -> list[ir.Stm]:
    definition = member_definition(c, board.kind.name, "setup")
    if definition is None:
        definition = next(
            (d for (kind, name), d in c.members.items() if name == "setup" and c.world.is_kind(kind, board.kind.name)),
            None,
        )
    made: list[ir.Stm] = []
    me = env.me if env.me is not None else ir.Const(0, SEAT)
    for (kind, name), found in c.members.items():
        if name != "setup" or not c.world.kinds.get(kind):
            continue
        if c.world.is_kind(board.kind.name, kind):
            made.append(ir.Perform(proc_ref(c, found), (me, board), (), None))
        elif c.world.is_kind(kind, board.kind.name):
            test = kind_test(c, board, kind)
            narrowed = ir.Use(board.var, Kind("thing", kind)) if isinstance(board, ir.Use) else board
            perform = ir.Perform(proc_ref(c, found), (me, narrowed), (), None)
            if not isinstance(test, ir.Const):
                made.append(ir.If(test, ir.Block((perform,)), NO_BLOCK, None))
            elif test.value:
                made.append(perform)
    return made


def entry(*moves: ir.Stm) -> ir.Named:
    """A board that comes into play, its setup included: one effect."""
    return ir.Named(ENTRY, ir.Block(moves))
