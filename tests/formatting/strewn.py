"""YAML written otherwise: the same values with other indents, blanks, line breaks and comments, in block style or in flow."""

from __future__ import annotations

from random import Random

import yaml

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source
from ichiba.dsl.formatting.embedded import rules_in
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, read_yaml
from tests.properties.respelled import COMMENTS, Respacing


class Strewing:
    """A YAML file in another layout. Rules in it are strewn as well."""

    def __init__(self, random: Random):
        self.random = random
        self.rules: set[int] = set()

    def __call__(self, text: str, name: str) -> str:
        node = read_yaml(Source(name, text), Faults())
        assert node is not None
        self.rules = {scalar.span.start for scalar, start in rules_in(node, name) if start == "start"}
        lines = self._block(node, 0) if isinstance(node, Map | Seq) else [node.span.text]
        whole, end = "\n".join(["---", *lines][self.random.random() < 0.8 :]), self.random.choice(["", "\n", "\n\n", "\n...\n"])
        if yaml.load(whole, yaml.BaseLoader) != yaml.load(f"{whole}\n", yaml.BaseLoader):
            end = end or "\n"  # it ends with a block of text, to which the last line's end belongs
        return whole + end

    def _one_of(self, *choices: str) -> str:
        return self.random.choice(choices)

    def _block(self, node: Map | Seq, indent: int) -> list[str]:
        """The lines of a map or a list, of which the first is not indented."""
        lines: list[str] = []
        margin = " " * indent
        if isinstance(node, Map):
            parts = [(key.span.text + self._one_of("", "", " ") + ":", value) for key, value in node.entries]
        else:
            parts = [("-", item) for item in node.items]
        for head, value in parts:
            if lines:
                lines += self._between(indent)
            first, *others = self._value(head, value, indent, isinstance(node, Seq))
            lines += [margin * bool(lines) + first, *others]
        return lines

    def _between(self, indent: int, more: int = 0) -> list[str]:
        """Blank lines and comments. Further right than here they would be part of a text that ends above."""
        lines = []
        while self.random.random() < 0.2:
            lines.append(self._one_of("", " " * more, " " * self.random.choice([0, indent, indent + more]) + self._one_of(*COMMENTS)))
        return lines

    def _value(self, head: str, value: Node, indent: int, in_list: bool) -> list[str]:
        deeper = indent + self.random.randint(1, 6)
        behind = self._one_of("", "", "", "  ", " # why", "   # [odd")
        if isinstance(value, Scalar):
            if value.style == "block":
                return self._text(head, value, indent)
            if not value.span.text:
                return [head + behind]
            if self.random.random() < 0.1:
                return [head + behind, *self._between(deeper, 3), " " * deeper + value.span.text]
            return [f"{head}{self._one_of(' ', ' ', '  ')}{value.span.text}{behind}"]
        empty = not (value.entries if isinstance(value, Map) else value.items)
        pair = isinstance(value, Map) and not value.span.text.startswith("{") and self.flowing(value)
        if empty or self.flowing(value) and not pair and self.random.random() < 0.7:
            flow = self._flow(value, deeper)
            return [f"{head} {line}" if not number else line for number, line in enumerate((flow + behind).split("\n"))]
        if in_list and self.random.random() < 0.7:
            column = indent + 1 + (blanks := self.random.randint(1, 3))
            first, *others = self._block(value, column)
            return [head + " " * blanks + first, *others]
        if isinstance(value, Seq) and not in_list and self.random.random() < 0.4:
            deeper = indent
        first, *others = self._block(value, deeper)
        return [head + behind, *self._between(deeper, 3), " " * deeper + first, *others]

    @staticmethod
    def flowing(node: Node) -> bool:
        """Whether it stands in brackets in its file: what does not may hold what cannot stand in them."""
        source = node.span.source.text
        return source[node.span.start : node.span.start + 1] in ("[", "{") or "\n" not in node.span.text and not _is_block(node)

    def _flow(self, node: Node, indent: int) -> str:
        if isinstance(node, Scalar):
            return node.span.text
        if isinstance(node, Map):
            parts = [f"{key.span.text}: {self._flow(value, indent)}" for key, value in node.entries]
            single = not node.span.text.startswith("{")
            if single and self.random.random() < 0.5:
                return parts[0]
            opening, closing = "{}"
        else:
            parts, opening, closing = [self._flow(item, indent) for item in node.items], "[", "]"
        made = opening + self._gap(indent)
        for number, part in enumerate(parts):
            made += part + self._one_of("", "", " ") + ("," + self._gap(indent, " ") if number < len(parts) - 1 else "")
        return made + self._gap(indent) + closing

    def _gap(self, indent: int, least: str = "") -> str:
        if self.random.random() < 0.1:
            comment = self._one_of("", "", " # why", " # }odd")
            return f"{comment}\n" + "".join(f"{line}\n" for line in self._between(indent)) + " " * (indent + self.random.randint(0, 4))
        return self._one_of(least, least, " ", "  ")

    def _text(self, head: str, value: Scalar, indent: int) -> list[str]:
        """A text below `|`."""
        text = str(value.value)
        step = self.random.randint(1, 5)
        if value.span.start in self.rules and self.random.random() < 0.7:
            text = Respacing(self.random)(text)
        lines = text.removesuffix("\n").split("\n")
        mark = "" if text.endswith("\n") else "-"
        odd = any(line.strip() for line in lines) and next(line for line in lines if line.strip()).startswith(" ")
        digit = str(step) if odd or self.random.random() < 0.2 else ""
        header = f"{head} |{digit}{mark}" + self._one_of("", "", "  # rules")
        margin = " " * (indent + step)
        return [header, *(margin + line if line.strip() else "" for line in lines)]


def _is_block(node: Node) -> bool:
    return node.span.source.text[node.span.start : node.span.start + 1] == "-"
