"""Numbers made into words: how values are spelled in keys, shown to people, and given to programs."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import yaml

from ichiba.dsl.program.texts import WITHOUT_NUMBER
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING, Sort
from ichiba.interpreter.runtime.runtime import unpack

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game


@cache
def _own_words() -> dict[str, dict[str, str]]:
    text = files("ichiba.interpreter.run").joinpath("own_words.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = yaml.safe_load(text)
    return found


class Words:
    """Spells the values of one game."""

    def __init__(self, game: Game):
        self.game = game
        self.world = game.world

    def key(self, value: int, kind: Kind) -> str:
        """A value in a key: stable and plain."""
        if kind.form == "set" or kind.name == "combo":
            return "+".join(self.key(v, kind.of or kind) for v in unpack(value))
        if kind.form in ("piece", "thing") and 0 <= value < FIRST_THING:
            sort = self.game.layout.sort_at[value]
            return self.world.name_of(sort, Kind("sort")) if sort >= 0 else str(value)
        if kind.form == "zone":
            member = self.game.layout.zones.get(value)
            return member.name if member else str(value)
        if kind.form in ("thing", "piece") and value >= FIRST_THING:
            thing = self.world.thing(value)
            key = self.world.sorts[thing.sort].key if thing.sort >= 0 else ""
            return key or thing.name
        return self.world.name_of(value, kind)

    def own(self, english: str, **named: str) -> str:
        """A word or a form of ours in the language of the game; the ruleset's own, where its texts have one."""
        found = self.game.text(f"name.{english}") or english
        if found == english and self.game.lang != "en":
            found = _own_words().get(english, {}).get(self.game.lang, english)
        return found.format(**named) if named else found

    def show(self, value: int, kind: Kind) -> str:
        """A value for people: money with its sign, names in their language."""
        if kind.form == "number" and kind.name in self.world.units:
            several = self.game.text(f"unit.{kind.name}") or self.world.units[kind.name][0]
            single = self.game.text(f"unit.{kind.name}.one") or (
                self.world.singles[kind.name] if several == self.world.units[kind.name][0] else several
            )
            write = single if abs(value) == 1 else several
            text = f"{abs(value):,}"
            return ("-" if value < 0 else "") + write.replace("{}", text)
        if kind.form == "seat":
            return f"{self.own('seat')} {value + 1}" if value >= 0 else self.own("nobody")
        if kind.form == "flag":
            return self.own("yes" if value else "no")
        if kind.form == "set" or kind.name == "combo":
            return ", ".join(self.show(v, kind.of or kind) for v in unpack(value))
        if kind.form == "word":
            return self.world.text(value, self.game.lang)
        name = self.key(value, kind)
        if kind.form in ("thing", "piece") and value >= FIRST_THING:
            title = self.world.thing(value).title
            if title:
                return title.get(self.game.lang) or title.get("en") or name
            name = self.world.thing(value).name
            one_of_many = WITHOUT_NUMBER.search(name)
            called = self.game.text(f"name.{name[: one_of_many.start()]}") if one_of_many else None
            if one_of_many and called and not self.game.text(f"name.{name}"):
                return f"{called} {one_of_many[0][1:]}"
        elif kind.form in ("sort", "piece") and value >= 0:
            sort = value if kind.form == "sort" else self.game.layout.sort_at[value]
            if sort >= 0:
                name = self.world.sorts[sort].full_name
                thing = self.world.sorts[sort].thing
                title = self.world.thing(thing).title if thing >= 0 else {}
                if title and self.world.thing(thing).name == name:
                    return title.get(self.game.lang) or title.get("en") or name
                if self.world.sorts[sort].parts and not self.game.text(f"name.{name}"):
                    return self._put_together(self.world.sorts[sort])
        return self.game.text(f"name.{name}") or name.replace("_", " ")

    def _put_together(self, sort: Sort) -> str:
        """A sort that is made for several, called by what these are called."""
        words = (word.replace("_", " ") if isinstance(word, str) else self.show(*sort.parts[word]) for word in sort.named)
        side = self.game.text(f"name.{sort.side}") or sort.side
        return "".join(words) + (f" {side}" if side else "")

    def plain(self, value: int, kind: Kind) -> object:
        """A value for programs: numbers, names, true and false."""
        if kind.form == "number":
            return value
        if kind.form == "flag":
            return bool(value)
        if value == -1:
            return None
        if kind.form == "seat":
            return value + 1
        return self.key(value, kind)
