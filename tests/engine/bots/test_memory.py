"""The memory of computer players between two choices is bounded in bytes."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from random import Random

import pytest

from engine.bots import RATERS, bot_for
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import GAMES, new_game

MOST = 10_000_000
"""Bytes that one cache may come to hold."""
MOVES = {"domino": 3, "truco": 20, "escoba": 3}


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    for _name, cache in caches():
        cache.cache_clear()
    tracemalloc.start()
    yield
    tracemalloc.stop()


def caches() -> list[tuple[str, _lru_cache_wrapper]]:
    """Return the caches of all functions of the engine."""
    return sorted(
        (f"{found.__module__}.{found.__qualname__}", found)
        for name, module in list(sys.modules.items())
        if name.startswith("engine.")
        for found in vars(module).values()
        if isinstance(found, _lru_cache_wrapper) and found.__module__ == name
    )


def largest(cache: _lru_cache_wrapper) -> float:
    """Return the bytes of a cache when it is full, by those of its entries; then empty it."""
    info = cache.cache_info()
    if not info.currsize:
        return 0.0
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    cache.cache_clear()
    held = before - tracemalloc.get_traced_memory()[0]
    return held if info.maxsize is None else held * info.maxsize / max(info.currsize, 100)


@pytest.mark.parametrize("game", RATERS)
def test_every_cache_of_a_player_is_bounded(game: str) -> None:
    random = Random(1)
    players = max(GAMES[game].allowed_players)
    play = OpenDeck(new_game(game, players), shuffled(random.randrange))
    for _move in range(MOVES.get(game, 60)):
        if play.turn:
            seat = play.turn[0]
            play.act(seat, bot_for(game)(play.view(seat), random.randrange))
    full = {name: largest(cache) for name, cache in caches()}
    assert {name: bytes_ for name, bytes_ in full.items() if bytes_ > MOST} == {}
