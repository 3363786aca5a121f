"""Whole matches of every game on the full screen. Each state can be drawn, and shows our hand and
the turn, and no card that our seat has not seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from client.ui.drawing.cards import french
from client.ui.games.kinaskak.screen import SCREEN
from client.ui.screen import pages
from client.ui.screen.table_words import scene_of
from tests.sample import sample
from tests.screens.stage import NICKS, SIZES, Stage, check_rows, check_turn, view_of

LONGEST = 400
"""Moves of a match that are looked at."""
MATCHES: dict[str, Callable[[int], Stage]] = {
    "escoba": lambda players: Stage("escoba", players, players - 1, seed=players, target=3),
    "domino": lambda players: Stage("domino", players, players - 1, seed=players, target=8),
    "kinaskak": lambda players: Stage(
        "kinaskak", players, players - 1, seed=players, first_contract=7, last_contract=7
    ),
    "siete-y-media": lambda players: Stage(
        "siete-y-media",
        players,
        players // 2,
        seed=players,
        first=players - 1,
        nicks=NICKS,
        deals=3,
    ),
    "truco": lambda players: Stage("truco", players, seed=players, envido_callers="any", target=12),
}
TABLES = [
    *(("escoba", players) for players in (2, 3, 4, 6)),
    *(("domino", players) for players in (2, 3, 4)),
    *(("siete-y-media", players) for players in range(2, 9)),
    *(("truco", players) for players in (2, 4, 6)),
    *(("kinaskak", players) for players in (3, 6)),
    *(("kinaskak", players) for players in (4, 5)),
]


def check_kinaskak(stage: Stage, shown: str) -> None:
    """Every card of the hand is to be seen, in a line or as cards."""
    hand = dict(scene_of(stage.state).hand)
    faces = [french(hand[slot]) for slot in SCREEN.in_order(scene_of(stage.state))]
    rows = [row.replace("│", " ").replace(">", " ").split() for row in shown.splitlines()]
    in_a_line = faces in rows
    as_cards = [face[:-1] for face in faces if face != "*"] in rows and [
        face[-1] for face in faces
    ] in rows
    assert in_a_line or as_cards or not faces, shown


def check_siete_y_media(stage: Stage, shown: str) -> None:
    """Every card of our own is to be seen."""
    faces = [face for face in scene_of(stage.state).faces(stage.game.hands[stage.seat]) if face]
    rows = [row.replace("│", " ").split() for row in shown.splitlines()]
    for part in ([face[:-1] for face in faces], [face[-1] for face in faces]):
        assert any(row[: len(part)] == part for row in rows), shown


def check_truco(stage: Stage, shown: str) -> None:
    """Every card of our own is to be seen at our turn."""
    if stage.state.match.asked:
        for slot in stage.game.hands[stage.seat]:
            face = view_of(stage.state).face(slot)
            assert any(face[:-1] in line for line in shown.splitlines()[11:-1]), face


CHECKS = {"kinaskak": check_kinaskak, "siete-y-media": check_siete_y_media, "truco": check_truco}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), sample(TABLES, len(TABLES) - 2, rows=True))
def test_every_state_of_a_match_can_be_drawn(game, players):
    stage = MATCHES[game](players)
    for _move in range(LONGEST):
        if stage.over:
            break
        for size in SIZES[:2]:
            shown = check_rows(stage.state, *size)
            if not stage.state.count.lines:
                check_turn(stage.state, shown)
                if game in CHECKS:
                    CHECKS[game](stage, shown)
        stage.step(by_chance=game != "kinaskak")
    assert stage.over or game == "kinaskak"
    check_rows(stage.state, *SIZES[2])


@pytest.mark.parametrize("game", MATCHES)
def test_cards_that_our_seat_has_not_seen_are_not_on_the_screen(game):
    stage = Stage(game, 4, seed=4)
    for _move in range(40):
        if stage.over:
            break
        other = stage.with_unseen_permuted()
        for size in SIZES:
            assert pages.draw(other, *size).rows() == pages.draw(stage.state, *size).rows()
        stage.step()
