"""Words of declarations that would say nothing: they name what is not there, or stand where they have no meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.world import Member, World

if TYPE_CHECKING:
    from ichiba.dsl.names.merging import Merged

FITTING = {
    "zone": {"at_most", "hidden", "screened", "face_down", "ordered", "refills", "in_play", "uncounted"},
    "counter": {"hidden", "screened", "stops", "resets"},
    "flag": {"hidden", "screened", "resets"},
    "remember": {"hidden", "screened", "resets"},
    "purse": {"hidden", "screened", "unlimited"},
    "note": set[str](),
}
SAID = {
    "at_most": "at most",
    "face_down": "face down",
    "in_play": "in play",
    "stops": "stops at the ends",
    "refills": "refills from",
    "resets": "resets each",
}
WHO = ("others", "all", "everyone")


def check_words(merged: Merged, world: World, moments: Iterable[tuple[str, Span]], faults: Faults) -> None:
    """`resets each trun` would never reset, `keeps prize` keep nothing, `hidden from other` hide from nobody knows whom.
    `moments`: what options say to be `once per`."""
    begins = [*merged.definitions, *(name for _, name in merged.members), *sorted(merged.opened)]
    begins += [menu for kind in world.kinds.values() for menu in kind.menus]
    notes = [m.name for kind in world.kinds.values() for m in kind.members.values() if m.form == "note"]
    for member in world.members():
        if member.span is None:
            continue
        for word in member.words.values():
            _check_word(word, member, world, begins, faults)
        for note in member.keeps:
            if note not in notes:
                _unknown(faults, member.span, f"no piece has a note `{note}`", note, notes, world)
    for name, span in moments:
        if name not in begins:
            _unknown(faults, span, f"no procedure or menu is called `{name}`", name, begins, world)
    for name, window in merged.windows.items():
        if window.during is not None and window.during not in merged.definitions:
            place = next((at for what, _, at in merged.provenance if what == f"window {name}"), None)
            _unknown(faults, place, f"no procedure is called `{window.during}`", window.during, merged.definitions, world)
    for item, _ in merged.conserved:
        if item.sort not in world.categories:
            _unknown(faults, item.span, f"no pieces are called `{item.sort}`", item.sort, world.categories, world)


def _check_word(word: t.Word, member: Member, world: World, begins: list[str], faults: Faults) -> None:
    said = SAID.get(word.what, word.what)
    if word.what not in FITTING.get(member.form, ()):
        form = "memory" if member.form == "remember" else member.form
        fitting = ", ".join(SAID.get(what, what) for what in sorted(FITTING.get(member.form, ()))) or "nothing"
        faults.add("E508", word.span, f"a {form} cannot be `{said}`", label="leave it out", notes=(f"it can be: {fitting}",))
    elif word.what == "unlimited" and member.owner != "table":
        faults.add("E508", word.span, "only a supply of the table is `unlimited`", label="declare it under `table:`")
    elif word.what in ("hidden", "screened") and word.name is not None and word.name not in WHO:
        _unknown(faults, word.span, f"nobody is called `{word.name}` here", word.name, WHO, world)
    elif word.what == "refills" and word.name is not None:
        zones = [m.name for m in world.table.values() if m.form == "zone"]
        if word.name not in zones:
            _unknown(faults, word.span, f"the table has no zone `{word.name}`", word.name, zones, world)
    elif word.what == "resets" and word.name is not None and word.name not in begins:
        _unknown(faults, word.span, f"no procedure or menu is called `{word.name}`", word.name, begins, world)


def _unknown(faults: Faults, span: Span | None, message: str, name: str, known: Iterable[str], world: World) -> None:
    if name in world.known:
        return
    hint = nearest(name, list(dict.fromkeys(_plain(known))))
    faults.add("E205", span, message, label=f"did you mean `{hint}`?" if hint else "")


def _plain(names: Iterable[str]) -> Iterator[str]:
    """Without what only the engine keeps."""
    return (name for name in names if " " not in name)


__all__ = ["check_words"]
