"""The form of a new table."""

from __future__ import annotations

import pytest

from client.ui.screen import opening
from client.ui.screen.messages import (
    Key,
)
from client.ui.screen.state import Form
from engine.games import GAMES
from tests.screens.hand import Hand
from tests.screens.stage import SIZES, check_rows


def form(game: str = "escoba") -> Hand:
    return Hand().press(str(list(GAMES).index(game) + 1))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.slow
def test_every_choice_of_a_form_is_explained_and_can_be_changed(game, size):
    hand = form(game)
    for _field in range(20):
        before = hand.state.form
        check_rows(hand.state, *size)
        hand.press("right")
        assert hand.state.form != before
        hand.press("left", "down")


def test_the_number_of_seats_stops_at_the_most():
    hand = form().press("down", "down")
    seen = [hand.press("right").state.form.seats for _time in range(4)]
    assert seen == [3, 4, 6, 6]


def test_rules_that_contradict_one_another_are_not_opened_and_say_why():
    hand = form()
    while hand.state.chosen != "option:teams":
        hand.press("down")
    hand.press("right", "enter")
    assert hand.commands == []
    assert "partners are for 4 or 6 players" in hand.foot()


@pytest.mark.parametrize(
    ("game", "options", "idle"),
    [
        ("domino", {"set": "double-nine"}, {"draw", "passes"}),
        ("domino", {"partners": True}, {"leaving"}),
        ("domino", {}, set()),
        ("escoba", {"partners": True}, {"leaving"}),
    ],
)
def test_options_that_others_leave_without_effect_are_not_asked_for(game, options, idle):
    asked = {item.id for item in opening.items(Form(game, 4, options=options))}
    assert {f"option:{name}" for name in GAMES[game].choices} - asked == {
        f"option:{name}" for name in idle
    }


def on_field(field: str, company: str = "network") -> Hand:
    """Return somebody at the form of a table for others, with this field chosen."""
    hand = Hand().press("o", "down", *(["right"] if company == "invite" else []))
    assert hand.state.form.company == company
    fields = [item.id for item in opening.items(hand.state.form)]
    return hand.press(*["down"] * (fields.index(field) - 1))


@pytest.mark.parametrize("name", ["the patio", "ñ", "a" * 33, "a.b", "--"])
def test_a_name_that_cannot_be_is_refused_and_says_why(name):
    hand = on_field("table").press("right").tell(Key("paste", name)).press("enter")
    assert "at most 32 letters, digits and dashes" in " ".join(hand.text().split())
    assert hand.state.form.name == ""


def test_the_time_limit_goes_up_and_down_and_stops():
    hand = on_field("limit")
    assert [hand.press("right").state.form.limit for _time in range(5)] == [
        300,
        600,
        1800,
        3600,
        3600,
    ]
    assert [hand.press("left").state.form.limit for _time in range(7)] == [
        1800,
        600,
        300,
        120,
        60,
        30,
        30,
    ]
