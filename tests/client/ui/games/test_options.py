"""Every option of every game has a name and words for its values, and a sentence that says what it
does."""

from __future__ import annotations

import pytest

from client.ui.games.options import TITLES, VALUES, unusual
from docs.make_locale import template
from engine.games import GAMES, complete_options


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_option_has_a_title_and_words_for_its_values(game):
    assert set(TITLES[game.name]) == set(game.choices)
    for option in game.choices.values():
        words = [value for value in option.values if isinstance(value, str)]
        assert set(words) <= set(VALUES)


def test_every_explanation_of_an_option_can_be_translated():
    known = {message.id for message in template()}
    for game in GAMES.values():
        for name, option in game.choices.items():
            assert option.help in known, (game.name, name)


def test_default_options_are_not_listed():
    options = complete_options("escoba", 2, {"capture": "free", "target": 11})
    assert unusual("escoba", 2, options) == ["Points to win: 11", "Laying a card: always"]
