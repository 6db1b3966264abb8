"""What people write who come from another language or another keyboard, and how the same is said here.

Four tables. `NAMES` is about words that read as names and mean nothing here, `CALLS` about those that stand before brackets
or by themselves as a sentence, `SIGNS` about characters that the rule language does not have, `HABITS` about words and
signs that do not stand so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ichiba.dsl.syntax.lexer import RawToken

NAMES = {
    "null": "write `none`",
    "nil": "write `none`",
    "undefined": "write `none`",
    "nobody": "write `none`",
    "self": "`me` is the seat whose turn it is, `board` the board of this file",
    "this": "`me` is the seat whose turn it is, `board` the board of this file",
    "player": "`me` is the seat whose turn it is, `seats` are all",
    "players": "`seats` are all players",
    "opponents": "`others` are all seats but `me`",
}

CALLS = {
    "return": "`give …` gives something back",
    "print": "nothing is printed: what happens stands in the log",
    "echo": "nothing is printed: what happens stands in the log",
    "len": "`count of …` says how many",
    "length": "`count of …` says how many",
    "size_of": "`count of …` says how many",
    "range": "`1 .. 3` are the numbers from 1 to 3",
    "random": "chance is in `draw`, `shuffle`, `pick x in … at random` and `roll x from 1 to 6`",
    "rand": "chance is in `draw`, `shuffle`, `pick x in … at random` and `roll x from 1 to 6`",
    "randint": "chance is in `draw`, `shuffle`, `pick x in … at random` and `roll x from 1 to 6`",
    "choice": "chance is in `pick x in … at random`, a question in `choose x in …`",
    "append": "pieces go by `move … from … to …`",
    "push": "pieces go by `move … from … to …`",
    "pop": "pieces go by `move … from … to …`",
    "remove": "pieces go by `move … from … to …`",
    "insert": "pieces go by `move … from … to …`",
    "extend": "pieces go by `move … from … to …`",
    "isinstance": "`x is boat` asks whether it is one",
    "typeof": "`x is boat` asks whether it is one",
    "floor": "a division says how it rounds: `a / b rounded down`",
    "ceil": "a division says how it rounds: `a / b rounded up`",
    "round": "a division says how it rounds: `a / b rounded down`",
    "pow": "write `power(a, b)`",
    "all": "for all of them: `no (x in … where not …)`",
    "every": "for all of them: `no (x in … where not …)`",
    "exists": "for some of them: `any (x in … where …)`",
    "sorted": "in order: `(x in … by lowest x.price)`",
    "break": "`leave` and the name of the procedure or menu ends it",
    "exit": "`leave` and the name of the procedure or menu ends it",
    "continue": "`if … : …` around the rest of the loop leaves it out",
    "pass": "write `nothing`",
    "skip": "write `nothing`",
    "noop": "write `nothing`",
    "wait": "write `nothing`",
}

_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: f"write `{number}`" for number, word in enumerate(_NUMBER_WORDS)}

_QUOTES = "“”„‟«»『』「」〝〞"

SIGNS = {
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or `!=`",
    "'": "texts stand in double quotes",
    ";": "a sentence ends with its line",
    "%": "there is no sign for the rest of a division; `even(n)` asks whether a number is even",
    "?": "write `if … then … else …`",
    "^": "write `power(a, b)`",
    "~": "write `not`",
    "`": "texts stand in double quotes",
    "@": "",
    "\\": "a deeper line goes on with the one above by itself",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `/`, and how it rounds: `a / b rounded down`",
    "−": "write `-`",
    "–": "write `-`",
    "—": "write `-`",
    "→": "write `->`",
    "⇒": "write `->`",
    "…": "write `..`",
    "∧": "write `and`",
    "∨": "write `or`",
    "¬": "write `not`",
    "∈": "write `in`",
    "∉": "write `not … in …`",
    "\t": "indent with spaces",
} | dict.fromkeys(_QUOTES, 'texts stand in straight quotes: `"…"`') | dict.fromkeys(
    "‘’‚‛´", 'texts stand in straight double quotes: `"…"`'
)  # fmt: skip


def odd_character(text: str, before: str, after: str, amount: bool) -> tuple[str, str]:
    """What is said of a character, or a word with one, that the language does not have, and what to write instead.

    `before` is the word that it touches, `after` what follows it in its line; `amount`
    says that a number stands before it."""
    if text == "\t":
        return "a tab", SIGNS["\t"]
    if text == '"':
        return "this text does not end on its line", 'write `"` at its end'
    if text == "[":
        return "the rule language has no `[`", _bracket(after, before)
    if len(text) > 1 and text[0] in _QUOTES:
        return "these quotes are not straight", f'write `"{text[1:-1]}"`'
    plain = unicodedata.normalize("NFKC", text)
    if text in SIGNS:
        return f"the rule language has no `{text}`", SIGNS[text]
    if plain != text and re.fullmatch(r"[\x00-\x7f¥£₩]+", plain):
        wide = f"`{text}` is written with wide signs" if len(text) > 1 else f"`{text}` is a wide sign"
        return wide if plain.strip() else "a wide space", _plain_sign(plain)
    if text[0].isalpha() and text.isascii() and amount:
        label = "write the unit's own name, as it stands under `units:`, and not how it is shown"
        return f"`{text}` is the name of no unit", label
    if text[0].isalpha() and text.isascii():
        return f"`{text}`: names are written in small letters", _small(text)
    return f"the rule language has no `{text}`", ""


def _plain_sign(plain: str) -> str:
    return f"write `{plain}`" if plain.strip() else "write a plain one"


def _bracket(after: str, before: str) -> str:
    inside = after.partition("]")[0].strip()
    if before:
        return f"write `{before}({inside})`"
    if re.search(r"\bfor\b", inside):
        return f"write `({inside})`"
    return f"sets stand in braces: `{{{inside}}}`" if inside else "sets stand in braces: `{…}`"


def _small(word: str) -> str:
    low = word.lower()
    return (NAMES | CALLS).get(low) or f"write `{re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', word).lower()}`"


# --- words and signs that do not stand so


@dataclass(frozen=True, slots=True)
class Habit:
    """A pattern of tokens, what is said of it, and what to write; both may repeat what was found.

    In a pattern `^` is the beginning of a sentence, `^^` of one that stands at the margin, and `~` says that there is no
    space. `<word>`, `<int>`, `<money>` and `<text>` are tokens of that kind, `<3>` is a number of three digits, `<path>` a
    name with its members and brackets (`seat(2).cash`), `<rest>` what follows on the line, but for its colon."""

    pattern: str
    says: str
    instead: str
    at: str = ""  # the word that could not stand there, if it matters; `.end` is the end of the sentence


_DONE = (
    "raise", "lower", "move", "draw", "gain", "pay", "choose", "let", "set", "mark", "clear", "repeat", "for", "take", "shuffle", "if",
)  # fmt: skip

VERBS = ("pay", "gain", "choose")  # of whoever is `me`; with an `s` of whoever is named

HABITS = (
    # assignments
    Habit("^ set <path> : =", "`set` writes `to`", "write `set {path} to …`"),
    Habit("^ set <path> = <rest>", "`set` writes `to`", "write `set {path} to {rest}`"),
    Habit("^ <path> + = <rest>", "there is no `+=`", "write `raise {path} by {rest}`"),
    Habit("^ <path> - = <rest>", "there is no `-=`", "write `lower {path} by {rest}`"),
    Habit("^ <path> * = <rest>", "there is no `*=`", "write `set {path} to {path} * {rest}`"),
    Habit("^ <path> + ~ +", "there is no `++`", "write `raise {path} by 1`"),
    Habit("^ <path> - ~ -", "there is no `--`", "write `lower {path} by 1`"),
    Habit("^ let <word> : = <rest>", "`let` writes `=`", "write `let {word} = {rest}`"),
    Habit("^ let <word> be <rest>", "`let` writes `=`", "write `let {word} = {rest}`"),
    Habit("^ <path> : = <rest>", "there is no `:=`", "write `set {path} to {rest}`"),
    Habit("^ <path> = <rest>", "`=` compares, it changes nothing", "write `set {path} to {rest}`"),
    *(
        Habit(f"^ {word} <word> = <rest>", f"there is no `{word}`", "write `let {word} = {rest}`")
        for word in ("var", "const", "local", "int", "auto", "def")
    ),
    Habit("^ increase <path> by <rest>", "there is no `increase`", "write `raise {path} by {rest}`"),
    Habit("^ decrease <path> by <rest>", "there is no `decrease`", "write `lower {path} by {rest}`"),
    # what begins a sentence elsewhere
    Habit("^ return <rest>", "there is no `return`", "write `give {rest}`"),
    Habit("^ while <rest>", "there is no `while` by itself", "write `repeat 100 times while {rest}:`, with the most that may be"),
    Habit("^ until <rest>", "there is no `until` by itself", "write `repeat 100 times while not ({rest}):`, with the most that may be"),
    Habit("^ for <word> in range ( <int> )", "there is no `range`", "write `repeat {int} times:`"),
    Habit("^ for <word> in <rest>", "`for` writes `each`", "write `for each {word} in {rest}:`"),
    Habit("^ for <word> : <rest>", "`for` writes `each`", "write `for each {word} in …:`"),
    Habit("^ foreach <word> in <rest>", "`for each` is two words", "write `for each {word} in {rest}:`"),
    Habit("^ first <word> in <path> answer <rest>", "a race writes `to answer`", "write `first {word} in {path} to answer {rest}:`"),
    Habit("^ first <word> of <path> to answer <rest>", "a race writes `in`", "write `first {word} in {path} to answer {rest}:`"),
    Habit("^ first <word> to answer <rest>", "a race names the seat", "write `first s in {word} to answer {rest}:`"),
    Habit("^ first in <path> to answer <rest>", "a race names the seat", "write `first s in {path} to answer {rest}:`"),
    Habit("^ foreach", "`for each` is two words", "write `for each x in …:`"),
    Habit("^ loop <rest>", "there is no `loop`", "write `repeat {rest} times:`"),
    Habit("^ elif <rest>", "there is no `elif`", "write `else if {rest}:`"),
    Habit("^ elsif <rest>", "there is no `elsif`", "write `else if {rest}:`"),
    Habit("^ elseif <rest>", "there is no `elseif`", "write `else if {rest}:`"),
    Habit("^ unless <rest>", "there is no `unless`", "write `if not ({rest}):`"),
    Habit("^ when <rest>", "`when` belongs to options and rules", "write `if {rest}:`"),
    Habit("^ switch <rest>", "there is no `switch`", "write `if {rest} = …:`, then `else if`"),
    Habit("^ match <rest>", "there is no `match`", "write `if {rest} = …:`, then `else if`"),
    Habit("^ case <rest>", "there is no `case`", "write `else if … = {rest}:`"),
    Habit("^ try", "there is no `try`", "`require …` says what must be so; an option is offered only when all of it can be done"),
    Habit("^ print", "nothing is printed", "what happens stands in the log"),
    Habit("^ import", "nothing is imported", "all `*.rules` of the folder are read; a piece of the library: `use FILE.PIECE(…) as …`"),
    Habit("^ include", "nothing is included", "all `*.rules` of the folder are read; a piece of the library: `use FILE.PIECE(…) as …`"),
    Habit("^ from <word> import", "nothing is imported", "all `*.rules` of the folder are read; a piece of the library: `use FILE.PIECE(…) as …`"),
    *(
        Habit(f"^ {word} <rest>", f"there is no `{word}`", "write `procedure …:` for what does something, `value …:` for what works something out")
        for word in ("def", "function", "func", "fn", "fun", "proc", "sub", "method", "void")
    ),
    *(
        Habit(f"^ {word} <word>", f"there is no `{word}`", "write `kind {word} is thing:`, or `is board`, `is piece`")
        for word in ("class", "struct", "type", "record")
    ),
    *(
        Habit(f"^^ {word} <rest>", f"`{word}` cannot stand at the margin", "what is done stands in a `procedure`, `setup:` or `play:`")
        for word in _DONE
    ),
    *(
        Habit(f"^^ {word} <rest>", f"`{word}` cannot stand at the margin", "it belongs to `seat:`, `table:` or a `kind …:`")
        for word in ("zone", "counter", "flag", "purse", "field", "note", "remember")
    ),
    Habit("^ give", "`give` gives a value back", "pieces go with `move … from … to …`, money with `pay … to …`", "to"),
    # comparisons and sums
    Habit("!= =", "there is no `!==`", "write `!=`"),
    Habit("= =", "there is no `==`", "one `=` says that two values are equal"),
    Habit("< >", "there is no `<>`", "write `!=`"),
    Habit("= <", "there is no `=<`", "write `<=`"),
    Habit("= >", "there is no `=>`", "write `>=`"),
    Habit("* *", "there is no `**`", "write `power(a, b)`"),
    Habit("/ /", "there is no `//`", "a comment begins with `#`; a division says how it rounds, `a / b rounded down`"),
    Habit("/ *", "there is no `/*`", "a comment begins with `#` and ends with its line"),
    Habit("- ~ - <rest>", "there is no `--`", "a comment begins with `#`"),
    Habit("is a <word>", "`is` stands alone", "write `is {word}`"),
    Habit("is an <word>", "`is` stands alone", "write `is {word}`"),
    Habit("is in <path>", "`in` stands alone", "write `… in {path}`"),
    Habit("is not in <path>", "`in` stands alone", "write `not … in {path}`"),
    Habit("^ end as (", "an ending stands there by its name", "write `if …: end as one`, and `else: end as another`"),
    Habit("^ end as if <rest>", "an ending stands there by its name", "write `if …: end as one`, and `else: end as another`"),
    Habit("lambda <word> :", "there is no `lambda`", "give the thing a name: `value …(x: …): …`"),
    *(
        Habit(f"{word} (", f"`{word}` writes `of`", f"write `{word} of (…)`")
        for word in ("count", "sum", "highest", "lowest", "first")
    ),
    Habit("max ( <path> for", "`max` compares values one by one", "write `highest of ({path} for …)`"),
    Habit("min ( <path> for", "`min` compares values one by one", "write `lowest of ({path} for …)`"),
    # names and numbers
    Habit("<word> ~ - ~ <path>", "names have no hyphen", "write `{word}_{path}`", "-"),
    Habit("<money> ~ . ~ <3>", "thousands are not set apart by a point", "write `{money},{3}`"),
    Habit("<int> ~ . ~ <3>", "thousands are not set apart by a point", "write `{int}{3}`"),
    Habit("<int> ~ , ~ <3>", "thousands are not set apart in a plain number", "write `{int}{3}`"),
    Habit("<money> <3>", "thousands are not set apart by a space", "write `{money},{3}`"),
    Habit("<int> <3>", "thousands are not set apart by a space", "write `{int}{3}`"),
    Habit("<money> ~ . ~ <int>", "there are whole numbers only", "take a smaller unit"),
    Habit("<int> ~ . ~ <int>", "there are whole numbers only", "take a smaller unit, or a division and its rounding"),
    # ends of sentences
    Habit("<word> ~ .", "nothing follows this dot", "a member, as in `my.cash`; no full stop ends a sentence", ".end"),
    Habit("<int> ~ .", "no full stop ends a sentence", "leave it out", ".end"),
    # payments
    Habit("gains from <path> <rest>", "what is gained comes first", "write `gains {rest} from {path}`"),
    Habit("gain from <path> <rest>", "what is gained comes first", "write `gain {rest} from {path}`"),
    Habit("pays to <path> <rest>", "what is paid comes first", "write `pays {rest} to {path}`"),
    Habit("pay to <path> <rest>", "what is paid comes first", "write `pay {rest} to {path}`"),
    *(
        habit
        for word in VERBS
        for habit in (
            Habit(f"^ <path> {word} <rest>", f"whoever is named {word}s", f"write `{{path}} {word}s {{rest}}`"),
            Habit(f"^ {word}s <rest>", f"nobody is named who {word}s", f"write `{word} {{rest}}` for me, else `s {word}s …`"),
        )
    ),
    # how it was said in version 1
    Habit("^ zone <path> of <word> keeps <rest>", "a piece keeps its notes", "leave `keeps {rest}` out; where they are lost a zone says `forgets …`"),
    Habit("^ otherwise :", "there is no `otherwise`", "write `else:`"),
    Habit("^^ phase <word>", "there is no `phase`", "write `procedure {word}`"),
    Habit("^^ replace phase <word>", "there is no `phase`", "write `replace procedure {word}`"),
    Habit("^^ menu <path> :", "what is put into a menu is added to it", "write `add to menu {path}:`"),
    Habit("^^ menu <path> of <word> :", "what is put into a menu is added to it", "write `add to menu {path} of {word}:`"),
    Habit("^ value <path> in <word>", "what a value gives stands behind `->`", "write `value {path} -> {word}`"),
    Habit("^^ replace value <path> in <word>", "what a value gives stands behind `->`", "write `replace value {path} -> {word}`"),
    Habit("^ purse <path> in <word>", "the unit of a purse stands behind a colon", "write `purse {path}: {word}`"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A habit that was found: where, what is said of it, and what to write."""

    start: int
    end: int
    says: str
    instead: str


