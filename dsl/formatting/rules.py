"""A text of rules, or single statements, laid out anew: how deep each sentence stands, and where its comments go."""

from __future__ import annotations

from typing import Literal

from ichiba.dsl.faults.source import Embedded
from ichiba.dsl.formatting.lines import WIDTH, Comment, Line, Margins, comments_at, of_comment
from ichiba.dsl.formatting.sentences import STEP, Word, add_comments, lines_of, words_of
from ichiba.dsl.syntax.lexer import LogicalLine, comments_of, logical_lines, split_items
from ichiba.dsl.syntax.parse import tree_of

Start = Literal["start", "statements", "expression"]


class Unread(Exception):
    """A text that is not in the language. Whoever has a text laid out has parsed it before."""


def laid_out(text: Embedded, start: Start, width: int = WIDTH) -> list[Line]:
    """The lines of a text of items (`start`), of statements, or of a single expression."""
    items = [lines for _, lines in split_items(text.text)] if start == "start" else [logical_lines(text.text)]
    layout = _Layout(text.text, width)
    for sentences in items:
        tree, _ = tree_of(text, sentences, start)
        if tree is None:
            raise Unread
        layout.begin_item()
        for sentence, words in zip(sentences, words_of([line.tokens for line in sentences], tree), strict=True):
            layout.sentence(sentence, words)
    layout.comments_up_to(len(text.text), 0)
    return layout.made


class _Layout:
    """Goes through a text from top to bottom: sentence by sentence, each with the comments before it and in it."""

    def __init__(self, text: str, width: int):
        self.text, self.width = text, width
        self.margins = Margins.of(text)
        self.comments = comments_at(comments_of(text), text, self.margins)[::-1]  # those that are still to come, last first
        self.made: list[Line] = []
        self.left: list[int] = []  # how far each block stood from the left that the last sentence stands in
        self.inner: list[int] = []  # the same for this one

    def begin_item(self) -> None:
        self.inner = []

    def sentence(self, line: LogicalLine, words: list[Word]) -> None:
        while self.inner and line.indent < self.inner[-1]:
            self.inner.pop()
        if not self.inner or line.indent > self.inner[-1]:
            self.inner.append(line.indent)
        depth = len(self.inner) - 1
        first = line.tokens[0].start
        opened = depth >= len(self.left)  # a block that begins has no blank line at its top
        top = len(self.made)
        self.comments_up_to(first, depth)
        for token, word in zip(line.tokens, words, strict=True):
            word.comments = self._before(token.start)
            word.broken = token.start in self.margins.first
        end = self.text.find("\n", line.tokens[-1].end)
        behind = self._before(end if end >= 0 else len(self.text))
        lines = lines_of(words, depth * STEP, self.width)
        add_comments(lines, behind, 0)
        lines[0].blank = first in self.margins.below_blank
        self.made += lines
        if opened and top < len(self.made):
            self.made[top].blank = False
        self.left = [*self.inner]

    def comments_up_to(self, offset: int, depth: int) -> None:
        """Comments between two sentences stand as deep as the block they were written in, if it is still open here."""
        for comment in self._before(offset):
            kept = [deep for deep in range(depth, len(self.left)) if self.left[deep] <= comment.column]
            self.made.append(of_comment(comment, STEP * max(kept, default=depth)))

    def _before(self, offset: int) -> list[Comment]:
        found = []
        while self.comments and self.comments[-1].start < offset:
            found.append(self.comments.pop())
        return found
