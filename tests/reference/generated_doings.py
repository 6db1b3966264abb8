"""Statements and decisions made by chance: whatever may be done at a place is done there sometime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.reference.generated_sayings import Sayings

DEEPEST = 4


def indented(text: str, depth: int = 1) -> str:
    return "".join("    " * depth + line if line.strip() else line for line in text.splitlines(keepends=True))


class Doings(Sayings):
    """Does something with what is known here."""

    def block(self, many: int, asks: bool = True, depth: int = 1) -> str:
        """So many sentences; what one of them names is known to those behind it."""
        with self.inside(asks=self.here.asks and asks):
            return "\n".join(indented(self.statement(depth)) for _ in range(self.random.randint(1, many)))

    def inner(self, depth: int) -> str:
        """A block behind a colon, to be indented with what stands around it."""
        return self.block(2, depth=depth + 1) if depth < DEEPEST else "    nothing"

    def target(self) -> str:
        s = self.seat()
        own = [f"{s}.hand", f"{s}.row(south)", f"{s}.pile(left)"]
        return self.one(*own) if self.here.own else self.one(*own, "heap", *(f"{p}.shelf" for p in self.here.spots))

    # ----------------------------------------------------------------------------- what is done at once

    def plainly(self) -> str:
        """Something that asks nobody."""
        own = [self.counted, self.moved, self.kept, self.told]
        return self.random.choice(own if self.here.own else [*own, self.shared, self.travelled, self.carried, self.gone_through, self.paying])()

    def counted(self) -> str:
        s, k = self.seat(), self.number(0)
        return self.one(
            f"raise {s}.luck by {self.number(1)}", f"lower {s}.luck by {self.number(1)}", f"set {s}.luck to min(50, {k})",
            f"{self.one('mark', 'clear')} {s}.ready", f"raise {s}.vow(seat(2)) by 1", f"raise {s}.tally({s}, left) by {k}",
            f"{self.one('raise', 'lower')} {s}.mood by {self.number(0)}",
            f"set {s}.mood to max(0, min(9, {k}))",
        )  # fmt: skip

    def told(self) -> str:
        """For people, and for whoever counts: nobody hears what they may not see."""
        s, k, y = self.seat(), self.number(0), self.fresh()
        recorded = f'record "so many" {k} for {self.one("red", "north", "bell", s, "1, left")}'
        reds = f"({y} in {s}.hand where {y} is red)"
        if self.here.own:
            return self.one(f'tell "You have {{{reds}}}, and {{{s}.mood}}" to {s}', recorded)
        to = self.one("", " to seats", " to {seat(1), seat(2)}")
        return self.one(
            f'tell "{{{s}}} has {{count of {s}.hand}} gems, {{{s}.luck}} luck"{to}',
            f'tell "You have {{{reds}}} and {{{s}.hoard}}" to {s}',
            f'tell "{{({y}.face for {y} in heap)}} lie there, {{last}} was last"',
            recorded,
        )

    def moved(self) -> str:
        """Gems, out of whatever they lie in."""
        x, a, b = self.fresh(), self.zone(), self.target()
        return self.one(
            f"if {a} is not empty: move first of {a} to {b}",
            f"move all {a} to {b}",
            f"for each {x} in ({x} in {a} where {x}.face > 2): move {x} to {b}",
            f"move all red in {a} to {b}",
            f"let {x} = {a}\nif count of {a} > 1: move 2 of {a} to {b}",
            f"if count of {a} > 1: move 2 {a if a.replace('.', '').isalpha() else f'of {a}'} to {b}",
            f"if red in {a}: move {self.one('', '1 ')}red from {a} to {b}",
            f"let {x} = {self.many_gems()}\nraise {self.seat()}.luck by count of {x}",
            f"move all {self.many_gems()} to {b}",
            f"let {x} = {a}\nmove all {b} to {x}" if not a.endswith(("bag", "nook", "spot.shelf", ".row")) else "nothing",
            f"for each {x} in {self.many_gems()}: move {x} to {b}",
        )  # fmt: skip

    def kept(self) -> str:
        """What is remembered, and what belongs to one seat."""
        s, x, y = self.seat(), self.fresh(), self.fresh()
        first = self.number(0)
        with self.inside(numbers=(x,)):
            counting = f"remember {x}: number = {first}\nrepeat 2 times: raise {x} by {self.number(0)}\nraise {s}.luck by {x}"
        with self.inside(gems=(y,)):
            marking = f"flag {x}(d: side)\nfor each {y} in {s}.row:\n    if {self.flag(0)}: mark {x}(left)\n    else: clear {x}(left)\n"
        return self.one(
            f"set {s}.liked to {self.one('north', 'bell', 'none')}",
            f"set {s}.wish to {self.one('red', 'green', 'none')}",
            counting,
            f"{marking}if {x}(left) and not {x}(right): raise {s}.luck by 2",
            f"remember {x}(d: side): number\nraise {x}(left) by {self.number(0)}\nlower {s}.luck by {x}(left) + {x}(right)",
            f"remember {x}: one of calm or wild = calm\nif {self.flag(1)}: set {x} to wild\nif {x} is wild: raise {s}.luck by 1",
            f"let {x} = {s}.where_at\nfor each {y} in edges_at({x}): set {s}.where_at to far({y}, {x})",
            f"if {s}.hand is not empty: move first of {s}.hand to {s}.chest",
            f"for each {x} in {s}.won where {x}.owner is {s}: move {x} to {s}.tickets",
            f"if {s}.tickets is not empty: move first of {s}.tickets to {s}.won",
            f"for each {x} in {s}.chest where {x} is gem: move {x} to {s}.hand",
            f"move all {s}.net to {s}.chest",
        )

    def shared(self) -> str:
        s, x, a, b, k = self.seat(), self.fresh(), self.zone(), self.target(), self.number(0)
        spots = self.many_spots()
        with self.inside(spots=(x,)):
            test = self.flag(0)
        return self.one(
            f"raise seen by {self.number(1)}",
            f"raise {s}.strict by {self.one('1', '2', k)}",
            f"draw {self.one('1', '2', f'min(2, {k})')} {self.one('gem', 'gem', 'red')} from bag to {b}",
            f"draw 1 gem from bag to {b} as {x}\nif {x} is not none: raise seen by {x}.face",
            f"for each {x} in spots where {x}.price < {k}: {self.one('mark', 'clear')} {x}.closed",
            f"for each {x} in spots where {x} is inn: raise {x}.beds by 1",
            f"for each {x} in spots: raise {x}.{self.one('price', 'marks(right)')} by {k}",
            f"for each {x} in {spots} where {test}: {self.one(f'mark {x}.met({s})', f'clear {x}.met({s})', f'raise {x}.rate by $1')}",
            f"for each {x} in spots where {test}:\n    if {x} is stall: mark {x}.visited\n    else: raise {x}.price by 1",
            f"raise seen by rated({k})",
            f"reveal {s}.{self.one('hand', 'row', 'pile', 'luck', 'mood', 'hoard', 'chest', 'wish')}",
            f"reveal {self.one('seat.hand', 'seat.mood', f'{{{s}.hand, seat(2).chest}}', 'bag', f'{s}.pile(left)')}",
            f"roll {x} from 1 to {self.one('3', 'max(1, ' + self.number(0) + ')')}\nraise seen by {x}",
            f"if {a} is not empty:\n    pick {x} in {a} at random\n    raise seen by {x}.face",
            f"set {s}.rival to {self.one('none', self.seat(), self.seat())}",
            f"{self.one(f'set last to {s}', 'clear last', 'set last to none')}",
            "if last is not none: raise last.luck by 1",
            f"let {x} = the s in seats with {self.way()} s.luck, tie: {self.one('first', 'random')}\nraise {x}.luck by 1",
            f"let {x} = the s in {self.many_seats()} with {self.way()} s.luck, tie: first\nif {x} is not none: raise {x}.luck by 1",
            f"for each {x} in square: raise {x}.sold by 1",
            "if closed is not empty: move first of closed to square",
            "if square is not empty: move first of square to closed",
            f"raise by_sort({self.one('red', 'green')}) by {k}",
            f"{self.one('mark', 'clear')} been({self.one('north', 'south')}, {self.one('left', 'right')})",
            f"move all {a} to nook({self.one('north', 'south')}, left)",
            f"for each {x} in gems: raise by_sort({x}) by {x}.face",
            f"end as {self.one('rich', 'late')}",
            *(f"{m}.trade({k})" for m in self.here.markets if m != "board"),
        )  # fmt: skip

    def travelled(self) -> str:
        """Boats, and what lies on them."""
        s, x, a = self.seat(), self.fresh(), self.zone()
        notes = self.one(f"used: {self.one('true', 'false')}, left_at: {self.one('bell', 'none')}", "left_at: north", f"paid_for: {self.paid(0)}")
        boats = self.many_boats()
        with self.inside(boats=(x,)):
            test = self.flag(0)
        return self.one(
            f"if dock is not empty: move first of dock to {s}.fleet noting {notes}",
            f"for each {x} in {s}.fleet: {self.one('mark', 'clear')} {x}.used",
            f"for each {x} in {s}.fleet where {x}.left_at is {self.one('none', 'not none')}: set {x}.left_at to {self.one('south', 'none')}",
            f"for each {x} in {s}.fleet by highest {x}.slots then lowest position of {x}:\n    raise {x}.worn by 1\n"
            f"    if {a} is not empty: move first of {a} to {x}.hold",
            f"move all {s}.fleet to {self.one('dock', self.seat() + '.fleet')}",
            f"if {s}.fleet is not empty: move first of {s}.fleet to dock",
            f"for each {x} in {boats} where {test}:\n    raise {x}.worn by 1\n    move all {x}.hold to {self.target()}",
            f"for each {x} in {boats}: move {x} to {self.one('dock', f'{s}.fleet noting {notes}')}",
            f"if barge in {s}.fleet: move barge from {s}.fleet to {self.seat()}.fleet",
            f"draw 1 boat from dock to {s}.fleet as {x}\nif {x} is not none: raise {x}.worn by 1",
            f"draw 1 raft from {s}.fleet to dock",
            "shuffle dock" if "dock" in self.ordered else f"raise {s}.luck by count of dock",
            f"for each {x} in roads: raise {x}.used by 1",
        )

    ordered: tuple[str, ...] = ()  # zones that keep an order

    def carried(self) -> str:
        """Tickets, shells and crates; and a chest of this and that."""
        s, t, x = self.seat(), self.seat(), self.fresh()
        side, sort = self.one("fresh", "aged"), self.one("conch", "clam")
        with self.inside(shells=(x,)):
            test = self.flag(0)
        with self.inside(tickets=(x,)):
            ticket = self.flag(0)
        return self.one(
            f"for each {x} in {s}.won: move {x} to {x}.owner.tickets",
            f"move all {s}.tickets to {t}.won",
            f"for each {x} in {s}.tickets where {ticket}: move {x} to {t}.won",
            f"if {sort} in sea: move 1 {sort} from sea to {s}.net{self.one('', f' showing {side}')}",
            f"for each {x} in {s}.net where {test}: move {x} to {self.one('sea', f'{t}.net')} showing {side}",
            f"for each {x} in {s}.net: move {x} to {s}.net showing {side}",
            f"draw 1 {self.one(sort, 'shell')} from sea to {self.one(f'{s}.net', f'{s}.chest')}",
            f"move 1 slip({self.one('red', 'green')}, {self.one('left', 'right')}) from slips to {s}.papers",
            f"for each {x} in slips where {x}.goal is {self.one('red', 'green')}: move {x} to {s}.papers",
            f"move all crate of north in store to {self.one('cart(north)', 'cart(south)')}",
            f"for each {x} in store where {x}.home is {self.one('north', 'south')}: move {x} to cart({x}.home)",
            f"for each {x} in cart({self.one('north', 'south')}): move {x} to store",
            f"raise seen by count of (crate of {self.one('south', 'north')} in {self.one('store', 'cart')})",
            f"for each {x} in {s}.chest where {x} is {self.one('gem', 'red')}: move {x} to {self.target()}",
            f"for each {x} in {s}.chest where {x} is {self.one('shell', 'conch')}: move {x} to sea",
            f"move all {self.zone()} to {s}.chest",
            f"if sea is not empty:\n    pick {x} in sea at random\n    move {x} to {s}.chest showing {side}",
        )

    def gone_through(self) -> str:
        """Each of a set of something."""
        x, s = self.fresh(), self.seat()
        match self.random.randrange(6):
            case 0:
                domain = self.many_seats()
                with self.inside(seats=(x,)):
                    return f"for each {x} in {domain} where {self.flag(0)}: raise {x}.luck by {self.number(0)}"
            case 1:
                gate = self.gate()
                with self.inside(gates=(f"far({x}, {gate})",)):
                    return f"for each {x} in edges_at({gate}): raise {self.one(f'{x}.used', f'far({x}, {gate}).crowd')} by {self.number(0)}"
            case 2:
                with self.inside(gates=(x,)):
                    return f"for each {x} in gates where {self.flag(0)}: raise {x}.crowd by {self.number(0)}"
            case 3:
                with self.inside(numbers=(x,)):
                    return f"for each {x} in {self.one('1 .. 3', '0 .. 4 step 2', '1 .. few')}: raise {s}.luck by {self.number(0)}"
            case 4:
                return f"let {x} = {self.one(self.many_seats(), self.many_spots(), self.many_boats())}\nraise seen by count of {x}"
            case _:
                with self.inside(gates=(x,)):
                    order = f"{self.way()} {self.number(0)} then lowest {x}.toll"
                    return f"for each {x} in gates by {order}: set seen to (seen * 3 + position of {x}) / 2 rounded up"
        return "nothing"

    def paying(self) -> str:
        s, t, x, tail = self.seat(), self.seat(), self.fresh(), self.one(" as far as it goes", " even into debt")
        return self.one(
            f"{s} gains 1 coins * min(3, {self.number(0)})",
            f"{s} gains {self.paid()} from {self.one('bank', 'bank', f'pot{tail}', f'{t}{tail}')}",
            f"{s} pays {self.paid()} to {self.one('bank', 'pot', t, f'{t}.hoard')}{tail}",
            f"{s}.hoard pays {self.paid(0)} to {t}{tail}",
            f"{s} pays {self.paid(0)} from {self.one('pot', f'{t}.hoard')} to {t}{tail}",
            f"let {x} = wager({self.number(0)})\nraise {s}.luck by number({x})" if self.here.values else "nothing",
            f"{s} pays 2 hours to clock as far as it goes",
            f"{s} gains pot from pot",
            f"set {self.spot()}.rate to max($1, min($9, {self.amount(1)}))",
        )

    # -------------------------------------------------------------------------------- blocks and questions

    def statement(self, depth: int) -> str:
        if depth >= DEEPEST or self.chance(0.4):
            return self.plainly()
        quiet: list[Callable[[int], str]] = [self.branching, self.for_seats, self.repeated, self.named, self.performed, self.as_another]
        asking: list[Callable[[int], str]] = [
            self.choice, self.choice, self.how_many, self.how_many, self.menu, self.menu, self.secretly, self.some, self.left,
            self.perhaps, self.turns, self.judged, self.held, self.race,
        ]  # fmt: skip
        kinds = [*quiet, *asking] if self.here.asks and "me" in self.here.seats else quiet
        return self.random.choice(kinds)(depth) or self.plainly()

    def branching(self, depth: int) -> str:
        more = f"else if {self.flag(1)}:\n{self.inner(depth)}\n" if self.chance(0.3) else ""
        text = f"if {self.flag(2)}:\n{self.inner(depth)}\n{more}"
        return text + f"else:\n{self.inner(depth)}" if self.chance(0.8) else text.rstrip("\n")

    def for_seats(self, depth: int) -> str:
        if self.here.own:
            return ""
        x = self.fresh()
        order = self.one("", f" by highest {self.number(0)} then lowest position of {x}", " at random")
        domain = self.one("seats", self.many_seats())
        with self.inside(seats=(x,), asks=False):
            return f"for each {x} in {domain}{order}:\n{self.inner(depth)}"

    def repeated(self, depth: int) -> str:
        times = self.one("2", f"min(3, {self.number(0)})")
        return f"repeat {times} times{self.one('', f' while {self.flag(1)}')}:\n{self.inner(depth)}"

    def named(self, depth: int) -> str:
        x = self.fresh()
        first = f"let {x} = {self.number(1)}\n"
        with self.inside(numbers=(x,)):
            return first + self.statement(max(depth, DEEPEST - 1))

    def performed(self, depth: int) -> str:
        """A procedure, with what it wants and what it gives back."""
        if "me" not in self.here.seats or not self.here.turn:
            return ""
        x, y, s = self.fresh(), self.fresh(), self.seat()
        measured = self.one("tuned(2)", f"tuned({self.number(0)})", "liked_by_all")
        return self.one(
            self.one(f"pay_out({s}, {self.number(0)})", f"pay_out(n: {self.number(0)}, who: {s})"),
            f"let {x}, {y} = deal({s})\nraise {y}.luck by {x}",
            f"let {x} = weigh({self.one(f'{s}, {measured}', f'm: {measured}, s: {s}')})\nraise seen by {x}",
            f"spread({self.one(f'{s}.hand', 'heap', f'{s}.pile(left)')}, {self.many_seats()}, {self.many_gems(0)})",
        )

    def as_another(self, depth: int) -> str:
        if self.here.own or "me" not in self.here.seats:
            return ""
        x = self.fresh()
        at_once = f"for each {x} in seats: as {x}: raise my.luck by {self.number(1)}"
        return at_once if self.chance(0.3) else f"as {self.seat()}:\n{self.inner(depth)}"

    def asked(self) -> str:
        """Who is asked, where it is somebody else."""
        return self.one("choose", "choose", "choose", f"{self.seat()} chooses") if not self.here.own else "choose"

    def choice(self, depth: int) -> str:
        """One of a set."""
        x = self.fresh()
        key = self.one("", "", f' key "{x}k"')
        kind = "gems" if self.here.own or self.chance(0.5) else self.one("spots", "seats", "boats", "gates", "sorts", "tickets")
        other = self.asked()
        if kind == "gems":
            with self.offered():
                zones = ["my.hand", "my.row(north)"]
                zone = self.one(*zones) if self.here.own else self.one(*zones, "heap", "my.row(south)")
            if other != "choose":
                zone = "heap"
            where = self.one("", f" where {x}.face > 2")
            block = f"    move {x} to {self.target()}\n{self.inner(depth)}"
            return f'{other} {x} in {zone}{where} "Which?"{key}:\n{block}\nelse:\n{self.inner(depth)}'
        with self.offered():
            s = self.seat()
            gate = self.gate()
            domain, known = {
                "spots": (self.many_spots(), "spots"), "seats": (self.one("others", self.many_seats()), "seats"),
                "boats": (self.one("dock", f"{s}.fleet", f"{{{s}.fleet, dock}}"), "boats"),
                "gates": (self.one("gates", f"(far(e, {gate}) for e in edges_at({gate}))"), "gates"),
                "sorts": (self.one("gems", "{red, green}"), ""), "tickets": (f"{s}.{self.one('won', 'tickets')}", "tickets"),
            }[kind]  # fmt: skip
            names = {known: (x,)} if known else {}
            with self.inside(**names):
                where = self.one("", f" where {self.flag(0)}") if other == "choose" else ""
        with self.inside(**names):
            does = {"gates": f"set my.where_at to {x}", "sorts": f"raise by_sort({x}) by 1", "boats": f"raise {x}.worn by 1"}
            block = f"    {does.get(kind, 'nothing')}\n{self.inner(depth)}"
        if self.here.turn and self.chance(0.5) and domain in ("gates", "gems", "{red, green}", "seats", "spots") and not where:
            with self.inside(**names):
                return f'{other} {x} in {domain} "Which?"{key}\n' + self.plainly()
        return f'{other} {x} in {domain}{where} "Which?"{key}:\n{block}\nelse: {self.one("nothing", self.quickly())}'

    def quickly(self) -> str:
        return f"raise {self.seat()}.luck by 1"

    def how_many(self, depth: int) -> str:
        x = self.fresh()
        if self.here.own or self.chance(0.5):
            high = self.one("2", "my.luck", "count of my.hand", "min(4, my.mood)")
            with self.inside(numbers=(x,)):
                return f'choose {x} from 0 to {high}{self.one("", " step 2")} "How many?"\n' + self.plainly()
        if self.chance(0.5):
            ask = f'{self.asked()} {x} from $0 to {self.one("$3", "max($0, min($4, my.cash))", "$1 * limit")}{self.one("", " step $2")} "How much?"'
            return f"{ask}:\n    my.hoard gains {x} from bank\n{self.inner(depth)}"
        low, high = self.one("1", "0", "my.where_at.toll"), self.one("3", "my.luck", "limit")
        with self.inside(numbers=(x,)), self.offered():
            block = self.inner(depth)
        return f'choose {x} from {low} to {high} "How many?"{self.one("", f""" key "n{x}" """.rstrip())}:\n{block}\nelse: {self.quickly()}'

    def some(self, depth: int) -> str:
        """Any number of them."""
        if self.here.own:
            return ""
        x = self.fresh()
        words = "".join(
            self.random.sample(
                [self.one(", at least 1", f", at least {self.one('2', 'limit')}"), ", at most 2", ", in steps of 2", ", all different by face",
                 ", worth at least $2 by heap_of", ", worth at most $9 by heap_of"], self.random.randrange(4),
            )
        )  # fmt: skip
        where = self.one("", f" where {x} is not green")
        source, target = self.one("my.hand", "my.hand", "heap", "my.row(south)"), self.target()
        return self.one(
            f'choose some {x} from {source}{where}{words} "Which?":\n    move {x} to {target}\nelse: nothing',
            f'choose some {x} from my.hand{words} "Which?":\n    move {x} to {target}\nelse:\n{self.inner(depth)}',
            f'choose some {x} from {source}{where}{words} "Which?":\n    raise seen by count of {x}\n'
            f"    for each {x}y in {x}: move {x}y to {target}\nelse:\n{self.inner(depth)}",
            f'choose some {x} from my.fleet, at most 2 "Which?":\n    move {x} to dock\nelse: nothing',
            f'choose some {x} from my.hand, at most 2 "Which?"\nraise my.luck by count of red in {x}',
        )

    def left(self, depth: int) -> str:
        return f"if {self.flag(1)}: leave turn" if self.here.turn else ""

    def perhaps(self, depth: int) -> str:
        if self.here.own:
            return ""
        x = self.fresh()
        cost = self.one("", " costs 2 coins", " costs 1 of my.hand to heap", " costs fare(n: 2)", " costs 1 hour")
        with self.offered():
            when = self.one("", f" when {self.flag(1)}", " when lucky" if self.here.guards else "")
        words = self.one("", "", ", only with a choice")
        other = self.one(f"\nelse:\n{self.inner(depth)}", f"\nelse:\n{self.inner(depth)}", "")
        return f'may {x} "Yes?"{words}{when}{cost}:\n{self.inner(depth)}{other}'

    def turns(self, depth: int) -> str:
        """Others have a turn in between."""
        if self.here.own or not self.here.turn:
            return ""
        until, most, clock = self.flag(1), self.one("2", "few"), self.one("", " then end as late")
        turns = f"take turns from {self.seat()} until {until}, at most {most} times{clock}:"
        heading = self.one(f"take one turn each from {self.seat()}:", turns)
        with self.inside(turn=False):
            return f"{heading}\n{self.inner(depth)}"

    def race(self, depth: int) -> str:
        """Whoever is quicker."""
        if self.here.own:
            return ""
        x, name = self.fresh(), self.fresh()
        with self.offered():
            who = self.one("others", "seats", "others", f"seats where {x} is not {self.seat()}", self.many_seats())
        with self.inside(seats=(x,)):
            lines = "".join(indented(self.option(depth)) for _ in range(self.random.randint(1, 2)))
            asked = self.one("", f'    "Who, {{{x}}}?"\n')
            last = self.one("", f"    option {self.fresh()} \"Now\": {self.one('nothing', f'leave {name}')}\n")
        other = self.one("", f"else: {self.quickly()}\n", f"else:\n{self.inner(depth)}\n")
        return f"first {x} in {who} to answer {name}:\n{asked}{lines}{last}{other}".rstrip("\n")

    def judged(self, depth: int) -> str:
        """One of those who are best, as somebody says."""
        if self.here.own:
            return ""
        x, judge = self.fresh(), self.one("me", self.seat())
        name, domain, key = self.random.choice([("s", "seats", "luck"), ("p", "spots", "price"), ("g", "gates", "crowd")])
        with self.inside(**{{"s": "seats", "p": "spots", "g": "gates"}[name]: (x,)}):
            asked = self.one("", "", f' "Which {name}?"', f' "Which {name}?" key "best"')
            best = f"let {x} = the {name} in {domain} with {self.way()} {name}.{key}, tie: {judge} chooses{asked}\n"
            return f"{best}raise {x}.{key} by 1\n" + self.plainly()

    def held(self, depth: int) -> str:
        """Something is there only for the rest of the block."""
        x = self.fresh()
        if self.here.own:
            return ""
        boats = self.many_boats()
        with self.inside(boats=(x,), asks=False):
            return f"for each {x} in {boats}:\n{self.block(2, depth=DEEPEST)}"

    def secretly(self, depth: int) -> str:
        """Each seat by itself; behind the block it is revealed, or only a part of it, or only later."""
        if self.here.own:
            return ""
        s, bid, g = self.fresh(), self.fresh(), self.fresh()
        who = self.one("seats", "seats", "others_from(me)", "{seat(2), seat(1)}")
        with self.inside(own=s, turn=False):
            nothing: tuple[str, ...] = ()
            self.here = replace(
                self.here, seats=(s, "me"), spots=nothing, boats=nothing, markets=nothing, numbers=nothing, gems=nothing,
                gates=nothing, tickets=nothing, shells=nothing,
            )  # fmt: skip
            high = self.one("2", f"count of {s}.hand", f"{s}.mood")
            lines = [f'choose {bid} from 0 to {high} "Bid"']
            lines += [self.statement(max(depth, 3)) for _ in range(self.random.randrange(3))]
            pick = f'choose {g} in {s}.hand "Lay":\n    move {g} to {s}.{self.one("row(north)", "pile(left)", "chest")}\nelse: nothing'
            lines += [pick] if self.chance(0.5) else []
            body = indented("\n".join(lines))
        bids, part = f"reveal {bid}", "reveal seat(1).row(north)"
        shown = self.one(bids, bids, bids, part, f"reveal seat.row\n{bids}", "reveal my.hand", "reveal seat.chest", "reveal my.mood", "nothing")
        with self.inside(seats=(s,), numbers=(f"({bid} of {s})",)):
            return f"each {s} in {who} secretly:\n{body}\n{shown}\nfor each {s} in {who}: raise {s}.luck by {self.number(0)}"

    # --------------------------------------------------------------------------------------------- options

    def an_option(self, depth: int, of: str = "", once: bool = False) -> str:
        """An option of a menu in some file, indented once."""
        with self.inside(seats=("me",), markets=(of,) if of else (), turn=False):
            return indented(self.option(DEEPEST - 1, once), depth)

    def when(self) -> str:
        return self.one("", f" when {self.offer(seats=('me',))}", " when lucky")

    def binders(self) -> tuple[str, dict[str, tuple[str, ...]], list[str]]:
        """What an option ranges over, what is known by it, and what it may be keyed by."""
        x, y = self.fresh(), self.fresh()
        spots = f"{x} in spots where not {x}.closed"
        found: list[tuple[str, dict[str, tuple[str, ...]], list[str]]] = [
            ("", {}, []), ("", {}, []),
            (spots, {"spots": (x,)}, [f"{x}.price, {x}", f"{x}"]),
            (f"{x} in my.hand", {}, []),
            (f"{x} in 1 .. {self.one('3', 'limit')}", {"numbers": (x,)}, [f"{x} * 2"]),
            (f"{x} in others", {"seats": (x,)}, []),
            (f"{spots}, {y} in 1 .. 4 step 2 where {y} < {x}.price", {"spots": (x,), "numbers": (y,)}, [f"{y}, {x}"]),
        ]  # fmt: skip
        if not self.here.own:
            with self.offered():
                found += [
                    (f"{x} in {self.many_spots()}", {"spots": (x,)}, []), (f"{x} in {self.many_seats()}", {"seats": (x,)}, [f"position of {x}"]),
                    (f"{x} in edges_at(my.where_at)", {"gates": (f"far({x}, my.where_at)",)}, [f"{x}.used, {x}"]),
                    (f"{x} in my.won", {"tickets": (x,)}, []), (f"{x} in my.fleet where {x}.worn < 5", {"boats": (x,)}, [f"position of {x}"]),
                    (f"{x} in dock", {"boats": (x,)}, []),
                    (f"{x} in sea", {"shells": (x,)}, []), (f"{x} in {{red, green}}, {y} in sides", {}, [f"{y}, {x}"]),
                    (f"{x} in (g in heap where g.face > 2), {y} in gates", {"gates": (y,)}, []),
                ]  # fmt: skip
        return self.random.choice(found)

    def option(self, depth: int, once: bool = False) -> str:
        binder, known, keys = self.binders()
        with self.inside(**known):
            when = self.one("", f" when {self.offer()}", " when lucky" if self.here.guards else "")
            cost = self.one("", " costs 1 coins", " costs 2 coins or 1 of my.hand to heap as gem", " costs fare(1)", f" costs {self.cost()}")
            cost = "" if self.here.own else cost
            need = self.one("", f'    require {self.offer()}{self.one("", ", else ", ", else ")}')
            need = (need + '"not now"' if need.endswith("else ") else need) + ("\n" if need else "")
            need = need if cost in ("", " costs 1 coins") and not self.here.own else ""
            if cost in (" costs 1 coins", " costs fare(1)") and self.chance(0.3):
                need += "    raise my.luck by number(paid(coin))\n"
            per = " once per turn" if once else ""  # else there might be no end to a trial
            key = f" keyed by {self.one(*keys)}" if keys and not per and self.chance(0.3) else ""
            words = self.one("", "", f' key "o{self.fresh()}"')
            return f'option {self.fresh()} "O"{words}{f" for {binder}" if binder else ""}{when}{cost}{per}{key}:\n{need}{self.inner(depth)}\n'

    def cost(self) -> str:
        with self.offered():
            amount = self.amount(0)
        return self.one(
            f"1 coins to {self.one('pot', self.seat())}", "1 hour and 1 coins as both or 3 coins as much", "1 of my.hand by send_home as sent",
            "1 red from my.hand by send_home or 1 hour", "2 of my.row(north) to heap", "2 hours or 2 coins or 1 green from my.hand to heap",
            f"max($0, {amount})", "dues and 1 hour",
            f"{self.one('limit', 'my.luck')} red from my.hand to heap",
            "taken(min(limit, 3)) or 1 hour", "taken(my.luck)",
        )  # fmt: skip

    def menu(self, depth: int) -> str:
        name = self.fresh()
        lines = "".join(indented(self.option(depth)) for _ in range(self.random.randint(1, 3)))
        with self.offered():
            until = self.flag(0)
        times = self.one("", "", " up to 2 times", " exactly 2 times", f" up to {self.one('limit', 'my.luck', 'few')} times")
        words = self.one("", "", "", ", no windows", ", windows after the first", ", only with a choice", f", while {until}")
        words += self.one("", "", f', done "Enough"{self.one("", f" when {until}")}') if "exactly" not in times and times else ""
        last = f"    option {self.fresh()}: {self.one('nothing', f'leave {name}')}"
        asked = self.one("", "", '    "What now?"\n')
        if self.chance(0.3):
            return f"menu {name}{times}{words}:\n{asked}{lines}else: {self.quickly()}"
        return f"menu {name}{times}{words}:\n{asked}{lines}{last}"


__all__ = ["DEEPEST", "Doings", "indented"]