def habit_in(tokens: Sequence[RawToken], at: int, text: str, margin: bool) -> Found | None:
    """The habit that explains why a sentence cannot be read at this place of the text."""
    wrong = next((token.text for token in tokens if token.start == at), ".end")
    for habit in HABITS:
        if habit.at and habit.at != wrong:
            continue
        pattern = habit.pattern.split()
        for first in range(len(tokens)):
            if tokens[first].start > at:
                break
            found = _match(pattern, tokens, first, text, margin)
            if found is not None and (found.explains(at, pattern) or habit.at == ".end" and at == found.end):
                end = found.core if pattern[0][0] == "^" else found.end
                return Found(tokens[first].start, end, found.filled(habit.says), found.filled(habit.instead))
    return None


@dataclass(slots=True)
class _Match:
    """What a pattern found, and how far it reaches: `core` without the rest of the line."""

    end: int
    core: int
    names: dict[str, str]

    def explains(self, at: int, pattern: list[str]) -> bool:
        """A word that begins no sentence spoils all of it; else it must be here that it cannot be read."""
        return at < self.core or pattern[0][0] == "^" and (pattern[1][0] != "<" or pattern[2] in VERBS)

    def filled(self, words: str) -> str:
        for name, text in self.names.items():
            words = words.replace("{" + name + "}", text)
        return words


