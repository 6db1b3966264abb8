"""What is wrong with a ruleset, where, and what to do about it: for people first, then for programs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote as uri_quote

from ichiba.dsl.faults.codes import CODES, Code
from ichiba.dsl.faults.source import Span

__all__ = [
    "CODES",
    "Code",
    "Edit",
    "Fault",
    "Faults",
    "RulesetFaults",
    "INVISIBLE",
    "Severity",
    "echoed",
    "nearest",
    "placed",
    "printable",
    "quote",
    "render",
    "render_all",
    "to_json",
    "to_sarif",
]

Severity = Literal["error", "warning"]

SHOWN_FAULTS = 20
MOST_ERRORS = 200  # that are told of one setting; whoever has so many does not read on either
MOST_HELD = 2_000  # that only follow from those
MOST_BROKEN = 100  # places of one text that cannot be read: behind them it is not read on
# What is said of names that are not there. When the text that would declare them is broken, it is no news.
_FOLLOWING = {"E205", "E210", "E212", "E213", "E214", "E312", "E404", "E406"}
BROKEN = "something broken"  # how a value is called that could not be made out: what is said of it is no news
_IN_BACKTICKS = re.compile(r"`([^`]*)`")
_LONG_LINE = 160
_ECHO = 80
_TAB = 4


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text at a place: what `ichiba check --fix` writes there."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Fault:
    """One mistake in a ruleset. `label` follows the carets, `second` is another place that takes part; `repair` is there only where
    no other can have been meant."""

    code: str
    span: Span | None
    message: str
    label: str = ""
    notes: tuple[str, ...] = ()
    second: tuple[Span, str] | None = None
    severity: Severity = "error"
    repair: tuple[Edit, ...] = ()

    def __repr__(self) -> str:
        place = f" at {self.span.source.path}:{self.span.line}" if self.span is not None else ""
        return f"Fault({self.code}{place}: {quote(self.message)})"


class RulesetFaults(Exception):
    """A ruleset that cannot be used, with everything that was found wrong with it."""

    def __init__(self, faults: Iterable[Fault], held: int = 0) -> None:
        self.faults = tuple(faults)
        self.held = held  # how many more were kept back, since they only follow from these
        super().__init__(self.faults, held)

    def __str__(self) -> str:
        return render_all(self.faults, held=self.held)

    def __repr__(self) -> str:
        errors = sum(fault.severity == "error" for fault in self.faults)
        return f"RulesetFaults({errors} errors, {len(self.faults) - errors} warnings)"


class Faults:
    """Gathers what the passes find, so that one run tells everything."""

    def __init__(self) -> None:
        self._found: dict[Fault, None] = {}  # a dict keeps the order and drops exact repetitions
        self._errors: dict[Fault, None] = {}  # those of them that are errors
        self.lost: set[str] = set()  # the words of broken rules: nobody complains that they are not declared
        self.doubtful: set[str] = set()  # families whose declaration is wrong: what kind of thing they are is not known
        self.gaps = False  # a sentence that declares something is broken, and its name may be what is wrong
        self.unread = False  # a whole file is broken: only what is wrong with texts can still be told
        self.unheard = False  # it is only asked whether something is wrong: nobody reads hints
        self._held: set[tuple[str, int, str]] = set()

    def add(
        self,
        code: str,
        span: Span | None,
        message: str,
        *,
        label: str = "",
        notes: Iterable[str] = (),
        second: tuple[Span, str] | None = None,
        severity: Severity | None = None,
        repair: Iterable[Edit] = (),
    ) -> None:
        """Note a fault. Without a severity, codes that begin with W are warnings and all others errors."""
        if span is not None and span.source.used is not None:
            if not code.startswith("W"):
                self._in_a_piece(span, span.source.used, message)
            return
        known = CODES[code].code
        weight = severity or ("warning" if known.startswith("W") else "error")
        if len(self._errors) >= MOST_ERRORS or len(self._held) >= MOST_HELD:
            raise self._too_many()
        if self._follows(known, message, label) or weight == "error" and self._is_around(known, span):
            self._held.add((known, span.start if span is not None else -1, message))
            return
        self._note(Fault(known, span, message, label, tuple(notes), second, weight, tuple(repair)))

    def _note(self, fault: Fault) -> None:
        self._found[fault] = None
        if fault.severity == "error":
            self._errors[fault] = None

    def tell_of_the_rest(self, path: str) -> None:
        """Nobody mends hundreds of faults of one text at once, and to look for them all would take long."""
        message = f"too much is wrong with {path}: it was not read to its end"
        self.add("E204", None, message, label="mend what is told of it first")

    def _too_many(self) -> RulesetFaults:
        """Looking for more would take long, and help nobody."""
        label = "mend these first: what comes behind them was not looked at"
        stopped = Fault("E204", None, f"there are more than {len(self._errors)} faults in this ruleset", label)
        return RulesetFaults((*self._found, stopped), self.held)

    def _in_a_piece(self, span: Span, used: Span, message: str) -> None:
        """What is wrong inside of a piece of the library follows from what it was given: told there, and once."""
        if self.told_within(used):
            self._held.add(("E351", span.start, message))
            return
        said = f"`{span.source.used_as}` does not go with what it is given here: {message}"
        self.add("E351", used, said, notes=(f"{span.source.path}:{span.line}: {span.source.line_text(span.line).strip()}",))

    def all_of(self, found: Iterable[Fault]) -> None:
        """What was found elsewhere, in another process perhaps."""
        for fault in found:
            self._note(fault)

    def join(self, other: Faults) -> None:
        """All that another has gathered, as if it had been found here."""
        for fault in other.all:
            self.add(
                fault.code, fault.span, fault.message, label=fault.label, notes=fault.notes, second=fault.second,
                severity=fault.severity, repair=fault.repair,
            )  # fmt: skip
        self.lost |= other.lost
        self.doubtful |= other.doubtful
        self.gaps |= other.gaps
        self.unread |= other.unread
        self._held |= other._held

    def _follows(self, code: str, message: str, label: str) -> bool:
        """Whether this is but a consequence of something broken that has been told already."""
        if self.unread and code >= "E205" or BROKEN in message or BROKEN in label:
            return True
        if code == "E307" and self.lost or code in ("E213", "E214") and self.gaps:
            return True
        if code in ("E205", "E210") and self.gaps and not label:
            return True  # a name that is like none: most likely what was to be declared there
        if "E205" < code < "E4" and not self.doubtful.isdisjoint(re.findall(r"\w+", f"{message} {label}")):
            return True
        named = {word for quoted in _IN_BACKTICKS.findall(message) for word in re.findall(r"\w+", quoted)}
        return code in _FOLLOWING and not named.isdisjoint(self.lost)

    def _is_around(self, code: str, span: Span | None) -> bool:
        """Whether something in just this place, or in a part of it, is wrong already: then the whole cannot be right.

        `income(s, 3) + ¥1`: what is said of the call is told, not that a sum with it is no amount in yen."""
        if span is None or not "E205" <= code < "E4":
            return False
        inside = (fault.span for fault in self._errors if fault.span is not None)
        return any(
            part.source is span.source and span.start <= part.start and part.end <= span.end for part in inside
        )

    def hold_back(self, code: str) -> None:
        """What has turned out to follow from something that was found later."""
        for fault in [fault for fault in self._found if fault.code == code]:
            self._held.add((code, fault.span.start if fault.span is not None else -1, fault.message))
            del self._found[fault]
            self._errors.pop(fault, None)

    def told_within(self, span: Span) -> bool:
        """Whether something in this place is wrong already."""
        return self._is_around("E205", span)

    def told(self, span: Span) -> bool:
        """Whether something has been said of just this place."""
        return any(fault.span == span for fault in self._found)

    @property
    def held(self) -> int:
        """How many have been kept back, since they only follow from others."""
        return len(self._held)

    @property
    def all(self) -> tuple[Fault, ...]:
        return tuple(self._found)

    @property
    def errors(self) -> tuple[Fault, ...]:
        return tuple(self._errors)

    def raise_if_errors(self) -> None:
        """Raise everything found, warnings included, if there is an error among it."""
        if self.errors:
            raise RulesetFaults(self.all, self.held)


# --- words


def quote(text: str) -> str:
    """A text as a message repeats it: in backticks, on one line, cut at 80 characters."""
    return f"`{echoed(text)}`"


LONG = 4_000  # the path of somebody's own file is shown whole


def echoed(text: str, most: int | None = None) -> str:
    """Somebody else's text as it can be shown to anybody: on one line, cut, and nothing in it that moves the cursor,
    hides or turns around what stands beside it."""
    most = most or _ECHO
    line = printable(text[: most + 1].replace("\n", "\\n"))
    return line if len(line) <= most else line[: most - 1] + "…"


def printable(text: str) -> str:
    """A text of several lines with everything written out that a terminal would obey or not show."""
    return _UNSEEN.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    char = match[0]
    number = ord(char)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file's name that is no character
        return f"\\x{number - 0xDC00:02x}"
    return {"\t": "\t", "\r": "\\r"}.get(char) or (f"\\x{number:02x}" if number < 256 else f"\\u{{{number:x}}}")


INVISIBLE = (  # marks that change what is read, or that nobody can see; joiners are letters of some scripts
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e007f"
)
_UNSEEN = re.compile(rf"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff{INVISIBLE}]")


def nearest(word: str, candidates: Iterable[str], likely: Iterable[str] = ()) -> str | None:
    """The candidate that somebody who wrote `word` most likely meant: `markt` is nearest to `market`.

    `likely` are names of the kind that is wanted there: any of them that is near enough comes before all others.
    Never the word itself: whoever wrote it knows it, and it was wrong.
    """
    best: str | None = _nearest(word, likely) if likely else None
    return best if best is not None else _nearest(word, candidates)


def _nearest(word: str, candidates: Iterable[str]) -> str | None:
    best: str | None = None
    reach = max(len(word), 3) // 3
    letters = frozenset(word)
    left = MOST_COMPARED
    for candidate in sorted(candidates) if isinstance(candidates, Set) else candidates:  # of two the same one, always
        if candidate == word:
            continue
        if candidate.casefold() == word.casefold():
            return candidate
        if len(word) > _ECHO or abs(len(candidate) - len(word)) > reach or left < 0:
            continue
        if len(letters.difference(candidate)) > reach or len(set(candidate) - letters) > reach:
            continue
        far, rows = _distance(word, candidate, reach)
        left -= rows * len(candidate)
        # A word with nothing in common (`鮪` for `鰻`) is no help, however short it is.
        if far <= reach and far < max(len(word), len(candidate)):
            best, reach = candidate, far - 1
    return best


MOST_COMPARED = 20_000  # letters with letters, for one word: those of several hundred names that are much alike


def _distance(a: str, b: str, reach: int) -> tuple[int, int]:
    """Letters to add, drop, replace or swap with their neighbour (optimal string alignment), and how many of the first word
    have been looked at. Further than within reach is only known to be further."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, other in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > reach and min(before) > reach:  # a swap leads two rows on
            return reach + 1, i
    return row[-1], len(a)


