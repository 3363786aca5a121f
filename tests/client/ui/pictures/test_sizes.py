"""Cards, letters and buttons are large enough to be read and touched, in small windows too."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from client.ui.drawing.picture import Picture
from client.ui.games.truco.words import STRENGTHS
from client.ui.pictures.draw import picture_of
from client.ui.pictures.parts import TITLE, text_height, text_of
from client.ui.pictures.sheets import TABLE_LINE
from engine.games import GAMES
from tests.client.ui.pictures.cast import STATES, pressed
from tests.client.ui.screen.boxes import reading
from tests.sample import pairs, sample
from tests.screens.stage import Stage

SEATS = [(name, count) for name, rules in GAMES.items() for count in sorted(rules.allowed_players)]
MOST = [(name, max(rules.allowed_players)) for name, rules in GAMES.items()]
WINDOWS = [(360, 640), (1024, 600), (390, 844), (768, 1024), (1422, 800)]
TABLES = pairs(MOST + [one for one in SEATS if one not in MOST], WINDOWS)
READ = {"spanish": 48, "french": 48, "domino": 26}
"""Pixels that a card of our hand is wide, at least, where the hand is as large as it was dealt."""
TOUCHED = 22
"""Pixels of it that the next card leaves in sight."""
LEAST_LETTER = 11
MOVES = 40


def ours(picture: Picture, slots: list[int]) -> list:
    """Return the cards of our hand."""
    return [piece for piece in picture.pieces if piece.id in {f"slot:{slot}" for slot in slots}]


@pytest.mark.parametrize(("seats", "size"), sample(TABLES, len(MOST), rows=True))
def test_our_cards_can_be_read_and_touched(seats, size):
    stage = Stage(*seats)
    dealt = len(stage.game.hands[0])
    for _move in range(MOVES):
        if stage.over:
            break
        picture = picture_of(replace(stage.state, moment=None, count=()), *size)
        hand = ours(picture, stage.game.hands[0])
        dealt = dealt or len(hand)
        for card in hand if len(hand) <= max(dealt, 7) else ():
            assert card.width >= READ[card.kind], card
        for one, other in pairwise(hand):
            assert other.x - one.x >= TOUCHED or other.y - one.y >= TOUCHED
        assert min(text.size for text in picture.texts) >= LEAST_LETTER
        stage.step()


@pytest.mark.parametrize("size", WINDOWS[:2], ids=str)
def test_a_table_of_characters_is_no_wider_than_readable_letters_allow(size):
    for name, state in STATES.items():
        for panel in picture_of(state(), *size).panels:
            if panel.columns:
                assert panel.columns * LEAST_LETTER * 0.61 <= panel.area.width - 20, name


@pytest.mark.parametrize("language", ["eu", "en", "es", "is"])
def test_one_click_at_a_table_of_truco_shows_the_order_of_the_cards(language):
    with reading(language):
        state = Stage("truco", 2).until(lambda now: now.state.match.asked).state
        (rules,) = [one for one in picture_of(state, 360, 640).controls if one.keys == ("f1",)]
        found = picture_of(pressed(state, rules.keys)[0], 360, 640)
        (sheet,) = [panel for panel in found.panels if panel.modal]
        lines = [text_of(line) for line in sheet.lines]
        place = next(at for at, line in enumerate(lines) if STRENGTHS in line)
        assert text_height(lines[: place + 1], sheet.area.width) <= sheet.area.height - TITLE


def test_a_wide_table_of_truco_shows_the_order_of_the_cards():
    stage = Stage("truco", 2).until(lambda now: now.state.match.asked)
    (songs,) = [one for one in picture_of(stage.state, 1422, 800).panels if one.id == "songs"]
    assert STRENGTHS in text_of(songs.lines[-1])


def test_the_count_of_eight_players_is_seen_whole_on_a_phone():
    stage = Stage("siete-y-media", 8).until(lambda now: bool(now.state.count))
    (count,) = [one for one in picture_of(stage.state, 360, 640).panels if one.modal]
    assert len(count.lines) > 12
    assert len(count.lines) * TABLE_LINE + TITLE <= count.area.height
