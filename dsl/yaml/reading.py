"""YAML read safely into nodes that know, character by character, where they stand in the file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NoReturn

from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner
from yaml.tokens import Token

from ichiba.dsl.faults.fault import INVISIBLE, MOST_BROKEN, Faults, quote
from ichiba.dsl.faults.readings import read_once
from ichiba.dsl.faults.source import Embedded, Source, Span
from ichiba.dsl.files.writing import NotRegularFile, read_regular

__all__ = ["Map", "Node", "Scalar", "Seq", "Style", "Value", "load_bytes", "load_source", "plain", "read_yaml", "source_of", "tokens_of"]

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NODES = 20_000
MAX_TEXT = 4_096
MAX_BLOCK = 65_536
MAX_INTEGER = 10**12

MARK = "\ufeff"  # some editors begin a file with it

Value = str | int | bool | None
Style = Literal["plain", "single", "double", "block"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A word, a number or a text. `text` has the characters of the value, each with its place in the file."""

    value: Value
    span: Span
    text: Embedded
    style: Style


@dataclass(frozen=True, slots=True)
class Seq:
    """A list: `[eel, tuna]`, or lines that begin with `- `."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Map:
    """Keys with their values, in the order of the file. No key stands twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    def get(self, key: str | int | bool) -> Node | None:
        return next((node for name, node in self.entries if _same(name.value, key)), None)

    def keys(self) -> list[Value]:
        return [name.value for name, _ in self.entries]


Node = Scalar | Seq | Map


def plain(node: Node) -> object:
    """A value as Python knows it."""
    match node:
        case Scalar(value=value):
            return value
        case Seq(items=items):
            return [plain(item) for item in items]
        case Map(entries=entries):
            return {key.value: plain(value) for key, value in entries}


def _same(a: Value, b: Value) -> bool:
    return a == b and type(a) is type(b)  # Python holds 1 and True for equal


# --- files


def load_source(path: Path, shown: str, faults: Faults) -> Source | None:
    """Read a text file, telling of it under the name `shown`; None, with faults, if it cannot be used."""
    data = load_bytes(path, shown, faults)
    return source_of(data, shown, faults) if data is not None else None


def load_bytes(path: Path, shown: str, faults: Faults) -> bytes | None:
    """All that a file holds, if it is one and not too large."""
    whole_file = _whole(Source(shown, ""))
    try:
        data = read_regular(path, MAX_BYTES)
        size = len(data) if len(data) <= MAX_BYTES else max(len(data), path.stat().st_size)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        faults.add("E001", whole_file, f"{quote(shown)} cannot be read: {_why_unread(error)}")
        return None
    if size > MAX_BYTES:
        _too_large(size, whole_file, faults)
        return None
    return data


def source_of(data: bytes, shown: str, faults: Faults) -> Source | None:
    """The text that a file of this name holds; None, with faults, if it cannot be used."""
    source = _decode(data, shown, faults)
    return source if source and _sound(source, faults) else None


def _why_unread(error: OSError | ValueError) -> str:
    match error:
        case FileNotFoundError() | NotADirectoryError() | ValueError():
            return "there is no such file"
        case IsADirectoryError():
            return "it is a folder"
        case PermissionError():
            return "it may not be read"
        case NotRegularFile():
            return "it is no file but a pipe, a socket or a device"
        case _:
            return error.strerror or "the system refuses"