# --- people


@dataclass(frozen=True, slots=True)
class _Paint:
    """The escape codes of a terminal, or nothing."""

    error: str = ""
    warning: str = ""
    strong: str = ""
    frame: str = ""
    end: str = ""

    def of(self, severity: Severity) -> str:
        return self.error if severity == "error" else self.warning


_PLAIN = _Paint()
_COLOURS = _Paint("\x1b[1;31m", "\x1b[1;33m", "\x1b[1m", "\x1b[34m", "\x1b[0m")


def render(fault: Fault, color: bool = False) -> str:
    """A fault as people read it:

    error[E203]: unknown zone `markt`
      ┌─ play.rules:9:18
     9│   move good from markt to hand
      │                  ^^^^^ did you mean `market`?
      = zones here: market (board.rules:3), hand (board.rules:4)
    """
    paint = _COLOURS if color else _PLAIN
    tint = paint.of(fault.severity)
    title = f"{tint}{fault.severity}[{fault.code}]{paint.end}"
    lines = [f"{title}: {paint.strong}{_safe(fault.message)}{paint.end}"]
    width = max([2, *(len(str(span.line)) for span in _places(fault))])
    if fault.span is not None:
        lines += _show(fault.span, "^", fault.label, width, paint, tint)
    elif fault.label:
        lines.append(f"{paint.frame}{' ' * width}={paint.end} {_safe(fault.label)}")
    if fault.second is not None:
        lines += _show(fault.second[0], "-", fault.second[1], width, paint, paint.frame)
    for note in fault.notes:
        first, *more = note.split("\n")
        lines.append(f"{paint.frame}{' ' * width}={paint.end} {_safe(first)}")
        lines += [f"{' ' * width}  {_safe(line)}" for line in more]
    return "\n".join(lines)


