"""Many matches in bad weather, over the stand-in group or the real one: nobody honest is ever
accused, and all logs are equal.

    python -m tests.soak domino --matches 500
    python -m tests.soak domino --matches 50 --real

Every match is a function of its number. One that fails is named, with the command that plays it
again.
"""

from __future__ import annotations

import argparse
import sys
import time
from random import Random
from typing import Any

from engine.bots import bot_for, chance_for
from engine.games import GAMES
from p2p.table.events import Accused, Differs
from p2p.table.replay import verify_log
from tests.properties.matches import MATCHES
from tests.standin import standin_group
from tests.table.weather import Storm

LONGER: list[tuple[str, int, dict[str, Any]]] = [
    ("kinaskak", 6, {"first_contract": 7, "last_contract": 8}),
    ("kinaskak", 3, {"last_contract": 2}),
]
"""Matches of several rounds that are too long for the property tests."""
RARE = 50
"""One match in so many is one of the longer ones: each takes minutes in bad weather."""


class Gale(Storm):
    """Bad weather in which tables also work at the next deck, at any time."""

    def deliver(self) -> bool:
        if self._chance.random() < 0.1:
            self.tables[self._chance.randrange(len(self.tables))].make_ahead()
        return super().deliver()


def play(game: str, number: int, *, real: bool = False) -> str:
    """Play one match; return what is wrong with it, or nothing."""
    usual, longer = ([kind for kind in kinds if kind[0] == game] for kinds in (MATCHES, LONGER))
    kinds = longer if longer and number % RARE == RARE - 1 else usual
    _, players, options = kinds[number % len(kinds)]
    group = None if real else standin_group()
    chance = Random(f"soak {game} {number}")
    player = (bot_for if number % 2 else chance_for)(game)
    ring = Gale(game, players, weather=number, seed=f"soak {number}", group=group, **options)
    ring.play(lambda view: player(view, chance.randrange))
    told = [event for events in ring.events for event in events]
    if accused := [event for event in told if isinstance(event, Accused)]:
        return f"somebody honest is accused: {accused[0].fault}"
    if any(isinstance(event, Differs) for event in told):
        return "heads differ"
    if not all(table.sealed for table in ring.tables):
        return f"not sealed; waiting for {[table.waiting for table in ring.tables]}"
    if len(set(ring.logs)) != 1:
        return "the logs differ"
    if number % 10 == 0 and not verify_log(ring.logs[0], group).complete:
        return "the log does not verify"
    return ""


def main() -> int:
    """Play them all, and print a summary."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument(
        "--real", action="store_true", help="over ristretto255 instead of the stand-in group"
    )
    args = parser.parse_args()
    began = time.monotonic()
    bad = 0
    for number in range(args.first, args.first + args.matches):
        try:
            wrong = play(args.game, number, real=args.real)
        except Exception as error:  # noqa: BLE001 - of any kind: the match that shows it is to be named
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            bad += 1
            real = " --real" if args.real else ""
            print(
                f"match {number}: {wrong}\n  python -m tests.soak {args.game} --first {number} "
                f"--matches 1{real}",
                flush=True,
            )
    seconds = time.monotonic() - began
    group = "ristretto255" if args.real else "the stand-in group"
    print(
        f"{args.game}: {args.matches} matches over {group} in {seconds:.0f} s, {bad} of them wrong"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
