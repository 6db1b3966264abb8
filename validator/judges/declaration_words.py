"""The words behind a declaration: they fit what is declared, and what they name is there.

    zone deck of card, face down, refills from discards    `refills` is a word of zones; the table needs a zone `discards`
    counter rank 0 .. 9, face down                         E508: a counter cannot be `face down`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.world import Member, World

if TYPE_CHECKING:
    from ichiba.dsl.names.merging import Merged

ALLOWED = {
    "zone": {"at_most", "hidden", "screened", "face_down", "ordered", "refills", "in_play", "uncounted"},
    "counter": {"hidden", "screened", "stops", "resets"},
    "flag": {"hidden", "screened", "resets"},
    "remember": {"hidden", "screened", "resets"},
    "purse": {"hidden", "screened", "unlimited"},
    "note": {"resets"},
}
SPELLED = {
    "at_most": "at most",
    "face_down": "face down",
    "in_play": "in play",
    "stops": "stops at the ends",
    "refills": "refills from",
    "resets": "resets each",
}
WHO = ("others", "all", "everyone")


def check_declaration_words(
    merged: Merged, world: World, once_per: Iterable[tuple[str, Span]], faults: Faults
) -> None:
    """`resets each trun` would never reset, `forgets prize` forget nothing, `hidden from other` hide from nobody knows whom.
    `once_per`: the procedures and menus that options name behind `once per`."""
    moments = [*merged.definitions, *(name for _, name in merged.members), *sorted(merged.opened)]
    moments += [menu for kind in world.kinds.values() for menu in kind.menus]
    notes = [m.name for kind in world.kinds.values() for m in kind.members.values() if m.form == "note"]
    for member in world.members():
        if member.span is None:
            continue
        for word in member.words.values():
            _check_word(word, member, world, moments, faults)
        for note in member.memory.names:
            if note not in notes:
                _unknown_name(faults, member.span, f"no piece has a note `{note}`", note, notes, world)
    for name, span in once_per:
        if name not in moments:
            _unknown_name(faults, span, f"no procedure or menu is called `{name}`", name, moments, world)
    for name, window in merged.windows.items():
        if window.during is not None and window.during not in merged.definitions:
            place = next((at for what, _, at in merged.provenance if what == f"window {name}"), None)
            _unknown_name(faults, place, f"no procedure is called `{window.during}`", window.during, merged.definitions, world)
    for item, _ in merged.conserved:
        if item.sort not in world.categories:
            _unknown_name(faults, item.span, f"no pieces are called `{item.sort}`", item.sort, world.categories, world)


def _check_word(word: t.Word, member: Member, world: World, moments: list[str], faults: Faults) -> None:
    spelled = SPELLED.get(word.what, word.what)
    if word.what not in ALLOWED.get(member.form, ()):
        form = "memory" if member.form == "remember" else member.form
        allowed = ", ".join(SPELLED.get(what, what) for what in sorted(ALLOWED.get(member.form, ()))) or "nothing"
        faults.add("E508", word.span, f"a {form} cannot be `{spelled}`", label="leave it out", notes=(f"it can be: {allowed}",))
    elif word.what == "unlimited" and member.owner != "table":
        faults.add("E508", word.span, "only a supply of the table is `unlimited`", label="declare it under `table:`")
    elif word.what in ("hidden", "screened") and word.name is not None and word.name not in WHO:
        _unknown_name(faults, word.span, f"nobody is called `{word.name}` here", word.name, WHO, world)
    elif word.what == "refills" and word.name is not None:
        zones = [m.name for m in world.table.values() if m.form == "zone"]
        if word.name not in zones:
            _unknown_name(faults, word.span, f"the table has no zone `{word.name}`", word.name, zones, world)
    elif word.what == "resets" and word.name is not None and word.name not in moments:
        _unknown_name(faults, word.span, f"no procedure or menu is called `{word.name}`", word.name, moments, world)


def _unknown_name(faults: Faults, span: Span | None, message: str, name: str, known: Iterable[str], world: World) -> None:
    if name in world.known:  # of a module that is off
        return
    hint = nearest(name, list(dict.fromkeys(_without_internal(known))))
    faults.add("E205", span, message, label=f"did you mean `{hint}`?" if hint else "")


def _without_internal(names: Iterable[str]) -> Iterator[str]:
    """Without the names that only the engine gives: these have a space in them."""
    return (name for name in names if " " not in name)


__all__ = ["check_declaration_words"]
