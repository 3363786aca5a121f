"""Every option of every game has a name and words for its values, and a sentence that says what it
does."""

from __future__ import annotations

import pytest

from client.ui.games.options import TITLES, VALUES, rules_of
from engine.games import GAMES


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_option_has_a_title_and_words_for_its_values(game):
    assert set(TITLES[game.name]) == set(game.choices)
    for option in game.choices.values():
        words = [value for value in option.values if isinstance(value, str)]
        assert set(words) <= set(VALUES)


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("escoba", {"target": 1}, "the first to reach 1 wins"),
        ("domino", {"target": 1, "passes": "none"}, "A pass brings nothing at this table"),
        ("domino", {"set": "double-nine"}, "the 55 tiles from 0-0 to 9-9"),
        ("domino", {"draw": False}, "nobody takes or sees them"),
        ("domino", {"target": 50}, "The first to reach 50 wins"),
        ("truco", {"target": 12}, "to reach 12 wins"),
        ("kinaskak", {"buys": 5}, "free in a round: 5"),
        ("siete-y-media", {"deals": 4}, "After 4 deals"),
        ("siete-y-media", {"deals": 0}, "The last player with chips wins"),
        ("siete-y-media", {"chips": 20, "max_bet": 7}, "up to 7 in all"),
    ],
)
def test_the_rules_at_a_table_name_its_own_options(game, options, said):
    assert said in " ".join(rules_of(game, options))
    assert said not in " ".join(rules_of(game))
