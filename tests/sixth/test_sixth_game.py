"""A game needs no line outside its own file, its scenarios and one line of the catalogue: here that
line is this fixture's."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from client.__main__ import main
from client.commands.replay import read_pages
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import GAMES
from engine.scenario import report
from p2p.table.replay import verify_log
from tests.ring import Ring
from tests.sixth.carta_alta import CartaAlta
from tests.standin import standin_group

SCENARIO = Path(__file__).parent / "carta-alta.toml"


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES.classes, "carta-alta", CartaAlta)


def test_its_scenario_holds() -> None:
    status, found = report("carta-alta.toml", SCENARIO.read_bytes())
    assert (status, found["ok"]) == (0, True), found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_is_played_under_masks_to_a_sealed_log(players: int) -> None:
    ring = Ring("carta-alta", players, group=standin_group(), deals=2)
    ring.play()
    assert all(table.sealed for table in ring.tables)
    assert len(set(ring.logs)) == 1
    assert verify_log(ring.logs[0], standin_group()).complete


def test_it_is_played_over_the_real_group() -> None:
    ring = Ring("carta-alta", 2)
    ring.play()
    assert verify_log(ring.logs[0]).complete


def test_a_chance_player_ends_it_in_an_open_deck() -> None:
    random = Random(6)
    play = OpenDeck(CartaAlta(3, {"deals": 5}), shuffled(random.randrange), 1)
    while play.turn:
        play.act(play.turn[0], random.choice(list(play.options(play.turn[0]))))
    assert play.game.winners


def test_it_can_be_told_and_listed_without_words_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ring = Ring("carta-alta", 2)
    ring.play()
    told = "\n".join(line for page in read_pages(ring.logs[0], "p1") for line in page)
    assert "lay" in told
    assert main(["games", "--json"]) == 0
    assert "carta-alta" in [game["game"] for game in json.loads(capsys.readouterr().out)["games"]]


def test_it_is_played_against_the_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))
    assert main(["play", "carta-alta", "--seats", "3", "--auto", "--plain"]) == 0
    assert "The match is over." in capsys.readouterr().out
