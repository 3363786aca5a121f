"""The winners of a match, in a line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.ui.plain.ending import won
from tests.screens.stage import Stage


@pytest.mark.parametrize(
    ("seat", "winners", "said"),
    [
        (0, (0, 1), "You share the win with Jon."),
        (0, (0, 1, 2), "You share the win with Jon and Miren."),
        (0, (1, 2), "Jon and Miren share the win."),
        (None, (0, 1), "Ane and Jon share the win."),
    ],
)
def test_a_tie_is_no_win_of_partners(seat, winners, said):
    assert won(replace(Stage("escoba", 3, seat=seat).state.match, winners=winners)) == said


def test_partners_win_together():
    match = Stage("truco", 4).state.match
    assert won(replace(match, winners=(0, 2))) == "You win, with Miren!"
    assert won(replace(match, winners=(1, 3))) == "Jon and Peru win."
