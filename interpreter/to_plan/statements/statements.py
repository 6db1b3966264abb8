"""Every statement that asks nothing, and the course of control."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from ichiba.interpreter import layout as places
from ichiba.interpreter.analysis.folding import fixed_set
from ichiba.interpreter.analysis.simplify import weight
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import call, natural, row, value_of
from ichiba.interpreter.plan.writing import Left
from ichiba.interpreter.runtime.runtime import STEPS
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import local_name, name_of, new_name, plain, restore
from ichiba.interpreter.to_plan.context.writing import count_passes, meter_within, write_mark
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.statements.assigning import assign, reset_member, score, write_member
from ichiba.interpreter.to_plan.statements.chance import in_random_order, pick, shuffle
from ichiba.interpreter.to_plan.statements.drawing import draw
from ichiba.interpreter.to_plan.statements.lots import pick_out
from ichiba.interpreter.to_plan.statements.money import transfer
from ichiba.interpreter.to_plan.statements.moving import move_piece, move_set, move_some
from ichiba.interpreter.to_plan.statements.revealing import reveal
from ichiba.interpreter.to_plan.statements.telling import record, tell, turn

UNROLL_WEIGHT = 200  # how many parts a loop may have when it is written out
MANY_TIMES = 1_000  # a loop of more passes is counted while it runs


def write_statement(c: Context, s: ir.Stm) -> None:
    """One move of the rules, as statements of the plan."""
    match s:
        case ir.Assign():
            assign(c, s)
        case ir.KeepSet(value=ir.Chosen() as chosen):
            pick_out(c, s, chosen)
        case ir.KeepSet(var=var, value=value):
            if var in c.names:  # nobody else sees it: it stays a list
                c.lists.add(var)
                c.out.line("{} = {}", c.names[var], list_of(c, value, each=True))
            else:
                c.out.line("{} = pack({})", name_of(c, var), list_of(c, value, each=True))
        case ir.Write():
            write_member(c, s)
        case ir.Pay():
            transfer(c, s)
        case ir.MoveSome():
            move_some(c, s)
        case ir.MovePiece(piece=piece, target=target, side=side, notes=notes):
            move_piece(c, piece, target, side, notes, s.span)
        case ir.MoveSet():
            move_set(c, s)
        case ir.Draw():
            draw(c, s)
        case ir.Pick():
            pick(c, s)
        case ir.Shuffle():
            shuffle(c, s)
        case ir.Require():
            c.numbered.demands.append(s)
            c.out.line("if not {}: raise Unmet({})", lower(c, s.test), len(c.numbered.demands) - 1)
        case ir.Block():
            for inner in s.body:
                write_statement(c, inner)
        case ir.If():
            _write_if(c, s)
        case ir.For():
            _in_loop(c, s, _write_for)
        case ir.Repeat():
            _in_loop(c, s, _write_repeat)
        case ir.Turns():
            _in_loop(c, s, _write_turns)
        case ir.Perform():
            perform(c, s)
        case ir.Named():
            _write_named(c, s)
        case ir.Leave(name=name):
            c.out.line("raise {}", _block_name(c, name))
        case ir.GiveBack(values=values):
            made_ = [lower(c, v) for v in values]
            c.out.line("return {}", made_[0] if len(made_) == 1 else row(made_))
        case ir.Score():
            score(c, s)
        case ir.EndAs(ending=ending):
            if c.marks is not None:
                write_mark(c, c.marks.of_ending(ending))
            c.out.line("S[{}] = {}", c.world.table["ending"].base, ending)
        case ir.Tell():
            tell(c, s)
        case ir.Record():
            record(c, s)
        case ir.Reveal():
            reveal(c, s)
        case ir.Reset(member=member):
            reset_member(c, member)
        case ir.Watch():
            c.out.line("{}(S, C)", _watch_name(c, s))
        case ir.Hush(by=by):
            c.out.line("S[{}] += {}" if by > 0 else "S[{}] -= {}", places.BUSY, abs(by))
        case ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret():
            raise AssertionError("questions are cut out before")
        case _:
            assert_never(s)


def write_block(c: Context, block: ir.Block) -> None:
    """All moves of a block."""
    if c.marks is not None:
        write_mark(c, c.marks.of_block(block))
    if not block.body:
        c.out.line("pass")
    for statement in block.body:
        write_statement(c, statement)


def _write_if(c: Context, s: ir.If) -> None:
    with c.out.under("if {}:", lower(c, s.test)):
        write_block(c, s.yes)
    if s.no.body:
        with c.out.under("else:"):
            write_block(c, s.no)


Loop = TypeVar("Loop", ir.For, ir.Repeat, ir.Turns)


def _in_loop(c: Context, s: Loop, write: Callable[[Context, Loop], None]) -> None:
    before = meter_within(c, s)
    write(c, s)
    c.metered = before


def _write_for(c: Context, s: ir.For) -> None:
    """Once for each of a set, in their order or in one by chance."""
    if _is_written_out(c, s):
        return
    name = local_name(c, s.var)
    listed = list_of(c, s.set, each=True)
    if s.random:
        listed = in_random_order(c, listed, s.set.kind.of, s.var.name)
    own = name if isinstance(name, p.Name) else p.Name(new_name(c, "x"))
    with c.out.under("for {} in {}:", own, listed):
        if own is not name:
            c.out.line("{} = {}", name, own)
        count_passes(c)
        write_block(c, s.body)


def _is_written_out(c: Context, s: ir.For) -> bool:
    """A short loop over fixed values is written out, so that its places are fixed too."""
    values, tests = fixed_set(s.set)
    if values is None or tests or s.random or s.var in c.layout.slots or len(values) * weight(s.body) > UNROLL_WEIGHT:
        return False
    saved = c.names.get(s.var)
    for value in values:
        c.names[s.var] = p.Num(value)
        write_block(c, s.body)
    restore(c, s.var, saved)
    return True


def _write_repeat(c: Context, s: ir.Repeat) -> None:
    """So many times, as long as a condition holds."""
    times = lower(c, s.times)
    if not natural(times) or (value_of(times) or 0) > MANY_TIMES:
        times = call("times", times)
    with c.out.under("for {} in range({}):", new_name(c, "i"), times):
        count_passes(c)
        if s.test is not None:
            c.out.line("if not {}: break", lower(c, s.test))
        write_block(c, s.body)


def _write_turns(c: Context, s: ir.Turns) -> None:
    """One seat after the other, until something holds or so many turns were taken."""
    me = local_name(c, s.me)
    count = new_name(c, "turns")
    c.out.line("{} = {}", me, lower(c, s.first))
    most = lower(c, s.most)
    fixed = value_of(most) if natural(most) else None
    outermost = id(s) in c.flow.outermost_turns
    with c.out.under("for {} in range({}):", count, STEPS + 1 if fixed is None else fixed + 1):
        count_passes(c)
        if s.until is not None:
            c.out.line("if {}: break", lower(c, s.until))
        with c.out.under(
            "if {} >= {}:", count, call("times", most) if fixed is None else most
        ):  # it may change from turn to turn
            if s.ending is not None:
                c.out.line("S[{}] = {}", c.world.table["ending"].base, s.ending)
            c.out.line("break")
        if outermost:
            turn(c, me)
        write_block(c, s.body)
        c.out.line("{} = ({} + 1) % {}", me, me, c.world.config.seats)
    if outermost:
        turn(c, p.Num(-1))


def perform(c: Context, s: ir.Perform) -> None:
    """A procedure with its arguments; where owners have their own, that of the owner."""
    args = [p.S, p.C, *(lower(c, a) for a in s.args)]
    ref = s.procedure
    results = tuple(local_name(c, result) for result in s.results)

    def perform(function: p.Exp) -> None:
        called = p.Call(function, tuple(args))
        c.out.put(p.Set(results, called) if results else p.Do(called))

    if ref.by is not None and ref.cases:
        chooser = s.args[ref.by]
        if isinstance(chooser, ir.Const):
            procedure = ref.cases.get(chooser.value, ref.default)
            if procedure is not None:
                perform(p.Name(procedure_name(c, procedure)))
            return
        perform(p.Entry(p.Name(_table_of_procedures(c, ref)), lower(c, chooser)))
    elif ref.default is not None:
        perform(p.Name(procedure_name(c, ref.default)))


def _table_of_procedures(c: Context, ref: ir.ProcRef) -> str:
    """A table of procedures by owner, written after them."""
    key = ("procedures", id(ref))
    if key not in c.tables.names:
        c.tables.names[key] = f"{c.prefix}CASES_{len(c.tables.names)}"
        c.tables.cases[c.tables.names[key]] = ref
        for procedure in [ref.default, *ref.cases.values()]:
            if procedure is not None:
                procedure_name(c, procedure)
    return c.tables.names[key]


def procedure_name(c: Context, procedure: ir.Procedure) -> str:
    """What a procedure is called; from now on it is to be written."""
    if procedure not in c.mentioned.procedures:
        c.mentioned.procedures[procedure] = new_name(c, "p_" + procedure.name)
        c.queue.procedures.append(procedure)
    return c.mentioned.procedures[procedure]


def _block_name(c: Context, name: str) -> str:
    if name not in c.mentioned.blocks:
        c.mentioned.blocks[name] = f"Leave_{len(c.mentioned.blocks)}_{plain(name)}"
    return c.mentioned.blocks[name]


def _write_named(c: Context, s: ir.Named) -> None:
    """A block that can be left."""
    leaves = any(isinstance(n, ir.Leave) and n.name == s.name for n in steps(s.body))
    if not leaves:
        write_block(c, s.body)
        return
    with c.out.under("try:"):
        write_block(c, s.body)
    c.out.put(Left(_block_name(c, s.name)))


def _watch_name(c: Context, watch: ir.Watch) -> str:
    if watch not in c.mentioned.watches:
        c.mentioned.watches[watch] = f"watch_{len(c.mentioned.watches)}"
    return c.mentioned.watches[watch]
