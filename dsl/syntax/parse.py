"""Tokens to tree: the LALR parser, one top-level item at a time, and its trees made into ours."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import sys
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import lark
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken

from ichiba.dsl.faults.fault import MOST_BROKEN, Faults
from ichiba.dsl.faults.readings import read_once
from ichiba.dsl.faults.source import Embedded, Span
from ichiba.dsl.files import disk_cache
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.lexer import (
    LexFault,
    LogicalLine,
    RawToken,
    Words,
    logical_lines,
    reserved_terminals,
    split_items,
    with_blocks,
    word_fault,
)
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.syntax.recovery import Mender, Problem, Repair, lexical_problem, problem_of, repairs

MOST_TOKENS = 2_000  # in one sentence; deeper or longer ones are refused before they can hurt
MOST_DEPTH = 32  # brackets
LONGEST_WORD, LONGEST_TEXT = 100, 4_096  # a name is said again by each of very many keys, a text by as many labels
MOST_NESTED = 100  # steps from the beginning of an item to its innermost word
MOST_REREAD = 100_000  # words of one text, to find what else is wrong in it

_OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "start": ["start", "expression", "cost_value", "statements"],
    "propagate_positions": True,
    "maybe_placeholders": False,
}


def _grammar() -> str:
    return Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")


def _kept_as(grammar: str, options: dict[str, Any]) -> str:
    """Under what the tables of a grammar are kept."""
    key = hashlib.sha256(repr((grammar, options, lark.__version__, sys.version)).encode()).hexdigest()[:32]
    return f"{key}.grammar"


def at_hand() -> None:
    """Sees to it that the tables are kept, for processes that may not write them themselves."""
    if disk_cache.place() is not None and disk_cache.fetch(_kept_as(_grammar(), _OPTIONS)) is None:
        _lark.cache_clear()
        _lark()


@cache
def _lark() -> Lark:
    return parser_of(_grammar())


def parser_of(grammar: str, **more: Any) -> Lark:
    """A parser for a grammar of rules. Its tables are made once and kept."""
    options = _OPTIONS | more
    key = _kept_as(grammar, options)
    raw = disk_cache.fetch(key)
    if raw is not None:
        with contextlib.suppress(Exception):  # half written, or of another time
            return Lark.load(io.BytesIO(raw))
    made = Lark(grammar, lexer=Words, **options)
    tables = io.BytesIO()
    made.save(tables)
    disk_cache.keep(key, tables.getvalue(), most=3)
    return made


def keywords() -> frozenset[str]:
    """Every keyword of the language, straight from the grammar."""
    return frozenset(p.pattern.value for p in _lark().terminals if p.pattern.value.isidentifier())


@cache
def reserved_words() -> frozenset[str]:
    """Words that no rule could use as a name: they begin or continue an expression, or always mean something else."""
    words = _words()
    states = cast(Any, _lark().parser.parser).parser.parse_table.states
    reserved = {words[name] for name in reserved_terminals(states.values()) if words.get(name, "").isidentifier()}
    return frozenset(reserved | {"me", "my", "seats", "others", "true", "false", "yes", "aside"})  # `set aside …` is of money


@cache
def taken_words() -> frozenset[str]:
    """Words that nothing could be called which a whole game knows by its name: also those that mean something of their
    own. A name of one rule may hide these: `for each seat in seats`."""
    return reserved_words() | {"board", "table", "seat", "sort", "number", "position", "original", "play", "scoring"}


def parse_items(text: Embedded, faults: Faults) -> tuple[t.Item, ...]:
    """All items of a rules text. Each is parsed by itself, so every broken one is reported."""
    return read_once(text.source, ("items", *_place(text)), partial(_items, text), faults)


def _place(text: Embedded) -> tuple[int, str]:
    """What tells a part of a file from all other parts of it."""
    return (text.offsets[0] if text.offsets else 0), text.text


@dataclass(slots=True)
class Patience:
    """How much of a text is read again to find what else is wrong in it."""

    words: int = MOST_REREAD

    def read_again(self, lines: list[LogicalLine]) -> bool:
        """Whether these may be read once more."""
        self.words -= sum(len(line.tokens) for line in lines)
        return self.words >= 0


def _items(text: Embedded, faults: Faults) -> tuple[t.Item, ...]:
    items: list[t.Item] = []
    patience = Patience()
    for _, lines in split_items(text.text):
        parsed, lost = _parse_item(text, lines, patience, faults)
        if parsed is not None:
            items.append(parsed)
        faults.gaps |= parsed is None or any(_declares(lines, token) for token in lost)
        words = {token.text for token in lost if token.type == "WORD"}
        faults.lost |= words | {plural(word) for word in words}
        if patience.words < 0 or len(faults.errors) > MOST_BROKEN:
            faults.tell_of_the_rest(text.source.path)
            faults.unread = True
            break
    return tuple(items)


_DECLARING = frozenset({
    "field", "counter", "flag", "purse", "zone", "note", "remember", "menu", "value", "guard", "procedure", "let", "choose",
    "pick", "roll", "for", "draw",
})  # fmt: skip


def _declares(lines: list[LogicalLine], token: RawToken) -> bool:
    """Whether a word is the first of a sentence that gives something its name."""
    return token.text in _DECLARING and any(token is line.tokens[0] for line in lines)


def _parse_item(text: Embedded, lines: list[LogicalLine], patience: Patience, faults: Faults) -> tuple[t.Item | None, list[RawToken]]:
    """An item, and the words of those of its sentences that are broken and had to be left out."""
    mender = Mender(lines)
    while True:
        parsed, problem = _attempt(text, mender.lines, "start", faults)
        if problem is None:
            return cast("t.Item | None", parsed), mender.dropped
        if mender.is_own_doing(problem):
            pass
        elif (repair := _repaired(text, mender.lines, problem, patience)) is not None:
            _tell(text, repair.problem, faults)
            mender.lines = repair.lines
            continue
        else:
            _tell(text, problem, faults)
        if not patience.read_again(mender.lines) or not mender.mend(problem):
            return None, [token for line in lines for token in line.tokens]


def _repaired(text: Embedded, lines: list[LogicalLine], problem: Problem, patience: Patience) -> Repair | None:
    """A colon or a line break that makes a sentence readable: then it is this that is told."""
    if problem.code != "E203" or problem.certain:
        return None
    for repair in repairs(lines, problem, text.text):
        if not patience.read_again(repair.lines):
            return None
        _, left = tree_of(text, repair.lines, "start")
        if left is None or left.start >= repair.end:
            return repair
    return None


def parse_expression(text: Embedded, faults: Faults) -> t.Expr | None:
    """One expression, as it stands in a YAML value or in the braces of a text."""
    return cast("t.Expr | None", _parse_lines(text, "expression", faults))


def parse_cost(text: Embedded, faults: Faults) -> t.Cost | None:
    """One cost, as it stands in a YAML value."""
    return cast("t.Cost | None", _parse_lines(text, "cost_value", faults))


def parse_statements(text: Embedded, faults: Faults) -> tuple[t.Statement, ...]:
    """Statements without a heading, as scenarios write them."""
    return cast("tuple[t.Statement, ...]", _parse_lines(text, "statements", faults) or ())


def _parse_lines(text: Embedded, start: str, faults: Faults) -> object:
    return read_once(text.source, (start, *_place(text)), partial(_parse_all, text, start), faults)


def _parse_all(text: Embedded, start: str, faults: Faults) -> object:
    lines = logical_lines(text.text)
    if not lines:
        faults.add("E203", text.span(0, len(text.text)), "nothing is written here", label="an expression is expected")
        return None
    return _parse(text, lines, start, faults)


def _parse(text: Embedded, lines: list[LogicalLine], start: str, faults: Faults) -> object:
    parsed, problem = _attempt(text, lines, start, faults)
    if problem is not None:
        _tell(text, problem, faults)
    return parsed


def _tell(text: Embedded, problem: Problem, faults: Faults) -> None:
    span = text.span(problem.start, problem.end)
    faults.add(problem.code, span, problem.message, label=problem.label, notes=problem.notes)


def _attempt(text: Embedded, lines: list[LogicalLine], start: str, faults: Faults) -> tuple[object, Problem | None]:
    """What is written there, or the first problem with it."""
    parsed, problem = tree_of(text, lines, start)
    return (None, problem) if parsed is None else (Builder(text, faults).build(parsed), None)


def tree_of(
    text: Embedded, lines: list[LogicalLine], start: str, parser: Lark | None = None
) -> tuple[Tree[Any] | None, Problem | None]:
    """The parser's own tree, in which every word has its place; or what is wrong."""
    tokens: list[RawToken] = []
    try:
        tokens = with_blocks(lines)
        _guard_size(tokens)
        parsed = (parser or _lark()).parse(cast(Any, tokens), start=start)
        _guard_depth(parsed)
        return parsed, None
    except LexFault as fault:
        return None, lexical_problem(fault, text.text)
    except UnexpectedToken as error:
        return None, problem_of(error, tokens, _words(), text.text)


