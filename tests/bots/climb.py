"""A learned reply to the strongest player of a game: its own code with other numbers.

`python -m tests.bots.climb GAME [--minutes N] [--matches N]`.

The numbers are learned from deals against the player: each is changed a little by lot, the deal is
played with the change and with its opposite, and the difference says in which direction to go
(evolution strategies: Salimans et al., arXiv 1703.03864). Then it plays whole matches.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from math import exp, sqrt
from random import Random
from types import ModuleType

import engine.bots
from engine.bots import MODULES, Bot, bot_for
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from tests.bots.duel import measured

SPREAD = 0.35
"""How far the numbers are changed by lot; they are multiplied by the exponential."""
STEP = 0.06
FURTHEST = 1.6
PAIRS = 8
"""Deals between two steps."""
NUMBERS: Mapping[str, tuple[str, ...]] = {
    "kinaskak": (
        "TURN",
        "STEP",
        "A_TURN",
        "DEAD",
        "TOO_LATE",
        "BOUGHT",
        "SPARE",
        "DRAWN",
        "FITS_SOON",
        "TAKEN_OFF",
        "GIVEN",
        "HELPED",
        "HELPED_LATER",
    ),
    "escoba": (
        "ESKOBA",
        "SEVEN_OF_GOLDS",
        "SEVEN",
        "GOLD",
        "CARD",
        "SECURED",
        "HELD",
        "LAST_SWEEP",
        "EXPOSED",
        "BY_EYE",
    ),
    "domino": ("WHIM", "SERVES", "CURIOUS"),
}
"""By game: the numbers of its modules that are learned."""
SEATS = {"kinaskak": 3}


def modules_of(game: str) -> dict[str, ModuleType]:
    """Return the player's modules, loaded again beside those that are in use."""
    name = MODULES[game]
    import_module(name)
    kept = {key: module for key, module in sys.modules.items() if key.startswith(name)}
    for key in kept:
        del sys.modules[key]
    try:
        import_module(name)
        return {key: module for key, module in sys.modules.items() if key.startswith(name)}
    finally:
        sys.modules.update(kept)
        for key, module in kept.items():
            setattr(engine.bots, key.rpartition(".")[2], module)


class Changed:
    """The strongest player with other numbers."""

    def __init__(self, game: str) -> None:
        modules = modules_of(game)
        self._caches = [
            one
            for module in modules.values()
            for one in vars(module).values()
            if hasattr(one, "cache_clear") and one.__module__ == module.__name__
        ]
        self._main = modules[MODULES[game]]
        self._places: list[tuple[str, int | float, list[ModuleType]]] = []
        for name in NUMBERS[game]:
            having = [one for one in modules.values() if isinstance(vars(one).get(name), float)]
            having = having or [one for one in modules.values() if name in vars(one)]
            self._places.append((name, vars(having[0])[name], having))
        self.play: Bot = self._main.play

    def change(self, by: Mapping[str, float]) -> None:
        """Multiply the numbers by the exponentials."""
        for name, first, modules in self._places:
            new = first * exp(by.get(name, 0.0))
            for module in modules:
                setattr(module, name, max(1, round(new)) if isinstance(first, int) else new)
        for cache in self._caches:
            cache.cache_clear()
        if hasattr(self._main, "styled"):  # a style has taken a number when it was made
            bought = next(vars(at[0])[name] for name, _, at in self._places if name == "BOUGHT")
            self.play = self._main.styled(self._main.Style(bought=bought))


@dataclass
class Table:
    """Deals of a game between a reply, which has one seat, and the player."""

    game: str

    def margin(self, reply: Bot, seed: int) -> float:
        """Return the points of the reply over the others' after a deal."""
        seats = SEATS.get(self.game, 2)
        cards, mine = Random(seed), seed % seats
        options = {"first_contract": 1 + seed // seats % 8} if self.game == "kinaskak" else {}
        deck = OpenDeck(
            new_game(self.game, seats, options), shuffled(cards.randrange), cards.randrange(seats)
        )
        player, whims = bot_for(self.game), Random(seed)
        while deck.turn and deck.game.round == 1:
            seat = deck.turn[0]
            bot = reply if seat == mine else player
            deck.act(seat, bot(deck.view(seat), whims.randrange))
        score = deck.game.score
        over = score[mine] - (sum(score) - score[mine]) / (seats - 1)
        return -over if self.game == "kinaskak" else over


def learned(game: str, seconds: float, seed: int = 1) -> dict[str, float]:
    """Return the changes learned in so much time of the processor."""
    random, reply, table = Random(seed), Changed(game), Table(game)
    now = dict.fromkeys(NUMBERS[game], 0.0)
    mean, square = dict.fromkeys(now, 0.0), dict.fromkeys(now, 0.0)
    sums, kept, came, steps = dict.fromkeys(now, 0.0), 0, 0.0, 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        slope = dict.fromkeys(now, 0.0)
        for _ in range(PAIRS):
            deal, by = random.randrange(10**9), {name: random.gauss(0, 1) for name in now}
            got = []
            for sign in (1, -1):
                reply.change({name: now[name] + sign * SPREAD * by[name] for name in now})
                got.append(table.margin(reply.play, deal))
            came += sum(got) / 2
            for name, part in by.items():
                slope[name] += (got[0] - got[1]) * part / PAIRS
        steps += 1
        for name, one in slope.items():
            mean[name] += 0.1 * (one - mean[name])
            square[name] += 0.03 * (one**2 - square[name])
            fresh = mean[name] / (1 - 0.9**steps)
            scale = sqrt(square[name] / (1 - 0.97**steps)) or 1.0
            now[name] = max(-FURTHEST, min(FURTHEST, now[name] + STEP * fresh / scale))
        if spent > seconds / 2:  # the mean of the second half is the steadier
            kept += 1
            sums = {name: sums[name] + now[name] for name in now}
        if steps % 20 == 0:
            numbers = ", ".join(f"{name} {exp(by):.2f}" for name, by in now.items())
            print(f"{steps * PAIRS} pairs, {came / steps / PAIRS:+.3f}; {numbers}", flush=True)
    return {name: sums[name] / kept for name in now} if kept else now


def main() -> None:
    """Learn a reply, and play it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=list(NUMBERS))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--matches", type=int, default=400)
    args = parser.parse_args()
    changes = learned(args.game, 60 * args.minutes)
    print({name: round(by, 2) for name, by in changes.items()}, flush=True)
    reply = Changed(args.game)
    reply.change(changes)
    found = measured(args.game, reply.play, args.matches, SEATS.get(args.game, 2))
    print("the player against it:", found)


if __name__ == "__main__":
    main()
