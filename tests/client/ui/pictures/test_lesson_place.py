"""A page of a lesson leaves in sight what it speaks of: the cards of the table, and our own."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from client.ui.drawing.picture import Area
from client.ui.pictures.draw import picture_of
from client.ui.pictures.parts import HEAD, text_of
from engine.games import GAMES
from tests.screens.learner import Learner

TURNS = 6
LEAST, LEAST_TILE = 24, 12
"""Pixels of the width of a card, or of a tile, that lies on the table or in our hand."""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (768, 1024), (1280, 800)])
@pytest.mark.parametrize("game", GAMES)
def test_a_page_of_a_lesson_covers_no_card(game, size):
    learner, chance, pages = Learner(game), random.Random(1), 0
    for _turn in range(TURNS):
        while learner.state.lesson or learner.state.held or learner.state.count:
            if learner.state.lesson and not learner.state.held and not learner.state.count:
                pages += 1
                picture = picture_of(learner.state, *size)
                (sheet,) = [panel for panel in picture.panels if panel.id == "sheet:lesson"]
                assert sheet.area.bottom <= picture.height - picture.bar
                assert sheet.area.height > 100
                cards = [piece for piece in picture.pieces if piece.face]
                assert cards
                for piece in cards:
                    least = LEAST_TILE if game == "domino" else LEAST
                    assert piece.width >= least or not piece.layer, piece.id
                    assert apart(piece.area, sheet.area), piece.id
                    assert piece.y >= HEAD
            learner.press("enter")
        moves = list(islice(learner.model.view.options or (), 50))
        if not moves:
            break
        learner.make(chance.choice(moves))
    assert pages >= TURNS


def apart(one: Area, other: Area) -> bool:
    """Whether two areas have no pixel in common."""
    return (
        one.right <= other.x
        or other.right <= one.x
        or one.bottom <= other.y
        or other.bottom <= one.y
    )


@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_of_a_lesson_is_cut_on_a_phone(game):
    learner = Learner(game)
    while learner.state.held or learner.state.count or len(learner.state.lesson) > 1:
        learner.press("enter")
    page = learner.state.lesson[0]
    learner.press("enter")
    (said,) = [panel for panel in picture_of(learner.state, 360, 640).panels if panel.id == "said"]
    lines = [text_of(line) for line in said.lines]
    assert set(page) <= set(lines)
    assert not any(line.endswith("…") for line in lines)


@pytest.mark.parametrize("game", GAMES)
def test_their_cards_lie_open_while_the_sentence_that_tells_them_is_read(game):
    learner = Learner(game)
    while learner.state.lesson:
        learner.press("enter")
    theirs = {f"slot:{slot}" for hand in learner.model.view.game.hands[1:] for slot in hand}

    def faces() -> list[bool]:
        pieces = picture_of(learner.state, 1280, 800).pieces
        return [piece.face is not None for piece in pieces if piece.id in theirs]

    assert not all(faces())
    learner.press("f3")
    assert all(faces())
    learner.press("escape")
    assert not all(faces())
