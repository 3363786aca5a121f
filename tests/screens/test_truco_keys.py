"""Truco on the full screen: keys play cards, sing calls, state points and give up.

R numbers: docs/rules/truco.md.
"""

import pytest

from engine.games.truco.moves import Call
from tests.screens.stage import Stage, view_of
from tests.screens.truco_stages import done, four, two


@pytest.mark.parametrize(("key", "card"), [("1", "1e"), ("2", "3o"), ("3", "4c")])
def test_a_number_plays_that_card(key, card):
    stage = two().press(key)
    assert not done(stage)
    assert f"{key} play {card}" in stage.text()
    assert stage.press("enter").game.table() == [card]


@pytest.mark.parametrize(
    ("before", "key", "word"),
    [
        ((), "t", "truco"),
        (("p1 play 3o", "p2 truco"), "t", "retruco"),
        (("p1 truco", "p2 retruco"), "t", "vale4"),
        ((), "e", "envido"),
        ((), "r", "real-envido"),
        ((), "f", "falta-envido"),
        (("p1 play 3o", "p2 truco"), "q", "quiero"),
        (("p1 play 3o", "p2 truco"), "n", "no-quiero"),
    ],
)
def test_a_letter_sings_the_call_that_is_legal(before, key, word):
    stage = two(*before)
    assert (key in [shown for shown, _about in keys_shown(stage)]) is True
    assert done(stage.press(key)) == []
    assert done(stage.press(key)) == [Call(word)]


def keys_shown(stage):
    from client.ui.screen.play import keys  # noqa: PLC0415 - the foot line is made of it

    return keys(stage.state)


def test_points_are_stated_with_s_and_conceded_with_b():
    stage = two("p1 envido", "p2 quiero")
    assert "state your envido points: 4" in stage.text()
    assert stage.press("s", "s").game.said == [(0, 4)]
    other = two("p1 envido", "p2 quiero", "p1 say 4", seat=1)
    assert "s say 5  b son buenas" in other.foot()
    assert other.press("b", "enter").game.said == [(0, 4), (1, None)]


def test_a_player_that_cannot_beat_the_number_is_told_to_concede():
    stage = four(
        "p1 play 4o", "p2 envido", "p1 quiero", "p1 say 29", "p2 say 31", "p3 son-buenas", seat=3
    )
    assert stage.state.match.view is not None
    lower = (
        Stage("truco", 2, decks=[["6o", "4c", "7o", "5e", "1e", "10b"]])
        .do("p1 envido", "p2 quiero", "p1 say 33")
        .state
    )
    assert view_of(lower).turn == (1,)
    other = Stage("truco", 2, 1, decks=[["6o", "4c", "7o", "5e", "1e", "10b"]]).do(
        "p1 envido", "p2 quiero", "p1 say 33"
    )
    assert "your 5 do not beat theirs: concede" in other.text()
    assert other.foot().splitlines()[-1].startswith(" b son buenas")


def test_mazo_is_asked_twice_and_any_other_key_forgets_it():
    stage = two().press("m")
    assert not done(stage)
    assert "m mazo: 2 for Jon  once more does it" in stage.text()
    assert stage.foot().splitlines()[-1].startswith(" m/Enter mazo")
    assert not done(stage.press("1"))
    assert "once more does it" in stage.text()
    assert "once more does it" not in stage.press("escape").text()
    assert stage.state.overlay is None
    assert done(stage.press("m", "m")) == [Call("mazo")]


@pytest.mark.parametrize(
    ("before", "key", "why"),
    [
        ((), "q", "There is no call to answer."),
        (("p1 truco", "p2 quiero"), "t", "It is for the other side to raise"),
        (("p1 play 1e", "p2 play 1b"), "e", "The envido is sung in the first trick"),
        (("p1 play 3o", "p2 truco"), "1", "A call waits"),
        (("p1 play 3o", "p2 truco"), "m", "A call waits"),
        (("p1 play 3o",), "1", "It is not your turn."),
    ],
)
def test_a_forbidden_call_is_refused_with_the_reason(before, key, why):
    stage = two(*before).press(key)
    assert why in " ".join(stage.text(80, 24).split())
    assert not done(stage)
