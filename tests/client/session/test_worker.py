"""Thinking until a given time: the strongest answer that is found by then, and work in any case."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest

from client.session import worker
from client.session.worker import Task, think
from engine.bots import Bot, characters_of
from engine.core.moves import Move
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.view import View
from engine.games import new_game
from tests.bots.weak import weak_bot

SEED = b"a seed of thirty-two bytes in all"


def views(game: str, players: int, count: int) -> list[View]:
    """Return the views of the first decisions of a match."""
    deck = OpenDeck(new_game(game, players, {}), shuffled(Random(5).randrange), 0)
    found = []
    while deck.turn and len(found) < count:
        found.append(deck.view(deck.turn[0]))
        deck.act(deck.turn[0], weak_bot(game)(found[-1], Random(1).randrange))
    return found


@pytest.mark.parametrize("game", ["escoba", "domino", "siete-y-media", "truco", "kinaskak"])
def test_a_view_goes_to_another_process_and_every_player_decides_there_as_here(game: str) -> None:
    for view in views(game, 3 if game == "kinaskak" else 2, 6):
        for character in characters_of(game):
            task = Task(game, character.name, view, 0.0, SEED)
            sent = pickle.loads(pickle.dumps(task))
            there = character.play(sent.view, Random(SEED).randrange)
            assert there == character.play(view, Random(SEED).randrange)


def without_end(_view: View, _choose: Any) -> Move:
    while True:
        pass


def test_a_player_that_finds_nothing_in_time_plays_as_the_quickest_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "bot_for", lambda _game: without_end)
    (view,) = views("escoba", 2, 1)
    quickest: Bot = characters_of("escoba")[-1].play
    assert think(Task("escoba", "", view, 0.05, SEED)) == quickest(view, Random(SEED).randrange)


def test_with_one_legal_move_it_works_too(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: list[None] = []
    monkeypatch.setattr(worker, "busy", lambda: worked.append(None))
    view = next(one for one in views("domino", 2, 40) if len(list(one.options or ())) == 1)
    think(Task("domino", "", view, 0.05, SEED))
    assert len(worked) > 10
