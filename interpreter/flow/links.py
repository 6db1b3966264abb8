"""How rules that ask hang together: which they are, from where they are performed, what is asked in secret, what is paid for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import performed, procedures_of, steps
from ichiba.interpreter.flow.pieces import Ask, Branch, Call, Goto, Inside, Piece, Secret, Site

Calls = Sequence[tuple[Call, ir.Procedure, Inside]]  # every call, the rule it stands in, and inside of which options


def deciding(program: ir.Program) -> set[ir.Procedure]:
    """The procedures that ask, themselves or by what they perform."""
    found: set[ir.Procedure] = set()
    for procedure in program.procedures:
        if procedure.body is not None and any(
            isinstance(n, ir.Decide | ir.Offer | ir.ChooseSome | ir.Secret) for n in steps(procedure.body)
        ):
            found.add(procedure)
    changed = True
    while changed:
        changed = False
        for procedure in program.procedures:
            if procedure in found or procedure.body is None:
                continue
            for ref in performed(procedure.body):
                if any(p in found for p in procedures_of(ref)):
                    found.add(procedure)
                    changed = True
                    break
    # every version of a procedure that asks is entered in the same way
    changed = True
    while changed:
        changed = False
        for procedure in program.procedures:
            if procedure.body is None:
                continue
            for ref in performed(procedure.body):
                versions = list(procedures_of(ref))
                if any(p in found for p in versions) and not all(p in found for p in versions):
                    found.update(versions)
                    changed = True
                if any(p in found for p in versions) and procedure not in found:
                    found.add(procedure)
                    changed = True
    return found


def claim(secret: Secret, entries: Mapping[ir.Procedure, Piece]) -> None:
    """Questions of procedures that a secret block performs are asked in secret too."""
    todo: list[Piece | None] = [secret.entry]
    seen: set[Piece] = set()
    while todo:
        piece = todo.pop()
        if piece is None or piece in seen:
            continue
        seen.add(piece)
        match piece.end:
            case Goto(piece=after):
                todo.append(after)
            case Branch(yes=yes, no=no):
                todo += [yes, no]
            case Call(perform=perform, after=after):
                todo.append(after)
                todo += [entries[p] for p in procedures_of(perform.procedure) if p in entries]
            case Ask(site=site):
                if site.secret is None:
                    site.secret = secret
                    secret.sites.append(site)
                todo += [*site.bodies, site.otherwise, site.after]
            case _:
                pass


def sole_calls(calls: Calls) -> dict[ir.Procedure, tuple[Call, ir.Procedure, Inside]]:
    """The one call of each rule that is performed in one place only, which knows without being told where it comes back to."""
    found: dict[ir.Procedure, list[tuple[Call, ir.Procedure, Inside]]] = {}
    for call, procedure, inside in calls:
        for called in dict.fromkeys(procedures_of(call.perform.procedure)):
            found.setdefault(called, []).append((call, procedure, inside))
    return {procedure: own[0] for procedure, own in found.items() if len(own) == 1}


def link_payments(sites: Sequence[Site], calls: Calls) -> None:
    """A way to pay must lead on in what is paid for, be that in another rule; a price that several state together is paid
    for one of them, and only in play is it known for which."""
    owners: dict[ir.Procedure, list[tuple[ir.Procedure, Inside]]] = {}
    for call, procedure, inside in calls:
        for called in procedures_of(call.perform.procedure):
            owners.setdefault(called, []).append((procedure, inside))
    for site in sites:
        if not isinstance(site.decide, ir.Decide) or not site.decide.paying:
            continue
        found: list[tuple[Site, int]] = []
        todo = [(site.procedure, site.inside)]
        seen: set[ir.Procedure] = set()
        while todo:
            procedure, inside = todo.pop()
            if inside:
                found.append(inside[-1])
            elif procedure not in seen:
                seen.add(procedure)
                todo.extend(owners.get(procedure, ()))
        site.paid_for = frozenset((paid, number) for paid, number in found if paid.differs_by_way(number))
        if site.paid_for:
            site.stop_after.update(range(len(site.bodies)))