def placed(span: Span, message: str) -> list[str]:
    """A place as a message shows it: which line it is, as much of that as there is room for, and what is said under it."""
    return _show(span, "^", message, len(str(span.line)), _PLAIN, "")


def _places(fault: Fault) -> list[Span]:
    spans = [fault.span, fault.second[0] if fault.second else None]
    return [span for span in spans if span is not None]


def _show(span: Span, mark: str, label: str, width: int, paint: _Paint, tint: str) -> list[str]:
    """The place, its line, and the marks under it. A file without any text shows its place only."""
    pad = " " * width
    place = f"{_safe(span.source.path)}:{span.line}:{span.col}"
    lines = [f"{paint.frame}{pad}┌─{paint.end} {place}"]
    if span.source.text:
        echo, before, under = _echo(span)
        words = f" {_safe(label)}" if label else ""
        lines.append(f"{paint.frame}{span.line:>{width}}│{paint.end} {echo}".rstrip())
        lines.append(f"{paint.frame}{pad}│{paint.end} {' ' * before}{tint}{mark * under}{words}{paint.end}")
    elif label:
        lines.append(f"{paint.frame}{pad}={paint.end} {_safe(label)}")
    return lines


def _echo(span: Span) -> tuple[str, int, int]:
    """The line of a span as a terminal shows it, the columns before the span, and the columns under it."""
    line = span.source.line_text(span.line)
    first = min(span.col - 1, len(line))
    last = min(span.end_col - 1, len(line)) if span.end_line == span.line else len(line)
    low, high = _window(len(line), first, last)
    echo, column, marked = ("…", 1, 1) if low else ("", 0, 0)
    before = column
    for at in range(low, high):
        shown, wide = _cell(line[at], column)
        echo += shown
        column += wide
        if at < first:
            before = marked = column
        elif at < last:
            marked = column
    return echo + ("…" if high < len(line) else ""), before, max(1, marked - before)


