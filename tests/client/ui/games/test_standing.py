"""The line about the score: before partners have scored it says who plays against whom."""

from __future__ import annotations

import pytest

from client.ui.games import words_of
from client.ui.model import Names
from engine.games import new_game

NAMES = Names(("Ane", "Jon", "Miren", "Peru"), 0)


@pytest.mark.parametrize(
    ("game", "options"), [("truco", {"target": 15}), ("domino", {"partners": True, "target": 15})]
)
def test_before_partners_have_scored_the_sides_stand_in_place_of_the_score(
    game: str, options: dict[str, object]
) -> None:
    state = new_game(game, 4, options)
    assert (
        words_of(game).standing(NAMES, state) == "Sides: you and Miren against Jon and Peru (to 15)"
    )
    state.add_points(1, 2)
    assert (
        words_of(game).standing(NAMES, state) == "Score: you and Miren: 0, Jon and Peru: 2 (to 15)"
    )