@cache
def _words() -> dict[str, str]:
    """Keywords and signs by the name of their terminal."""
    return {term.name: term.pattern.value for term in _lark().terminals if term.pattern.type == "str"}


def _guard_size(tokens: list[RawToken]) -> None:
    depth = length = 0
    for token in tokens:
        if len(token.text) > LONGEST_WORD:
            _guard_length(token)
        depth += (token.text in ("(", "{")) - (token.text in (")", "}"))
        length = 0 if token.type == "_NL" else length + 1
        if depth > MOST_DEPTH:
            raise LexFault("E204", f"brackets are nested more than {MOST_DEPTH} deep", token.start, token.end)
        if length > MOST_TOKENS:
            raise LexFault("E204", f"this sentence has more than {MOST_TOKENS} words", token.start, token.end)


def _guard_length(token: RawToken) -> None:
    what, most = ("text", LONGEST_TEXT) if token.type == "STRING" else ("word", LONGEST_WORD)
    if len(token.text) > most:
        raise LexFault("E204", f"this {what} has {len(token.text):,} characters; {most:,} are the most", token.start, token.end)


def _guard_depth(tree: Tree[Any]) -> None:
    """Later passes go down into a tree step by step, and Python allows them so many steps only."""
    todo: list[tuple[Any, int]] = [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        if isinstance(node, Tree):
            todo.extend((kid, depth + 1) for kid in node.children)
        elif depth > MOST_NESTED:
            message = f"this is nested more than {MOST_NESTED} steps deep: give a part of it a name"
            raise LexFault("E204", message, node.start_pos or 0, node.end_pos or 0)


_BRACES = re.compile(r"\{([^{}]*)\}")


class Builder:
    """Makes the parser's trees into ours. A method has the name of its grammar rule."""

    def __init__(self, text: Embedded, faults: Faults):
        self.text = text
        self.faults = faults

    def build(self, node: Any) -> Any:
        if isinstance(node, Token):
            return node
        return getattr(self, f"on_{node.data.rstrip('_')}")(node)

    def kids(self, node: Tree[Any]) -> list[Any]:
        return [self.build(kid) for kid in node.children if not _is_mark(kid)]

    def span(self, node: Tree[Any]) -> Span:
        if getattr(node.meta, "empty", True):
            return self.text.span(0, 0)
        return self.text.span(node.meta.start_pos, node.meta.end_pos)

    def tok(self, token: Token) -> Span:
        return self.text.span(token.start_pos or 0, token.end_pos or 0)

    def given(self, token: Token, taken: frozenset[str] | None = None) -> str:
        """A name that rules mention by itself later on, so it cannot be one of the language's own words."""
        if token in (reserved_words() if taken is None else taken):
            message, label = word_fault(token)
            self.faults.add("E104", self.tok(token), message, label=label)
        return str(token)

    def known(self, token: Token) -> str:
        """A name that the whole game knows."""
        return self.given(token, taken_words())

    # ------------------------------------------------------------------------------------------ starts

    def on_start(self, n: Any) -> Any:
        return self.build(n.children[0])

    on_expression = on_cost_value = on_start

    def on_statements(self, n: Any) -> Any:
        return tuple(self.build(kid) for kid in n.children)

    # ------------------------------------------------------------------------------------ declarations

    def on_added(self, n: Any) -> bool:
        return bool(n.children)

    on_by_sort = on_added

    def _first(self, n: Any) -> Any:
        names = [kid for kid in n.children if isinstance(kid, Token) and kid.type in ("NAME", "INT")]
        return str(names[0]) if names else None

    on_given_unit = on_parent = on_menu_of = on_during = on_showing_side = on_clock = _first
    on_hidden_from = on_once_per = _first

    def _given_here(self, n: Any) -> str | None:
        """A name that the rest of this rule may mention."""
        return self.given(n.children[-1]) if n.children else None

    on_for_seat = on_drawn_as = _given_here

    def _maybe(self, n: Any) -> Any:
        kids = self.kids(n)
        return kids[0] if kids else None

    on_default = on_start_value = on_where = on_costs = on_gives = on_weight = on_over = on_through = on_fare = on_nearest = _maybe

    def on_text(self, n: Any) -> t.Text:
        return self.string(n.children[0])

    on_doc = on_text

    def on_ask(self, n: Any) -> t.Ask:
        """The words of a question, and the spelling of its keys where that is not simply the name."""
        words = key = None
        for kid in n.children:
            if isinstance(kid, Token):
                words = self.string(kid)
            else:
                key = str(kid.children[0])[1:-1]
        return t.Ask(self.span(n), words, key)

    def string(self, token: Token) -> t.Text:
        """A text and the expressions in its braces."""
        start = (token.start_pos or 0) + 1
        inner = str(token)[1:-1]
        parts: list[str | t.Expr] = []
        at = 0
        for found in _BRACES.finditer(inner):
            if found.start() > at:
                parts.append(inner[at : found.start()])
            here = start + found.start(1)
            value = parse_expression(self.text.cut(here, here + len(found.group(1))), self.faults)
            if value is not None:
                parts.append(value)
            at = found.end()
        if at < len(inner):
            parts.append(inner[at:])
        return t.Text(self.tok(token), inner, tuple(parts))

    def _split_doc(self, kids: list[Any]) -> tuple[t.Text | None, list[Any]]:
        if kids and isinstance(kids[0], t.Text):
            return kids[0], kids[1:]
        return None, kids

    def on_kind(self, n: Any) -> t.Kind:
        added, name, parent, *rest = self.kids(n)
        doc, members = self._split_doc(rest)
        of = next((self.span(kid).at_word(parent) for kid in n.children if parent and _is(kid, "parent")), None)
        return t.Kind(self.tok(name), self.given(name, taken_words() | {"one"}), parent, added, doc, tuple(members), of)

    def on_seat_scope(self, n: Any) -> t.Scope:
        added, *rest = self.kids(n)
        return t.Scope(self.span(n), "seat", added, tuple(self._split_doc(rest)[1]))

    def on_table_scope(self, n: Any) -> t.Scope:
        added, *rest = self.kids(n)
        return t.Scope(self.span(n), "table", added, tuple(self._split_doc(rest)[1]))

    def on_board_scope(self, n: Any) -> t.Scope:
        return t.Scope(self.span(n), "board", True, tuple(self._split_doc(self.kids(n))[1]))

    def on_field(self, n: Any) -> t.Field:
        name, kind, default = self.kids(n)
        return t.Field(self.tok(name), self.known(name), kind, default)

    def on_counter(self, n: Any) -> t.Counter:
        name, index, low, high, start, words = self.kids(n)
        return t.Counter(self.tok(name), self.known(name), index, low, high, start, words)

    def on_flag(self, n: Any) -> t.Flag:
        name, index, start, words = self.kids(n)
        return t.Flag(self.tok(name), self.known(name), index, start, words)

    def on_purse(self, n: Any) -> t.Purse:
        name, unit, start, words = self.kids(n)
        return t.Purse(self.tok(name), self.known(name), str(unit), start, words, self.tok(unit))

    def on_zone(self, n: Any) -> t.Zone:
        name, index, (sort, of), forgets, words = self.kids(n)
        return t.Zone(self.tok(name), self.known(name), index, sort, self.tok(n.children[2].children[0]), of, forgets, words)

    def on_note(self, n: Any) -> t.Note:
        name, kind, words = self.kids(n)
        return t.Note(self.tok(name), self.known(name), kind, words)

    def on_slot(self, n: Any) -> t.Remember:
        name, index, kind, default, words = self.kids(n)
        return t.Remember(self.tok(name), self.known(name), index, kind, default, words)

    def on_menu_member(self, n: Any) -> t.MenuMember:
        (name,) = self.kids(n)
        return t.MenuMember(self.tok(name), self.known(name))

    def _tuple(self, n: Any) -> tuple[Any, ...]:
        return tuple(self.kids(n))

    on_index = on_words = on_results = on_rule_words = on_bag_words = on_binders = _tuple
    on_menu_words = on_noting = on_use_args = _tuple

    def on_keyed(self, n: Any) -> tuple[Any, ...]:
        return tuple(self.kids(n))

    def _names(self, n: Any) -> tuple[str, ...]:
        return tuple(str(kid) for kid in n.children if isinstance(kid, Token) and kid.type == "NAME")

    def on_forgetting(self, n: Any) -> t.Forgets | None:
        found = self.kids(n)
        return found[0] if found else None

    def on_forgets_some(self, n: Any) -> t.Forgets:
        return t.Forgets(self.span(n), tuple(self._names(n)), False)

    def on_forgets_everything(self, n: Any) -> t.Forgets:
        return t.Forgets(self.span(n), tuple(self._names(n)), True)

    def on_forgets(self, n: Any) -> t.Forgets:
        (forgets,) = self.kids(n)
        return cast(t.Forgets, forgets)

    def on_keeps(self, n: Any) -> t.Word:
        return t.Word(self.span(n), "keeps", name=" ".join(self._names(n)))

    def _word(self, n: Any) -> t.Word:
        arg = name = None
        for kid in self.kids(n):
            if isinstance(kid, Token):
                name = str(kid) if kid.type == "NAME" else name
            elif isinstance(kid, str):
                name = kid
            elif kid is not None:
                arg = kid
        return t.Word(self.span(n), str(n.data), arg, name)

    on_at_most = on_hidden = on_screened = on_unlimited = on_face_down = on_ordered = on_refills = _word
    on_in_play = on_stops = on_resets = on_uncounted = _word

    def on_type_name(self, n: Any) -> t.Type:
        return t.Type(self.span(n), self._names(n)[0])

    def on_type_of(self, n: Any) -> t.Type:
        name, of = self._names(n)
        return t.Type(self.span(n), name, of)

    def on_type_enum(self, n: Any) -> t.Type:
        return t.Type(self.span(n), "one", values=tuple(self.known(kid) for kid in n.children if kid.type == "NAME"))

    def on_type_optional(self, n: Any) -> t.Type:
        inner = self.build(n.children[0])
        return t.Type(self.span(n), inner.name, inner.of, optional=True)

    def on_sort_name(self, n: Any) -> tuple[str, str | None]:
        return self._names(n)[0], None

    def on_sort_of(self, n: Any) -> tuple[str, str | None]:
        name, of = self._names(n)
        return name, of

    def on_params(self, n: Any) -> tuple[t.Param, ...]:
        return tuple(self.kids(n))

    def on_no_params(self, n: Any) -> None:
        return None

    def on_param_named(self, n: Any) -> t.Param:
        return t.Param(self.span(n), self.given(n.children[0]), None)

    def on_param_typed(self, n: Any) -> t.Param:
        name, kind = self.kids(n)
        return t.Param(self.tok(name), self.given(name), kind)

    on_result = on_param_typed

    def on_value(self, n: Any) -> t.Value:
        name, params, gives, by_sort, (doc, body) = self.kids(n)
        return t.Value(self.tok(name), self.known(name), params, gives, doc, body, by_sort)

    def on_value_case(self, n: Any) -> t.ValueCase:
        name, number, sort, side, seat, (doc, body) = self.kids(n)
        return t.ValueCase(self.tok(name), str(name), self.given(number), str(sort), side, seat, doc, body)

    def on_is_expr(self, n: Any) -> tuple[None, Any]:
        return None, self.kids(n)[0]

    def on_works_out(self, n: Any) -> tuple[t.Text | None, t.Block]:
        doc, body = self._split_doc(self.kids(n))
        return doc, t.Block(self.span(n), doc, tuple(body))

    def on_guard(self, n: Any) -> t.Guard:
        name, params, *rest = self.kids(n)
        reason, rest = self._split_doc(rest)
        doc, body = rest[0]
        return t.Guard(self.tok(name), self.known(name), params, reason, doc, body)

    def on_procedure(self, n: Any) -> t.Procedure:
        name, params, results, block = self.kids(n)
        return t.Procedure(self.tok(name), self.known(name), params, results, block)

    def on_play(self, n: Any) -> t.Procedure:
        return t.Procedure(self.span(n), "play", None, (), self.kids(n)[0], main=True)

    def on_setup(self, n: Any) -> t.Procedure:
        return t.Procedure(self.span(n), "setup", None, (), self.kids(n)[0], main=True)

    def on_cost_decl(self, n: Any) -> t.CostRule:
        name, params, cost = self.kids(n)
        return t.CostRule(self.tok(name), self.known(name), params, cost)

    def on_menu_item(self, n: Any) -> t.MenuItem:
        path, kind, body = self.kids(n)
        self.known(next(kid for kid in n.children if getattr(kid, "data", "") == "path").children[-1])
        return t.MenuItem(self.span(n), path, kind, body)

    def on_window(self, n: Any) -> t.Window:
        added, name, during, *rest = self.kids(n)
        return t.Window(self.tok(name), str(name), during, rest[0] if len(rest) > 1 else None, added, rest[-1])

    def on_rule(self, n: Any) -> t.Rule:
        name, binder, moment, words, block = self.kids(n)
        once = at_end = None
        order = []
        for kind, value in words:
            if kind in ("once", "once_each"):
                once = kind
            elif kind == "at_end_of":
                at_end = value
            else:
                order.append((kind, value))
        return t.Rule(self.tok(name), str(name), binder, moment, once, at_end, tuple(order), block)

    on_rule_binder = _maybe

    def on_whenever(self, n: Any) -> t.Moment:
        return t.Moment(self.span(n), "whenever", self.kids(n)[0], None, ())

    def _event(self, n: Any) -> t.Moment:
        (path, names), *condition = self.kids(n)
        return t.Moment(self.span(n), str(n.data), condition[0] if condition else None, path, names)

    on_before = on_after = on_instead_of = _event

    def on_pattern(self, n: Any) -> tuple[str, tuple[str, ...]]:
        names = (kid for kid in n.children[1:] if isinstance(kid, Token) and kid.type == "NAME")
        return self.build(n.children[0]), tuple(self.given(name) for name in names)

    def _rule_word(self, n: Any) -> tuple[str, str | None]:
        kids = self.kids(n)
        return str(n.data), kids[0] if kids else None

    on_once_each = on_at_end_of = on_order_before = on_order_after = _rule_word

    def on_scoring(self, n: Any) -> t.Scoring:
        added, block = self.kids(n)
        return t.Scoring(self.span(n), added, block)

    def on_ranking(self, n: Any) -> t.Ranking:
        kids = self.kids(n)
        keys = tuple(t.OrderKey(e.span, d, e) for d, e in zip(kids[::2], kids[1::2], strict=True))
        return t.Ranking(self.span(n), keys)

    def on_replace(self, n: Any) -> t.Replace:
        return t.Replace(self.span(n), self.kids(n)[0])

    def on_replace_option(self, n: Any) -> t.ReplaceOption:
        path, rest = self.kids(n)
        return t.ReplaceOption(self.span(n), path, self._option(n, path.rpartition(".")[2], rest))

    def on_restrict(self, n: Any) -> t.Restrict:
        path, *rest = self.kids(n)
        when = rest.pop(0) if rest and not isinstance(rest[0], t.Require | t.Text) else None
        return t.Restrict(self.span(n), path, when, tuple(r for r in rest if isinstance(r, t.Require)))

    def on_require_line(self, n: Any) -> Any:
        return self.kids(n)[0]

    def on_remove(self, n: Any) -> t.Remove:
        what, path = self.kids(n)
        return t.Remove(self.span(n), what, path)

    def on_what(self, n: Any) -> str:
        return str(n.children[0])

    def on_change_zone(self, n: Any) -> t.ChangeZone:
        path, first, *words = self.kids(n)
        forgets = first if isinstance(first, t.Forgets) else None
        keeps = tuple((first.name or "").split()) if isinstance(first, t.Word) and first.what == "keeps" else ()
        more = (first,) if forgets is None and not keeps else ()
        return t.ChangeZone(self.span(n), path, keeps, forgets, (*more, *words))

    def on_change(self, n: Any) -> t.Change:
        path, value = self.kids(n)
        return t.Change(self.span(n), path, value)

    def on_invariant(self, n: Any) -> t.Invariant:
        name, condition = self.kids(n)
        return t.Invariant(self.tok(name), str(name), condition)

    def on_conserve(self, n: Any) -> t.Conserve:
        ((sort, of),) = self.kids(n)
        return t.Conserve(self.span(n), sort, of)

    def on_policy(self, n: Any) -> t.Policy:
        name, *rest = self.kids(n)
        return t.Policy(self.tok(name), str(name), tuple(self._split_doc(rest)[1]))

    def on_preference(self, n: Any) -> t.Preference:
        pattern, binders, nearest, *rest = self.kids(n)
        weight = rest.pop()
        return t.Preference(self.span(n), pattern, binders, rest[0] if rest else None, weight, nearest)

    def on_policy_let(self, n: Any) -> t.Let:
        name, value = self.kids(n)
        return t.Let(self.span(n), (self.given(name),), value)

    def on_open_rules(self, n: Any) -> t.Pattern:
        name, *rest = self.kids(n)
        given = tuple(kid for kid in rest if isinstance(kid, t.Given))
        doc, items = self._split_doc(rest[len(given) :])
        return t.Pattern(self.tok(name), self.known(name), given, doc, tuple(items))

    def on_given(self, n: Any) -> t.Given:
        name, kind, unit, default = self.kids(n)
        return t.Given(self.tok(name), str(name), kind, unit, default)

    def on_use(self, n: Any) -> t.Use:
        path, args, name = self.kids(n)
        return t.Use(self.span(n), path, args, name)

    def on_use_arg(self, n: Any) -> t.UseArg:
        name, value = self.kids(n)
        return t.UseArg(self.tok(name), str(name), value)

    def on_use_name(self, n: Any) -> str | None:
        return self.known(n.children[-1]) if n.children else None

    def on_path_key(self, n: Any) -> str:
        return _BRACES.sub(lambda found: "{" + found[1].strip() + "}", str(n.children[0])[1:-1])

    # -------------------------------------------------------------------------------------- statements

    def on_block(self, n: Any) -> t.Block:
        doc, body = self._split_doc(self.kids(n))
        return t.Block(self.span(n), doc, tuple(body))

    def on_let(self, n: Any) -> t.Let:
        *names, value = self.kids(n)
        return t.Let(self.span(n), tuple(self.given(name) for name in names), value)

    def on_tie_let(self, n: Any) -> t.LetBest:
        name, binder, domain, direction, key, (tie, judge, ask) = self.kids(n)
        return t.LetBest(
            self.span(n),
            self.given(name),
            self.given(binder),
            domain,
            t.OrderKey(key.span, direction, key),
            tie,
            judge,
            ask,
        )

    def on_tie_chosen(self, n: Any) -> tuple[str, Any, t.Ask]:
        judge, ask = self.kids(n)
        return "chosen", judge, ask

    def on_tie_first(self, n: Any) -> tuple[str, None, None]:
        return "first", None, None

    def on_tie_random(self, n: Any) -> tuple[str, None, None]:
        return "random", None, None

    def on_set(self, n: Any) -> t.SetTo:
        place, value = self.kids(n)
        return t.SetTo(self.span(n), place, value)

    def on_raise(self, n: Any) -> t.Raise:
        place, by = self.kids(n)
        return t.Raise(self.span(n), place, by, False)

    def on_lower(self, n: Any) -> t.Raise:
        place, by = self.kids(n)
        return t.Raise(self.span(n), place, by, True)

    def on_mark(self, n: Any) -> t.Mark:
        return t.Mark(self.span(n), self.kids(n)[0], True)

    def on_clear(self, n: Any) -> t.Mark:
        return t.Mark(self.span(n), self.kids(n)[0], False)

    on_by_me = on_by_seat = on_gainer = on_payer = _maybe

    def on_gain(self, n: Any) -> t.Pay:
        taker, amount, *rest = self.kids(n)
        return t.Pay(self.span(n), rest[0] if len(rest) > 1 else None, amount, taker or self._me(n), rest[-1])

    def on_pay(self, n: Any) -> t.Pay:
        payer, amount, *purse, taker, tail = self.kids(n)
        return t.Pay(self.span(n), payer or self._me(n), amount, taker, tail, *purse)

    def on_set_aside(self, n: Any) -> t.SetAside:
        amount, *source, name = self.kids(n)
        return t.SetAside(self.span(n), amount, source[0] if source else None, name)

    def _me(self, n: Any) -> t.Name:
        return t.Name(self.span(n), "me")

    def on_tail(self, n: Any) -> str:
        return "in_full"

    def on_into_debt(self, n: Any) -> str:
        return "into_debt"

    def on_as_far(self, n: Any) -> str:
        return "as_far"

    def on_move(self, n: Any) -> t.Move:
        (every, what), *places, side, notes = self.kids(n)
        source = places[0] if len(places) == 2 else None
        return t.Move(self.span(n), what, every, source, places[-1], side, notes)

    def on_moved_some(self, n: Any) -> tuple[bool, Any]:
        return False, self.kids(n)[0]

    def on_moved_all(self, n: Any) -> tuple[bool, Any]:
        return True, self.kids(n)[0]

    def on_note_value(self, n: Any) -> tuple[str, Any]:
        name, value = self.kids(n)
        return str(name), value

    def on_draw(self, n: Any) -> t.Draw:
        what, source, target, name = self.kids(n)
        return t.Draw(self.span(n), what, source, target, name)

    def on_pick(self, n: Any) -> t.Pick:
        name, domain = self.kids(n)
        return t.Pick(self.span(n), self.given(name), domain)

    def on_roll(self, n: Any) -> t.Roll:
        name, low, high = self.kids(n)
        return t.Roll(self.span(n), self.given(name), low, high)

    def on_shuffle(self, n: Any) -> t.Shuffle:
        return t.Shuffle(self.span(n), self.kids(n)[0])

    def on_chooser(self, n: Any) -> Any:
        return self._maybe(n)

    def on_choose_one(self, n: Any) -> t.ChooseOne:
        chooser, name, domain, where, prompt = self.kids(n)
        return t.ChooseOne(self.span(n), chooser, self.given(name), domain, where, prompt)

    def on_choose_number(self, n: Any) -> t.ChooseNumber:
        chooser, name, low, high, *step, prompt = self.kids(n)
        return t.ChooseNumber(self.span(n), chooser, self.given(name), low, high, step[0] if step else None, prompt)

    def on_choose_bag(self, n: Any) -> t.ChooseSome:
        chooser, name, domain, where, words, prompt = self.kids(n)
        return t.ChooseSome(self.span(n), chooser, self.given(name), domain, where, words, prompt)

    def on_choose_block(self, n: Any) -> Any:
        head, body, *otherwise = self.kids(n)
        values = {f: getattr(head, f) for f in head.__dataclass_fields__}
        return type(head)(**{**values, "body": body, "otherwise": otherwise[0] if otherwise else None})

    def _bag(self, n: Any) -> t.BagWord:
        arg, by = None, None
        for kid in self.kids(n):
            if isinstance(kid, Token):
                by = str(kid)
            else:
                arg = kid
        return t.BagWord(self.span(n), str(n.data).removeprefix("bag_"), arg, by)

    on_bag_least = on_bag_most = on_bag_steps = on_bag_different = on_bag_worth = on_bag_worth_most = _bag

    def on_reveal(self, n: Any) -> t.Reveal:
        return t.Reveal(self.span(n), self.kids(n)[0])

    def on_require(self, n: Any) -> t.Require:
        condition, *reason = self.kids(n)
        return t.Require(self.span(n), condition, self.string(reason[0]) if reason else None)

    def on_leave(self, n: Any) -> t.Leave:
        return t.Leave(self.span(n), self.kids(n)[0])

    def on_nothing(self, n: Any) -> t.Nothing:
        return t.Nothing(self.span(n))

    def on_give(self, n: Any) -> t.Give:
        return t.Give(self.span(n), tuple(self.kids(n)))

    def on_score(self, n: Any) -> t.Score:
        label, value = self.kids(n)
        return t.Score(self.span(n), self.string(label), value)

    def on_ending(self, n: Any) -> t.Ending:
        return t.Ending(self.span(n), self._names(n)[0])

    def on_tell(self, n: Any) -> t.Tell:
        words, *audience = self.kids(n)
        return t.Tell(self.span(n), self.string(words), audience[0] if audience else None)

    def on_record(self, n: Any) -> t.Record:
        name, value, of = self.kids(n)
        return t.Record(self.span(n), self.string(name), value, of)

    def on_recorded_of(self, n: Any) -> tuple[Any, ...]:
        return tuple(self.kids(n))

    def on_call(self, n: Any) -> t.Do:
        return t.Do(self.span(n), self.kids(n)[0])

    def on_if(self, n: Any) -> t.If:
        condition, block, *rest = self.kids(n)
        otherwise = rest.pop() if rest and isinstance(rest[-1], t.Block) else None
        return t.If(self.span(n), ((condition, block), *rest), otherwise)

    def on_else_if(self, n: Any) -> tuple[Any, Any]:
        condition, block = self.kids(n)
        return condition, block

    def on_else(self, n: Any) -> Any:
        return self.kids(n)[0]

    def on_foreach(self, n: Any) -> t.ForEach:
        binder, (keys, random), body = self.kids(n)
        return t.ForEach(self.span(n), binder, keys, random, body)

    def on_no_order(self, n: Any) -> tuple[tuple[t.OrderKey, ...], bool]:
        return (), False

    def on_random_order(self, n: Any) -> tuple[tuple[t.OrderKey, ...], bool]:
        return (), True

    def on_sorted_by(self, n: Any) -> tuple[tuple[t.OrderKey, ...], bool]:
        return tuple(self.kids(n)), False

    def on_order_key(self, n: Any) -> t.OrderKey:
        direction, key = self.kids(n)
        return t.OrderKey(self.span(n), direction, key)

    def on_direction(self, n: Any) -> str:
        return str(n.children[0])

    on_how_far = on_direction

    def on_repeat(self, n: Any) -> t.Repeat:
        times, *condition, body = self.kids(n)
        return t.Repeat(self.span(n), times, condition[0] if condition else None, body)

    def on_take_turns(self, n: Any) -> t.TakeTurns:
        first, until, most, ending, body = self.kids(n)
        return t.TakeTurns(self.span(n), first, until, most, ending, body)

    def on_one_turn_each(self, n: Any) -> t.OneTurnEach:
        first, body = self.kids(n)
        return t.OneTurnEach(self.span(n), first, body)

    def on_as_seat(self, n: Any) -> t.AsSeat:
        seat, body = self.kids(n)
        return t.AsSeat(self.span(n), seat, body)

    def on_as_at_once(self, n: Any) -> t.AsSeat:
        """`for each s in seats: as s: draw 1 card from deck to my.hand`"""
        seat, does = self.kids(n)
        return t.AsSeat(self.span(n), seat, t.Block(does.span, None, (does,)))

    def on_secretly(self, n: Any) -> t.Secretly:
        name, seats, body = self.kids(n)
        return t.Secretly(self.span(n), self.given(name), seats, body)

    def on_race(self, n: Any) -> t.Race:
        name, domain, where, menu, body, *otherwise = self.kids(n)
        binder = t.Binder(self.tok(name), self.given(name), domain, None, None, where)
        return t.Race(self.span(n), binder, str(menu), body, otherwise[0] if otherwise else None)

    def on_may(self, n: Any) -> t.May:
        name, prompt, only_choice, *rest = self.kids(n)
        otherwise = rest.pop() if isinstance(rest[-2], t.Block) else None
        body = rest.pop()
        cost = rest.pop()
        return t.May(self.span(n), str(name), prompt, rest[0] if rest else None, cost, body, otherwise, only_choice)

    def on_always_asked(self, n: Any) -> bool:
        return False

    def on_asked_with_a_choice(self, n: Any) -> bool:
        return True

    def on_score_for(self, n: Any) -> t.ScoreFor:
        return t.ScoreFor(self.span(n), self.kids(n)[0])

    def on_menu(self, n: Any) -> t.Menu:
        path, (times, count), words, *body = self.kids(n)
        done: tuple[Any, Any] = (None, None)
        windows, condition, only_choice = "always", None, False
        for kind, value in words:
            if kind == "done":
                done = value
            elif kind == "only_choice":
                only_choice = True
            elif kind == "while":
                condition = value
            else:
                windows = kind
        options = next((part for part in body if isinstance(part, t.MenuBlock)), None)
        otherwise = next((part for part in body if isinstance(part, t.Block)), None)
        return t.Menu(self.span(n), path, times, count, *done, windows, condition, options, otherwise, only_choice)

    def _times(self, n: Any) -> tuple[str, Any]:
        kids = self.kids(n)
        return str(n.data), kids[0] if kids else None

    on_once = on_until_done = on_at_least_once = on_up_to = on_exactly = _times

    def on_done(self, n: Any) -> tuple[str, tuple[Any, Any]]:
        ask, *when = self.kids(n)
        return "done", (ask, when[0] if when else None)

    def on_windows_after_first(self, n: Any) -> tuple[str, None]:
        return "after_first", None

    def on_while(self, n: Any) -> tuple[str, Any]:
        return "while", self.kids(n)[0]

    def on_only_choice(self, n: Any) -> tuple[str, None]:
        return "only_choice", None

    def on_no_windows(self, n: Any) -> tuple[str, None]:
        return "none", None

    def on_menu_block(self, n: Any) -> t.MenuBlock:
        doc, options = self._split_doc(self.kids(n))
        return t.MenuBlock(self.span(n), doc, tuple(options))

    def on_option(self, n: Any) -> t.Option:
        name, rest = self.kids(n)
        return self._option(n, str(name), rest)

    def _option(self, n: Any, name: str, rest: list[Any]) -> t.Option:
        label, binders, *when, cost, once_per, keys, body = rest
        return t.Option(self.span(n), name, label, binders, when[0] if when else None, cost, once_per, keys, body)

    def on_option_rest(self, n: Any) -> list[Any]:
        return self.kids(n)

    def on_binder(self, n: Any) -> t.Binder:
        name, domain, where = self.kids(n)
        return t.Binder(self.tok(name), self.given(name), domain, None, None, where)

    def on_number_binder(self, n: Any) -> t.Binder:
        name, low, high, *step, where = self.kids(n)
        return t.Binder(self.tok(name), self.given(name), low, high, step[0] if step else None, where)

    # -------------------------------------------------------------------------------------------- costs

    def on_cost(self, n: Any) -> t.Cost:
        return t.Cost(self.span(n), tuple(self.kids(n)))

    def on_cost_all(self, n: Any) -> t.CostWay:
        *items, name = self.kids(n)
        return t.CostWay(self.span(n), tuple(items), name)

    on_way_name = _first

    def on_cost_item(self, n: Any) -> t.CostItem:
        what, *source, (target, by) = self.kids(n)
        return t.CostItem(self.span(n), what, source[0] if source else None, target, by)

    def on_cost_goes(self, n: Any) -> tuple[None, None]:
        return None, None

    def on_goes_to(self, n: Any) -> tuple[Any, None]:
        return self.kids(n)[0], None

    def on_goes_by(self, n: Any) -> tuple[None, str]:
        return None, self._names(n)[0]

    # -------------------------------------------------------------------------------------- expressions

    def on_choice(self, n: Any) -> t.Choice:
        return t.Choice(self.span(n), *self.kids(n))

    def _operation(self, n: Any) -> t.Operation:
        names = {
            "or_": "or",
            "and_": "and",
            "not_": "not",
            "plus": "+",
            "minus": "-",
            "times_": "*",
            "negative": "neg",
            "equal": "=",
        }
        return t.Operation(self.span(n), names[n.data], tuple(self.kids(n)))

    def on_not(self, n: Any) -> t.Operation:
        if _is(n.children[-1], "any_"):
            span = self.span(n)
            words = Span(span.source, span.start, self.span(n.children[-1]).start + len("any"))
            self.faults.add("E203", words, "`not any` is said `no`", label="write `no`")
        return self._operation(n)

    on_or = on_and = on_plus = on_minus = on_times = on_negative = on_equal = _operation

    def on_compare(self, n: Any) -> t.Operation:
        left, op, right = self.kids(n)
        return t.Operation(self.span(n), str(op), (left, right))

    def on_divide(self, n: Any) -> t.Operation:
        left, right, rounding = self.kids(n)
        return t.Operation(self.span(n), "/" + rounding, (left, right))

    on_rounding = on_what

    def on_is_a(self, n: Any) -> t.IsA | t.IsNone:
        what, kind = self.kids(n)
        negated = n.data == "is_not_a"
        if isinstance(kind, t.NoneWord):
            return t.IsNone(self.span(n), what, negated)
        return t.IsA(self.span(n), what, kind, negated)

    on_is_not_a = on_is_a

    def on_is_empty(self, n: Any) -> t.IsEmpty:
        return t.IsEmpty(self.span(n), self.kids(n)[0], n.data == "is_not_empty")

    on_is_not_empty = on_is_empty

    def on_none_word(self, n: Any) -> t.NoneWord:
        return t.NoneWord(self.span(n))

    def _aggregate(self, n: Any) -> t.Aggregate:
        how = {"count": "count", "total": "sum", "any_": "any", "none_of": "no", "first": "first"}
        return t.Aggregate(self.span(n), how[n.data], self.kids(n)[0])

    on_count = on_total = on_any = on_none_of = on_first = _aggregate

    def on_extreme(self, n: Any) -> t.Aggregate:
        how, what = self.kids(n)
        return t.Aggregate(self.span(n), how, what)

    def on_within(self, n: Any) -> t.Within:
        return t.Within(self.span(n), *self.kids(n))

    def on_some(self, n: Any) -> t.Some:
        """Brackets around what a thing has say how much: `(p.face) dollars`."""
        amount, what = n.children
        if isinstance(amount, Tree) and amount.data == "grouped":
            inside = amount.children[0]
            amount = inside if isinstance(inside, Tree) and inside.data == "member" else amount
        return t.Some(self.span(n), self.build(amount), self.build(what))

    def on_some_of(self, n: Any) -> t.SomeOf:
        number, what = self.kids(n)
        return t.SomeOf(self.span(n), int(number), what)

    def on_of(self, n: Any) -> t.Of:
        name, arg = self.kids(n)
        return t.Of(self.span(n), str(name), arg)

    def on_member(self, n: Any) -> t.Member:
        of, name = self.kids(n)
        return t.Member(self.span(n), of, str(name))

    def on_call_with(self, n: Any) -> t.Call:
        what, (args, names) = self.kids(n)
        return t.Call(self.span(n), what, args, names)

    def on_args(self, n: Any) -> tuple[tuple[t.Expr, ...], tuple[t.Called, ...]]:
        given = [kid if isinstance(kid, tuple) else (None, kid) for kid in self.kids(n)]
        names = tuple(name for name, _ in given if name is not None)
        for (before, _), (name, value) in pairwise(given):
            if before is not None and name is None:
                label = f"say which one this is, as `{before.name}` does, or let it stand before `{before.name}`"
                self.faults.add("E330", value.span, "behind an argument with a name all have one", label=label)
                names = ()
                break
        return tuple(value for _, value in given), names

    def on_named_arg(self, n: Any) -> tuple[t.Called, t.Expr]:
        name, value = self.kids(n)
        return t.Called(self.tok(name), str(name)), value

    def on_int(self, n: Any) -> t.Int:
        return t.Int(self.span(n), self._number(n.children[0], str(n.children[0])))

    def on_money(self, n: Any) -> t.Money:
        text = str(n.children[0])
        return t.Money(self.span(n), text[0], self._number(n.children[0], text[1:].replace(",", "")))

    def _number(self, token: Token, digits: str) -> int:
        if len(digits) > 12:
            self.faults.add("E204", self.tok(token), "this number is too large", label="at most 12 digits")
            return 0
        return int(digits)

    def on_grouped(self, n: Any) -> t.Expr:
        """Brackets around a single name group nothing: most often the word before them has been lost."""
        inner = cast(t.Expr, self.kids(n)[0])
        if isinstance(inner, t.Name | t.Member | t.Int | t.Money):
            self.faults.add(
                "E203",
                self.span(n),
                "a single name stands in these brackets",
                label="leave them out, or say what is asked of it",
            )
        return inner

    def on_name(self, n: Any) -> t.Name:
        return t.Name(self.span(n), str(n.children[0]))

    def on_each_of(self, n: Any) -> t.EachOf:
        value, *binders = self.kids(n)
        return t.EachOf(self.span(n), value, tuple(binders))

    def on_pairs(self, n: Any) -> t.EachOf:
        """`(a in A, b in B where P)` behind `count of`, `any`, `no`: so many ways there are to choose them."""
        first, where, *binders = self.kids(n)
        span = self.span(n)
        if not (isinstance(first, t.Within) and isinstance(first.what, t.Name)):
            label = "write `(a in SET, b in SET where …)`"
            self.faults.add("E203", first.span, "each of several has a name of its own here", label=label)
            return t.EachOf(span, t.Int(span, 1), tuple(binders))
        name = first.what.name
        if name in reserved_words():
            message, label = word_fault(name)
            self.faults.add("E104", first.what.span, message, label=label)
        named = t.Binder(first.span, name, first.where, None, None, where)
        return t.EachOf(span, t.Int(span, 1), (named, *binders))

    def on_connected(self, n: Any) -> t.Connected:
        (sources,) = self.kids(n)
        return t.Connected(self.span(n), sources, t.Route(self.span(n), None, None, None, None))

    def on_connected_where(self, n: Any) -> t.Connected:
        sources, (over, through), where = self.kids(n)
        return t.Connected(self.span(n), sources, t.Route(self.span(n), over, through, None, where))

    def on_going_over(self, n: Any) -> tuple[t.Along | None, t.Along | None]:
        return self.kids(n)[0], None

    def on_going_through(self, n: Any) -> tuple[t.Along | None, t.Along | None]:
        return None, self.kids(n)[0]

    def on_going_both(self, n: Any) -> tuple[t.Along | None, t.Along | None]:
        over, through = self.kids(n)
        return over, through

    def on_along(self, n: Any) -> t.Along:
        name, *among = self.kids(n)
        return t.Along(self.tok(name), self.given(name), among[0] if among else None)

    def on_route(self, n: Any) -> t.Route:
        return t.Route(self.span(n), *self.kids(n))

    def on_way(self, n: Any) -> t.Way:
        return t.Way(self.span(n), *self.kids(n))

    def on_steps(self, n: Any) -> t.Steps:
        return t.Steps(self.span(n), *self.kids(n))

    def on_those(self, n: Any) -> t.Those:
        return t.Those(self.span(n), *self.kids(n))

    def on_best_of(self, n: Any) -> t.BestOf:
        selection, direction, key = self.kids(n)
        return t.BestOf(self.span(n), selection, t.OrderKey(key.span, direction, key))

    def on_sorted(self, n: Any) -> t.Sorted:
        selection, *keys = self.kids(n)
        return t.Sorted(self.span(n), selection, tuple(keys))

    def on_set_of(self, n: Any) -> t.SetOf:
        return t.SetOf(self.span(n), tuple(self.kids(n)))

    def on_path(self, n: Any) -> str:
        return ".".join(self._names(n))


_KEPT = {"NAME", "INT", "STRING", "COMPARE", "MONEY"}


def _is(kid: Any, rule: str) -> bool:
    return isinstance(kid, Tree) and kid.data == rule


def _is_mark(kid: Any) -> bool:
    """Keywords and punctuation carry no meaning once the rule that holds them is known."""
    return isinstance(kid, Token) and kid.type not in _KEPT
