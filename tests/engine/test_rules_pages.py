"""Every game has its rules, scenarios and player, and every cited paragraph stands in the rules."""

import json
import re

import pytest

from engine.games import GAMES
from tests.engine.pages import ROOT, code, rows

CITED = re.compile(r"\b([RCD]\d+)\b")


def rules(game):
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")


def paragraphs(game):
    return set(re.findall(r"\*\*([RCD]\d+)[ .]", rules(game)))


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


@pytest.mark.parametrize("game", GAMES)
def test_the_options_of_a_page_are_those_of_the_game(game):
    table = rows(rules(game), "option")
    kind = GAMES[game]
    assert [code(name) for name, *_ in table] == [[name] for name in kind.choices]
    usual = [kind.defaults(players) for players in kind.allowed_players]
    for (name, option), (_, default, values, meaning) in zip(
        kind.choices.items(), table, strict=True
    ):
        assert meaning, name
        assert written(default) == list(dict.fromkeys(found[name] for found in usual)), name
        assert allowed(values) == option.values, name


def written(cell):
    return [json.loads(value) for value in code(cell)]


def allowed(cell):
    """Return the values that a cell lists, or the range that it names."""
    if bounds := re.match(r"whole number (\d+) to (\d+)\b", cell):
        return range(int(bounds[1]), int(bounds[2]) + 1)
    return tuple(written(cell))
