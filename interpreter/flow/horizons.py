"""How far a dry run must look: at which questions it is enough that there is an answer, and which may be another's."""

from __future__ import annotations

from dataclasses import dataclass

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of
from ichiba.interpreter.analysis.variables import renamed
from ichiba.interpreter.flow.between import BETWEEN_CLASSES
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.flow.pieces import Ask, Branch, Call, Goto, Piece, Return, Site

Node = tuple[Piece, tuple[Call, ...]]


@dataclass(slots=True)
class Outlook:
    """What is known of the questions on the way to the end of an option."""

    deep: frozenset[int]  # here every answer is tried in turn: something behind it can still fail
    others: frozenset[int]  # these may be another seat's, and then it is far enough


class Horizons:
    def __init__(self, flow: Flow):
        self.flow = flow
        self.failing = flow.failing
        self.fails: dict[Piece, bool] = {}

    def of(self, site: Site, number: int) -> Outlook:
        """From the body of an option to its end."""
        after = self._region((site.bodies[number], ()), (site, number))
        bad = self._bad(after)
        deep, others = set(), set()
        seat = site.decide.seat if isinstance(site.decide, ir.Decide) else None
        for piece, stack in after:
            if not isinstance(piece.end, Ask):
                continue
            asked = piece.end.site
            if isinstance(asked.decide, ir.Decide | ir.ChooseSome) and self._named(asked.decide.seat, stack) != seat:
                others.add(asked.number)
            if self._deep((piece, stack), after, bad):
                deep.add(asked.number)
        return Outlook(frozenset(deep), frozenset(others))

    def _region(self, start: Node, end: tuple[Site, int]) -> dict[Node, list[Node]]:
        """All pieces on the way, each with what comes after it."""
        found: dict[Node, list[Node]] = {}
        todo = [start]
        while todo:
            node = todo.pop()
            if node not in found:
                found[node] = [] if end in node[0].stops else self._after(node)
                todo.extend(found[node])
        return found

    def _after(self, node: Node) -> list[Node]:
        piece, stack = node
        match piece.end:
            case Goto(piece=after):
                return [(after, stack)]
            case Branch(yes=yes, no=no):
                return [(yes, stack), (no, stack)]
            case Call(perform=perform, after=after):
                ref = perform.procedure
                called = [p for p in procedures_of(ref) if p in self.flow.entries]
                inside: list[Node] = [(self.flow.entries[p], (*stack, piece.end)) for p in called]
                return inside if ref.default is not None else [*inside, (after, stack)]
            case Ask(site=site):
                answers = [site.otherwise, *site.bodies] if site.otherwise is not None else site.bodies
                return [(body, stack) for body in answers if body is not None]
            case Return() | None:
                return [(stack[-1].after, stack[:-1])] if stack else []
            case _:
                return []  # a secret block, or the end

    def _bad(self, after: dict[Node, list[Node]], again: Site | None = None) -> set[Node]:
        """From where something can still fail. What an answer itself leads to has been seen to when it was offered:
        only what comes behind it counts. `again`: this question is not asked for the first time."""
        bad: set[Node] = set()
        behind = {node: self._behind(node, after) for node in after if isinstance(node[0].end, Ask)}
        changed = True
        while changed:
            changed = False
            for node, following in after.items():
                if node in bad:
                    continue
                if self._moves_fail(node[0]) or (
                    self._question_fails(node, behind[node], bad, again)
                    if node in behind
                    else any(later in bad for later in following)
                ):
                    bad.add(node)
                    changed = True
        return bad

    def _question_fails(self, node: Node, behind: list[set[Node]], bad: set[Node], again: Site | None) -> bool:
        end = node[0].end
        assert isinstance(end, Ask)
        site, decide = end.site, end.site.decide
        if not isinstance(decide, ir.Decide):
            # each answer to a lot leaves one that can be finished: whether there is any is asked where it begins
            return any(further & bad for further in behind) or site.otherwise is not None and (site.otherwise, node[1]) in bad
        for option, further in zip(decide.options, behind, strict=True):
            if (option.ends if site is again else self.failing.always([option])) and not further & bad:
                return False  # this is always possible
        if site is not again and not decide.paying and decide.otherwise is None and not self.failing.answered(decide):
            return True
        if site.otherwise is not None and (site.otherwise, node[1]) in bad:
            return True
        return any(further & bad for further in behind)

    def _behind(self, node: Node, after: dict[Node, list[Node]]) -> list[set[Node]]:
        """For each answer to a question: where control is when that is done."""
        end, stack = node[0].end, node[1]
        assert isinstance(end, Ask)
        found: list[set[Node]] = []
        for number, body in enumerate(end.site.bodies):
            todo, seen, outside = [(body, stack)], set(), set()
            while todo:
                current = todo.pop()
                if current in seen or current not in after:
                    continue
                seen.add(current)
                piece, within = current
                if len(within) > len(stack) or (end.site, number) in piece.inside:
                    todo.extend(after[current])
                else:
                    outside.add(current)
            found.append(outside)
        return found

    def _moves_fail(self, piece: Piece) -> bool:
        if piece not in self.fails:
            moves = (move for move in piece.moves if not isinstance(move, BETWEEN_CLASSES))
            self.fails[piece] = piece.may_want or any(self.failing.may_fail(move, set()) for move in moves)
        return self.fails[piece]

    def _deep(self, node: Node, after: dict[Node, list[Node]], bad: set[Node]) -> bool:
        """Whether something behind an answer can fail."""
        end = node[0].end
        assert isinstance(end, Ask)
        offer = end.site.offer
        if offer is not None and offer.times == "at_least_once" and offer.windows != "always":
            bad = self._bad(after, again=end.site)  # who has done something there can be done
        return any(further & bad for further in self._behind(node, after))

    def _named(self, seat: ir.Exp, stack: tuple[Call, ...]) -> ir.Exp:
        """A seat as the option's own rule calls it."""
        for call in reversed(stack):
            perform = call.perform
            known: dict[ir.Var, ir.Exp] = {}
            for procedure in procedures_of(perform.procedure):
                known.update(zip(procedure.params, perform.args, strict=True))
            seat = renamed(seat, known)
        return seat
