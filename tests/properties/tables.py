"""Every ruleset there is, every seat count, and enough of their modules, variants and options that each pair meets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.parts import parts_of
from ichiba.dsl.ruleset import open_ruleset, read_box
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml.declarations import Box, OptionDecl
from ichiba.dsl.yaml.memory import Memory
from ichiba.interpreter.api import folder_of, rulesets

HEAVY = {"shinjuku": 24, "tokyo_tsukiji_market": 40}  # how many decisions a quick test plays of those that think long
NOT_TOGETHER = {"E408", "E409", "E410", "E412"}  # parts, seats and options that do not go together

Value = object
Pair = tuple[tuple[str, int], tuple[str, int]]
Row = dict[str, Value]  # by factor: `seats`, `part NAME`, `option NAME`


@dataclass(frozen=True)
class Setting:
    """One way to set up a ruleset."""

    ruleset: str
    seats: int
    parts: tuple[str, ...] = ()
    options: tuple[tuple[str, Value], ...] = ()

    def choices(self) -> frozenset[object]:
        """All that was chosen, one by one."""
        return frozenset({("seats", self.seats), *self.parts, *self.options})

    def __str__(self) -> str:
        options = [f"{name}={value}" for name, value in self.options]
        return "-".join([self.ruleset, str(self.seats), *self.parts, *options])


@cache
def box_of(ruleset: str) -> Box | None:
    """What a ruleset declares; None when it cannot even be read."""
    faults = Faults()
    try:
        box = read_box(folder_of(ruleset), (), faults)
    except Exception:  # loading it will tell more
        return None
    return box if box.seats[0] else None


def plain() -> list[Setting]:
    """Every ruleset with every seat count, nothing switched on."""
    found = []
    for ruleset in rulesets():
        box = box_of(ruleset)
        low, high = box.seats if box is not None else (0, 0)
        found += [Setting(ruleset, seats) for seats in range(low, high + 1)]
    return found


def with_any_parts() -> list[Setting]:
    """Every ruleset with every seat count and every choice of modules and variants that go together."""
    found = []
    for setting in plain():
        parts = [*parts_of(folder_of(setting.ruleset))]
        apart = [{a.removeprefix("part "), b.removeprefix("part ")} for a, b in quarrels(setting.ruleset)]
        chosen = (set(those) for number in range(len(parts) + 1) for those in combinations(parts, number))
        ways = (tuple(part for part in parts if part in those) for those in chosen if not any(two <= those for two in apart))
        found += [Setting(setting.ruleset, setting.seats, way) for way in ways]
    return found


def paired() -> list[Setting]:
    """Every ruleset set up in so many ways that any two choices stand together in one of them."""
    return [setting for ruleset in rulesets() for setting in paired_of(ruleset)]


@cache
def paired_of(ruleset: str) -> tuple[Setting, ...]:
    box = box_of(ruleset)
    if box is None:
        return ()
    factors: dict[str, Sequence[Value]] = {"seats": range(box.seats[0], box.seats[1] + 1)}
    for name in parts_of(folder_of(ruleset)):
        factors[f"part {name}"] = (False, True)
    for decl in box.options:
        values = _values(decl)
        if len(values) > 1:
            factors[f"option {decl.name}"] = values
    memory = Memory()
    settings = [_setting(ruleset, row) for row in covering(factors, quarrels(ruleset))]
    return tuple(dict.fromkeys(one for setting in settings for one in _going_together(setting, memory)))


def _going_together(setting: Setting, memory: Memory) -> tuple[Setting, ...]:
    """Where its options do not suit its parts (a map that one of them cannot take), each of them alone."""
    faults = Faults()
    try:
        open_ruleset(folder_of(setting.ruleset), Config(setting.seats, setting.parts, (), setting.options), faults, memory)
    except ichiba.RulesetFaults:  # loading it will tell more
        return (setting,)
    refused = "E412" in {fault.code for fault in faults.errors}
    return (replace(setting, options=()), replace(setting, parts=())) if refused else (setting,)


@cache
def quarrels(ruleset: str) -> list[tuple[str, str]]:
    """Parts that exclude each other."""
    found, memory = [], Memory()
    for two in combinations(parts_of(folder_of(ruleset)), 2):
        faults, told = Faults(), set[str]()
        try:
            read_box(folder_of(ruleset), two, faults, memory)
        except ichiba.RulesetFaults as refused:  # whatever else is wrong with them is no news
            told = {fault.code for fault in refused.faults}
        if NOT_TOGETHER & (told | {fault.code for fault in faults.errors}):
            found.append((f"part {two[0]}", f"part {two[1]}"))
    return found


def whole() -> list[Setting]:
    """Every ruleset with every seat count, and with everything that can be switched on."""
    return list(dict.fromkeys(plain() + paired()))


@cache
def few(ruleset: str) -> tuple[Setting, ...]:
    """Some of these, in which every single choice stands once."""
    left, found = list(paired_of(ruleset)), []
    missing = {choice for setting in left for choice in setting.choices()}
    while missing:
        best = max(left, key=lambda setting: len(missing & setting.choices()))
        found.append(best)
        missing -= best.choices()
    return tuple(found)


def sampled(test: str, heavy: int = 2) -> list[Setting]:
    """What a quick run plays: every ruleset, and with something switched on. Which, depends on the test's name alone."""
    random = Random(test)
    found = [setting for setting in plain() if setting.ruleset not in HEAVY]
    for ruleset in rulesets():
        if ruleset in HEAVY:
            found += random.sample(few(ruleset), heavy)
        elif len(few(ruleset)) > 1:
            found.append(random.choice([s for s in paired_of(ruleset) if s.parts or s.options] or few(ruleset)))
    return list(dict.fromkeys(found))


