"""A stranger's ruleset, hostile in every text that it may have: what is drawn and printed of it is words, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.pictures.test_escaped import read
from tests.table.door import ichiba
from tests.table.orchard import write

EVIL = "</text></style><script>alert(1)</script>&lt;b&gt;{{7*7}}#read(\"/etc/passwd\")"

TAGS = {"svg", "title", "desc", "style", "g", "text", "tspan", "rect", "line", "circle"}


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Titles, names, sentences, labels, sources and signs that mean harm; read in a process with limits, as a stranger's."""
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    folder = write(tmp_path)
    told = EVIL.replace('"', "'").replace("{{", "").replace("}}", "")
    game = (folder / "game.yaml").read_text(encoding="utf-8")
    game = game.replace("title: {en: Orchard, ja: 果樹園}", f'title: {{en: "{told}"}}\nsource: "{told}"')
    game = game.replace("nobody has counted the harvests", told)
    game = game.replace("things:\n", f'components:\n  evil: {{sorts: {{"{told}": 3}}}}\nthings:\n', 1)
    (folder / "game.yaml").write_text(game.replace("write: \"${}\"", "write: \"<b>{}</b>\""), encoding="utf-8")
    rules = (folder / "orchard.rules").read_text(encoding="utf-8")
    rules = rules.replace("Every stall gets one fruit.", told).replace("Buy at a stall, or go home?", told).replace("Go home", told)
    (folder / "orchard.rules").write_text(rules, encoding="utf-8")
    (folder / "texts").mkdir(exist_ok=True)
    words = told.replace("{", "").replace("}", "")
    keys = ("name.apple", "name.stall", "rule.harvest", "heading.harvest", "prompt.stop_by", "rule.ranking")
    (folder / "texts" / "en.yaml").write_text("".join(f'{key}: "{words}"\n' for key in keys), encoding="utf-8")
    (folder / "look.yaml").write_text("look: 1\nglyphs:\n  plum: {glyph: \"<b>\", colour: \"#ff0000\"}\n  apple: \"'\\\"&\"\n", encoding="utf-8")
    return folder


def test_pictures_of_it_are_words_and_shapes(hostile: Path, tmp_path: Path) -> None:
    said = ichiba("draw", hostile, "--out", tmp_path / "drawn")
    assert said.code == 0, said.err
    for path in (tmp_path / "drawn").glob("*.svg"):
        root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
        assert {node.tag.rpartition("}")[2] for node in root.iter()} <= TAGS
        assert all("alert" not in (node.text or "") for node in root.iter("{http://www.w3.org/2000/svg}style"))


@pytest.mark.parametrize("words", [("draw", "--paper", "--out", "paper"), ("rulebook", "--out", "rules.html")], ids=lambda words: words[0])
def test_pages_of_it_have_no_element_of_its_author(words: tuple[str, ...], hostile: Path, tmp_path: Path) -> None:
    *options, out = words[1:]
    said = ichiba(words[0], hostile, *options, tmp_path / out)
    assert said.code == 0, said.err
    [page] = [path for path in tmp_path.rglob("*.html")]
    found = read(page.read_text(encoding="utf-8"))
    assert "script" not in found.tags and "b" not in found.tags
    assert all(str(value).startswith("#") for name, value in found.attributes if name in ("href", "src"))
    assert not re.search(r"<script|onerror|javascript:", page.read_text(encoding="utf-8"))


def test_it_can_be_set_on_paper(hostile: Path, tmp_path: Path) -> None:
    assert ichiba("rulebook", hostile, "--out", tmp_path / "rules.pdf").code == 0
    assert (tmp_path / "rules.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize("look", [
    'look: 1\nglyphs: {plum: {colour: "javascript:alert(1)"}}\n', 'look: 1\nglyphs: {plum: {colour: "url(https://evil.example)"}}\n',
    "look: 1\nglyphs: {cherry: C}\n", "look: 1\nsections: {barn: {as: table}}\n",
])  # fmt: skip
def test_a_look_that_names_what_is_not_there_is_told_and_nothing_is_written(look: str, hostile: Path, tmp_path: Path) -> None:
    (hostile / "look.yaml").write_text(look, encoding="utf-8")
    said = ichiba("draw", hostile, "--out", tmp_path / "drawn")
    assert said.code == 1 and "look.yaml" in said.err and "Traceback" not in said.err
    assert not (tmp_path / "drawn").exists()


@pytest.mark.parametrize("width", ["1", "319", "4001", "99999999"])
def test_a_picture_that_cannot_fit_is_refused_and_nothing_is_written(width: str, hostile: Path, tmp_path: Path) -> None:
    said = ichiba("draw", hostile, "table", "--width", width, "--out", tmp_path / "drawn")
    assert said.code == 2 and said.err == f"ichiba draw: --width {width}: a table is drawn from 320 to 4000 wide\n"
    assert not (tmp_path / "drawn").exists()


def test_words_without_a_blank_stay_inside_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a name is: nothing begins or ends beyond the edge."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    folder = write(tmp_path)
    (folder / "texts").mkdir(exist_ok=True)
    (folder / "texts" / "en.yaml").write_text(f"name.apple: {'W' * 400}\nname.stall: {'鰻' * 300}\n", encoding="utf-8")
    assert ichiba("draw", folder, "--width", "320", "--out", tmp_path / "drawn").code == 0
    for path in (tmp_path / "drawn").glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        wide, high = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', text).groups())  # type: ignore[union-attr]
        assert wide <= 4000 and high <= 20_000, path.name


def test_a_diff_of_it_moves_no_cursor(hostile: Path) -> None:
    said = ichiba("diff", hostile, "--set", "generous=yes")
    assert said.code == 0 and "\x1b" not in said.out
