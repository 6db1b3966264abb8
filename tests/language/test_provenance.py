"""Claims about the merged rules as people read them: every item once, whole, with the file it came from."""

import re
from itertools import takewhile
from pathlib import Path

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.program.provenance import merged_rules, news_of
from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Config
from ichiba.validator.judges.building import build
from tests.language.tiny import check

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
HEADING = re.compile(r"# (.+)   (\S+)   (\S+\.(?:rules|yaml)):(\d+)")

CHUNK = """
# The wages of the day.

value wage: 5

# Paid in the evening.
procedure turn:
    "Everyone is paid."
    gain $1 * wage from bank

    menu actions:
        option rest: nothing
        # not on Sundays
        option work:
            gain $1 from bank

kind stall is thing:
    zone shelf of gem
    value full: board.shelf is not empty
# modules/rain.yaml
module: rain
rules: |
    replace value wage: original - 1

    add to menu actions:
        option swim "Swim": nothing
# config
modules: [rain]
"""


def program(game: str, config: Config) -> ir.Program:
    faults = Faults()
    found = build(RULESETS / game, config, faults)[2]
    assert not faults.errors
    return found


def test_each_item_stands_under_a_heading_that_says_whose_it_is(tmp_path: Path) -> None:
    tiny = check(tmp_path, CHUNK, Config(2, modules=("rain",)))
    said = merged_rules(tiny.program.provenance)
    assert (
        said[said.index("# value wage") :]
        == """\
# value wage   base   tiny/play.rules:4
#   replaced   rain   tiny/modules/rain.yaml:3
value wage: 5

# procedure turn   base   tiny/play.rules:7
# Paid in the evening.
procedure turn:
    "Everyone is paid."
    gain $1 * wage from bank

    menu actions:
        option rest: nothing
        # not on Sundays
        option work:
            gain $1 from bank

# kind stall   base   tiny/play.rules:17
kind stall is thing:
    zone shelf of gem
    value full: board.shelf is not empty

# scoring   base   tiny/base.rules:14
scoring:
    score for each seat: score "Cash" my.cash

# replace value wage   rain   tiny/modules/rain.yaml:3
replace value wage: original - 1

# option actions.swim   rain   tiny/modules/rain.yaml:6
option swim "Swim": nothing
"""
    )


def test_what_a_board_says_for_itself_is_among_them(tmp_path: Path) -> None:
    tiny = check(tmp_path, """
kind market is board:
    counter sold: 0 .. 9
    setup: raise board.sold by 1
table:
    zone markets of market, in play
# boards/hall.yaml
board: hall
kind: market
rules: |
    setup:
        original
        raise board.sold by 2
    rule busy, after turn: raise board.sold by 1
""")
    said = merged_rules(tiny.program.provenance)
    assert "\n# setup of hall   base   tiny/boards/hall.yaml:4\nsetup:\n    original\n    raise board.sold by 2\n" in said
    assert "\n# rule busy   base   tiny/boards/hall.yaml:7\nrule busy, after turn: raise board.sold by 1\n" in said


def test_a_switched_off_module_is_not_among_them(tmp_path: Path) -> None:
    tiny = check(tmp_path, CHUNK)
    assert "rain" not in merged_rules(tiny.program.provenance)


def test_the_variant_of_a_real_game_is_marked_as_what_it_is() -> None:
    said = merged_rules(program("tsukiji", Config(4, variants=("special_points",))).provenance)
    plain = merged_rules(program("tsukiji", Config(4)).provenance)
    added = said.replace("\n", " ").count("   special_points   tsukiji/variants/special_points.yaml:")
    assert added == 2 and "special_points" not in plain
    assert "\n# value popular   special_points   " in said
    assert "\n# procedure place_on   library.tracks   library/tracks.rules:" in said


def test_nothing_of_a_real_game_is_left_out_or_said_twice() -> None:
    said = merged_rules(program("tsukiji", Config(4)).provenance)
    written = "".join(path.read_text(encoding="utf-8") for path in sorted((RULESETS / "tsukiji").glob("*.rules")))
    written += (RULESETS / "library" / "tracks.rules").read_text(encoding="utf-8")
    assert sorted(rule_lines(said)) == sorted(rule_lines(written))


def rule_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]


def test_every_place_is_the_first_line_of_its_item() -> None:
    said = merged_rules(program("tsukiji", Config(4, variants=("special_points",))).provenance)
    headings = [(number, match) for number, line in enumerate(said.splitlines()) if (match := HEADING.fullmatch(line))]
    assert len(headings) > 20
    for number, match in headings:
        item = (RULESETS / match[3]).read_text(encoding="utf-8").splitlines()[int(match[4]) - 1]
        body = [line for line in said.splitlines()[number + 1 :] if not line.startswith("#")]
        assert body[0] == item.strip()


