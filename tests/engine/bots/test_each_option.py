"""The strongest player of each game decides at every extreme value of every option."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import bot_for, character_for, characters_of
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.options import BadOption
from engine.games import GAMES, new_game

BESIDE = {"min_bet": {"max_bet": 100, "chips": 100}, "max_bet": {"chips": 1000}}
"""The options without which a value is refused."""
DECISIONS = 6
"""Decisions of each match, from its beginning."""


def extremes(game: str) -> list[tuple[str, str, object]]:
    """Return each option with each of its values; of a long range its ends."""
    found: list[tuple[str, str, object]] = []
    for name, option in GAMES[game].choices.items():
        values = option.values
        ends = (values[0], values[-1]) if isinstance(values, range) else values
        found += [(game, name, value) for value in ends if value != option.default]
    return found


@pytest.mark.parametrize(
    ("game", "name", "value"), [case for game in GAMES for case in extremes(game)]
)
def test_computer_players_decide_at_every_value_of_an_option(game, name, value):
    played = 0
    for players in GAMES[game].allowed_players[:: len(GAMES[game].allowed_players) - 1]:
        try:
            match = new_game(game, players, {**BESIDE.get(name, {}), name: value})
        except BadOption:
            continue
        chance = Random(f"{name} {value}")
        deck = OpenDeck(match, shuffled(chance.randrange), 0)
        weakest = character_for(game, characters_of(game)[-1].name).play
        for number in range(DECISIONS):
            if deck.turn:
                seat = deck.turn[0]
                player = weakest if number % 3 == 2 else bot_for(game)
                deck.act(seat, player(deck.view(seat), chance.randrange))
        played += 1
    assert played
