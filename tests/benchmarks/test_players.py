"""The measurement of computer players: against chance, characters and habits, and all of a game
against each other."""

from __future__ import annotations

import json

import pytest

from benchmarks import players
from benchmarks.__main__ import main
from engine.bots import Character, Strength


@pytest.mark.slow
def test_a_player_against_chance_has_its_share_with_its_interval(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--quick", "--players", "siete-y-media", "--matches", "60", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["players"]
    assert (found["game"], found["matches"], found["seats"]) == ("siete-y-media", 60, 2)
    assert found["computer"]["wins"] + found["other"]["wins"] + found["draws"] == 60
    assert found["computer"]["low"] < found["computer"]["share"] < found["computer"]["high"]
    assert found["apart"] == (found["computer"]["low"] > found["other"]["high"])
    assert (
        0
        < found["computer"]["median_ms"]
        <= found["computer"]["p99_ms"]
        <= found["computer"]["max_ms"]
    )


def test_against_itself_nobody_is_ahead_of_anybody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same cards with seats exchanged, and a player without whims: both seats win the same with
    them."""
    monkeypatch.setattr(
        players, "chance_for", lambda game: lambda view, choose: next(iter(view.options))
    )
    monkeypatch.setattr(players, "bot_for", players.chance_for)
    assert main(["--quick", "--players", "escoba", "--matches", "20"]) == 0
    out = capsys.readouterr().out
    shares = [line.split("of 20")[1].strip() for line in out.splitlines() if "of 20" in line]
    assert len(shares) == 2
    assert shares[0] == shares[1]
    assert "missed" in out


@pytest.mark.parametrize("name", ["STANDS-at-five", "maite", "chance", "always-max"])
def test_a_player_is_measured_against_a_character_or_a_habit(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            [
                "--quick",
                "--players",
                "siete-y-media",
                "--against",
                name,
                "--matches",
                "4",
                "--json",
            ]
        )
        == 0
    )
    found = json.loads(capsys.readouterr().out)["players"]
    assert found["against"].lower() == name.lower()
    assert found["computer"]["wins"] + found["other"]["wins"] + found["draws"] == 4


def test_an_opponent_that_there_is_not_is_named_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--players", "escoba", "--against", "Maite"]) == 2
    assert "escoba has no opponent 'Maite': there is chance" in capsys.readouterr().err
    assert main(["--against", "chance"]) == 2
    assert "--against belongs to --players" in capsys.readouterr().err
    assert main(["--matches", "5"]) == 2
    assert "--matches belongs to --players and --league" in capsys.readouterr().err


@pytest.mark.slow
def test_a_league_has_every_pair_with_shares_and_times(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, chance = players.bot_for("siete-y-media"), players.chance_for("siete-y-media")
    made = (("Ane", 3, good), ("Jon", 2, chance), ("Mia", 1, chance), ("Ada", 1, chance))
    characters = tuple(Character(name, Strength(how), bot) for name, how, bot in made)
    monkeypatch.setattr("engine.bots.siete_y_media.CHARACTERS", characters)
    assert main(["--quick", "--league", "siete-y-media", "--matches", "40", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["league"]
    pairs = [
        ["Ane", "Jon"],
        ["Ane", "Mia"],
        ["Ane", "Ada"],
        ["Jon", "Mia"],
        ["Jon", "Ada"],
        ["Mia", "Ada"],
    ]
    assert [duel["players"] for duel in found["duels"]] == pairs
    assert [one["name"] for one in found["characters"]] == ["Ane", "Jon", "Mia", "Ada"]
    ane = found["characters"][0]
    assert ane["wins"] == sum(duel["Ane"]["wins"] for duel in found["duels"][:3])
    assert 0 < ane["low"] < ane["share"] < ane["high"] < 1
    assert ane["decisions"] > 100
    assert found["duels"][0]["apart"] is True
    assert found["duels"][3]["apart"] is False, "both play by chance"
    assert found["duels"][5]["apart"] is None, "they have one strength, so neither is to win more"
    assert main(["--quick", "--league", "siete-y-media", "--matches", "4"]) == 0
    out = capsys.readouterr().out
    assert "Ane: matches won, of 12" in out
    assert "Jon against Mia" in out
    assert out.count("the stronger one's interval") == 5, "for two of one strength it is not asked"


def test_a_game_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--players", "whist"]) == 2
    assert "whist" in capsys.readouterr().err
    assert main(["--players", "escoba", "--only", "shuffle"]) == 2
