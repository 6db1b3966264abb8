"""Opens the box for one table: numbers every sort, thing and member, and works out every fixed property."""

from __future__ import annotations

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.world.constant import work_out
from ichiba.dsl.world.given import Proto
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.opening.maps import judge_islands
from ichiba.dsl.world.opening.members import Members
from ichiba.dsl.world.opening.pieces import Pieces
from ichiba.dsl.world.world import (
    Config,
    Field,
    Thing,
    World,
)
from ichiba.dsl.yaml.declarations import Box, OptionDecl
from ichiba.dsl.yaml.reading import Scalar


def open_box(box: Box, config: Config, faults: Faults, absent: dict[str, str] | None = None) -> World:
    """The world of one table. Faults are gathered; the world is whole enough to go on checking."""
    opener = Opener(box, config, faults)
    opener.world.known = absent or {}
    return opener.open()


class Opener(Pieces):
    """All of it, in order."""

    def open(self) -> World:
        self._units()
        self._enums()
        self._options()
        self._numbers()
        self._tables()
        self._kinds()
        self._read_map()
        for board in tuple(self.box.boards):
            self._board(board)
        for things in self.box.things:
            self._things(things)
        self._check_names()
        self._number_things(individuals=False)
        self._number_fields()
        self._board_sorts()
        self._pieces()
        self.scope.pieces = self.world.how_many
        self._number_things(individuals=True)
        self._all_fields()
        self._lists()
        self._refusals()
        self._edges()
        self.world.groups = {proto.id: proto.group for proto in self.protos if proto.group}
        Members(self.box, self.world, self.faults, self.scope).declare()
        return self.world

    def _lists(self) -> None:
        """What was chosen for an option that is a list of boards: each once, and only those that it allows."""
        for decl in self.box.options:
            value, _ = self.world.options.get(decl.name, ((), None))
            if decl.form != "list_of" or not isinstance(value, tuple):
                continue
            there = [proto for proto in self.protos if self.world.is_kind(proto.kind, decl.words[0])] if value else []
            allowed = [proto.name for proto in there if self._allows(decl, proto)]
            for name in dict.fromkeys(value):
                if value.count(name) > 1:
                    message = f"`{name}` stands {value.count(name)} times in the option `{decl.name}`"
                    self.faults.add("E402", None, message, label="there is one of it")
                if name not in allowed and any(proto.name == name for proto in there):
                    notes = ("there are: " + ", ".join(allowed),)
                    message = f"`{name}` cannot be in the option `{decl.name}`"
                    self.faults.add("E402", None, message, label=decl.refusal, notes=notes)

    def _allows(self, decl: OptionDecl, proto: Proto) -> bool:
        """`where: market.fewest_seats <= seats`, of this board."""
        self.current[decl.words[0]] = proto
        return decl.where is None or bool(work_out(decl.where, self.scope, self.faults))

    def _refusals(self) -> None:
        """Options that do not go together, and why."""
        names = {*(proto.name for proto in self.protos), *self.world.known}
        self.scope.things = lambda name: name if name in names else nearest(name, names)
        for refusal in self.box.refusals:
            if work_out(refusal.when, self.scope, self.faults):
                self.faults.add("E412", None, "these options do not go together", label=refusal.because)

    def _edges(self) -> None:
        joined: list[tuple[int, int]] = []
        nodes = {self.world.thing(id).name: id for id in reversed(self.world.kinds["node"].things)}
        for proto in self.protos:
            if proto.ends is None:
                continue
            owner = self.world.kinds[proto.kind]
            ends: list[Thing] = []
            for name, node in zip(("a", "b"), proto.ends, strict=True):
                word = str(node.value) if isinstance(node, Scalar) else ""
                id = nodes.get(word)
                if id is None:
                    hint = nearest(word, nodes)
                    self.faults.add(
                        "E110",
                        node.span,
                        f"`{word}` is no place on this map",
                        label=f"did you mean `{hint}`?" if hint else "",
                    )
                    continue
                ends.append(self.world.thing(id))
                owner.fields.setdefault(name, Field(name, Kind("thing", ends[-1].kind))).values[proto.id] = id
            if len(ends) == 2:
                joined.append((ends[0].id, ends[1].id))
            if len(ends) == 2 and not self.world.thing(proto.id).title:
                both = [lang for lang in ends[0].title if lang in ends[1].title]
                self.world.thing(proto.id).title = {
                    lang: f"{ends[0].title[lang]} – {ends[1].title[lang]}" for lang in both
                }
        if self.map is not None and joined:
            places = {id: self.world.thing(id).name for id in self.world.kinds["node"].things}
            judge_islands(self.map, places, joined, self.islands, self.faults)