def _decode(data: bytes, shown: str, faults: Faults) -> Source | None:
    """The text without a byte order mark: columns and offsets count from the first character people see."""
    try:
        return Source(shown, data.decode("utf-8").removeprefix(MARK))
    except UnicodeDecodeError as error:
        sound = len(data[: error.start].decode("utf-8"))
        # What is left of the file is shown with a mark in place of the bytes that mean nothing.
        source = Source(shown, data.decode("utf-8", errors="replace"))
        hint = "this looks like UTF-16; save it as UTF-8" if data[:2] in _UTF_16 else "save the file as UTF-8"
        faults.add(
            "E003",
            Span(source, sound, sound + 1),
            f"the file is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}",
            label=hint,
        )
        return None


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def _sound(source: Source, faults: Faults) -> bool:
    """Whether a text is small enough, and free of characters that nobody can see."""
    size = len(source.text.encode("utf-8", errors="replace"))
    if size > MAX_BYTES:
        _too_large(size, _whole(source), faults)
        return False
    first: dict[str, int] = {}
    for match in _REFUSED.finditer(source.text):
        first.setdefault(match[0], match.start())
    for char, at in first.items():
        faults.add("E004", Span(source, at, at + 1), f"{_name_of(char)} cannot stand in a file", label="remove it")
    return not first


def _whole(source: Source) -> Span:
    return Span(source, 0, 0)


def _too_large(size: int, span: Span, faults: Faults) -> None:
    faults.add("E002", span, f"the file has {size:,} bytes; at most {MAX_BYTES:,} are read")


# Control characters, line breaks that editors do not count, and marks that nobody sees or that turn the direction of
# writing. Joiners (U+200C, U+200D) stay: some scripts, and many signs, are written with them.
_REFUSED = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff{INVISIBLE}]|\r(?!\n)")


def _name_of(char: str) -> str:
    if char == "\r":
        return "a carriage return without a line feed"
    name = unicodedata.name(char, "NUL" if char == "\0" else "")
    return " ".join(filter(None, ["the character", name, f"(U+{ord(char):04X})"]))


# --- reading


def read_yaml(source: Source, faults: Faults) -> Node | None:
    """The nodes of a YAML file; None if they are not to be trusted.

    Most mistakes leave the tree usable, so that later passes find theirs in the same run; a refused value is
    then replaced by what was most likely meant. Not so a broken file, a limit, an alias, a tag or a `>`.
    """
    return read_once(source, "yaml", partial(_read, source), faults)


def _read(source: Source, faults: Faults) -> Node | None:
    if not _sound(source, faults) or not _free_of_tabs(source, faults):
        return None
    reading = _Reading(source, faults)
    try:
        node = reading.document()
    except _Stop:
        return None
    except MarkedYAMLError as error:
        _tell_broken(error, source, faults)
        return None
    except (ValueError, OverflowError):
        # Two mistakes slip through PyYAML: a version number of thousands of digits, and `\UFFFFFFFF`.
        _tell_overflow(source, reading.events.index, faults)
        return None
    return node if reading.trusted else None


def _free_of_tabs(source: Source, faults: Faults) -> bool:
    tabs = [match.end() - 1 for match in _TAB_INDENT.finditer(source.text)]
    if tabs:
        span = Span(source, tabs[0], tabs[0] + 1)
        more = len(tabs) - 1
        notes = [f"{more} more line{'s are' if more > 1 else ' is'} indented with tabs"] if more else []
        message = f"line {span.line} is indented with a tab"
        faults.add("E006", span, message, label="use spaces", notes=notes)
    return not tabs


_TAB_INDENT = re.compile(r"^ *+\t", re.MULTILINE)


class _Stop(Exception):
    """Reading ends here; the fault has been told."""


class _Events(Reader, Scanner, Parser):
    """PyYAML as far as its events: nothing here could compose nodes or construct objects.

    The parser in pure Python is slower than the one in C, but a whole game takes some 30 ms, it cannot crash
    the process, and it is the same, with the same messages, on every computer.
    """

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def take(self) -> Event:
        event: Event = self.get_event()  # type: ignore[no-untyped-call]
        return event

    def peek_next(self) -> Event:
        event: Event = self.peek_event()  # type: ignore[no-untyped-call]
        return event


def tokens_of(source: Source) -> Iterator[Token]:
    """The words and signs of a YAML file that has been read without a fault, each with its place."""
    events = _Events(source.text)
    while events.check_token():
        yield events.get_token()  # type: ignore[no-untyped-call]


