"""`ichiba draw GAME`: its boards, maps and table as pictures; and what one needs for a playtest on paper."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table import arguments
from ichiba.table.output import add_force, write_all
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table
    from ichiba.table.svg.gallery import Drawn, Gallery

HELP = "boards, maps and the table as pictures; pages to print and cut out"
EXAMPLES = (
    "ichiba draw my_game --out pictures                  every board, map and track, the table, a sheet of all boards",
    "ichiba draw my_game eel_market --out .              one board",
    "ichiba draw my_game --with expansion --lang ja --out pictures",
    "ichiba draw my_game table --save last --seat 2 --width 800 --out .    a game that was saved, as seat 2 sees it",
    "ichiba draw my_game --paper --out playtest          boards, cards and tokens on A4: playtest/paper.html",
    "ichiba draw my_game --png --out pictures            as PNG too (needs the extra `pictures`)",
)
NARROWEST, WIDEST = 320, 4000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    parser.add_argument("names", metavar="BOARD", nargs="*",
                        help="of these only: boards, kinds that are drawn as a map or a track, `table`, `all_boards`")  # fmt: skip
    arguments.add_setting(parser)
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder for the pictures; it is made if it is not there")
    parser.add_argument("--png", action="store_true", help="PNG beside each SVG (needs resvg: pip install 'ichiba[pictures]')")
    parser.add_argument("--paper", action="store_true", help="instead: pages of A4 for a playtest, with boards, cards, tickets and tokens")
    parser.add_argument("--save", metavar="FILE", help="the table of a saved game: a file, a kept game's name, or `last`")
    parser.add_argument("--seat", metavar="N", type=arguments.whole, help="the table as this seat sees it (default: as somebody who looks on)")
    parser.add_argument("--width", metavar="N", type=arguments.whole, default=800, help="how wide the table is drawn; a phone has 390 (default: 800)")
    parser.add_argument("--seed", type=arguments.seed, default=1, help="how the table is set up (default: 1)")
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    from ichiba.table.svg.gallery import Gallery

    if not NARROWEST <= args.width <= WIDEST:
        raise Refusal(f"ichiba draw: --width {args.width}: a table is drawn from {NARROWEST} to {WIDEST} wide")
    table = _table(args)
    gallery = Gallery(table.game)
    files = _paper(gallery, args) if args.paper else _pictures(_drawn(gallery, table, args), Path(args.out), args.png)
    write_all(files, args.force, "draw")
    for path in files:
        print(path)
    return 0


def _table(args: argparse.Namespace) -> Table:
    """The table that is drawn: a saved game's, or one where nobody has moved."""
    if args.save is None:
        table = arguments.speaking(arguments.setting(args).load(), "draw").start(args.seed)
    else:
        from ichiba.interpreter.api import resume
        from ichiba.table import saves

        table = resume(saves.find(args.save))
        if args.game is not None and table.game.name != Path(args.game).resolve().name:
            raise Refusal(f"ichiba draw: this is a save of {table.game.name}, and not of {args.game}")
    if args.seat is not None and args.seat > table.game.seats:
        raise Refusal(f"ichiba draw: --seat {args.seat}: there are {table.game.seats} seats")
    return table


def _drawn(gallery: Gallery, table: Table, args: argparse.Namespace) -> list[Drawn]:
    sheet = gallery.sheet()
    found = [*gallery.printed(), *([sheet] if sheet else []), gallery.table(table, args.seat, args.width)]
    return _chosen(found, args.names) if args.names else found


def _chosen(found: Iterable[Drawn], names: Iterable[str]) -> list[Drawn]:
    """Those that are named; a name that nothing has is refused."""
    from ichiba.dsl.faults.fault import nearest

    known = {one.name: one for one in found}
    for name in names:
        if name not in known:
            hint = nearest(name, known)
            there = ", ".join(list(known)[:20]) + (", …" if len(known) > 20 else "")
            raise Refusal(f"ichiba draw: there is no picture of `{name}`" + (f"; did you mean `{hint}`?" if hint else f"; there are: {there}"))
    return [known[name] for name in dict.fromkeys(names)]


def _pictures(drawn: list[Drawn], out: Path, png_too: bool) -> dict[Path, bytes]:
    from ichiba.table.markup.writing import svg
    from ichiba.table.svg.drawing import picture
    from ichiba.table.svg.png import NoPainter, png

    files: dict[Path, bytes] = {}
    for one in drawn:
        made = picture(one.panel, one.title)
        files[out / f"{one.name}.svg"] = svg(made).encode()
        try:
            if png_too:
                files[out / f"{one.name}.png"] = png(made)
        except NoPainter as missing:
            raise Refusal(f"ichiba draw: {missing}") from None
    return files


def _paper(gallery: Gallery, args: argparse.Namespace) -> dict[Path, bytes]:
    """One page of HTML that prints as many sheets as there are."""
    from ichiba.table.html.page import page
    from ichiba.table.markup.elements import element
    from ichiba.table.markup.writing import html
    from ichiba.table.svg.drawing import picture
    from ichiba.table.svg.paper import SHEETS, TooMany, page_picture, pages

    if args.names:
        raise Refusal("ichiba draw: --paper prints all boards and pieces; leave out " + ", ".join(args.names))
    try:
        made = pages(gallery.cards(), gallery.pieces())
    except TooMany as reason:
        raise Refusal(f"ichiba draw: {reason}") from None
    sheets = [picture(page_picture(one), f"sheet {number} of {len(made)}", styled=False) for number, one in enumerate(made, 1)]
    main = element("main", *(element("figure", sheet, class_="sheet") for sheet in sheets), class_="paper-sheets")
    whole = page(gallery.title, main, lang=gallery.game.lang, more_style=SHEETS)
    return {Path(args.out) / "paper.html": html(whole).encode()}