def _window(length: int, first: int, last: int) -> tuple[int, int]:
    """Which part of a line to show: all of it, or the 80 characters around a place in a very long one."""
    if length <= _LONG_LINE:
        return 0, length
    margin = max(0, _ECHO - (last - first)) // 2
    low = max(0, min(first - margin, length - _ECHO))
    return low, low + _ECHO


def cells(text: str) -> int:
    """The columns that a text takes in a terminal or an editor: signs of East Asia take two."""
    if text.isascii() and text.isprintable():
        return len(text)
    column = 0
    for char in text:
        column += _cell(char, column)[1]
    return column


def _cell(char: str, column: int) -> tuple[str, int]:
    """A character as a terminal shows it, and the columns it takes."""
    if char == "\t":
        cells = _TAB - column % _TAB
        return " " * cells, cells
    if _UNSHOWABLE.match(char):
        return "�", 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return char, 0
    return char, 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


# Control characters could drive the reader's terminal, direction marks could reorder what it shows.
_UNSHOWABLE = re.compile(rf"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff{INVISIBLE}]")


def _safe(text: str) -> str:
    return _UNSHOWABLE.sub("�", text)


def render_all(faults: Iterable[Fault], color: bool = False, held: int = 0) -> str:
    """The faults, the first 20 of them (errors before warnings), and how many there are."""
    ordered = in_order(faults)
    if not ordered:
        return "no faults"
    kept = sorted(ordered, key=lambda fault: fault.severity != "error")[:SHOWN_FAULTS]
    parts = [render(fault, color) for fault in in_order(kept)]
    if len(ordered) > len(kept):
        parts.append(f"... and {len(ordered) - len(kept)} more")
    wrong = any(fault.severity == "error" for fault in ordered)
    following = f"; not told: {held} that only follow{'s' if held == 1 else ''}" if held and wrong else ""
    return "\n\n".join([*parts, _count(ordered) + following])


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """By file and place; but first what could not be read, since others may well follow from that."""
    return sorted(faults, key=lambda fault: (not _is_root(fault), _order(fault)))