class _Reading:
    """One pass over the events of a file, counting while they stream in."""

    def __init__(self, source: Source, faults: Faults) -> None:
        self.source = source
        self.faults = faults
        self.events = _Events(source.text)
        self.trusted = True
        self.depth = 0
        self.nodes = 0

    def document(self) -> Node:
        self.events.take()  # the stream begins
        start = self.events.take()
        if not isinstance(start, DocumentStartEvent):
            self.stop("E005", _whole(self.source), "the file is empty")
        if self.source.text.startswith("%", _start(start)):
            self.stop("E013", self.line_from(_start(start)), "directives are not allowed", label="remove this line")
        node = self.node(self.events.take())
        if isinstance(node, Scalar) and node.value is None and node.span.start == node.span.end:
            self.stop("E005", _whole(self.source), "the file is empty")
        self.events.take()  # the document ends
        after = self.events.take()
        if not isinstance(after, StreamEndEvent):
            second = self.line_from(_start(after))
            self.stop("E012", second, "a second document begins here", label="a file holds one only")
        return node

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    def line_from(self, start: int) -> Span:
        return _rest_of_line(self.source, start)

    def stop(self, code: str, span: Span, message: str, label: str = "", notes: Sequence[str] = ()) -> NoReturn:
        self.faults.add(code, span, message, label=label, notes=notes)
        raise _Stop

    def node(self, event: Event, as_key: bool = False) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            span = self.span(_start(event), _end(event))
            self.stop("E015", span, f"the file holds more than {MAX_NODES:,} values", label="the first too many")
        self.refuse_properties(event)
        match event:
            case ScalarEvent():
                return self.scalar(event, as_key)
            case MappingStartEvent():
                return self.map(event)
            case CollectionStartEvent():
                return self.seq(event)
            case _:
                return self.unread("", event, "plain")  # an alias

    def refuse_properties(self, event: Event) -> None:
        """Anchors, aliases and tags. They are few, so the place of each is searched for in the text."""
        assert isinstance(event, NodeEvent)
        if isinstance(event, AliasEvent):
            self.refuse("E009", f"*{event.anchor}", event, "aliases are not allowed", "write the value out")
        elif event.anchor is not None:
            self.refuse("E009", f"&{event.anchor}", event, "anchors are not allowed", "remove it")
        if isinstance(event, (ScalarEvent, CollectionStartEvent)) and event.tag is not None:
            self.refuse("E011", "!", event, "tags are not allowed", "remove it")

    def refuse(self, code: str, sign: str, event: Event, message: str, label: str) -> None:
        start = max(self.source.text.find(sign, _start(event)), _start(event))
        word = _WORD.match(self.source.text, start)
        span = self.span(start, word.end() if word else start)
        self.faults.add(code, span, message, label=label)
        self.trusted = False
        if len(self.faults.errors) > MOST_BROKEN:
            self.faults.tell_of_the_rest(self.source.path)
            raise _Stop

    def seq(self, start: CollectionStartEvent) -> Seq:
        self.enter(start)
        items: list[Node] = []
        while not isinstance(event := self.events.take(), SequenceEndEvent):
            items.append(self.node(event))
        self.depth -= 1
        return Seq(tuple(items), self.span(_start(start), self.end_of(start, event, items)))

    def map(self, start: CollectionStartEvent) -> Map:
        self.enter(start)
        entries: list[tuple[Scalar, Node]] = []
        values: list[Node] = []  # those of keys that stand twice too: the map reaches as far as they do
        first: dict[str, Span] = {}
        while not isinstance(event := self.events.take(), MappingEndEvent):
            key = self.key(event, flow=bool(start.flow_style))
            value = self.node(self.events.take())
            values.append(value)
            if key is None:
                continue
            # By their text: `2` and `"2"` are one key to every reader of the file, and to an editor.
            if key.text.text in first:
                self.tell_twice(key, first[key.text.text])
                continue
            first[key.text.text] = key.span
            entries.append((key, value))
        self.depth -= 1
        return Map(tuple(entries), self.span(_start(start), self.end_of(start, event, values)))

    def tell_twice(self, key: Scalar, first: Span) -> None:
        message = f"the key {quote(key.text.text)} stands twice"
        self.faults.add("E008", key.span, message, label="again here", second=(first, "first here"))

    def enter(self, start: CollectionStartEvent) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            span = self.span(_start(start), _start(start) + 1)
            message = f"lists and maps stand {self.depth} deep in each other; at most {MAX_DEPTH} are read"
            self.stop("E014", span, message)

    def end_of(self, start: CollectionStartEvent, end: Event, children: Sequence[Node]) -> int:
        """A bracket ends a collection in flow style; one in block style ends with its last child."""
        if self.source.text.startswith(("[", "{"), _start(start)) or not children:
            return max(_start(start), _end(end) if start.flow_style else _start(start))
        return children[-1].span.end

    def key(self, event: Event, flow: bool) -> Scalar | None:
        """A key that may stand in a map, or None, with a fault."""
        if flow and isinstance(event, ScalarEvent) and self.lacks_space(event):
            return None
        node = self.node(event, as_key=True)
        if not isinstance(node, Scalar) or "\n" in node.span.text:
            self.faults.add("E023", node.span, "a key is a word or a number, in one line")
        elif isinstance(event, AliasEvent):
            pass  # told already
        elif node.style == "plain" and node.text.text == "<<":
            self.faults.add("E010", node.span, "merge keys are not allowed", label="write the keys out")
            self.trusted = False
        elif node.value is None and node.text.text:
            self.faults.add("E023", node.span, "a key cannot be null", label="quote it if it is a text")
        elif node.value is None:
            self.faults.add("E023", node.span, "a key is missing here")
        else:
            return node
        return None

    def lacks_space(self, event: ScalarEvent) -> bool:
        """Whether this is `{eel:4}`, which YAML reads as a key `eel:4` without a value."""
        after = self.events.peek_next()
        if event.style is not None or ":" not in event.value or not _is_missing(after):
            return False
        self.nodes += 1
        start = _start(event)
        colon = self.source.text.index(":", start)
        name, _, value = event.value.partition(":")
        label = f"write {quote(f'{name}: {value}')}" if value.strip() else ""
        self.faults.add("E024", self.span(colon, colon + 1), "a space is missing after the colon", label=label)
        return True

    def scalar(self, event: ScalarEvent, as_key: bool) -> Scalar:
        style = _STYLES[event.style]
        if event.anchor is not None or event.tag is not None:
            return self.unread(event.value, event, style)
        if event.style == ">":
            label = "use `|`, which keeps the lines"
            sign = self.span(_start(event), _start(event) + 1)
            self.faults.add("E022", sign, "folded texts are not allowed", label=label)
            self.trusted = False
            return self.unread(event.value, event, style)
        if style == "block":
            return self.block(event)
        text = _flow_text(self.source, _start(event), _end(event), style)
        span = self.span(_start(event), _end(event))
        self.check_length(text, span, MAX_TEXT, f"; a `|` block may have {MAX_BLOCK:,}")
        if style == "plain":
            return Scalar(_plain_value(text.text, span, as_key, self.faults), span, text, style)
        if style == "double":
            self.check_escapes(text)
        return Scalar(text.text, span, text, style)

    def unread(self, value: str, event: Event, style: Style) -> Scalar:
        """A scalar with properties: it is refused as a whole, so it needs no exact places."""
        text = Embedded(self.source, value, [_start(event)] * (len(value) + 1))
        return Scalar(value, self.span(_start(event), _end(event)), text, style)

    def block(self, event: ScalarEvent) -> Scalar:
        text = _block_text(self.source, _start(event), event.value)
        last = text.offsets[len(text.text.rstrip("\n"))] if text.text.strip("\n") else _start(event) + 1
        span = self.span(_start(event), last)
        self.check_length(text, self.span(_start(event), _start(event) + 1), MAX_BLOCK, "")
        return Scalar(text.text, span, text, "block")

    def check_length(self, text: Embedded, span: Span, limit: int, more: str) -> None:
        length = len(text.text)
        if length > limit:
            message = f"a text of {length:,} characters; at most {limit:,} are allowed{more}"
            self.faults.add("E016", span, message)

    def check_escapes(self, text: Embedded) -> None:
        """`"\\0"` smuggles in what may not stand in the file itself."""
        for at, char in enumerate(text.text):
            if _REFUSED.match(char):
                span = text.span(at, at + 1)
                self.faults.add("E004", span, f"this escape makes {_name_of(char)}", label="remove it")


