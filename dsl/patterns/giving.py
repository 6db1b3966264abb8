"""What a `use` gives, held against what its pattern leaves open. All that is wrong is told at once, with what is wanted."""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.dsl.faults.fault import Faults, nearest, quote
from ichiba.dsl.faults.source import Span
from ichiba.dsl.patterns.declared import FORMS, Declared
from ichiba.dsl.patterns.filling import Filling, names_within
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural

_NAMES = {*FORMS, "unit", "kind", "field", "value"}  # of these a name is given, for all else an amount or another value


class Giving:
    """Gathers what stands for each name that is left open, and what is wrong with it."""

    def __init__(self, pattern: t.Pattern, use: t.Use, declared: Declared):
        self.pattern, self.use, self.declared = pattern, use, declared
        self.names: dict[str, str] = {}  # by what is left open: what it is called here, units too
        self.values: dict[str, t.Expr] = {}
        self.wrong: list[tuple[str, Span]] = []
        self.within = names_within(pattern.items)

    def gather(self) -> bool:
        """Whether all is given that is left open, and as it is wanted."""
        given = self._by_name()
        ordered = sorted(self.pattern.given, key=lambda one: one.type.name not in _NAMES)
        for wanted in ordered:
            if wanted.name in given:
                self._take(wanted, given[wanted.name])
        missing = [f"`{one.name}`" for one in self.pattern.given if one.name not in given and one.default is None]
        if missing:
            self.wrong.append((f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing", self.use.span))
        for wanted in ordered:
            if wanted.name not in given and wanted.default is not None and not self.wrong:
                filling = Filling(self.names, self.values, wanted.span.source)
                self.values[wanted.name] = filling.of(wanted.default)
        return not self.wrong

    def _by_name(self) -> dict[str, t.UseArg]:
        known = [one.name for one in self.pattern.given]
        found: dict[str, t.UseArg] = {}
        for arg in self.use.args:
            if arg.name not in known:
                hint = nearest(arg.name, known)
                self.wrong.append((f"it takes no `{arg.name}`" + (f" (did you mean `{hint}`?)" if hint else ""), arg.span))
            elif arg.name in found:
                self.wrong.append((f"`{arg.name}` is given twice", arg.span))
            found.setdefault(arg.name, arg)
        return found

    def _take(self, wanted: t.Given, arg: t.UseArg) -> None:
        if wanted.type.name not in _NAMES:
            self._amount(wanted, arg)
            return
        can_be = self._candidates(wanted)
        if not isinstance(arg.value, t.Name) or can_be is not None and arg.value.name not in can_be:
            self._refuse(wanted, arg, can_be)
        elif wanted.type.of != "seat" and wanted.type.name != "field" and arg.value.name in self.within:
            self._hidden(arg, arg.value.name)
        else:
            self.names[wanted.name] = arg.value.name
            if wanted.type.name == "kind":
                self.names[plural(wanted.name)] = plural(arg.value.name)
            self._unit(wanted, arg, can_be[arg.value.name] if can_be is not None else None)

    def _candidates(self, wanted: t.Given) -> dict[str, str | None] | None:
        """What can be given here, each with its unit; None where anything can."""
        form, of = wanted.type.name, self._called(wanted.type.of or "table")
        if form in FORMS:
            members = self.declared.members(of, form)
            return {name: member.unit if isinstance(member, t.Purse) else None for name, member in members.items()}
        if form == "value":
            return self.declared.values()
        if form == "field":
            return None
        return dict.fromkeys(sorted(self.declared.units() if form == "unit" else self.declared.kinds()))

    def _called(self, name: str) -> str:
        return self.names.get(name, name)

    def _unit(self, wanted: t.Given, arg: t.UseArg, unit: str | None) -> None:
        """The unit that goes with it: the same for all that name it."""
        if wanted.unit is None or unit is None:
            return
        first = self.names.setdefault(wanted.unit, unit)
        if first != unit:
            self.wrong.append((f"`{arg.name}` is in {unit}, {first} is needed", arg.span))

    def _amount(self, wanted: t.Given, arg: t.UseArg) -> None:
        kind, unit = self._called(wanted.type.name), self.declared.unit_of(arg.value)
        if isinstance(arg.value, t.Name) and self.declared.units() & {arg.value.name}:
            self.wrong.append((f"`{arg.name}` is a unit, {self.described(wanted)} is needed", arg.span))
        elif unit is not None and kind in {*self.declared.units(), "number"} and unit != kind:
            said = "a plain number" if unit == "number" else f"in {unit}"
            self.wrong.append((f"`{arg.name}` is {said}, {self.described(wanted)} is needed", arg.span))
        hidden = next((n.name for n in t.walk(arg.value) if isinstance(n, t.Name) and n.name in self.within), None)
        if hidden is not None:
            self._hidden(arg, hidden)
        self.values[wanted.name] = arg.value

    def _hidden(self, arg: t.UseArg, name: str) -> None:
        self.wrong.append((f"`{arg.name}`: `{name}` means something else in this piece; call yours otherwise", arg.span))

    def _refuse(self, wanted: t.Given, arg: t.UseArg, can_be: Iterable[str] | None) -> None:
        said = quote(arg.value.span.text)
        hint = nearest(arg.value.name, can_be or ()) if isinstance(arg.value, t.Name) else None
        mean = f" (did you mean `{hint}`?)" if hint else ""
        self.wrong.append((f"`{arg.name}` must be {self.described(wanted)}, {said} is none{mean}", arg.span))

    def described(self, wanted: t.Given) -> str:
        """What is wanted, in words."""
        form, of = wanted.type.name, wanted.type.of
        unit = self.names.get(wanted.unit) if wanted.unit else None
        if form in FORMS:
            whose = {"seat": "that every seat has", "table": "of the table"}.get(of or "", f"of {self._called(of or '')}")
            return f"the name of a {form} {whose}" + (f", in {unit}" if unit and unit != "number" else "")
        if form == "value":
            return "the name of a value or table" + (f" in {unit}" if unit and unit != "number" else "")
        if form == "kind":
            return "the name of a kind, family or enumeration"
        if form in ("unit", "field"):
            return f"the name of a {form}"
        called = self._called(form)
        if called in self.declared.units():
            return f"an amount in {called}"
        known = {"number": "a number", "flag": "yes or no", "seat": "a seat"}
        return known.get(form, "an amount" if form in {one.unit for one in self.pattern.given} else f"a {called}")

    def tell(self, called: str, faults: Faults) -> None:
        """One fault for all that is wrong, with everything that the piece takes."""
        takes = [self._told(one) for one in self.pattern.given]
        form = ", ".join(f"{one.name}: …" for one in self.pattern.given if one.default is None)
        faults.add(
            "E350",
            self.wrong[0][1] if len(self.wrong) == 1 else self.use.span,
            f"`{called}` is not used as it can be: " + "; ".join(message for message, _ in self.wrong),
            label=f"write `use {called}({form}) as {self.use.name or self.pattern.name}`",
            notes=takes,
        )

    def _told(self, one: t.Given) -> str:
        can_be = self._candidates(one) if one.type.name in FORMS or one.type.name == "unit" else None
        there = f" (there is: {', '.join(can_be)})" if can_be else " (there is none)" if can_be is not None else ""
        own = f"; else {one.default.span.text}" if one.default is not None else ""
        return f"{one.name}: {self.described(one)}{there}{own}"
