"""Every game has its rules, scenarios and player, and every cited paragraph stands in the rules."""

import re
from pathlib import Path

import pytest

from engine.games import GAMES

ROOT = Path(__file__).parent.parent.parent
CITED = re.compile(r"\b([RCD]\d+)\b")


def paragraphs(game):
    return set(
        re.findall(
            r"\*\*([RCD]\d+)[ .]",
            (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8"),
        )
    )


def cited_in(path):
    return set(CITED.findall(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("game", GAMES)
def test_cited_paragraphs_exist(game):
    stem = game.replace("-", "_")
    written = paragraphs(game)
    assert len(written) > 5
    places = [
        *(ROOT / "engine" / "games" / stem).glob("*.py"),
        *(ROOT / "engine" / "bots").glob(f"{stem}*.py"),
        *(ROOT / "tests" / "engine").rglob(f"test_{stem}*.py"),
        ROOT / "docs" / "states" / f"{game}.md",
    ]
    places += (ROOT / "tests" / "scenarios").glob(f"{game}-*.toml")
    assert len(places) > 8
    for path in places:
        assert cited_in(path) <= written, path.name


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_play_stands_in_the_code(game):
    files = (ROOT / "engine" / "games" / game.replace("-", "_")).glob("*.py")
    cited = set().union(*map(cited_in, files))
    rules = {paragraph for paragraph in paragraphs(game) if paragraph.startswith("R")}
    assert rules <= cited


def test_the_cards_of_the_readme():
    readme = (ROOT / "docs" / "rules" / "README.md").read_text(encoding="utf-8")
    for game in GAMES:
        assert game in readme