def _values(decl: OptionDecl) -> list[Value]:
    """What is tried for an option; None: what it is when nobody says anything."""
    if decl.form == "flag":
        return [False, True]
    if decl.form == "one_of":
        return list(decl.words)
    if decl.form == "seat":
        return [None, 1, 2]
    if decl.form == "number":
        low = getattr(decl.low, "value", None)
        return [None, low] if isinstance(low, int) else [None]
    return [None]


def covering(factors: dict[str, Sequence[Value]], quarrels: Sequence[tuple[str, str]] = ()) -> list[Row]:
    """Rows in which every pair of values of two factors stands together: greedily, the same every time."""
    random = Random(7)
    wanted: set[Pair] = set()
    for a, b in combinations(factors, 2):
        wanted |= {((a, i), (b, j)) for i, j in product(range(len(factors[a])), range(len(factors[b])))}
    wanted -= {((a, 1), (b, 1)) for a, b in quarrels}
    rows: list[dict[str, int]] = []
    while wanted:
        candidates = [_row(factors, sorted(wanted), quarrels, random) for _ in range(12)]
        best = max(candidates, key=lambda row: len(_pairs(row) & wanted))
        rows.append(best)
        wanted -= _pairs(best)
    if not rows:
        (name, values), *_ = factors.items()
        rows = [{name: i} for i in range(len(values))]
    return [{name: factors[name][i] for name, i in row.items()} for row in rows]


def _row(
    factors: dict[str, Sequence[Value]], wanted: list[Pair], quarrels: Sequence[tuple[str, str]], random: Random
) -> dict[str, int]:
    (a, i), (b, j) = random.choice(wanted)
    row = {name: random.randrange(len(values)) for name, values in factors.items()} | {a: i, b: j}
    for one, other in quarrels:
        if row[one] and row[other]:
            row[other if one in (a, b) else one] = 0
    return row


def _pairs(row: dict[str, int]) -> set[Pair]:
    return set(combinations(row.items(), 2))


def _setting(ruleset: str, row: Row) -> Setting:
    seats = row["seats"]
    assert isinstance(seats, int)
    parts = tuple(name.removeprefix("part ") for name, on in row.items() if name.startswith("part ") and on)
    options = tuple(
        (name.removeprefix("option "), v) for name, v in row.items() if name.startswith("option ") and v is not None
    )
    return Setting(ruleset, seats, parts, options)


@cache
def _loaded(setting: Setting) -> ichiba.Game | str:
    known = parts_of(folder_of(setting.ruleset))
    try:
        return ichiba.load(
            setting.ruleset,
            seats=setting.seats,
            modules=[p for p in setting.parts if known[p].what == "module"],
            variants=[p for p in setting.parts if known[p].what == "variant"],
            options=dict(setting.options),
        )
    except ichiba.RulesetFaults as faults:
        codes = {fault.code for fault in faults.faults}
        why = "these do not go together" if codes <= NOT_TOGETHER else "this ruleset has faults"
        return f"{setting}: {why}: {', '.join(sorted(codes))}"


def loads(setting: Setting) -> bool:
    return not isinstance(_loaded(setting), str)


def loaded(setting: Setting) -> ichiba.Game:
    """The game; a ruleset that is being written just now and has faults is skipped, and it is said which."""
    found = _loaded(setting)
    if isinstance(found, str):
        pytest.skip(found)
    return found


def every(settings: Sequence[Setting]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("setting", settings, ids=str)


def slice_of(setting: Setting, most: int = 10**9) -> int:
    """How many decisions a quick test plays."""
    return min(most, HEAVY.get(setting.ruleset, most))


def chosen(table: ichiba.Table, random: Random) -> tuple[int, int]:
    """Anybody who is asked, any of the options: the seat and the place."""
    decision = random.choice(table.pending)
    return decision.seat, random.randrange(len(decision.codes))


def moments(game: ichiba.Game, seed: int, most: int = 10**9) -> Iterator[ichiba.Table]:
    """A random game, looked at before every decision and at its end."""
    table, random = game.start(seed=seed), Random(seed)
    yield table
    for _ in range(most):
        if table.over:
            return
        seat, place = chosen(table, random)
        table.play(place, seat=seat)
        yield table
