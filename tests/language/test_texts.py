"""Claims about names in other languages: each thing has its own, also where a thing of another kind has the same name."""

from pathlib import Path

import pytest

from ichiba import load
from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.world.kinds import Kind
from ichiba.table.checking import check
from ichiba.validator.judges.texts import judge_texts
from tests.language.tiny import rules, ruleset

THINGS = """\
things:
  ward: {each: {central: {name: Central Ward}}}
  station: {each: {central: {name: Central Station}}}
"""
KINDS = "kind ward is thing:\n    counter a: 0 .. 1\n\nkind station is thing:\n    counter b: 0 .. 1\n"


def town(folder: Path, french: str) -> Path:
    return ruleset(folder, {"game.yaml": THINGS, "town.rules": KINDS, "texts/fr.yaml": french})


def called(folder: Path, lang: str) -> dict[str, str]:
    game = load(folder, 2, lang=lang, trust=True)
    things = [thing for thing in game.world.things if thing.name == "central"]
    return {thing.kind: game.words.show(thing.id, Kind("thing", thing.kind)) for thing in things}


@pytest.mark.parametrize(
    ("french", "expected"),
    [
        ("name.station.central: Gare\n", {"ward": "Central Ward", "station": "Gare"}),
        ("name.central: Centre\n", {"ward": "Centre", "station": "Centre"}),
        ("name.station.central: Gare\nname.central: Centre\n", {"ward": "Centre", "station": "Gare"}),
    ],
)
def test_things_of_one_name_are_told_apart(french: str, expected: dict[str, str], tmp_path: Path) -> None:
    folder = town(tmp_path, french)
    assert called(folder, "fr") == expected
    assert called(folder, "en") == {"ward": "Central Ward", "station": "Central Station"}


def test_a_name_of_the_wrong_kind_is_refused(tmp_path: Path) -> None:
    faults = Faults()
    judge_texts(town(tmp_path, "name.ward.central: Quartier\nname.line.central: Ligne\n"), faults)
    errors = [fault.message for fault in faults.all if fault.severity == "error"]
    assert errors == ["nothing here is called `name.line.central`"]


def test_places_of_a_grid_and_pieces_for_them_want_no_other_name(tmp_path: Path) -> None:
    box = "things: {cell: {grid: 2 x 2}, stall: {each: {left: {}}}}\npieces: {tile: {sorts_for: {cell: cell}, in: box}, plum: {in: box}}\n"
    rules = "add to table:\n    zone heap of tile\n"
    folder = ruleset(tmp_path, {"game.yaml": box, "town.rules": rules, "texts/fr.yaml": "name.seat: joueur\n"})
    faults = Faults()
    judge_texts(folder, faults)
    told = [fault.message for fault in faults.all if fault.severity == "warning"]
    assert "texts/fr.yaml has no `name.plum`" in told
    assert not [message for message in told if "name.a1" in message]


AUCTIONS = "uses: [version_1_auctions]\nunits: {yen: {write: \"¥{}\"}}\npieces: {plum_crate: {individual: true, count: 3, in: bag}}\n"
RULES = """\
kind market is board:
    menu visit

seat:
    purse cash: yen
    zone hand of plum_crate

table:
    zone bag of plum_crate
    zone open of market, in play

guard rich_enough "you are not rich enough": my.cash > ¥3

guard may_buy "you may not buy": rich_enough and bag is not empty

procedure turn:
    menu actions:
        option take "Take {c}" for c in bag when may_buy: move c to my.hand
        option rest "Rest": nothing
        option stay "Stay": nothing

play:
    as seat(1): turn
"""
HALL = "board: hall\nkind: market\nabout: |\n  Where things\n  are sold.\n"


def test_guards_within_guards_numbered_pieces_and_what_boards_do_are_told(tmp_path: Path) -> None:
    spanish = "name.plum_crate: caja de ciruelas\nguard.rich_enough: no tienes tanto\nabout.hall: Donde se vende.\n"
    files = {"game.yaml": AUCTIONS, "play.rules": RULES, "boards/hall.yaml": HALL, "texts/es.yaml": spanish}
    folder = ruleset(tmp_path, files, ("seat", "table", "kind stall is thing", "things", "tables", "play"))
    faults = Faults()
    judge_texts(folder, faults)
    lacking = {fault.message.split("`")[1] for fault in faults.all}
    assert "guard.may_buy" in lacking and "menu.actions.take" in lacking
    assert not lacking & {"guard.rich_enough", "about.hall", "name.plum_crate"}
    assert not any("auction" in key or key == "prompt.bid" for key in lacking), "of the library what is not used"
    table = load(folder, 2, lang="es", trust=True).start(1)
    assert table.game.text("about.hall") == "Donde se vende."
    crate = next(thing for thing in table.game.world.things if thing.name == "plum_crate_2")
    assert table.game.words.show(crate.id, Kind("thing", crate.kind)) == "caja de ciruelas 2"
    assert table.why_not("take/plum_crate_1") == "no tienes tanto"


