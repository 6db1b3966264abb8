"""Ways from place to place: looked for by trying every step again and again until nothing becomes better."""

from __future__ import annotations

from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.env import Env
from tests.reference.expressions import Expressions
from tests.reference.values import Items, RulesWrong, Value, bare, is_number, listed, unit_of, with_unit
from tests.reference.world import Thing

MOST = 10**12

Step = tuple[Thing, Any, Thing]  # from where, over which connection (none in a grid), where to
Best = tuple[int, int, tuple[tuple[int, int], ...]]  # cost, steps, and backwards from its end: from which place over what
Known = dict[Thing, tuple[Best, tuple[Step, ...]]]


class Ways(Expressions):
    """What is asked of ways."""

    def ev_Connected(self, e: t.Connected, env: Env) -> Value:
        known, _ = self.best_ways(e.sources, e.route, env)
        return listed(sorted(known, key=self.world.order.__getitem__))

    def ev_Way(self, e: t.Way, env: Env) -> Value:
        known, unit = self.best_ways(e.sources, e.route, env)
        end = self.place(self.one(e.end, env))
        return with_unit(known[end][0][0], unit) if end in known else self.number(e.otherwise, env)

    def ev_Steps(self, e: t.Steps, env: Env) -> Value:
        known, _ = self.best_ways(e.sources, e.route, env)
        end = self.place(self.one(e.end, env))
        steps = known[end][1] if end in known else ()
        return listed([over if e.route.over else there for _, over, there in steps])

    def place(self, value: Value) -> Thing:
        if not isinstance(value, Thing):
            raise RulesWrong(f"{value} is no place")
        return value

    def best_ways(self, sources: t.Expr, route: t.Route, env: Env) -> tuple[Known, str]:
        """The best way to every place to which there is one, and the unit of what it costs."""
        found = self.ev(sources, env)
        begin = [x for x in self.items_of(found, one_too=True).each() if x is not None] if found is not None else []
        order = self.world.order
        steps = self.steps_between(begin, over=route.over is not None)
        fares, unit = self.fares(steps, route, env)
        known: Known = {here: ((0, 0, ()), ()) for here in begin}
        better = True
        while better:
            better = False
            for (here, over, there), fare in fares:
                if here in known:
                    (cost, many, backwards), gone = known[here]
                    last = order[here], -1 if over is None else order[over]
                    made = cost + fare, many + 1, (last, *backwards)
                    if there not in known or made < known[there][0]:
                        known[there] = made, (*gone, (here, over, there))
                        better = True
        if any(best[0] > MOST for best, _ in known.values()):
            raise RulesWrong("a way costs too much")
        return known, unit

    def steps_between(self, begin: list[Thing], over: bool) -> list[Step]:
        """All single steps between places that hang together with any place of these kinds."""
        steps: list[Step] = []
        for edge in self.world.kinds["edge"].things:
            a, b = edge.fields["a"], edge.fields["b"]
            steps += [(a, edge, b), (b, edge, a)]
        if not over:
            steps += [(here, None, there) for here, near in self.world.beside_in_grid.items() for there in near]
        kinds = {x.kind for x in begin}
        reached = {x for x in self.world.kinds["node"].things if x.kind in kinds}
        while more := {there for here, _, there in steps if here in reached} - reached:
            reached |= more
        return [step for step in steps if step[0] in reached]

    def fares(self, steps: list[Step], route: t.Route, env: Env) -> tuple[list[tuple[Step, int]], str]:
        """The steps that a way may go, and what each costs."""
        found, unit = [], ""
        for step in steps:
            names = env.inner()
            for along, value in ((route.over, step[1]), (route.through, step[2])):
                if along is not None:
                    names.names[along.name] = value
            if all(self.may_go(along, value, env) for along, value in ((route.over, step[1]), (route.through, step[2]))):
                if route.where is None or self.truth(route.where, names):
                    fare = 1 if route.by is None else self.single(self.ev(route.by, names))
                    if not is_number(fare) or bare(fare) < 0:
                        raise RulesWrong(f"a step costs {fare}")
                    unit = unit_of(fare)
                    found.append((step, bare(fare)))
        return found, unit

    def may_go(self, along: t.Along | None, value: Value, env: Env) -> bool:
        if along is None or along.among is None:
            return True
        items: Items = self.items(along.among, env)
        return value in items.each()
