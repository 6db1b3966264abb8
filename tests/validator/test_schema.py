"""Claims about the schemas: they say of every file what its reader says, and every key is explained."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ichiba import RulesetFaults
from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.yaml import declarations as box_reader
from ichiba.dsl.yaml.reading import load_source, plain, read_yaml
from ichiba.interpreter.api import load, rulesets
from ichiba.table.scene.look import look_of
from ichiba.validator.schema.schema import general, schemas
from tests.validator.small import ruleset

RULESETS = sorted(rulesets().items())


def read(path: Path) -> Any:
    source = load_source(path, path.name, Faults())
    assert source is not None
    node = read_yaml(source, Faults())
    return None if node is None else json.loads(json.dumps(plain(node)))  # as JSON has it: keys are texts


def schema_of(path: Path, folder: Path, data: Any) -> str | None:
    """Which schema a file of a ruleset goes by."""
    parts = path.relative_to(folder).parts
    if path.name in ("game.yaml", "module.yaml", "look.yaml"):
        return path.stem
    if path.name.endswith(".scenario.yaml"):
        return "scenario"
    if "boards" in parts:
        return str(data["kind"])
    if "maps" in parts:
        return "map"
    return "variant" if "variants" in parts else None


@pytest.mark.parametrize(("name", "folder"), RULESETS, ids=[name for name, _ in RULESETS])
def test_every_file_of_every_ruleset_is_as_its_schema_says(name: str, folder: Path) -> None:
    made = schemas(folder)
    complaints = []
    for path in sorted(folder.rglob("*.yaml")):
        data = read(path)
        which = schema_of(path, folder, data)
        for error in jsonschema.Draft7Validator(made[which]).iter_errors(data) if which else ():
            complaints.append(f"{path.relative_to(folder)}: {list(error.absolute_path)}: {error.message[:200]}")
    assert complaints == []


@pytest.mark.parametrize(("name", "folder"), RULESETS, ids=[name for name, _ in RULESETS])
def test_every_schema_is_one(name: str, folder: Path) -> None:
    for schema in schemas(folder).values():
        jsonschema.Draft7Validator.check_schema(schema)


def keys_in(schema: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """All keys that a schema describes, wherever they stand in it."""
    if isinstance(schema, dict):
        for name, inner in schema.get("properties", {}).items():
            yield f"{where}/{name}", inner
        for word, inner in schema.items():
            yield from keys_in(inner, f"{where}/{word}" if word != "properties" else where)
    elif isinstance(schema, list):
        for inner in schema:
            yield from keys_in(inner, where)


@pytest.mark.parametrize(("name", "folder"), RULESETS, ids=[name for name, _ in RULESETS])
def test_every_key_has_a_title_a_description_and_an_example_that_fits(name: str, folder: Path) -> None:
    poor = []
    for schema in schemas(folder).values():
        for where, about in keys_in({k: v for k, v in schema.items() if k != "allOf"}):
            if not (about.get("title") and about.get("description") and about.get("examples")):
                poor.append(where)
            elif any(list(jsonschema.Draft7Validator(about).iter_errors(_as_json(e))) for e in about["examples"]):
                poor.append(f"{where}: {about['examples']}")
    assert poor == []


def _as_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _as_json(inner) for key, inner in value.items()}
    return [_as_json(inner) for inner in value] if isinstance(value, list) else value


def test_the_schemas_know_every_key_that_the_reader_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, set[str]] = {}
    finish = box_reader.Keys.finish

    def listening(keys: box_reader.Keys) -> None:
        asked.setdefault(keys.what.split(" `")[0], set()).update(keys.asked)
        finish(keys)

    monkeypatch.setattr(box_reader.Keys, "finish", listening)
    for folder in rulesets().values():
        schemas(folder)
    for name in ("salt_flats", "shinjuku", "tsukiji"):
        look_of(load(name), Faults())
    made = general()
    assert asked["look.yaml"] == set(made["look"]["properties"])
    assert asked["a glyph"] == _described(made["look"], "glyphs")
    assert asked["the section"] | {"title"} == _described(made["look"], "sections")
    assert asked["game.yaml"] == set(made["game"]["properties"])
    assert asked["module.yaml"] == set(made["module"]["properties"])
    assert asked["the pieces"] <= _described(made["game"], "pieces")
    assert asked["the things"] == _described(made["game"], "things")
    assert asked["the option"] | {"one_of", "flag"} == _described(made["game"], "options")
    assert asked["a unit"] == _described(made["game"], "units")


def _described(schema: Any, section: str) -> set[str]:
    return {where.rsplit("/", 1)[1] for where, _ in keys_in(schema["properties"][section])}


# --- boards


@pytest.fixture(scope="module")
def fish() -> Any:
    return schemas(rulesets()["tokyo_tsukiji_market"])["fish_market"]


def complaints(schema: Any, **changes: object) -> list[str]:
    board = {"board": "carp", "kind": "fish_market", "barrels_in_box": 6, "licences_in_box": 3} | changes
    board = {key: value for key, value in board.items() if value is not None}
    return [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(board)]


def test_a_board_says_what_its_kind_asks_for(fish: Any) -> None:
    assert complaints(fish) == []
    assert complaints(fish, barrels_in_box=None) == ["'barrels_in_box' is a required property"]


def test_a_key_that_the_kind_does_not_have_is_refused(fish: Any) -> None:
    assert complaints(fish, licence_prise="¥500") == [
        "'licence_prise' does not match any of the regexes: '^(name|name_[a-z]+)$'"
    ]


def test_a_flag_is_true_or_false_and_a_partner_is_a_board(fish: Any) -> None:
    assert complaints(fish, perishable="nope") == ["'nope' is not of type 'boolean'"]
    assert len(complaints(fish, partner="acquarium")) == 1
    assert complaints(fish, partner="aquarium") == []


def test_what_a_field_is_for_is_taken_from_the_comment_behind_it(fish: Any) -> None:
    assert fish["properties"]["entry"]["description"] == "What a visit costs (¥0 when nothing is said)"


# --- maps


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({}, []),
        ({"stations": [{"id": "ueno", "wart": "taito"}]}, ["'ward' is a required property", "'wart' does not match any of the regexes"]),
        ({"connections": [["ueno"]]}, ["['ueno'] is not valid under any of the given schemas"]),
        ({"connections": [{"between": ["ueno", "ikebukuro"]}]}, []),
        ({"conections": []}, ["Additional properties are not allowed ('conections' was unexpected)"]),
        ({"map": {"counts": {"wards": "many"}}}, ["'many' is not of type 'integer'"]),
    ],
)
def test_a_map_file_has_a_schema_of_its_own(change: dict[str, object], complaint: list[str]) -> None:
    schema = schemas(rulesets()["shinjuku"])["map"]
    town = {"wards": [{"id": "taito", "cards": 2}], "stations": [], "connections": [], "permanent_links": []} | change
    found = [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(town)]
    assert len(found) == len(complaint) and all(one.startswith(start) for one, start in zip(sorted(found), complaint)), found


# --- of a stranger's ruleset

GROWING: dict[str, Callable[[int], dict[str, str]]] = {
    "kinds inside of each other": lambda n: {
        "k.rules": "\n".join(f"kind k{k} is {f'k{k - 1}' if k else 'board'}:\n    field f{k}: number = 0\n" for k in range(n))
    },
    "fields that may be any of many words": lambda n: {
        "game.yaml": f"sorts: {{word: [{', '.join(f'w{k}' for k in range(4 * n))}]}}\n",
        "k.rules": "kind k is board:\n" + "".join(f"    field f{k}: word\n" for k in range(4 * n)),
    },
    "kinds beside each other": lambda n: {"k.rules": "\n".join(f"kind k{k} is board:\n    counter c{k}: 0 .. 1\n" for k in range(2 * n))},
    "boards of kinds inside of each other": lambda n: {
        "k.rules": "\n".join(f"kind k{k} is {f'k{k - 1}' if k else 'board'}:\n    flag a{k}\n" for k in range(n))
        + "\nkind last is board:\n" + "".join(f"    field f{k}: k0\n" for k in range(n)),
        **{f"boards/b{k}.yaml": f"board: b{k}\nkind: k{n - 1}\n" for k in range(n)},
    },
}  # fmt: skip


@pytest.mark.parametrize("size", [700, 1_000, 1_900])
@pytest.mark.parametrize("made", GROWING.values(), ids=GROWING)
def test_what_a_few_lines_come_to_in_all_schemas_is_counted(made: Callable[[int], dict[str, str]], size: int, tmp_path: Path) -> None:
    with pytest.raises(RulesetFaults) as caught:
        schemas(ruleset(tmp_path, made(size)))
    assert str(caught.value) == """\
error[E026]: this ruleset holds more than 4,096 KB of schemas for its files
  = fewer kinds inside of each other, or fewer words that a field may take

1 error"""


@pytest.mark.parametrize("made", GROWING.values(), ids=GROWING)
def test_those_of_many_lines_are_made(made: Callable[[int], dict[str, str]], tmp_path: Path) -> None:
    assert len(json.dumps(schemas(ruleset(tmp_path, made(60))))) > 100_000
