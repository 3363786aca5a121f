"""The count of a deal of Truco says which trick decided it, if one was tied."""

from __future__ import annotations

import pytest

from tests.screens.stage import Stage

TIES = {
    "second": (["1e", "1b", "3o", "3c", "4c", "5c"], "Trick 2 tied, so trick 1 decides"),
    "first": (["3o", "3c", "1e", "1b", "4c", "5c"], "Trick 1 tied, so trick 2 decides"),
    "two": (["3o", "3c", "2o", "2c", "5c", "4c"], "Tricks 1 and 2 tied, so trick 3 decides"),
    "mano": (["1e", "1b", "2o", "3c", "4c", "4o"], "Trick 3 tied, so it is the mano's"),
    "third": (["1e", "1b", "2o", "3c", "4c", "4o"], "Trick 3 tied, so trick 1 decides"),
}


@pytest.mark.parametrize("tie", TIES)
def test_the_count_says_how_a_tie_decided_the_deal(tie):
    cards, reason = TIES[tie]
    options = {"third_tie": "first"} if tie == "third" else {}
    stage = Stage("truco", 2, decks=[cards], **options)
    played: dict[int, int] = {0: 0, 1: 0}
    while not stage.state.count:
        seat = stage.table.turn[0]
        stage.do(f"p{seat + 1} play {cards[2 * played[seat] + seat]}")
        played[seat] += 1
    assert f"{reason}: the deal goes to you (1 point)" in stage.state.count
