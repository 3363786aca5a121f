"""The matches that the properties are tried on: each game with some of its options, each number of
seats.

A match is a function of its index and a seed. Run as a program, this prints a digest of all
fingerprints of them all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from engine.bots import chance_for
from engine.core.game import Game
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import GAMES, new_game
from tests.engine.tiny_game import Tiny

MATCHES: list[tuple[str, int, dict[str, Any]]] = [
    ("escoba", 2, {"target": 5}),
    ("escoba", 2, {"target": 5, "capture": "free", "leftovers": "sweep"}),
    ("escoba", 3, {"target": 5, "capture": "card", "all_replaces": True}),
    ("escoba", 4, {"target": 5, "leaving": "end"}),
    ("escoba", 4, {"target": 5, "teams": True, "first_table": "first"}),
    ("escoba", 6, {"target": 5}),
    ("domino", 2, {"capicua": "on"}),
    ("domino", 3, {"draw": False, "passes": "first", "capicua": "strict"}),
    ("domino", 3, {"target": 9}),
    ("domino", 4, {"target": 12}),
    ("domino", 4, {"target": 12, "partners": True, "passes": "none"}),
    ("truco", 2, {"target": 9}),
    ("truco", 2, {"target": 5, "third_tie": "first", "envido_first": False, "early_mazo": 1}),
    ("truco", 4, {"target": 7, "falta": "malas", "envido_callers": "any"}),
    ("truco", 6, {"target": 5, "envido_callers": "pies"}),
    ("kinaskak", 3, {"last_contract": 1}),
    (
        "kinaskak",
        4,
        {"first_contract": 2, "last_contract": 2, "lay_off": "next-turn", "max_jokers": 2},
    ),
    ("kinaskak", 5, {"last_contract": 1, "overbuy": "forbidden", "dispute": "seat", "buys": 1}),
    ("kinaskak", 6, {"first_contract": 2, "last_contract": 2}),
    ("siete-y-media", 2, {"deals": 4}),
    ("siete-y-media", 3, {"deals": 0, "chips": 10, "max_bet": 8}),
    ("siete-y-media", 4, {"deals": 5, "bank": "turn", "raises": False}),
    ("siete-y-media", 5, {"deals": 5, "bank": "fixed", "min_bet": 3, "max_bet": 9, "chips": 15}),
    ("siete-y-media", 6, {"deals": 4}),
    ("siete-y-media", 7, {"deals": 3, "chips": 12}),
    ("siete-y-media", 8, {"deals": 3}),
    ("tiny", 2, {}),
    ("tiny", 3, {"deals": 4}),
    ("tiny", 4, {}),
    ("domino", 2, {"set": "double-nine", "target": 1, "capicua": "on"}),
    ("truco", 2, {"target": 30, "flor": True}),
    ("truco", 4, {"target": 30, "flor": True, "envido_callers": "any"}),
]


NAMES = [f"{name}-{players}-{number}" for number, (name, players, _) in enumerate(MATCHES)]


def unplayed(number: int) -> Game:
    """Return an unplayed match."""
    name, players, options = MATCHES[number]
    return (
        Tiny(players, {"deals": 2} | options)
        if name == "tiny"
        else new_game(name, players, options)
    )


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
        play.act(seat, chance_for(play.game.name)(play.view(seat), random.randrange))
    yield play


def replayed(
    play: OpenDeck,
    number: int,
    count: int,
    laid: Any = None,
    seen: Callable[[OpenDeck], None] | None = None,
) -> OpenDeck:
    """Play the first answers of a match again, with the same decks or others; `seen` looks on
    before each and after."""
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
