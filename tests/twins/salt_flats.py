"""Salt Flats by hand: `rulesets/salt_flats/README.md`, read again and written down with nothing of the rules engine in it."""

from __future__ import annotations

from collections.abc import Collection

from tests.twins.told import Asked, Course, Told, counted, last

ROWS, COLUMNS = "abcdef", range(1, 7)
PANS = [f"{row}{column}" for row in ROWS for column in COLUMNS]
COMPANIES = ["avocet", "curlew", "heron", "plover"]
DEARER = {"avocet": 0, "curlew": 0, "heron": 1, "plover": 2}
PRICE = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 6, 8: 7, 9: 7, 10: 7}  # 11 and more: 8
TOO_LARGE, LARGE_ENOUGH, PLOTS, SHARES_A_TURN = 8, 13, 4, 2


def beside(pan: str) -> list[str]:
    row, column = ROWS.index(pan[0]), int(pan[1])
    near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [f"{ROWS[r]}{c}" for r, c in near if 0 <= r < len(ROWS) and c in COLUMNS]


class SaltFlats(Told):
    def set_up(self) -> None:
        self.bag = list(PANS)
        self.money = dict.fromkeys(self.seats, 30)
        self.owner: dict[str, str | None] = {}  # of dug pans; None: a lone one
        self.office = dict.fromkeys(COMPANIES, 10)
        self.shares = {seat: dict.fromkeys(COMPANIES, 0) for seat in self.seats}
        self.hands = {seat: self.draw(self.bag, PLOTS) for seat in self.seats}

    # what stands on the flats

    def size(self, company: str) -> int:
        return sum(owner == company for owner in self.owner.values())

    def founded(self) -> list[str]:
        return [company for company in COMPANIES if self.size(company)]

    def price(self, company: str) -> int:
        return PRICE.get(max(2, self.size(company)), 8) + DEARER[company]

    def meets(self, pan: str) -> list[str]:
        """The companies that a pan touches."""
        found = {self.owner.get(near) for near in beside(pan)}
        return [company for company in COMPANIES if company in found]

    def can_be_dug(self, pan: str) -> bool:
        met = self.meets(pan)
        if sum(self.size(company) >= TOO_LARGE for company in met) >= 2:
            return False
        lone = any(near in self.owner for near in beside(pan))
        return bool(met) or not lone or len(self.founded()) < len(COMPANIES)

    # turns

    def course(self) -> Course:
        seat = self.start
        while True:
            yield from self.turn(seat)
            if any(self.size(company) >= LARGE_ENOUGH for company in COMPANIES) or not self.bag:
                break
            seat = seat % len(self.seats) + 1
        for company in self.founded():
            self.bonuses(company)
            for holder in self.seats:
                self.money[holder] += self.price(company) * self.shares[holder][company]

    def turn(self, seat: int) -> Course:
        plots = sorted(plot for plot in self.hands[seat] if self.can_be_dug(plot))
        if plots:
            pan = last((yield Asked(seat, [f"dig/{plot}" for plot in plots], always=True)))
            self.hands[seat].remove(pan)
            yield from self.dig(seat, pan)
        else:
            self.hands[seat] = []
        yield from self.buy(seat)
        self.hands[seat] += self.draw(self.bag, PLOTS - len(self.hands[seat]))

    def buy(self, seat: int) -> Course:
        for _ in range(SHARES_A_TURN):
            can = [c for c in self.founded() if self.office[c] and self.price(c) <= self.money[seat]]
            key = yield Asked(seat, [*(f"buy/{company}" for company in can), "done"])
            if key == "done":
                return
            company = last(key)
            self.money[seat] -= self.price(company)
            self.take(seat, company)

    def take(self, seat: int, company: str, number: int = 1) -> None:
        self.office[company] -= number
        self.shares[seat][company] += number

    # digging

    def dig(self, seat: int, pan: str) -> Course:
        met = self.meets(pan)
        if len(met) > 1:
            yield from self.works_meet(seat, pan, met)
        elif met:
            self.spread(pan, met[0])
        elif any(near in self.owner for near in beside(pan)):
            names = [company for company in COMPANIES if not self.size(company)]
            company = last((yield Asked(seat, [f"found/{name}" for name in names])))
            self.spread(pan, company)
            if self.office[company]:
                self.take(seat, company)
        else:
            self.owner[pan] = None

    def spread(self, pan: str, company: str) -> None:
        """The pan, and every dug one that hangs together with it."""
        self.owner[pan] = company
        reached, todo = {pan}, [pan]
        while todo:
            for near in beside(todo.pop()):
                if near in self.owner and near not in reached:
                    reached.add(near)
                    todo.append(near)
        for one in reached:
            self.owner[one] = company

    def works_meet(self, seat: int, pan: str, met: list[str]) -> Course:
        most = max(map(self.size, met))
        heir = last((yield Asked(seat, [f"heir/{c}" for c in met if self.size(c) == most])))
        swallowed = sorted((c for c in met if c != heir), key=self.size, reverse=True)
        for company in swallowed:
            self.bonuses(company)
            for holder in self.from_(seat):
                yield from self.wind_up(holder, company, heir)
        for one, owner in self.owner.items():
            if owner in swallowed:
                self.owner[one] = None
        self.spread(pan, heir)

    def wind_up(self, seat: int, company: str, heir: str) -> Course:
        held = self.shares[seat]
        sold = int(last((yield Asked(seat, [f"sold/{n}" for n in range(held[company] + 1)]))))
        self.money[seat] += sold * self.price(company)
        self.take(seat, company, -sold)
        most = min(held[company] // 2, self.office[heir])
        changed = int(last((yield Asked(seat, [f"changed/{n}" for n in range(most + 1)]))))
        self.take(seat, company, -2 * changed)
        self.take(seat, heir, changed)

    def bonuses(self, company: str) -> None:
        held = {seat: self.shares[seat][company] for seat in self.seats if self.shares[seat][company]}
        first, second = 10 * self.price(company), 5 * self.price(company)
        if not held:
            return
        best = [seat for seat in held if held[seat] == max(held.values())]
        rest = {seat: number for seat, number in held.items() if seat not in best}
        if len(best) > 1 or not rest:
            self.share_out(first + second, best)
            return
        self.share_out(first, best)
        self.share_out(second, [seat for seat in rest if rest[seat] == max(rest.values())])

    def share_out(self, money: int, among: Collection[int]) -> None:
        for seat in among:
            self.money[seat] += -(-money // len(among))

    def final_scores(self) -> dict[int, int]:
        return dict(self.money)

    def facts(self) -> dict[str, object]:
        return {
            "owner": {pan: self.owner[pan] for pan in PANS if pan in self.owner},
            "money": {str(seat): self.money[seat] for seat in self.seats},
            "shares": {str(seat): {c: n for c, n in self.shares[seat].items() if n} for seat in self.seats},
            "office": {company: number for company, number in self.office.items() if number},
            "hands": {str(seat): counted(self.hands[seat]) for seat in self.seats},
            "bag": len(self.bag),
        }