def test_a_text_of_several_lines_that_a_language_lacks_is_told_on_one(tmp_path: Path) -> None:
    home = ruleset(tmp_path, {"game.yaml": "about: |\n  Cut stones.\n  Sell them.\n", "texts/fr.yaml": "title: Petit\n"})
    faults = Faults()
    judge_texts(home, faults)
    (said,) = [fault.label for fault in faults.all if "`about`" in fault.message]
    assert said == "in English: Cut stones. Sell them."


SEASONS = """\
options:
  snow: {flag: false, title: {en: Snow}}
"""
WINTER = """\
procedure turn:
    menu actions:
        option sledge "Go by sledge" when snow: nothing
        option walk "Walk": nothing
        option stay "Stay": nothing

play:
    as seat(1): turn
"""


def test_checking_gathers_the_texts_of_every_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said only with another choice, or with a variant, has its text in other languages, and may have it."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # no process of its own
    french = "menu.actions.sledge: En luge\nvariant.fog: Brume\nmenu.actions.fly: Voler\n"
    variant = "variant: fog\ntitle: {en: Fog}\nrules: |\n  change x to 1\n".replace("rules: |\n  change x to 1\n", "")
    files = {"game.yaml": SEASONS, "play.rules": WINTER, "variants/fog.yaml": variant, "texts/fr.yaml": french}
    folder = ruleset(tmp_path, files, ("play",))
    alone = Faults()
    judge_texts(folder, alone)
    told = [(fault.code, fault.message) for fault in check(folder, jobs=1).faults if fault.code in ("E101", "E102")]
    assert sorted(told) == sorted((fault.code, fault.message) for fault in alone.all)
    messages = " ".join(message for _, message in told)
    assert "nothing here is called `menu.actions.fly`" in messages and "has no `menu.actions.walk`" in messages
    assert "sledge" not in messages and "variant.fog" not in messages


def test_a_zone_in_which_several_may_lie_is_told_by_its_name_which_is_warned_of(tmp_path: Path) -> None:
    chunk = """\
add to table:
    zone lot of gem
    zone prize of gem, at most 1

procedure turn:
    tell "{count of lot}, {prize}, {lot}"
"""
    assert rules(tmp_path, chunk).text == """\
warning[W616]: `{lot}` says what the zone is called
  ┌─ tiny/play.rules:6:37
 6│     tell "{count of lot}, {prize}, {lot}"
  │                                     ^^^ several may lie there: what lies there is `{(x for x in lot)}`, how many `{count of lot}`

1 warning"""


# --- where what is lacking is told


RAIN = "module: rain\ntitle: {en: Rain}\nabout: {en: Wet.}\nfor: tiny\n"
OPTION = "add to menu going:\n    option shelter \"Take shelter\": nothing\n"
GOING = """procedure turn:
    menu going:
        option rest "Rest": nothing
        option walk "Walk": nothing
"""


def lacking(folder: Path) -> list[tuple[str, str, str]]:
    """The file in which it is told, what, and the label."""
    faults = Faults()
    judge_texts(folder, faults)
    return [
        (fault.span.source.path if fault.span is not None else "", fault.message, fault.label)
        for fault in faults.all
        if "rain" in fault.message or "shelter" in fault.message
    ]


def test_what_a_module_lacks_is_told_in_the_modules_file(tmp_path: Path) -> None:
    files = {
        "play.rules": GOING, "texts/fr.yaml": "title: Petit\n", "modules/rain/module.yaml": RAIN, "modules/rain/rain.rules": OPTION,
        "modules/rain/texts/fr.yaml": "module.rain: Pluie\n",
    }  # fmt: skip
    folder = ruleset(tmp_path, files)
    shown = "modules/rain/texts/fr.yaml"
    assert lacking(folder) == [(f"tiny/{shown}", f"{shown} has no `menu.going.shelter`", "in English: Take shelter")]


def test_a_module_without_a_file_of_that_language_is_told_once(tmp_path: Path) -> None:
    files = {"play.rules": GOING, "texts/fr.yaml": "title: Petit\n", "modules/rain/module.yaml": RAIN, "modules/rain/rain.rules": OPTION}
    told = lacking(ruleset(tmp_path, files))
    assert told == [("", "there is no modules/rain/texts/fr.yaml, so 2 texts are told in English", "the first of them is `module.rain`: Rain")]
