"""In a function that writes nothing, what is said several times is worked out once. It works on the written lines: they
are all ours, and each is a whole statement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

PLACE = re.compile(r"\bS\[(\d+)\]")
ONLY = re.compile(r"\(S\.index\(1, [^()]*\) if [^()]* == 1 else first_of\(S, [^()]*\) if [^()]* else -1\)")
LYING = re.compile(r"\(lying\(S, ([^()]*)\) if ([^()]*) else \(\)\)")
PRODUCT = re.compile(r"(?<![/%*] )(?<![\w.])([a-z]\w*) \* \d+(?!\w)")
READ = re.compile(r"(?<![\w.])S\[([a-z]\w*) [+-] \d+\]")
SEARCH = re.compile(r"(?<![\w.])search_\d+\(S\)")
INDENT = "    "
AGAIN_AND_AGAIN = 5  # so often in one line is worth reading it once


class Once:
    """The lines of one function, from its first on."""

    def __init__(self, out: list[str], beginning: int, new_name: Callable[[str], str]):
        self.out, self.beginning, self.new_name = out, beginning, new_name

    def everything(self) -> None:
        self._the_only_pieces()
        self.first = self.beginning
        self.known = self._parameters()
        self._places()
        for pattern in (PRODUCT, READ):
            self._sums(pattern)
        self._things_lying()
        self._searches()

    def _parameters(self) -> list[str]:
        header = self.out[self.beginning - 1].partition("(")[2].partition(")")[0] if self.beginning else ""
        return [name for name in re.findall(r"\w+", header) if not self._changes(name)]

    def _changes(self, name: str) -> bool:
        """Whether a parameter is given another value."""
        given = re.compile(rf"\b{name} :?= |\bfor {name} in |, {name} = ")
        return any(given.search(text) for text in self.out[self.beginning :])

    def _before_all(self, text: str) -> None:
        """A line before all others but those that have been put there."""
        self.out.insert(self.first, INDENT + text)
        self.first += 1

    def _surely_read(self, text: str, depth: int = 2) -> bool:
        """Whether it stands where nothing, or almost nothing, keeps it from being worked out. Where it could go wrong
        that must be nothing: a condition may see to it that it does not."""
        lines = self.out[self.first :]
        if depth > 1 and any(line.count(text) >= AGAIN_AND_AGAIN for line in lines):
            return True
        return any(text in line for line in lines if line[: (depth + 1) * len(INDENT)].strip())

    def _places(self) -> None:
        places = Counter(found for text in self.out[self.beginning :] for found in PLACE.findall(text))
        for place, times in places.items():
            if times > 2 and self._surely_read(f"S[{place}]"):
                self.known.append(f"s{place}")
                self.out[self.beginning :] = [text.replace(f"S[{place}]", self.known[-1]) for text in self.out[self.beginning :]]
                self.out.insert(self.beginning, f"{INDENT}{self.known[-1]} = S[{place}]")
                self.first += 1

    def _sums(self, pattern: re.Pattern[str]) -> None:
        """What is worked out again and again from what is known at the beginning has a name."""
        lines = self.out[self.first :]
        times = Counter(found[0] for text in lines for found in pattern.finditer(text) if found[1] in self.known)
        for text, many in times.items():
            if many > 2 and self._surely_read(text, 2 if pattern is PRODUCT else 1):
                name = "_".join(re.findall(r"\w+", text.replace("S[", "at[")))
                self.known.append(name)
                alone = re.compile(rf"(?<![\w.]){re.escape(text)}(?!\w)")
                self.out[self.first :] = [alone.sub(name, line) for line in self.out[self.first :]]
                self._before_all(f"{name} = {text}")

    def _the_only_pieces(self) -> None:
        """The one piece of a zone, where an `if` begins with it, has a name for the rest of it and all that stands below."""
        for at in range(self.beginning, len(self.out)):
            text = self.out[at]
            first = re.match(rf"(\s*)if [\w(\[]*(?P<only>{ONLY.pattern})", text)
            if first is not None:
                only, indent = first["only"], first[1] + " "
                below = at + 1
                while below < len(self.out) and self.out[below].startswith(indent):
                    below += 1
                if sum(line.count(only) for line in self.out[at:below]) > 1:
                    name = self.new_name("only")
                    self.out[at:below] = [line.replace(only, name) for line in self.out[at:below]]
                    self.out[at] = self.out[at].replace(name, f"({name} := {only})", 1)

    def _things_lying(self) -> None:
        """The things of a zone that are gone through again and again are found when they are first needed."""
        lines = self.out[self.first :]
        for found in {found[0]: found for line in lines for found in LYING.finditer(line)}.values():
            text = found[0]
            using = [at for at in range(self.first, len(self.out)) if text in self.out[at] and self._is_gone_through(at)]
            if not using:
                continue
            if not self._is_known(text) or any(self.out[at].lstrip().startswith("el") for at in using):
                continue
            if len(using) < 2 and not self._many_times(self.out[using[0]], text):
                continue
            name = self.new_name("there")
            look = f"{name} = lying(S, {found[1]}) if {found[2]} else ()"
            # the first to need it stands in no loop and under no condition, or is the only one and in no loop
            always = bool(self.out[using[0]][4:5].strip()) or len(using) == 1 and not self._in_loop(using[0])
            for at in reversed(using):
                indent = self.out[at][: len(self.out[at]) - len(self.out[at].lstrip())]
                self.out[at] = self.out[at].replace(text, name)
                if not always:
                    self.out.insert(at, f"{indent}if {name} is None: {look}")
                elif at == using[0]:
                    self.out.insert(at, f"{indent}{look}")
            if not always:
                self._before_all(f"{name} = None")

    def _in_loop(self, at: int) -> bool:
        """Whether a line stands in a loop."""
        indent = len(self.out[at]) - len(self.out[at].lstrip())
        for line in reversed(self.out[self.first : at]):
            outer = len(line) - len(line.lstrip())
            if outer < indent:
                indent = outer
                if line.lstrip().startswith("for "):
                    return True
        return False

    def _is_gone_through(self, at: int) -> bool:
        """Whether a line surely goes through all it names; a condition may come to an end before."""
        return not self.out[at].lstrip().startswith("if ") or self._in_loop(at)

    def _is_known(self, text: str) -> bool:
        """Whether it hangs on what is known at the beginning only."""
        names = set(re.findall(r"(?<![\w.])[a-z]\w*", text)) - {"lying", "if", "else"}
        return names <= set(self.known)

    def _many_times(self, line: str, text: str) -> bool:
        """Whether a line goes through it more than once: in a loop, or in another comprehension."""
        return line.count(text) > 1 or " for " in line.lstrip()[4:].partition(text)[0]

    def _searches(self) -> None:
        """A search that several options ask for is made when the first of them asks."""
        asked = Counter(found for text in self.out[self.first :] for found in SEARCH.findall(_condition(text)))
        for search, times in asked.items():
            if times > 1:
                name = self.new_name("known")
                once = f"({name} if {name} is not None else ({name} := {search}))"
                for at in range(self.first, len(self.out)):
                    head = _condition(self.out[at])
                    self.out[at] = head.replace(search, once) + self.out[at][len(head) :]
                self.out.insert(self.first, f"{INDENT}{name} = None")


def _condition(line: str) -> str:
    """What stands in a line before any loop, where it is a condition."""
    return line.partition(" for ")[0] if line.lstrip().startswith("if ") else ""
