"""What pieces of a program mention: variables, pieces that follow, members that a secret block writes."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Member
from ichiba.interpreter.analysis.variables import variables_in
from ichiba.interpreter.flow.between import ASKED_CLASSES, BETWEEN_CLASSES, mentioned
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.flow.pieces import Ask, Branch, Call, Enter, Goto, Piece, Secret


def variables_of(piece: Piece) -> list[ir.Var]:
    """The variables of its moves, those of the last first."""
    found: dict[ir.Var, None] = {}
    for move in reversed(piece.moves):
        for part in reversed(mentioned(move)) if isinstance(move, BETWEEN_CLASSES) else (move,):
            found.update(dict.fromkeys(variables_in(part)))
    return list(found)


def variables_of_end(end: object) -> list[ir.Var]:
    match end:
        case Branch(test=test):
            return variables_in([*mentioned(test)] if isinstance(test, ASKED_CLASSES) else [test])
        case Call(perform=perform):
            return variables_in([perform])
        case Enter(secret=secret):
            return variables_in([secret.statement.seats])
        case _:
            return []


def pieces_within(entry: Piece, flow: Flow) -> dict[Piece, None]:
    """The pieces of one procedure."""
    found: dict[Piece, None] = {}
    todo: list[Piece | None] = [entry]
    while todo:
        piece = todo.pop()
        if piece is None or piece in found:
            continue
        found[piece] = None
        match piece.end:
            case Goto(piece=after):
                todo.append(after)
            case Branch(yes=yes, no=no):
                todo += [yes, no]
            case Call(after=after):
                todo.append(after)
            case Ask(site=site):
                todo += [*site.bodies, site.otherwise, site.after]
            case Enter(secret=secret):
                todo += [secret.entry, secret.after]
            case _:
                pass
    return found


def secret_members(secret: Secret, flow: Flow) -> list[Member]:
    """What the body of a secret block writes: until it is revealed the others see it as it was."""
    if secret not in flow.written_secretly:
        flow.written_secretly[secret] = _written_in(secret, flow)
    return flow.written_secretly[secret]


def _written_in(secret: Secret, flow: Flow) -> list[Member]:
    found = set(flow.whence.written_in(secret.statement.body))
    one_by_one = {sort.id for sort in flow.world.sorts if sort.individual}
    if any(one_by_one & set(member.sorts) for member in found if member.form == "zone"):
        found.add(flow.world.places["place"])  # which of the pieces lay there
    return [member for member in flow.world.members() if member in found]


def bag_zones(inner: ir.Set) -> tuple[ir.Exp, ...]:
    while isinstance(inner, ir.Filtered):
        inner = inner.set
    return inner.zones if isinstance(inner, ir.Pieces) else ()


def depends(test: ir.Exp, option: ir.Option) -> bool:
    own = {bind.var for bind in option.binds}
    return any(var in own for var in variables_in([test]))


def same_first(option: ir.Option, demand: ir.Require) -> bool:
    return bool(option.tests) and option.tests[0].test == demand.test and not depends(option.tests[0].test, option)


def plain_words(text: str) -> str:
    return "".join(c if c.isalnum() or c in "_. " else "_" for c in text)