def _match(pattern: list[str], tokens: Sequence[RawToken], first: int, text: str, margin: bool) -> _Match | None:
    """What the pattern finds from this token on."""
    found = _Match(tokens[first].start, tokens[first].start, {})
    at = first
    for part in pattern:
        if part in ("^", "^^"):
            if not (_begins(tokens, at) if part == "^" else margin and at == 0):
                return None
            continue
        if part == "~":
            if at >= len(tokens) or tokens[at].start != found.end:
                return None
            continue
        after = _one(part, tokens, at)
        if after is None:
            return None
        found.end = tokens[after - 1].end
        if part != "<rest>":
            found.core = found.end
        if part[0] == "<" and len(part) > 1:
            found.names[part[1:-1]] = " ".join(text[tokens[at].start : found.end].split())
        at = after
    return found


def _begins(tokens: Sequence[RawToken], at: int) -> bool:
    """Whether a sentence begins here: first of all, or behind the colon of a heading."""
    return at == 0 or tokens[at - 1].text == ":"


_TYPES = {"<word>": "WORD", "<int>": "INT", "<money>": "MONEY", "<text>": "STRING"}


def _one(part: str, tokens: Sequence[RawToken], at: int) -> int | None:
    """Behind the tokens that this part of a pattern takes."""
    if at >= len(tokens):
        return None
    if part == "<rest>":
        return _end_of_line(tokens, at)
    if part == "<path>":
        return _path(tokens, at)
    if part == "<3>":
        return at + 1 if tokens[at].type == "INT" and len(tokens[at].text) == 3 else None
    if part in _TYPES:
        return at + 1 if tokens[at].type == _TYPES[part] else None
    return at + 1 if tokens[at].text == part else None


def _end_of_line(tokens: Sequence[RawToken], at: int) -> int:
    """Up to the colon that ends a heading, or all."""
    depth = 0
    for number in range(at, len(tokens)):
        depth += (tokens[number].text in ("(", "{")) - (tokens[number].text in (")", "}"))
        if tokens[number].text == ":" and depth == 0:
            return number if number > at else number + 1
    return len(tokens)


def _path(tokens: Sequence[RawToken], at: int) -> int | None:
    if tokens[at].type != "WORD":
        return None
    at += 1
    while at < len(tokens):
        if tokens[at].text == "." and at + 1 < len(tokens) and tokens[at + 1].type == "WORD":
            at += 2
        elif tokens[at].text == "(" and tokens[at].start == tokens[at - 1].end:
            closed = _closing(tokens, at)
            if closed is None:
                return at
            at = closed + 1
        else:
            break
    return at


def _closing(tokens: Sequence[RawToken], at: int) -> int | None:
    depth = 0
    for number in range(at, len(tokens)):
        depth += (tokens[number].text == "(") - (tokens[number].text == ")")
        if depth == 0:
            return number
    return None
