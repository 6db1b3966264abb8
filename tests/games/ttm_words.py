"""The rules engine's table of Tokyo Tsukiji Market in the words of the twin: its keys, its chance, its facts.

Keys differ where the language settles how they are spelled: pieces in holds and licences go by their own names here
(`unload/mackerel_barrel_3`, `licence/eel_licence_1`), a boat that is the only one of its sort has no number, what is
paid in pieces is spelled `pay/goods/…`, and two Mackerel are returned in two steps, `sell` and then which two.
"""

import re
from collections import Counter
from typing import Any

import ichiba
from ichiba.interpreter.saves.records import scripted

PORTS = ("left", "central", "right")
ALONE = ("four_slot", "six_slot_barge", "blue")  # boats without a number
THING = re.compile(r"(?P<sort>\w+?)_(?P<what>barrel|licence)_(?P<number>\d+)\Z")


class Told:
    """A table that tells its chance events as they happen, and says where everything is."""

    def __init__(self, game: ichiba.Game, seed: int) -> None:
        self.game = game
        self.table = scripted(game, seed, ())
        self.heard = 0
        world = game.world
        self.things = {thing.name: thing for thing in world.things}
        self.kinds = world.kinds
        self.expansion = "expansion" in game.config.modules

    def chance(self) -> list[tuple[str, str]]:
        """What happened by chance since this was last asked: what, and the outcome."""
        items: list[dict[str, Any]] = self.table.context.items  # type: ignore[attr-defined]
        new, self.heard = items[self.heard :], len(items)
        return [(item["what"], item["key"].split("/", 1)[1]) for item in new if item["event"] == "chance"]

    # ----------------------------------------------------------------------------------- single pieces

    def member(self, kind: str, name: str, thing: str) -> int:
        member = self.kinds[kind].members[name]
        return self.table.state[member.place((self.things[thing].id,))]

    def zone(self, thing: str) -> tuple[str, int]:
        """Where a piece lies: the zone's full name, and the owner's number."""
        place = self.game.world.places["place"]
        first = self.table.state[place.place((self.things[thing].id,))]
        member = self.game.layout.zones[first]
        return member.full_name, (first - member.base) // member.width

    def piece(self, name: str) -> str:
        """`mackerel/fresh/300`: a piece of a harbor."""
        sort = "takoyaki" if name.startswith("takoyaki") else barrel_of(name)
        row = ("fresh", "degraded")[self.member("good", "row", name)]
        return f"{sort}/{row}/{self.member('good', 'price', name)}"

    def barrel(self, name: str, licences: bool = True) -> str:
        """`mackerel`, `mackerel/himono_2`, `mackerel/himono`: a Barrel of a hold."""
        sort = barrel_of(name)
        if not self.expansion or not self.member("barrel", "dried", name):
            return sort
        caught = self.member("barrel", "caught_with", name)
        if caught < 0 or not licences:
            return f"{sort}/himono"
        return f"{sort}/{licence(self.game.world.thing(caught).name)}"

    # -------------------------------------------------------------------------------------------- keys

    def key(self, key: str, mackerel_visit: bool = False) -> str:
        """A key of ours as the twin spells it."""
        verb, *rest = key.split("/")
        match verb, rest:
            case "throw_back", [ship, b]:
                return f"throw_back/{boat(ship)}/{self.barrel(b)}"
            case "transfer", [b, ship, barge]:
                return f"transfer/{self.barrel(b)}/{boat(ship)}/{boat(barge)}"
            case "unload", [b]:
                return f"unload/{self.barrel(b, licences=False)}"
            case "licence", [paper]:
                return f"licence/{licence(paper)}"
            case (("return_licence" | "rack"), [paper]):
                return f"{verb}/{licence(paper)}"
            case "pay", ["takoyaki", _]:
                return "pay/takoyaki"
            case "pay", [("offered" | "goods"), name]:
                return f"pay/{self.piece(name)}"
            case "pay", [pair] if "+" in pair:
                return "sell/" + "/".join(sorted([self.mackerel(name) for name in pair.split("+")], key=mackerel_order))
            case "give", [reward, token]:
                return f"give/{reward}/{sort_of_token(token)}"
            case (("undock" | "catch" | "dock" | "add" | "buy" | "sell" | "trade_in" | "rent"), [first, *more]):
                return "/".join([verb, boat(first), *more])
        return key

    def mackerel(self, name: str) -> str:
        """A Mackerel to be returned: `token`, or row and price of a Barrel."""
        return self.piece(name).split("/", 1)[1] if THING.match(name) else "token"

    # ------------------------------------------------------------------------------------------- facts

    def ask(self, expression: str) -> Any:
        return self.table.ask(expression)

    def tokens(self, zone: str) -> dict[str, int]:
        return dict(Counter(sort_of_token(name) for name in self.ask(zone)))

    def facts(self) -> dict[str, Any]:
        in_play = self.ask("markets")
        boats = [name for name, thing in self.things.items() if self.game.world.is_kind(thing.kind, "boat")]
        return {
            "trigger": {"seat": self.ask("closer") or 0},
            "in_play": in_play,
            "seats": {str(s): self.seat(s) for s in range(1, self.game.seats + 1)},
            "boats": {boat(name): self.boat(name) for name in boats},
            "boards": {name: self.board(name) for name in in_play},
        }

    def seat(self, s: int) -> dict[str, Any]:
        ask = self.ask
        papers = ask(f"seat({s}).papers")
        licences = [licence(name) for name in papers if THING.match(name)]
        contracts = Counter(name.rstrip("_0123456789") for name in ask(f"seat({s}).contracts"))
        return {
            "cash": ask(f"seat({s}).cash"),
            "resources": ask(f"resources(seat({s}))"),
            "open_ports": ask(f"seat({s}).open_ports"),
            "licences": dict(Counter(name.split("_")[0] if name.startswith("himono_") else name for name in licences)),
            "freezers": sorted(self.member("tool", "uses", name) for name in papers if name.startswith("freezer")),
            "carts": sorted(self.member("tool", "uses", name) for name in papers if name.startswith("cart")),
            "buyers": sum(name.startswith("buyer") for name in papers),
            "loans": contracts["loan"],
            "shares": contracts["share"],
            "tokens": self.tokens(f"seat({s}).tokens"),
            "harbor": dict(Counter(self.piece(name) for name in ask(f"seat({s}).selling"))),
        }

    def boat(self, name: str) -> dict[str, Any]:
        zone, number = self.zone(name)
        owner, at = 0, None
        if zone == "seat.berth":
            owner, at = number // 3 + 1, PORTS[number % 3]
        elif zone.startswith("seat."):
            owner, at = number + 1, {"sea": "sea", "quay": None, "abroad": "foreign_market"}[zone[5:]]
        elif zone == "shipyard.dock":
            at = [self.game.world.thing(i).name for i in self.kinds["shipyard"].things][number]
        else:
            at = "box"
        hold = sorted(self.barrel(b) for b in self.ask(f"{name}.hold"))
        return {"at": at, "owner": owner, "hold": hold}

    def board(self, name: str) -> dict[str, Any]:
        kind = self.things[name].kind
        if kind == "fish_market":
            facts = {
                "barrels": self.ask(f"count of {name}.barrels"),
                "licences": self.ask(f"count of {name}.licences"),
                "tokens": self.tokens(f"{name}.stock"),
                "overfished": self.ask(f"{name}.overfished"),
            }
            if name in ("eel", "swordfish"):
                facts["marker"] = self.ask(f"{name}.marker")
            return facts
        return {"closed": self.ask(f"{name}.closed"), "crashed": self.ask(f"{name}.crashed")}


def barrel_of(name: str) -> str:
    found = THING.match(name)
    assert found is not None, name
    return found["sort"]


def licence(name: str) -> str:
    """`eel_licence_2` is `eel`, `himono_licence_2` is `himono_2`."""
    found = THING.match(name)
    if found is None:
        return name
    return f"himono_{found['number']}" if found["sort"] == "himono" else found["sort"]


def boat(name: str) -> str:
    return f"{name}_1" if name in ALONE else name


def sort_of_token(name: str) -> str:
    return "takoyaki" if name.startswith("takoyaki_") else name


def mackerel_order(piece: str) -> tuple[int, int, int]:
    if piece == "token":
        return 0, 0, 0
    row, price = piece.split("/")
    return 1, int(row == "degraded"), int(price)