_STYLES: dict[str | None, Style] = {None: "plain", "'": "single", '"': "double", "|": "block", ">": "block"}
_WORD = re.compile(r"[^\s,\[\]{}]+")


def _start(event: Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.index


def _end(event: Event) -> int:
    assert event.end_mark is not None
    return event.end_mark.index


def _is_missing(event: Event) -> bool:
    """A value that is not there at all, as opposed to `~` or `''`."""
    return isinstance(event, ScalarEvent) and event.style is None and _start(event) == _end(event)


def _rest_of_line(source: Source, start: int) -> Span:
    """From an offset to the last character of its line that is not blank."""
    line, col = source.line_col(start)
    rest = source.line_text(line)[col - 1 :].rstrip()
    return Span(source, start, start + len(rest))


# --- the characters of a scalar


def _block_text(source: Source, header: int, value: str) -> Embedded:
    """A `|` block. PyYAML has found out how deep it is indented and how it ends, so each line of `value` is
    the end of a line of the file, and nothing needs to be known about indentation here."""
    text = source.text
    offsets: list[int] = []
    lines = value.split("\n")
    at = _after_line(text, header)
    for number, line in enumerate(lines, 1):
        if number == len(lines) and not line:
            offsets.append(at)  # the value ends with a line break, and what follows is not part of it
            break
        following = _after_line(text, at)
        stop = at + len(text[at:following].rstrip("\r\n"))
        offsets.extend(range(stop - len(line), stop + 1))
        at = following
    return Embedded(source, value, offsets)


def _after_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _flow_text(source: Source, start: int, end: int, style: Style) -> Embedded:
    """A plain or a quoted scalar, of one line or of several."""
    if style != "plain":
        start, end = start + 1, end - 1
    raw = source.text[start:end]
    if not _SPECIAL[style].search(raw):
        return Embedded(source, raw, range(start, end + 1))
    chars: list[str] = []
    offsets: list[int] = []
    for at, piece in _pieces(raw, style):
        chars.append(piece)
        offsets.extend([start + at] * len(piece))
    return Embedded(source, "".join(chars), [*offsets, end])


# What in a scalar is not simply itself. A fold begins only where blanks begin, lest a long run of them be
# tried again from each; they also begin behind the escape `\ `.
_FOLD = r"(?:(?<![ \t])|(?<=\\[ \t]))(?P<fold>[ \t]*+\r?\n[ \t\r\n]*+)"
_SPECIAL: dict[Style, re.Pattern[str]] = {
    "plain": re.compile(_FOLD),
    "single": re.compile(_FOLD + r"|(?P<twin>'')"),
    "double": re.compile(
        _FOLD + r"|(?P<joined>\\\r?\n[ \t\r\n]*+)"
        r"|\\(?:x(?P<x>..)|u(?P<u>.{4})|U(?P<U>.{8})|(?P<escape>.))"
    ),
}


def _pieces(raw: str, style: Style) -> Iterator[tuple[int, str]]:
    """What each part of a scalar stands for, and where it begins: single characters, folds and escapes."""
    at = 0
    for match in _SPECIAL[style].finditer(raw):
        yield from enumerate(raw[at : match.start()], at)
        yield match.start(), _meaning(match)
        at = match.end()
    yield from enumerate(raw[at:], at)


def _meaning(match: re.Match[str]) -> str:
    kind, content = match.lastgroup, match[match.lastgroup or 0]
    match kind:
        case "fold":  # one line break reads as a space, each further one as itself
            return "\n" * (content.count("\n") - 1) or " "
        case "joined":
            return "\n" * (content.count("\n") - 1)
        case "twin":
            return "'"
        case "escape":
            return Scanner.ESCAPE_REPLACEMENTS[content]
        case _:
            return chr(int(content, 16))


# --- the meaning of a plain scalar


_WORDS: dict[str, Value] = {"": None, "~": None, "null": None, "true": True, "false": False}
_ALIKE: dict[str, Value] = {**_WORDS, "yes": True, "on": True, "no": False, "off": False}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_TIME = re.compile(r"[-+]?[0-9]+(?::[0-9]+)+(?:\.[0-9]*)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?", re.DOTALL)
_FRACTION = re.compile(
    r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*|[0-9][0-9_]*(?=[eE]))(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_ODD_INTEGER = re.compile(r"[-+]?(?:[0-9][0-9_]*|0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9]{1,3}(?:,[0-9]{3})+)")
_QUOTE_IT = "quote it"
# For a number that is refused: any number serves, so that nobody complains of a text later.
_SOME_NUMBER = 1


def _plain_value(word: str, span: Span, as_key: bool, faults: Faults) -> Value:
    """`4` is a number, `true` is true, and whatever readers of YAML disagree about is refused."""
    if word in _WORDS:
        return _WORDS[word]
    if word.casefold() in _ALIKE:
        return _alike(word, span, as_key, faults)
    if _INTEGER.fullmatch(word):
        return _integer(word, span, faults)
    if _TIME.fullmatch(word) or _DATE.fullmatch(word):
        kind = "a time" if ":" in word and "-" not in word[1:] else "a date"
        message = f"{quote(word)} is {kind} to some readers of YAML and a text to others"
        faults.add("E018", span, message, label=_QUOTE_IT)
        return word
    if _FRACTION.fullmatch(word):
        notes = ["use a smaller unit, or a fraction of two integers in a rule; quote it if it is a text"]
        label = _without(word, ".") or "integers only"
        faults.add("E019", span, f"{quote(word)} is no integer", label=label, notes=notes)
        return int(word.replace(".", "")) if label.startswith("write") else _SOME_NUMBER
    if _ODD_INTEGER.fullmatch(word) or (word.isdecimal() and not word.isascii()):
        label = _without(word, ",") or "write a plain decimal integer, or quote it"
        faults.add("E020", span, f"{quote(word)} is read in different ways", label=label)
        return _SOME_NUMBER
    return word


def _without(word: str, sign: str) -> str:
    """For thousands that are set apart: `1.000`, `1,000`."""
    thousands = re.fullmatch(rf"[0-9]{{1,3}}(?:{re.escape(sign)}[0-9]{{3}})+", word)
    return f"write {quote(word.replace(sign, ''))} if these are thousands" if thousands else ""


def _alike(word: str, span: Span, as_key: bool, faults: Faults) -> Value:
    meaning = _ALIKE[word.casefold()]
    sense = "null" if meaning is None else str(meaning).lower()
    message = f"{quote(word)} is {sense} to some readers of YAML and a text to others"
    advice = "write true or false, or quote it" if meaning is not None else "write null, or quote it"
    faults.add("E017", span, message, label=_QUOTE_IT if as_key else advice)
    return word if as_key else meaning


def _integer(word: str, span: Span, faults: Faults) -> int:
    # Measured before it is converted: a million digits would take Python minutes.
    if len(word) <= len(str(MAX_INTEGER)) + 1 and abs(int(word)) <= MAX_INTEGER:
        return int(word)
    bound = f"at least -{MAX_INTEGER:,}" if word.startswith("-") else f"at most {MAX_INTEGER:,}"
    faults.add("E021", span, f"the integer {quote(word)} is out of range", label=bound)
    return _SOME_NUMBER


# --- broken YAML, in plain words


@dataclass(frozen=True, slots=True)
class _Wording:
    """How a complaint of PyYAML reads in plain words: `{found}` is what it met, `{0}` a part of it.

    It is told at the place of the problem, or at the place where what is being read began.
    """

    pattern: str
    message: str
    label: str = ""
    note: str = ""
    code: str = "E007"
    at_start: bool = False
    start: str = ""


_LAYOUT = "check the indentation of this line, and the quotes and brackets of the one before"
_DIRECTIVE = _Wording(
    r"directive|incompatible YAML|duplicate tag",
    "directives are not allowed",
    "remove the line that begins with %",
    code="E013",
)
_NOT_YAML = _Wording("", "this is not YAML")

_WORDINGS = (
    _DIRECTIVE,
    _Wording(
        r"scanning an (?:alias|anchor)",
        "anchors and aliases are not allowed",
        "quote it if it is a text",
        code="E009",
        at_start=True,
    ),
    _Wording(
        r"(?:scanning|parsing) a tag|undefined tag",
        "tags are not allowed",
        "quote it if it is a text",
        code="E011",
        at_start=True,
    ),
    _Wording(r"'\\t' that cannot start", "a tab stands here", "use spaces", code="E006"),
    _Wording(r"'[|>]' that cannot start", "a block of text cannot stand inside brackets", "quote the text"),
    _Wording(r"'(.)' that cannot start", "a text cannot begin with `{0}`", "quote the text"),
    _Wording(r"mapping values", "a colon cannot stand here", "quote the text if it belongs to it", _LAYOUT),
    _Wording(
        r"find expected ':'",
        "expected a key, a colon and a space",
        "no colon and space follow",
        at_start=True,
    ),
    _Wording(r"sequence entries", "a list cannot begin here", "begin it on the next line, or write [a, b]"),
    _Wording(r"mapping keys", "a key cannot begin here", note=_LAYOUT),
    _Wording(
        r"mapping: expected <block end>",
        "expected the next key, found {found}",
        "",
        _LAYOUT,
        start="the keys begin here",
    ),
    _Wording(
        r"collection: expected <block end>",
        "expected the next `- `, found {found}",
        "",
        _LAYOUT,
        start="the list begins here",
    ),
    _Wording(r"expected '(,)' or '(.)'", "expected `{0}` or `{1}`, found {found}", start="opened here"),
    _Wording(r"expected the node content", "expected a value, found {found}"),
    _Wording(r"expected '<document start>'", "nothing can follow here: what began above has ended", note=_LAYOUT),
    _Wording(r"scanning a block scalar", "the line should end after `|`", "the text begins on the next line"),
    _Wording(r"unexpected (?:end|document)", "this quote is never closed", at_start=True),
    _Wording(
        r"escape character ['\"](.*)['\"]",
        "there is no escape `\\{0}`",
        "write `\\\\` for a backslash, or use single quotes",
    ),
    _Wording(r"escape sequence of (\d)", "an escape of {0} hexadecimal digits is expected here"),
)

_TOKENS = {
    "<stream end>": "the end of the file",
    "<block mapping start>": "a key further right",
    "<block sequence start>": "a list further right",
    "<scalar>": "a text",
    "<document start>": "`---`",
    "<document end>": "`...`",
    "<anchor>": "an anchor",
    "<alias>": "an alias",
    "<tag>": "a tag",
    "-": "a list item",
}


def _tell_broken(error: MarkedYAMLError, source: Source, faults: Faults) -> None:
    complaint = f"{error.context or ''}: {error.problem or ''}"
    problem = _place(source, error.problem_mark.index if error.problem_mark else 0)
    start = _place(source, error.context_mark.index) if error.context_mark else problem
    if _tell_slip(complaint, problem, source, faults):
        return
    wording, parts = _wording_of(complaint, source.text[: problem.end])
    place = start if wording.at_start else problem
    message = wording.message.format(*parts, found=_found(complaint, problem))
    second = (start, wording.start) if wording.start and start.line != place.line else None
    notes = [*filter(None, [wording.note]), *_guesses(source, place)]
    faults.add(wording.code, place, message, label=wording.label, notes=notes, second=second)


def _tell_no_space(complaint: str, number: int, source: Source, faults: Faults) -> bool:
    """`seats:4`: a text to YAML, and so is what follows."""
    line = source.line_text(number)
    found = _NO_SPACE.match(line)
    if found is None or not re.search(r"find expected ':'|mapping values", complaint):
        return False
    colon = found.end() - 2
    start = source.start_of(number)
    label = f"write {quote(f'{line[:colon].strip()}: {line[colon + 1 :].strip()}')}"
    span = Span(source, start + colon, start + colon + 1)
    faults.add("E007", span, "a space is missing after the colon", label=label)
    return True


def _tell_slip(complaint: str, problem: Span, source: Source, faults: Faults) -> bool:
    """The three slips that people make who write YAML by hand, told with what to write."""
    number = problem.line
    for suspect in (number, number - 1):
        if _tell_no_space(complaint, suspect, source, faults):
            return True
    line = source.line_text(number)
    start = problem.start - problem.col + 1
    if "mapping values" not in complaint:
        return False
    before = line[: problem.col - 1]
    above = next((text for n in range(number - 1, 0, -1) if (text := source.line_text(n)).strip()), "")
    key_above = re.match(r"( *)([\w-]+): +\S", above)
    key = re.fullmatch(r"( *)([\w-]+)", before)
    if key is not None and key_above is not None and len(key[1]) > len(key_above[1]):
        span = Span(source, start + len(key[1]), start + len(before))
        message = f"`{key[2]}` stands further right than the key above it, which has its value already"
        faults.add("E007", span, message, label=f"begin it in the column of `{key_above[2]}`")
        return True
    value = re.match(r"( *(?:- +)?[\w-]+: +)([^\"'\[{|>].*)", line)
    if value is None or len(value[1]) >= problem.col:
        return False
    span = Span(source, start + len(value[1]), start + len(line.rstrip()))
    quoted = value[1].strip() + ' "' + value[2].strip().replace('"', "'") + '"'
    faults.add("E007", span, "a text with a colon in it needs quotes", label=f"write {quote(quoted)}")
    return True


def _wording_of(complaint: str, read: str) -> tuple[_Wording, tuple[str, ...]]:
    for wording in _WORDINGS:
        if match := re.search(wording.pattern, complaint):
            # PyYAML misses a document when only a directive stands there.
            lonely = wording.code == "E007" and re.search(r"^%", read, re.MULTILINE)
            return (_DIRECTIVE, ()) if lonely else (wording, match.groups())
    return _NOT_YAML, ()


def _found(complaint: str, problem: Span) -> str:
    match = re.search(r"(?:found|got) '(.*)'$", complaint)
    token = match[1] if match else ""
    if token == "?" and not problem.text.startswith("?"):
        return "a key"  # PyYAML's name for every key, with or without the sign
    return _TOKENS.get(token) or quote(token)


def _place(source: Source, offset: int) -> Span:
    """The word or sign at an offset; at the end of the file, the last one before it."""
    text = source.text
    start = min(offset, max(0, len(text.rstrip(" \r\n")) - 1))
    if text[start - 1 : start] == "\\":
        start -= 1
    word = _SIGN_OR_WORD.match(text, start)
    return Span(source, start, word.end() if word else start)


_SIGN_OR_WORD = re.compile(r"\\.|[\w-]+|.")


def _guesses(source: Source, place: Span) -> Iterator[str]:
    """What most often lies behind a broken line, where the line itself tells."""
    if place.text == "?":
        yield "inside brackets, quote a text with `?` in it"
    for line in range(place.line, max(0, place.line - 2), -1):
        if _NO_SPACE.match(source.line_text(line)):
            yield f"line {line} may lack a space after its colon"


_NO_SPACE = re.compile(r"[\s-]*+\w[\w-]*+:[^\s:/]")


def _tell_overflow(source: Source, offset: int, faults: Faults) -> None:
    place = _place(source, offset)
    if source.line_text(place.line).startswith("%"):
        faults.add(_DIRECTIVE.code, place, _DIRECTIVE.message, label=_DIRECTIVE.label)
    else:
        faults.add("E007", place, "there is no character with this number")
