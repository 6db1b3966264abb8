"""Every way in, in one table: what it is, who may take it, what is sent. Nothing else is reachable; the tests of who may do what are made from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Who(Enum):
    """Who may take a way in."""

    ANYBODY = "anybody"
    PLACED = "whoever has a place at the table, also to look on"
    SEATED = "whoever has a seat"


@dataclass(frozen=True, slots=True)
class Route:
    """`does`: what answers it, by name. `fields`: of the JSON that is sent; those of `optional` may be left out."""

    method: str
    path: str
    does: str
    who: Who = Who.ANYBODY
    fields: dict[str, type] = field(default_factory=dict)
    optional: dict[str, type] = field(default_factory=dict)


AT = "/t/{table}/{place}"
ROUTES = (
    Route("GET", "/", "lobby"),
    Route("GET", "/new/{game}", "new"),
    Route("GET", "/static/{file}", "static"),
    Route("POST", "/tables", "open", fields={"game": str}, optional={
        "seats": int, "preset": str, "modules": list, "variants": list, "options": dict, "lang": str, "sitting": dict, "names": dict,
    }),
    Route("POST", f"{AT}/sit", "sit", fields={"secret": str}),
    Route("GET", f"{AT}/", "place", Who.PLACED),
    Route("SOCKET", f"{AT}/socket", "socket", Who.PLACED),
    Route("GET", f"{AT}/past/{{seat}}/{{step}}", "past", Who.PLACED),
    Route("GET", f"{AT}/story/{{seat}}/{{before}}", "story", Who.PLACED),
    Route("GET", f"{AT}/why/{{seat}}", "why", Who.SEATED),
    Route("GET", f"{AT}/rules", "rules", Who.PLACED),
    Route("GET", f"{AT}/course", "course", Who.PLACED),
    Route("GET", f"{AT}/save", "save", Who.PLACED),
    Route("POST", f"{AT}/answer", "answer", Who.SEATED, {"request": str, "decision": str, "answer": str}),
    Route("POST", f"{AT}/undo", "undo", Who.SEATED, {"request": str}, {"ask": bool}),
    Route("POST", f"{AT}/vote", "vote", Who.SEATED, {"request": str, "agrees": bool}),
    Route("POST", f"{AT}/bot", "bot", Who.SEATED, {"request": str, "seat": int}, {"policy": str}),
    Route("POST", f"{AT}/name", "name", Who.SEATED, {"request": str, "seat": int, "name": str}),
    Route("POST", f"{AT}/fork", "fork", Who.SEATED, {"step": int}),
    Route("POST", f"{AT}/link", "link", Who.SEATED, {"place": str}),
)  # fmt: skip
