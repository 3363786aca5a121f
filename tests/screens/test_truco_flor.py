"""The flor on the full screen: its keys, and the line above them."""

import pytest

from client.ui.games.truco.screen import SCREEN
from client.ui.screen.table_words import scene_of
from engine.games.truco.moves import Call
from tests.screens.stage import Stage
from tests.screens.truco_stages import done

FLORS = ["7o", "6c", "5o", "3c", "12o", "2c"]  # p1: 7o 5o 12o = 32   p2: 6c 3c 2c = 31
ALONE = ["7o", "6c", "5o", "3e", "12o", "2c"]  # p1: 7o 5o 12o = 32   p2: none


def stage(*actions, seat=0, deck=FLORS):
    return Stage("truco", 2, seat, decks=[deck], flor=True).do(*actions).tick(20)


def test_a_flor_must_be_sung_and_the_screen_says_so():
    shown = stage()
    assert "you have a flor of 32: sing it" in shown.text()
    assert "flor 32" in shown.text()
    assert "f flor" in shown.foot()
    assert done(shown.press("f", "f")) == [Call("flor")]


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("q", "con-flor-quiero"),
        ("n", "con-flor-me-achico"),
        ("r", "contraflor"),
        ("f", "contraflor-al-resto"),
    ],
)
def test_a_letter_answers_a_flor(key, word):
    shown = stage("p1 flor", seat=1)
    assert "con flor quiero: accept for 4" in shown.text()
    assert "con flor me achico: give in for 3" in shown.text()  # whole, in eighty columns
    assert done(shown.press(key)) == []
    assert done(shown.press(key)) == [Call(word)]


def test_one_who_has_none_says_so():
    shown = stage("p1 flor", seat=1, deck=ALONE)
    assert "no tengo: you have no flor, 3 for" in shown.text()
    # nor does the table say that it could accept or refuse
    assert "3, or 4 for the better of two flors" in " ".join(shown.text().split())
    assert "accepted" not in shown.text()
    assert done(shown.press("n", "n")) == [Call("no-tengo")]


def test_a_seat_that_has_sung_a_flor_bears_it_until_the_deal_ends():
    shown = stage("p1 flor", "p2 con-flor-quiero")
    assert [role for _style, role in SCREEN.roles(scene_of(shown.state), 1)][-1] == "flor"
    shown.do("p1 say 32")
    assert [role for _style, role in SCREEN.roles(scene_of(shown.state), 0)][-1] == "flor 32"
    alone = stage("p1 flor", "p2 no-tengo", deck=ALONE)
    assert "flor" not in [role for _style, role in SCREEN.roles(scene_of(alone.state), 1)]
