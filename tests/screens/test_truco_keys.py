"""Truco on the full screen: keys play cards, sing calls, state points and give up.

R numbers: docs/rules/truco.md.
"""

import pytest

from engine.games.truco.moves import Call
from tests.screens.truco_stages import done, two


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
