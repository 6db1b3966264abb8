"""The numbers that no source gives: every assumption with what it covers, and why it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ichiba.dsl.yaml.declarations import BoardDecl, Box, PieceDecl
    from ichiba.interpreter.run.game import Game

LISTED = "as listed"
OF_KIND = "as all of its kind"


def assumptions_of(game: Game) -> list[dict[str, object]]:
    """Every assumption with what it covers: `what`, `name`, the value as written, and where."""
    from ichiba.dsl.ruleset import assumption_ids

    return [
        {"id": id, "covers": _covers(game.box, id), "why": _why(game.box, id)}
        for id in sorted(assumption_ids(game.box))
    ]


def _covers(box: Box, id: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []

    def add(what: str, name: str, value: object, place: object) -> None:
        found.append({"what": what, "name": name, "value": str(value), "place": str(place)})

    for what, facts in (("number", box.numbers), ("table", box.tables)):
        for fact in facts:
            if fact.assumption == id:
                add(what, fact.name, _plain(fact.value.span.text), _place(fact.span))
    for piece in box.pieces:
        if piece.assumption == id:
            number = _plain(piece.number.span.text) if piece.number is not None else _by_sort(piece)
            add("pieces", piece.name, number, _place(piece.span))
    for thing in box.things:
        if thing.assumption == id:
            add(
                "things",
                thing.kind,
                _plain(thing.number.span.text) if thing.number is not None else LISTED,
                _place(thing.span),
            )
    for board in box.boards:
        for field, own in board.assumptions:
            if own == id:
                add("board", f"{board.name}.{field}", _field(box, board, field), _place(board.span))
    return found


def _field(box: Box, board: BoardDecl, field: str) -> str:
    """What a board's file says of a field; its pieces are declarations of their own."""
    if field == "pieces":
        return ", ".join(_by_sort(piece) for piece in box.pieces if piece.board == board.name)
    return next((_plain(node.span.text) for name, node in board.fields if name == field), OF_KIND)


def _by_sort(piece: PieceDecl) -> str:
    """How many there are of each sort: `4 red, 2 blue`."""
    numbers = []
    for item in piece.items or ():
        number = next((node.span.text for name, node in item.fields if name == "number"), "1")
        numbers.append(f"{_plain(number)} {item.name}")
    return ", ".join(numbers) or LISTED


def _plain(text: str) -> str:
    """On one line, with single spaces."""
    return " ".join(text.split())


def _place(span: object) -> str:
    """`box.yaml:12`"""
    from ichiba.dsl.faults.source import Span

    return f"{span.source.path}:{span.line}" if isinstance(span, Span) else ""


def _why(box: Box, id: str) -> str:
    reasons = [fact.why for fact in (*box.numbers, *box.tables) if fact.assumption == id and fact.why]
    return "; ".join(dict.fromkeys(reasons))
