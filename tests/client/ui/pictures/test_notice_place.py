"""A long notice, such as a hint, covers no card that is needed to follow it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.ui.drawing.picture import Area, Picture
from client.ui.pictures.draw import picture_of
from engine.games import GAMES
from tests.client.ui.pictures.cast import pressed
from tests.client.ui.pictures.test_tables import inside, overlap
from tests.sample import pairs, sample
from tests.screens.stage import Stage

SEATS = [(name, how(rules.allowed_players)) for how in (max, min) for name, rules in GAMES.items()]
WINDOWS = [(360, 640), (1024, 600), (390, 844), (768, 1024), (1422, 800), (800, 400)]
LONG = "a hint tells why" + " it tells why" * 12
"""As long as the longest hint of most games, in Basque."""
LONGEST = {"truco": LONG + " it tells why" * 8}
"""Hints of Truco about a bluff are longer."""
MOVES = 24


def place_of_notice(picture: Picture) -> Area:
    """Return the place of a notice: its own, or the space of the buttons."""
    return picture.aside or Area(0, picture.height - picture.bar, picture.width, picture.bar)


def needed(picture: Picture) -> list[Area]:
    """Return the places of open cards, and of those that can be clicked, outside the boxes of the
    others."""
    boxes = [panel.area for panel in picture.panels if panel.id.startswith("seat:")]
    return [
        piece.area
        for piece in picture.pieces
        if (piece.face or piece.keys) and not any(overlap(piece.area, box) for box in boxes)
    ]


@pytest.mark.parametrize(
    ("seats", "size"), sample(pairs(SEATS, WINDOWS), len(SEATS) // 2, rows=True)
)
def test_a_long_notice_covers_no_card_that_is_needed(seats, size):
    stage, seen = Stage(*seats), 0
    for _move in range(MOVES):
        if stage.over:
            break
        if stage.state.match.asked:
            state = replace(stage.state, moment=None, count=())
            picture = picture_of(replace(state, notice=LONGEST.get(seats[0], LONG)), *size)
            place = place_of_notice(picture)
            assert inside(place, picture)
            assert [card for card in needed(picture) if overlap(card, place)] == []
            without = picture_of(replace(state, notice=""), *size)
            assert [card.area for card in picture.pieces] == [card.area for card in without.pieces]
            seen += 1
        stage.step()
    assert seen


def test_a_short_notice_stands_above_the_buttons():
    state = Stage("escoba").until(lambda now: now.state.match.asked).state
    picture = picture_of(replace(state, notice="This card does not make 15."), 360, 640)
    assert picture.aside is None
    assert picture.notice


def test_a_notice_of_a_sheet_stands_above_its_buttons():
    state = Stage("escoba").until(lambda now: now.state.match.asked).state
    menu = pressed(state, ["escape"])[0]
    assert picture_of(replace(menu, notice=LONG), 360, 640).aside is None
