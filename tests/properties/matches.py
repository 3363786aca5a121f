"""The matches that the properties are tried on: each game with some of its options, each number of seats.

A match is a function of its index and a seed. Run as a program, this prints a digest of all fingerprints of them all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from engine.bots import chance
from engine.game import Game
from engine.games import GAMES, new_game
from engine.open_deck import OpenDeck, shuffled
from tests.engine.tiny_game import Tiny

MATCHES: list[tuple[str, int, dict[str, Any]]] = [
    ("escoba", 2, {"target": 5}),
    ("escoba", 2, {"target": 5, "capture": "free", "leftovers": "capture"}),
    ("escoba", 3, {"target": 5, "capture": "card", "all_replaces": True}),
    ("escoba", 4, {"target": 5, "teams": True}),
    ("escoba", 6, {"target": 5}),
    ("tiny", 2, {}),
    ("tiny", 3, {"deals": 4}),
    ("tiny", 4, {}),
]


NAMES = [f"{name}-{players}-{number}" for number, (name, players, _) in enumerate(MATCHES)]


def unplayed(number: int) -> Game:
    """Return an unplayed match."""
    name, players, options = MATCHES[number]
    return Tiny(players, {"deals": 2} | options) if name == "tiny" else new_game(name, players, options)


def start(number: int, seed: int) -> tuple[OpenDeck, Random]:
    """Deal a match."""
    random = Random(f"{number}/{seed}")
    return OpenDeck(unplayed(number), shuffled(random.randrange), random.randrange(12)), random


def steps(number: int, seed: int, *, leaving: bool = False) -> Iterator[OpenDeck]:
    """Play a match by chance; yield it before each choice, and when it is over."""
    play, random = start(number, seed)
    while play.turn:
        yield play
        if leaving and random.random() < 0.02:
            play.leave(random.choice(play.game.seats))
            continue
        seat = random.choice(play.turn)
        play.act(seat, chance.play(play.view(seat), random.randrange))
    yield play


def replayed(
    play: OpenDeck, number: int, count: int, laid: Any = None, seen: Callable[[OpenDeck], None] | None = None
) -> OpenDeck:
    """Play the first answers of a match again, with the same decks or others; `seen` looks on before each and after."""
    twin = OpenDeck(unplayed(number), play.laid if laid is None else laid, play.first)
    for answer in play.answers[:count]:
        if seen:
            seen(twin)
        twin.replay([answer])
    if seen:
        seen(twin)
    return twin


def digest() -> str:
    """Return a hash of every fingerprint of every match."""
    total = hashlib.sha256()
    for number in range(len(MATCHES)):
        for play in steps(number, 1, leaving=number % 2 == 1):
            total.update(play.run.fingerprint())
    return total.hexdigest()


def uncovered() -> list[str]:
    """Return the games of the catalogue that no match here plays."""
    return [name for name in GAMES if name not in {name for name, _, _ in MATCHES}]


if __name__ == "__main__":
    print(digest())
