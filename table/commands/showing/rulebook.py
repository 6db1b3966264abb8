"""`ichiba rulebook GAME`: its rules as a book, one page of HTML or a PDF."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.table import arguments
from ichiba.table.output import add_force, write_all
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.table.rulebook.book import Book

HELP = "the rules as a book: one page of HTML, or a PDF"
MOST_SIGNS = 12  # that are told one by one
EXAMPLES = (
    "ichiba rulebook my_game --out rules.html",
    "ichiba rulebook my_game --out rules.pdf                          needs the extra `print`",
    "ichiba rulebook my_game --with expansion --seats 4 --lang ja --out rules.html",
    "ichiba rulebook my_game --config first_game --out rules.html",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_game(parser)
    arguments.add_setting(parser)
    parser.add_argument("--out", metavar="FILE", required=True,
                        help="where to write it: FILE.html or FILE.pdf (for PDF: pip install 'ichiba[print]')")  # fmt: skip
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    from ichiba.table.rulebook.book import Book

    out = Path(args.out)
    if out.suffix not in (".html", ".pdf"):
        raise Refusal(f"ichiba rulebook: --out {args.out}: a rulebook is written as .html or .pdf")
    book = Book(arguments.speaking(arguments.setting(args).load(), "rulebook"))
    write_all({out: _page(book) if out.suffix == ".html" else _pdf(book)}, args.force, "rulebook")
    print(out)
    for note in (*book.notes(), *_without_a_font(book, out)):
        print(f"ichiba rulebook: {note}", file=sys.stderr)
    return 0


def _page(book: Book) -> bytes:
    from ichiba.table.markup.writing import html
    from ichiba.table.rulebook.printing.to_html import rulebook_page

    return html(rulebook_page(book.title, book.blocks(), book.game.lang)).encode()


def _without_a_font(book: Book, out: Path) -> list[str]:
    """A PDF brings its letters along, from the machine that makes it."""
    from ichiba.table.rulebook.printing.to_pdf import unprintable

    missing = unprintable(book.title, book.blocks(), book.game.lang) if out.suffix == ".pdf" else ""
    some = " ".join(missing[:MOST_SIGNS]) + (" …" if len(missing) > MOST_SIGNS else "")
    told = f"no font on this machine has {some}: they are empty boxes in {out.name}; fonts that have most signs: Noto Sans CJK, Noto Color Emoji"
    return [told] if missing else []


def _pdf(book: Book) -> bytes:
    from ichiba.table.rulebook.printing.to_pdf import NoTypesetter, pdf

    try:
        return pdf(book.title, book.blocks(), book.game.lang)
    except NoTypesetter as missing:
        raise Refusal(f"ichiba rulebook: {missing}") from None
