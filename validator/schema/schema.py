"""JSON Schemas of all YAML files, those of boards made from the kinds that a ruleset declares."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.files.writing import write_text
from ichiba.dsl.parts import parts_of
from ichiba.dsl.ruleset import library_folder
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.given import LOOK
from ichiba.dsl.yaml.declarations import Box, Reader
from ichiba.dsl.yaml.reading import Scalar, Seq
from ichiba.validator.schema.words import (
    BETWEEN,
    BOARD,
    FLAG,
    GAME,
    LOOK_OF_A_GAME,
    MAP_HEAD,
    NUMBER,
    PAIR,
    PLACE_ID,
    SCENARIO,
    TEXT,
    WHOLE,
    Schema,
    any_of,
    fields,
    key,
    part,
)

DRAFT = "http://json-schema.org/draft-07/schema#"
FOLDER = ".schemas"
MOST_LETTERS = 4 * 2**20  # that the words of a ruleset come to in all its schemas
OF_EVERY_BOARD = len(json.dumps(BOARD))
_COMMENT = re.compile(r"#\s*(.*)")


def file_name(what: str) -> str:
    return f"{what}.schema.json"


def general() -> dict[str, Schema]:
    """The schemas that are the same for every ruleset."""
    return {
        "game": _whole("game.yaml", GAME), "module": _whole("module.yaml", part("module")),
        "variant": _whole("a variant", part("variant")), "scenario": _whole("*.scenario.yaml", SCENARIO),
        "look": _whole("look.yaml", LOOK_OF_A_GAME),
    }  # fmt: skip


def schemas(folder: Path) -> dict[str, Schema]:
    """All schemas of a ruleset: the general ones, and one for each kind of board."""
    box = whole_box(folder)
    kinds = Kinds(box)
    made = general()
    for kind in kinds.boards:
        made[kind] = _whole(f"a board of the kind `{kind}`", kinds.board(kind))
    if kinds.boards:
        cases = [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": {"$ref": file_name(kind)}} for kind in kinds.boards
        ]  # fmt: skip
        every = {"properties": {"kind": key("Kind", "What kind of board it is.", kinds.boards[0], enum=kinds.boards)}, "required": ["kind"]}
        made["board"] = _whole("a board", {"type": "object", **every, "allOf": cases})
    if box.map_file is not None:
        made["map"] = _whole("a map file", kinds.map())
    return made


def written(schema: Schema) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def write(made: dict[str, Schema], into: Path) -> list[Path]:
    """Write all schemas of a ruleset. Those that are there already are renewed."""
    into.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, schema in made.items():
        path = into / file_name(name)
        write_text(path, written(schema))
        paths.append(path)
    return paths


def _whole(title: str, schema: Schema) -> Schema:
    return {"$schema": DRAFT, "title": title, **schema}


def whole_box(folder: Path) -> Box:
    """Everything a ruleset declares, with all its modules and variants. What is wrong with it is told elsewhere."""
    reader = Reader(Faults())
    with suppress(RulesetFaults):  # of another version of the language
        reader.game(folder)
    for found in parts_of(folder).values():
        reader.module(found.path, found.what)
    for name in reader.box.uses:
        path = library_folder() / f"{name}.rules"
        if path.is_file():
            reader.library(path)
    return reader.box


class Kinds:
    """The kinds of a ruleset as they are written, whatever is switched on."""

    def __init__(self, box: Box):
        self.box = box
        self.left = MOST_LETTERS
        self.parents: dict[str, str] = {}
        self.members: dict[str, list[t.Field]] = {}
        self.menus: dict[str, list[str]] = {}
        self.about: dict[str, str] = {}
        self.words: dict[str, tuple[str, ...]] = {decl.name: tuple(i.name for i in decl.items) for decl in box.sorts}
        for rules in box.rules:
            for item in rules.items:
                if isinstance(item, t.Kind):
                    self._read(item)
        self.lines: dict[str, tuple[str, ...]] = {}
        self.sorts = _sorts_by_name(box)
        self.boards = [kind for kind in self.parents if "board" in self.line(kind)]
        self.sub_kinds = _by_ancestor((kind, self.line(kind)) for kind in self.boards)
        self.named = _by_ancestor((board.name, self.line(board.kind)) for board in box.boards)
        self.said = self._said()

    def _read(self, item: t.Kind) -> None:
        if not item.added:
            self.parents[item.name] = item.parent or "thing"
        self.members.setdefault(item.name, []).extend(m for m in item.members if isinstance(m, t.Field))
        self.menus.setdefault(item.name, []).extend(m.name for m in item.members if isinstance(m, t.MenuMember))
        if item.doc is not None:
            self.about[item.name] = item.doc.text

    def _spend(self, letters: int) -> None:
        """What a few lines of kinds say may stand in very many schemas: it is counted while it is made."""
        self.left -= letters
        if self.left < 0:
            faults = Faults()
            faults.add("E026", None, f"this ruleset holds more than {MOST_LETTERS // 1024:,} KB of schemas for its files",
                       label="fewer kinds inside of each other, or fewer words that a field may take")  # fmt: skip
            raise RulesetFaults(faults.all)

    def line(self, kind: str) -> tuple[str, ...]:
        """A kind and all that it is, too."""
        if kind not in self.lines:
            line, last = {kind: None}, kind
            while last in self.parents and self.parents[last] not in line:
                last = self.parents[last]
                line[last] = None
            self._spend(sum(map(len, line)))
            self.lines[kind] = tuple(line)
        return self.lines[kind]

    def _said(self) -> dict[tuple[str, str], object]:
        """What the first board of a kind says in a field."""
        said: dict[tuple[str, str], object] = {}
        for board in self.box.boards:
            for name, node in board.fields:
                if isinstance(node, Scalar | Seq):
                    value = node.value if isinstance(node, Scalar) else [item.value for item in node.items if isinstance(item, Scalar)]
                    line = self.line(board.kind)
                    self._spend(len(line))
                    for kind in line:
                        said.setdefault((kind, name), value)
        return said

    def is_sort(self, name: str) -> bool:
        """Whether a type is a family of pieces, of which a field names a sort."""
        return name not in self.parents and name in self.sorts

    def board(self, kind: str) -> Schema:
        """The schema of a file that describes one board of this kind."""
        own = self.sub_kinds[kind]
        self._spend(sum(map(len, own)) + OF_EVERY_BOARD)
        properties: dict[str, Schema] = {
            "board": BOARD["board"],
            "kind": key("Kind", f"What kind of board it is: a `{kind}`.", kind, enum=own if len(own) > 1 else [kind]),
        }
        required = ["board", "kind"]
        for ancestor in reversed(self.line(kind)):
            for member in self.members.get(ancestor, ()):
                properties[member.name] = self.field(member, kind)
                if _needed(member):
                    required.append(member.name)
        for name, schema in BOARD.items():
            properties.setdefault(name, schema)
        description = self.about.get(kind, f"A board of the kind `{kind}`.")
        return fields(description, properties, tuple(required)) | {"patternProperties": {"^(name|name_[a-z]+)$": TEXT}}

    def map(self) -> Schema:
        """The schema of a map file: its head, and a list for all that is taken out of it."""
        properties = {"map": MAP_HEAD}
        for decl in self.box.things:
            if decl.edges:
                description = f"Each {decl.kind}, as the two places that it connects."
                items = any_of(PAIR, self._connection(decl.kind))
                properties[decl.start] = key(_title(decl.start), description, [["here", "there"]], type="array", items=items)
            elif decl.start:
                description = self.about.get(decl.kind, f"Each {decl.kind}, with its fields.")
                item = self._place(decl.kind)
                example = {name: inner["examples"][0] for name, inner in item["properties"].items() if name in item["required"]}
                properties[decl.start] = key(_title(decl.start), description, [example], type="array", items=item)
        return fields("A map, chosen by the options of the game.", properties, tuple(name for name in properties if name != "map"))

    def _place(self, kind: str) -> Schema:
        return self._of_map(kind, "id", PLACE_ID)

    def _connection(self, kind: str) -> Schema:
        return self._of_map(kind, "between", BETWEEN)

    def _of_map(self, kind: str, which: str, what: Schema) -> Schema:
        """What a map lists: which one it is, and its fields."""
        properties: dict[str, Schema] = {which: what}
        members = [member for ancestor in reversed(self.line(kind)) for member in self.members.get(ancestor, ())]
        properties |= {member.name: self.field(member, kind) for member in members}
        needed = (which, *(member.name for member in members if _needed(member)))
        return fields(f"One {kind}.", properties, needed) | {"patternProperties": {LOOK.pattern.removesuffix("\\Z") + "$": {}}}

    def field(self, member: t.Field, kind: str) -> Schema:
        shape = self.shape(member.type)
        words = _comment(member) or _about(member.type)
        if member.default is not None:
            words += f" ({_written(member.default)} when nothing is said)"
        choice = shape.get("enum") or [_example(member.type)]
        made = key(_title(member.name), words, self.said.get((kind, member.name), choice[0]), **shape)
        self._spend(len(json.dumps(made)))
        return made

    def shape(self, written: t.Type) -> Schema:
        """What a value of a type looks like in YAML."""
        name = written.name
        if written.values:
            return {"enum": list(written.values)}
        if name == "set" and written.of:
            one = self.shape(t.Type(written.span, written.of))
            return any_of({"type": "array", "items": one}, one)
        if name == "flag":
            return FLAG
        if name in ("number", *(unit.name for unit in self.box.units)):
            return NUMBER
        if name == "seat":
            return {**WHOLE, "minimum": 1, "maximum": 12}
        if name == "cost":
            return any_of(TEXT, WHOLE)
        if name in self.words:
            return {"enum": list(self.words[name])}
        if name in self.parents and "board" in self.line(name):
            return {"enum": self.named[name]} if name in self.named else TEXT
        if self.is_sort(name):
            return {"enum": self.sorts[name]}
        return any_of(TEXT, WHOLE)


def _by_ancestor(lines: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, list[str]]:
    """By each kind all that are of it, too."""
    found: dict[str, list[str]] = {}
    for name, line in lines:
        for kind in line:
            found.setdefault(kind, []).append(name)
    return found


def _sorts_by_name(box: Box) -> dict[str, list[str]]:
    """The sorts of a family, and of all families of a category."""
    found: dict[str, list[str]] = {}
    for decl in box.pieces:
        for name in dict.fromkeys(one for one in (decl.name, decl.category) if one):
            found.setdefault(name, []).extend(item.name for item in decl.items or ())
    return {name: sorts for name, sorts in found.items() if sorts}


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _needed(member: t.Field) -> bool:
    """Whether a file must say it: nothing else is known of it."""
    return member.default is None and not member.type.optional and member.type.name not in ("flag", "set", "cost", "text")


def _comment(member: t.Field) -> str:
    """`field entry: cost = ¥0   # what a visit costs`: the words behind it are for people."""
    found = _COMMENT.search(member.span.source.line_text(member.span.line))
    return found[1].strip().capitalize() if found else ""


def _about(written: t.Type) -> str:
    name = written.name
    if written.values:
        return "One of " + ", ".join(written.values)
    if name == "set" and written.of:
        return f"Some {plural(written.of)}"
    return {"flag": "Yes or no", "number": "A number", "cost": "What has to be paid", "text": "A text"}.get(name, f"One {name}")


def _written(default: t.Expr | t.Cost) -> str:
    return spelled(default.span.text)


def _example(written: t.Type) -> object:
    if written.values:
        return written.values[0]
    return {"flag": True, "number": 3, "cost": "1 ap", "text": "some words", "seat": 1}.get(written.name, written.name)


__all__ = ["FOLDER", "Kinds", "file_name", "general", "schemas", "write", "written", "whole_box"]
