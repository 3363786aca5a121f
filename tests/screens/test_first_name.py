"""The lobby asks for a name once, before the first table is opened or joined."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Tables
from client.ui.screen.messages import Ended, Join, Open, Save, Written
from client.ui.screen.state import ScreenState
from client.ui.view.views import view_of
from tests.screens.hand import MIREN, Hand
from tests.screens.stage import SIZES


def nameless(**how) -> Hand:
    """Return the lobby of a player who has never said a name; `ane` is the login name."""
    return Hand(ScreenState(called="ane", unnamed=True, **how))


@pytest.mark.parametrize("size", SIZES)
def test_the_name_is_asked_before_the_first_table_is_opened(size):
    hand = nameless().press("1", "enter")
    assert not hand.commands
    assert "Your name: ane" in hand.text(*size)
    assert "or keep it (Enter)." in " ".join(hand.text(*size).split())
    hand.press("enter")
    saved, opened = hand.commands
    assert (saved, opened) == (
        Save(replace(hand.state.settings, nick="ane")),
        Open(hand.state.form),
    )
    hand.tell(Ended()).press("1", "enter")
    assert isinstance(hand.commands[-1], Open)
    assert hand.state.typed is None


def test_the_name_is_asked_before_a_table_is_joined_and_the_first_letter_replaces_it():
    hand = nameless().tell(Tables((MIREN,))).press("up", "enter")
    assert "Your name: ane" in hand.text()
    assert not hand.state.busy
    hand.press(*"Jone", "enter")
    assert hand.commands == [Save(replace(hand.state.settings, nick="Jone")), Join(MIREN.id)]
    assert hand.state.busy
    hand = nameless().press("j", *"10.0.0.7", "enter", "c-u", "enter")
    assert hand.commands == [Save(replace(hand.state.settings, nick="ane")), Join("10.0.0.7")]


def test_nobody_is_asked_who_has_a_name_or_sets_it_first():
    assert isinstance(Hand().press("1", "enter").commands[0], Open)
    hand = nameless().press("s", "enter", *"Jone", "enter", "escape", "1", "enter")
    assert isinstance(hand.commands[-1], Open)


@pytest.mark.parametrize("size", SIZES)
def test_a_name_stops_where_no_more_fits_and_says_so(size):
    full = "No room for more: a name has at most 24 characters."
    hand = nameless().press("1", "enter", *"abcdefghijklmnopqrstuvwx")
    assert "or keep it (Enter)." in " ".join(hand.text(*size).split())
    assert full in hand.press("y", "z").text(*size)
    assert hand.state.typed == "abcdefghijklmnopqrstuvwx"
    sheet = view_of(hand.state).sheet
    assert sheet is not None
    assert sheet.entry is not None
    assert sheet.entry.text == hand.state.typed
    assert sheet.entry.hint.endswith(full)
    hand.press("enter")
    assert hand.state.settings.nick == "abcdefghijklmnopqrstuvwx", "nothing is cut"
    assert full not in hand.tell(Ended()).press("s").text(*size)
    hand.press("enter").tell(Written("ð" * 25))
    assert hand.state.typed == "ð" * 24
    assert full in hand.text(*size)
