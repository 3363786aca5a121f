"""Phones that have just come: how their players are called, a table with seats for all of them, and
which seat is whose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.ui.screen.state import PhonesShown, ScreenState, VisitorShown
from tests.client.ui.view.acts import bare, pressed

LOBBY = VisitorShown("001-a", page="lobby", here=True)
PLAYING = replace(LOBBY, id="002-b", page="play", game="truco", bound=True)
ASLEEP = replace(LOBBY, id="003-c", here=False)


def opened(*visitors: VisitorShown) -> ScreenState:
    """Return the form of a table for others, on a laptop that has these visitors."""
    state = replace(bare(), phones=PhonesShown("192.168.1.2:47757", (), visitors))
    return pressed(state, ["o: open a table for others"])[0]


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