RAINY = """
# modules/rain.yaml
module: rain
rules: |
    replace value wage: 9
    restrict option actions.work:
        require my.cash < $9, else "enough"
    rule drenched, after turn: nothing
    rule soaked, before actions.rest: nothing
    rule dry, instead of dig when my.cash = $0: nothing
# config
modules: [rain]
"""


def test_under_each_heading_stands_who_changes_the_rule(tmp_path: Path) -> None:
    base = CHUNK.split("# modules/rain.yaml")[0] + "procedure dig: nothing\n"
    lines = merged_rules(check(tmp_path, base + RAINY, Config(2, modules=("rain",))).program.provenance).splitlines()
    rain = "   rain   tiny/modules/rain.yaml:"
    assert changes_under(lines, "# value wage   base") == [f"#   replaced{rain}3"]
    assert changes_under(lines, "# procedure dig   base") == [f"#   instead of it rule dry{rain}8"]
    assert changes_under(lines, "# procedure turn   base") == [
        f"#   actions.work, restricted{rain}4",
        f"#   after it rule drenched{rain}6",
        f"#   actions.rest, before it rule soaked{rain}7",
    ]
    assert sum(line.startswith("#   ") for line in lines) == 5


def changes_under(lines: list[str], heading: str) -> list[str]:
    (place,) = [number for number, line in enumerate(lines) if line.startswith(heading)]
    return list(takewhile(lambda line: line.startswith("#   "), lines[place + 1 :]))


def test_of_several_instead_of_one_thing_it_is_told_which_stands_around_which(tmp_path: Path) -> None:
    base = CHUNK.split("# modules/rain.yaml")[0] + "procedure dig: nothing\n\nrule home, instead of dig: original\n"
    snow = "# modules/snow.yaml\nmodule: snow\nafter: [rain]\nrules: |\n    rule slow, instead of dig: original\n"
    tiny = check(tmp_path, base + RAINY.split("# config")[0] + snow, Config(2, modules=("snow", "rain")))
    lines = merged_rules(tiny.program.provenance).splitlines()
    assert changes_under(lines, "# procedure dig   base") == [
        "#   instead of it rule home   base   tiny/play.rules:22",
        "#   instead of it rule dry, around rule home   rain   tiny/modules/rain.yaml:8",
        "#   instead of it rule slow, around rule dry   snow   tiny/modules/snow.yaml:4",
    ]


def test_a_moment_that_stands_on_a_line_of_its_own_is_told_as_well(tmp_path: Path) -> None:
    base = CHUNK.split("# modules/rain.yaml")[0]
    rules = "# modules/rain.yaml\nmodule: rain\nrules: |\n    rule late,\n            after turn when my.cash > $3: nothing\n"
    lines = merged_rules(check(tmp_path, f"{base}{rules}# config\nmodules: [rain]\n", Config(2, modules=("rain",))).program.provenance)
    assert changes_under(lines.splitlines(), "# procedure turn   base") == ["#   after it rule late   rain   tiny/modules/rain.yaml:3"]


def test_what_is_new_stands_together_for_who_knows_the_game_without_it(tmp_path: Path) -> None:
    base = CHUNK.split("# modules/rain.yaml")[0] + "procedure dig: nothing\n"
    more = "    rule wet for each s in seats, whenever s.cash > $3: nothing\n    procedure drip: nothing\n"
    more += "    add to menu actions:\n        option swim \"Swim\": drip\n"
    rainy = RAINY.replace("# config", more + "# config")
    provenance = check(tmp_path, base + rainy, Config(2, modules=("rain",))).program.provenance
    assert news_of(provenance, ("rain",)) == """\
# New with rain
#   option actions.swim "Swim"
#   value wage: replaced
#   option actions.work: restricted
#   procedure turn: after it rule drenched
#   option actions.rest: before it rule soaked
#   procedure dig: instead of it rule dry
#   rule wet

"""
    assert news_of(provenance, ()) == ""
    told = news_of(provenance, ("rain",), {"rain": "Rain falls"}, lambda what, home, span: "" if "." in what else f"Of {home}: {what}.")
    assert told.splitlines()[:6] == [
        "# New with rain: Rain falls",
        "#   option actions.swim \"Swim\"",
        "#   procedure drip",
        "#       Of rain: procedure drip.",
        "#   value wage: replaced",
        "#       Of rain: replace value wage.",
    ]