def _is_root(fault: Fault) -> bool:
    """Whether a text could not be read, or says what was said already: all that it declares is then in doubt."""
    return fault.span is None or fault.code < "E205" or fault.code in ("E206", "E413")


def _order(fault: Fault) -> tuple[str, int, int, str, str]:
    if fault.span is None:
        return "", 0, 0, fault.code, fault.message
    return fault.span.source.path, fault.span.start, fault.span.end, fault.code, fault.message


def _count(faults: Sequence[Fault]) -> str:
    errors = sum(fault.severity == "error" for fault in faults)
    counts = [(errors, "error"), (len(faults) - errors, "warning")]
    return ", ".join(f"{number} {word}{'' if number == 1 else 's'}" for number, word in counts if number)


# --- programs


def to_json(faults: Iterable[Fault]) -> list[dict[str, object]]:
    """All faults as plain data, by file and place; lines and columns count from 1, in characters."""
    return [
        {
            "code": fault.code,
            "severity": fault.severity,
            "message": fault.message,
            "label": fault.label,
            "notes": list(fault.notes),
            "place": _json_place(fault.span),
            "second": fault.second and {"place": _json_place(fault.second[0]), "label": fault.second[1]},
            "repair": [{"place": _json_place(edit.span), "write": edit.text} for edit in fault.repair],
        }
        for fault in sorted(faults, key=_order)
    ]


def _json_place(span: Span | None) -> dict[str, object] | None:
    if span is None:
        return None
    return {
        "file": span.source.path,
        "line": span.line,
        "col": span.col,
        "end_line": span.end_line,
        "end_col": span.end_col,
    }


def to_sarif(faults: Iterable[Fault]) -> dict[str, object]:
    """All faults as SARIF 2.1.0, which code-review sites and editors read."""
    ordered = sorted(faults, key=_order)
    rules = sorted({fault.code for fault in ordered})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "ichiba", "rules": [_sarif_rule(CODES[code]) for code in rules]}},
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(fault, rules.index(fault.code)) for fault in ordered],
            }
        ],
    }


def _sarif_rule(code: Code) -> dict[str, object]:
    return {
        "id": code.code,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.explanation},
    }


def _sarif_result(fault: Fault, rule: int) -> dict[str, object]:
    text = "\n".join(filter(None, [fault.message, fault.label, *fault.notes]))
    result: dict[str, object] = {
        "ruleId": fault.code,
        "ruleIndex": rule,
        "level": fault.severity,
        "message": {"text": text},
    }
    if fault.span is not None:
        result["locations"] = [_sarif_place(fault.span)]
    if fault.second is not None:
        span, words = fault.second
        result["relatedLocations"] = [{**_sarif_place(span), "message": {"text": words}}]
    return result


def _sarif_place(span: Span) -> dict[str, object]:
    region = {
        "startLine": span.line,
        "startColumn": span.col,
        "endLine": span.end_line,
        "endColumn": span.end_col,
    }
    uri = uri_quote(span.source.path.replace("\\", "/"))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
