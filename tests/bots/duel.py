"""Measure the player of a game against the opponents here, or against the player of another
checkout: `python -m tests.bots.duel GAME [NAME ...] [--other FOLDER] [--matches N]`.

Duplicate deals: every order of cards is played twice, with the seats exchanged. Shares have their
95 % intervals; milliseconds are those of the processor, as the machine may be busy with other
things.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.players import wilson
from engine.bots import Bot, bot_for
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from tests.bots.elsewhere import Elsewhere
from tests.bots.opponents import LEAGUE


@dataclass
class Measured:
    """The outcome of matches against one opponent."""

    matches: int
    won: int = 0
    lost: int = 0
    took: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        low, high = wilson(self.won, self.matches)
        took = sorted(self.took)
        percent = [
            100 * share for share in (self.won / self.matches, low, high, self.lost / self.matches)
        ]
        times = [took[len(took) // 2], took[len(took) * 99 // 100], took[-1]]
        return "won {:.1f} % ({:.1f} to {:.1f}), lost {:.1f} %".format(
            *percent
        ) + "; ms {:.1f}, 99 % {:.1f}, max {:.1f}".format(*times)


def measured(
    game: str,
    other: Bot | Elsewhere,
    matches: int,
    seats: int = 2,
    options: dict[str, Any] | None = None,
) -> Measured:
    """Play so many matches against an opponent; both have every other seat."""
    found = Measured(matches)
    for number in range(matches):
        mine = number % 2
        won = {seat % 2 for seat in _match(game, other, number, seats, options or {}, found.took)}
        found.won += won == {mine}
        found.lost += won == {1 - mine}
    return found


def _match(
    game: str,
    other: Bot | Elsewhere,
    number: int,
    seats: int,
    options: dict[str, Any],
    took: list[float],
) -> tuple[int, ...]:
    seed, mine, player = number // 2, number % 2, bot_for(game)
    cards, whims = random.Random(seed), random.Random(seed + 10**6 * mine)
    deck = OpenDeck(
        new_game(game, seats, options), shuffled(cards.randrange), cards.randrange(seats)
    )
    if isinstance(other, Elsewhere):
        other.begin(game, seats, options, seed)
    while deck.turn:
        seat = deck.turn[0]
        if seat % 2 == mine:
            view = deck.view(seat)
            began = time.process_time()
            move = player(view, whims.randrange)
            took.append(1000 * (time.process_time() - began))
        elif isinstance(other, Elsewhere):
            move = other.choose(deck, seat)
        else:
            move = other(deck.view(seat), whims.randrange)
        if isinstance(other, Elsewhere):
            other.made(deck, seat, move)
        deck.act(seat, move)
    return deck.game.winners


def league(arguments: Sequence[str] | None = None) -> Iterator[str]:
    """Yield a line for each opponent."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=list(LEAGUE))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--other", type=Path)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--seats", type=int, default=2)
    args = parser.parse_args(arguments)
    if args.other is not None:
        other = Elsewhere(args.other)
        yield f"{args.other.name:18} {measured(args.game, other, args.matches, args.seats)}"
        other.end()
        return
    for name in args.names or LEAGUE[args.game]:
        yield f"{name:18} {measured(args.game, LEAGUE[args.game][name], args.matches, args.seats)}"


if __name__ == "__main__":
    for line in league():
        print(line, flush=True)
