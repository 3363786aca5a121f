"""Names in few columns: the part that tells them apart is never cut."""

from __future__ import annotations

import re

import pytest

from client.ui.model import short_name
from engine.games import GAMES
from p2p.net.text import columns
from tests.screens.stage import SIZES, Stage

COMPUTERS = tuple(f"Konputagailua {number}" for number in range(1, 9))
TABLES = (
    COMPUTERS,
    ("Konputagailua", *COMPUTERS[1:]),
    tuple(f"Bartholomew Longname {letter}" for letter in "ABCDEF"),
    ("Ane", "Jon", "Miren", "Peru", "Nerea", "Iker"),
    (
        "Maria Josefa de Ane",
        "Maria Josefa de Jon",
        "Maria Luisa",
        "Maria",
        "M",
        "Maria Josefa de Jone",
    ),
    tuple(f"{letter}bartholomew longname" for letter in "ABCDEF"),
    tuple(f"漢字漢字漢字漢字{letter}" for letter in "漢字卡牌骨石"),
    tuple(f"Ane Ane Ane Ane Ane (p{number})" for number in range(1, 7)),
)


@pytest.mark.parametrize("names", TABLES)
@pytest.mark.parametrize("room", [5, 8, 10, 14, 18, 30])
def test_short_names_fit_and_are_told_apart(names, room):
    short = [short_name(names, place, room) for place in range(len(names))]
    assert all(columns(name) <= room for name in short)
    assert len(set(short)) == len(names), short
    assert all(
        name == whole for name, whole in zip(short, names, strict=True) if columns(whole) <= room
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("game", "players"), [(game, max(GAMES[game].allowed_players)) for game in GAMES]
)
def test_no_two_others_have_one_name_on_the_screen(game, players, size):
    nicks = ("Ane", *COMPUTERS[: players - 1])
    stage = Stage(game, players, nicks=nicks).until(lambda stage: stage.state.match.asked).tick(30)
    above = stage.text(*size).partition("\n")[2].partition("Your turn")[0]
    assert not re.search(r"Konp\w*…(?!\d)", above)
    for number in range(1, players):
        assert f"…{number}" in above or f"Konputagailua {number}" in above
