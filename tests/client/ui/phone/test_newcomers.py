"""Phones that have just come: how their players are called, a table with seats for all of them, and
which seat is whose."""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import replace

import pytest

from client.i18n.translation import speaking
from client.session.context import Context
from client.storage.home import open_home
from client.storage.settings import Settings
from client.ui.phone.limits import VisitorLimits
from client.ui.screen import opening
from client.ui.screen.application import make_application
from client.ui.screen.state import PhonesShown, ScreenState, VisitorShown
from client.ui.view.setup import view
from tests.client.ui.view.acts import ANE, JON, bare, pressed, setup

LOBBY = VisitorShown("001-a", page="lobby", here=True)
PLAYING = replace(LOBBY, id="002-b", page="play", game="truco", bound=True)
ASLEEP = replace(LOBBY, id="003-c", here=False)


def opened(*visitors: VisitorShown) -> ScreenState:
    """Return the form of a table for others, on a laptop that has these visitors."""
    state = replace(bare(), phones=PhonesShown("192.168.1.2:47757", (), visitors))
    return pressed(state, ["o: open a table for others"])[0]


def seat_lines(state: ScreenState) -> list[tuple[str, ...]]:
    """Return what stands below the players' names at a table that fills."""
    (seats,) = [one for one in view(state).sections if one.id == "seats"]
    return [one.lines for one in seats.items]


@pytest.mark.parametrize(
    ("language", "name"), [("eu", "norbait"), ("es", "alguien"), ("is", "einhver")]
)
def test_a_visitor_without_a_name_is_called_so_in_the_language_of_its_phone(
    tmp_path, language, name
):
    limits = VisitorLimits(tmp_path, time.monotonic)
    context = Context(open_home(tmp_path / "home"), limits=limits)
    state = make_application(Namespace(), context, Settings(), None).state
    assert state.nick == "somebody"  # the phone comes after the program has started
    with speaking(language):
        assert state.nick == name
        asked, commands = pressed(state, ["1", "enter"])
        assert (asked.typing, asked.typed, commands) == ("first-nick", name, ())
        kept, _commands = pressed(asked, ["enter"])
        assert kept.settings.nick == name


@pytest.mark.parametrize(
    ("visitors", "seats"),
    [
        ((), 2),
        ((ASLEEP, PLAYING), 2),
        ((LOBBY, ASLEEP), 2),
        ((LOBBY, LOBBY), 3),
        ((LOBBY,) * 4, 6),
        ((LOBBY,) * 8, 6),
    ],
)
def test_a_table_for_others_has_seats_for_the_phones_that_wait(visitors, seats):
    assert opened(*visitors).form.seats == seats


def test_another_game_has_seats_for_them_too_and_no_more_after_that():
    form = opened(LOBBY, LOBBY).form
    assert opening.with_value(form, "game", "truco").seats == 4
    back = opening.with_value(opening.with_value(form, "game", "truco"), "game", "domino")
    assert back.seats == 3
    alone = opening.with_value(opened().form, "game", "kinaskak")
    assert (alone.seats, opening.with_value(alone, "game", "escoba").seats) == (3, 2)


def test_our_own_seat_says_so_on_another_machine_too():
    ours = setup(ANE, replace(JON, machine=ANE.fingerprint), hosting=False, mine=(1,))
    assert seat_lines(ours()) == [("a person",), ("you · on the machine of Ane",)]
    assert seat_lines(setup(ANE, JON)()) == [("you",), ("a person",)]


def test_a_seat_that_is_shown_is_not_told_once_more():
    (said,) = [one for one in view(setup(ANE, JON)()).sections if one.id == "terms"]
    assert not [line for line in said.lines if "JJJJ" in line]
