"""The pieces of rules that ask, each a function that says which comes next."""

from __future__ import annotations

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of
from ichiba.interpreter import layout as places
from ichiba.interpreter.flow.between import ASKED_CLASSES, BETWEEN_CLASSES, Asked, Between, mentioned
from ichiba.interpreter.flow.pieces import Ask, Branch, Call, Enter, Finish, Goto, Piece, Return, SecretDone
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import row
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of
from ichiba.interpreter.to_plan.context.writing import count_closely, define, end, meter
from ichiba.interpreter.to_plan.course.between import ask_between, write_between
from ichiba.interpreter.to_plan.statements.assigning import stored_value
from ichiba.interpreter.to_plan.statements.statements import write_statement

INLINE = 40  # moves that may be written again instead of jumping


def piece_number(c: Context, piece: Piece) -> int:
    """The number of a piece that control can come to."""
    if piece not in c.mentioned.pieces:
        c.mentioned.pieces[piece] = len(c.flow.sites) + len(c.mentioned.pieces)
        c.queue.pieces.append(piece)
    return c.mentioned.pieces[piece]


def write_piece(c: Context, piece: Piece) -> None:
    """A piece that control can come to, as a function of its own."""
    define(c, f"b{c.mentioned.pieces[piece]}", [p.S, p.C], piece.home)
    c.numbered.homes[f"b{c.mentioned.pieces[piece]}"] = (piece.home, _span_of_procedure(c, piece.home))
    _write_chain(c, piece, ())
    end(c)


def _span_of_procedure(c: Context, procedure: str) -> Span | None:
    return next((one.span for one in c.program.procedures if one.name == procedure), None)


def _write_chain(c: Context, piece: Piece, path: tuple[Piece, ...]) -> None:
    """A piece and what follows, written out as long as it is short and does not come round."""
    count_closely(c, *(move for move in piece.moves if not isinstance(move, BETWEEN_CLASSES)))
    for move in piece.moves:
        _write_move(c, move)
    path = (*path, piece)
    match piece.end:
        case Goto(piece=after):
            go_to(c, after, path)
        case Branch(test=test, yes=yes, no=no):
            with c.out.under("if {}:", _asked(c, test)):
                go_to(c, yes, path)
            go_to(c, no, path)
        case Ask(site=site):
            c.out.line("return {}", site.number)
        case Call():
            _call_piece(c, piece.end, path)
        case Return() | None:
            owner = c.facts.owners[piece]
            sole = c.flow.sole_calls.get(owner)
            if sole is not None:
                go_to(c, _landing_piece(sole), path)
            else:
                c.out.line("return S[{}]", c.layout.slot(c.flow.returns[owner]))
        case Enter(secret=secret):
            c.out.line("return {}(S, C)", f"enter_{secret.site.number}")
        case SecretDone():
            c.out.line("return {}", places.SECRET_END)
        case Finish():
            c.out.line("return {}", places.OVER)


def _write_move(c: Context, move: ir.Stm | Between) -> None:
    """One move, of the rules or of the flow's own."""
    if isinstance(move, BETWEEN_CLASSES):
        before = meter(c, *(part for part in mentioned(move) if not isinstance(part, ir.Var)))
        write_between(c, move)
    else:
        before = meter(c, move)
        write_statement(c, move)
    c.metered = before


def _asked(c: Context, test: ir.Exp | Asked) -> p.Exp:
    """A test, of the rules or of the flow's own."""
    if isinstance(test, ASKED_CLASSES):
        return ask_between(c, test)
    before = meter(c, test)
    made = lower(c, test)
    c.metered = before
    return made


def go_to(c: Context, piece: Piece, path: tuple[Piece, ...]) -> None:
    """On to a piece: written here, or named for the loop that plays to go on with."""
    moves = sum([len(one.moves) for one in path])
    too_long = moves + len(piece.moves) > INLINE or len(path) > 12 or c.out.depth > 14
    if too_long or piece in path or piece.head and moves > 4:
        c.out.line("return {}", piece_number(c, piece))
    else:
        _write_chain(c, piece, path)


def _call_piece(c: Context, call: Call, path: tuple[Piece, ...]) -> None:
    """Hand over the arguments, say where to come back to, and go."""
    perform = call.perform
    ref = perform.procedure
    known = all(one in c.flow.sole_calls for one in procedures_of(ref)) and (ref.default is not None or ref.by is None)
    back = -1 if known else landing_number(c, call)
    if not known:
        c.numbered.landings.append((back, *c.facts.calls[id(call)]))
    if ref.by is not None and ref.cases:
        chooser = perform.args[ref.by]
        if isinstance(chooser, ir.Const):
            procedure = ref.cases.get(chooser.value, ref.default)
            _enter_procedure(c, perform, procedure, back, path)  # type: ignore[arg-type]
            return
        which = lower(c, chooser)
        for value, procedure in ref.cases.items():
            with c.out.under("if {} == {}:", which, value):
                _enter_procedure(c, perform, procedure, back, path)
        if ref.default is not None:
            _enter_procedure(c, perform, ref.default, back, path)
        else:
            c.out.line("return {}", back)
        return
    assert ref.default is not None
    _enter_procedure(c, perform, ref.default, back, path)


def landing_number(c: Context, call: Call) -> int:
    """Where control comes back to: first the results are taken over."""
    return piece_number(c, _landing_piece(call))


def _landing_piece(call: Call) -> Piece:
    """The piece that takes over the results; made when it is first needed."""
    perform = call.perform
    if not perform.results:
        return call.after
    if call.landing is not None:
        return call.landing
    landing = call.landing = Piece(home=call.after.home)
    source = next(one for one in (perform.procedure.default, *perform.procedure.cases.values()) if one is not None)
    for mine, theirs in zip(perform.results, source.results, strict=True):
        landing.moves.append(ir.Assign(mine, ir.Use(theirs, theirs.kind), perform.span))
    landing.end = Goto(call.after)
    return landing


def _enter_procedure(
    c: Context, perform: ir.Perform, procedure: ir.Procedure, back: int, path: tuple[Piece, ...]
) -> None:
    """The arguments become parameters, and control goes to the first piece."""
    targets, values = [], []
    for param, arg in zip(procedure.params, perform.args, strict=True):
        targets.append(name_of(c, param))
        values.append(stored_value(c, arg))
    pairs = [(a, b) for a, b in zip(targets, values, strict=True) if a != b]
    if pairs:
        made = pairs[0][1] if len(pairs) == 1 else row(b for _, b in pairs)
        c.out.put(p.Set(tuple(a for a, _ in pairs), made))
    if procedure not in c.flow.sole_calls:
        c.out.line("S[{}] = {}", c.layout.slot(c.flow.returns[procedure]), back)
    go_to(c, c.flow.entries[procedure], path)
