"""A table does not move while one plays: not for a button, a notice or a line that comes and
goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from client.session.messages import Act
from client.ui.drawing.picture import Area, Picture
from client.ui.pictures.draw import picture_of
from client.ui.pictures.parts import rows_of
from client.ui.screen.state import ScreenState
from engine.games import GAMES
from tests.client.ui.pictures.cast import pressed
from tests.sample import pairs, sample
from tests.screens.stage import Stage

SEATS = [
    (name, count)
    for name, rules in GAMES.items()
    for count in sorted({min(rules.allowed_players), max(rules.allowed_players)})
]
SEATS = [*SEATS[::2], *SEATS[1::2]]
MOVES = 60
RAISED = 12
WINDOWS = [(360, 640), (800, 600), (1280, 800), (1920, 1080)]


def boxes(picture: Picture) -> dict[str, Area]:
    """Return the places of the heading, the other seats, the turn and the call."""
    found = {
        panel.id: panel.area
        for panel in picture.panels
        if panel.id in ("turn", "songs") or panel.id.startswith("seat:")
    }
    return found | {"heading": Area(0, 0, picture.width, picture.head)}


def hand(picture: Picture, slots: Iterable[int]) -> set[tuple[int, ...]]:
    """Return the places of our cards: of a picked one, which lies higher, where it lay. A game may
    sort them anew."""
    ours = [piece for piece in picture.pieces if piece.id in {f"slot:{slot}" for slot in slots}]
    return {
        (piece.x, piece.y + RAISED * ("picked" in piece.state), piece.width, piece.height)
        for piece in ours
    }


@pytest.mark.parametrize(
    ("seats", "size"), sample(pairs(SEATS, WINDOWS), len(SEATS) // 2, rows=True)
)
def test_a_table_stays_where_it_is(seats, size):
    """Boxes never move in a match while buttons, notices and lines come and go; nor does a hand
    while it is the same."""
    stage = Stage(*seats)
    first, before = None, None
    for _move in range(MOVES):
        if stage.over:
            break
        pictures = [
            picture_of(state, *size) for state in about(replace(stage.state, moment=None, count=()))
        ]
        slots = frozenset(stage.game.hands[0])
        for picture in pictures:
            first = first or boxes(picture)
            assert boxes(picture) == first
            if before is not None and before[0] == slots:
                assert hand(picture, slots) == before[1]
            before = slots, hand(picture, slots)
        stage.step()


def about(state: ScreenState) -> Iterator[ScreenState]:
    """Give a state, and those that a look at a menu, a notice, a line that is typed or a picked
    card make of it."""
    yield state
    yield replace(state, notice="This card does not make 15 with those.")
    for keys in (["escape"], [":"], ["1"], ["2"]):
        yield pressed(state, keys)[0]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(360, 640), (1280, 800)], ids=str)
@pytest.mark.parametrize("game", GAMES)
def test_a_button_that_is_clicked_stays_in_its_place(game, size):
    """So a second click confirms what the first has proposed: the buttons before it stay too."""
    stage, proposals = Stage(game, min(GAMES[game].allowed_players)), 0
    for _move in range(MOVES):
        if stage.over:
            break
        before = picture_of(stage.state, *size)
        for button in before.controls if stage.state.match.asked else ():
            after = pressed(stage.state, button.keys)[0]
            if not after.proposed[0]:
                continue
            proposals += 1
            now = picture_of(after, *size)
            place = before.controls.index(button)
            assert [control.id for control in now.controls[: place + 1]] == [
                control.id for control in before.controls[: place + 1]
            ]
            window = Area(0, 0, *size)
            assert rows_of(now.controls, window) == rows_of(before.controls, window)
            assert now.controls[place].key == "Enter"
            assert now.controls[place].label.startswith(button.label)
            confirmed = pressed(after, now.controls[place].keys)[1]
            assert any(isinstance(command, Act) for command in confirmed)
        stage.step()
    assert proposals or game == "escoba"
