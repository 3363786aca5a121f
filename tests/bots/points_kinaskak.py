"""Fit the points of Kínaskák that a unit of its player's cost is worth.

`python -m tests.bots.points_kinaskak [--matches N]`.

Players of two strengths play matches of three and four. Of each seat and round, the cost of the
best move at the first question is set beside the points that the seat had at the end of the round:
once for its first question at all, and once for its first question when it is down. The slope is
that of least squares within each contract.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from random import Random

from engine.bots.kinaskak import CHARACTERS, valued
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.kinaskak.moves import Meld
from engine.games.kinaskak.rules import Kinaskak

STRONGEST = 0.8
"""The share of moves made by the strongest player, the others by the second."""


def slope(groups: Iterable[Sequence[tuple[float, float]]]) -> tuple[float, float]:
    """Return the common slope of these groups of (x, y), and half its 95 % interval."""
    centred: list[tuple[float, float]] = []
    free = -1
    for group in groups:
        middle = [sum(values) / len(group) for values in zip(*group, strict=True)]
        centred += [(x - middle[0], y - middle[1]) for x, y in group]
        free += len(group) - 1
    xx = sum(x * x for x, _y in centred)
    xy = sum(x * y for x, y in centred)
    rest = sum((y - xy / xx * x) ** 2 for x, y in centred)
    return xy / xx, 1.96 * sqrt(rest / free / xx)


def played(number: int) -> Iterator[tuple[bool, int, float, int]]:
    """Play a match.

    Yield for each noted question whether the seat was down, the contract, the cost of the best
    move, and the points that the seat had at the end of the round.
    """
    chance = Random(number)
    seats = 3 + number % 2
    match = OpenDeck(
        new_game("kinaskak", seats, {}), shuffled(chance.randrange), chance.randrange(seats)
    )
    noted: dict[tuple[int, bool], tuple[int, float]] = {}
    while match.turn:
        seat, game = match.turn[0], match.game
        assert isinstance(game, Kinaskak)
        view, counted = match.view(seat), len(game.sheet)
        best = valued(view)[0]
        if not isinstance(best.move, Meld):
            noted.setdefault((seat, game.down[seat]), (game.contract, -best.value))
        strong = chance.random() < STRONGEST
        match.act(seat, CHARACTERS[not strong].play(view, chance.randrange))
        if len(game.sheet) > counted:
            for (who, down), (contract, cost) in noted.items():
                yield down, contract, cost, game.sheet[-1][who]
            noted.clear()


def main() -> None:
    """Print the slopes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=400)
    found: dict[bool, dict[int, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for number in range(parser.parse_args().matches):
        for down, contract, cost, points in played(number):
            found[down][contract].append((cost, points))
    for down, groups in sorted(found.items()):
        points, half = slope(groups.values())
        rounds = sum(map(len, groups.values()))
        name = "down" if down else "not down"
        print(f"{name}: {points:.3f} ± {half:.3f} points a unit, from {rounds} rounds")


if __name__ == "__main__":
    main()
