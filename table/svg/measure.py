"""How wide words are, without a browser: by the letters of a wide face, so that what fits by this fits in whichever one there is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rich.cells import cell_len

from ichiba.table.scene.spelling import Cell, Ink

LETTERS = {  # in hundredths of the size, of DejaVu Sans, which is among the widest
    28: "Ijil'", 34: " \u00a0,./:;|\\-", 40: "!()[]frtJ", 52: "*?_`sz\"", 56: "Lc", 60: "FPTYakovxy", 64: "$0123456789ESbdeghnpqu{}¥€–",
    68: "ABKRVXZ", 72: "CU", 78: "DGHNOQ&", 84: "#+<=>^w~×→○●★", 88: "M", 98: "%m@W…",
}  # fmt: skip
WIDTHS = {letter: width for width, letters in LETTERS.items() for letter in letters}
WIDE, USUAL, PICTURE = 104, 68, 126  # of a letter as wide as high, of any other, and of a small picture
BOLD = 7  # more for each letter, narrow ones too
TOGETHER = re.compile(r"(?<=\d) (?=[^\W\d_]{1,2}\b)| (?=× \d)|(?<=×) (?=\d)")  # `1 R`, `Eel × 3`: no line ends between a number and its word
OPENING = tuple("([¿¡（「")
CLOSING = tuple(",;.:)]!?…、。")


@lru_cache(maxsize=8192)
def _hundredths(text: str, bold: bool) -> int:
    found = BOLD * sum(letter in WIDTHS and not letter.isspace() for letter in text) if bold else 0
    for letter in text:
        known = WIDTHS.get(letter)
        if known is not None:
            found += known
        elif ord(letter) > 0x1F000:
            found += PICTURE
        else:
            found += {0: 0, 1: USUAL}.get(cell_len(letter), WIDE)
    return found


def width(text: str, size: float, bold: bool = False) -> float:
    return _hundredths(text, bold) * size / 100


def width_of(cell: Cell, size: float, bold: bool = False) -> float:
    return sum(width(words, size, bold or colour == "bold") for words, colour in cell)


def kept(cell: Cell) -> Cell:
    """For programs that wrap by themselves: blanks at which no line may end are of the sort that none of them parts."""
    return tuple((TOGETHER.sub("\u00a0", words), colour) for words, colour in cell)


def cut(text: str, size: float, room: float, bold: bool = False) -> str:
    """As much of a text as fits; what is left out is `…`."""
    if width(text, size, bold) <= room:
        return text
    while text and width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(cell: Cell, size: float, room: float, bold: bool = False) -> list[Cell]:
    """Lines none of which is wider than the room. A word that is too long for any line is broken."""
    lines: list[list[Ink]] = [[]]
    free = room
    for words, colour in _words(cell, size, room, bold):
        if words == "\n":
            lines.append([])
            free = room
            continue
        wide = width(words, size, bold or colour == "bold")
        if wide > free and lines[-1]:
            taken = _taken_along(lines[-1], words)
            free = room - sum(width(one, size, bold or style == "bold") for one, style in taken)
            if wide > free:
                taken, free = [], room
            del lines[-1][len(lines[-1]) - len(taken) :]
            lines.append(taken)
            words = words.lstrip() if not lines[-1] else words
            wide = width(words, size, bold or colour == "bold")
        if words:
            lines[-1].append((words, colour))
            free -= wide
    return [together(line) for line in lines]


def _taken_along(line: list[Ink], words: str) -> list[Ink]:
    """What goes to the next line with words that begin with a comma or a bracket, which may not stand there first; and a bracket that
    opens before them, which may not stand last."""
    taken: list[Ink] = []
    while len(taken) < len(line) - 1 and (words[:1] in CLOSING or line[-1 - len(taken)][0].rstrip()[-1:] in OPENING):
        words, style = line[-1 - len(taken)]
        taken.insert(0, (words, style))
    return [(taken[0][0].lstrip(), taken[0][1]), *taken[1:]] if taken else []


def _words(cell: Cell, size: float, room: float, bold: bool) -> Iterator[Ink]:
    """Word by word, each with the blank before it; wide letters may be parted anywhere."""
    for text, colour in cell:
        for number, line in enumerate(text.split("\n")):
            if number:
                yield "\n", ""
            word, whole = "", {found.start() for found in TOGETHER.finditer(line)}
            for at, letter in enumerate(line):
                ends = letter == " " and at not in whole or width(word + letter, size, bold or colour == "bold") > room
                if ends and word.strip() or _parted(word):
                    yield word, colour
                    word = ""
                word += letter
            if word:
                yield word, colour


def _parted(word: str) -> bool:
    return word != "" and 0x2E80 <= ord(word[-1]) < 0x1F000 and cell_len(word[-1]) == 2


def together(line: Sequence[Ink]) -> Cell:
    """Neighbours of one colour are one piece."""
    found: list[Ink] = []
    for words, colour in line:
        if found and found[-1][1] == colour:
            found[-1] = (found[-1][0] + words, colour)
        else:
            found.append((words, colour))
    return tuple(found)
