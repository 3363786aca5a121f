"""The chance of each side to win a match of dominoes.

It depends on the points that each side still needs, and on the opener of the next deal.

Points come one bunch after another, each to a side by lot: then the times at which the sides arrive
are independent of one another if the bunches arrive as a Poisson process does, and the chance to be
first is a sum over time. How large the bunches are was counted in matches of computer players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import mul
from typing import Any

from engine.games.domino.options import paid_passes

COUNTS: Mapping[str, Mapping[int, Mapping[int, float]]] = {
    "double-six": {
        2: {1: 0.06, 2: 0.54, 3: 0.16, 4: 0.11, 5: 0.06, 6: 0.04, 7: 0.03},
        3: {2: 0.27, 3: 0.31, 4: 0.25, 5: 0.13, 6: 0.04},
        4: {2: 0.22, 3: 0.27, 4: 0.22, 5: 0.12, 6: 0.08, 7: 0.09},
    },
    "double-nine": {
        2: dict(enumerate((0.27, 0.21, 0.17, 0.1, 0.09, 0.08, 0.04, 0.03, 0.01), 2)),
        3: dict(
            enumerate((0.14, 0.18, 0.16, 0.14, 0.13, 0.09, 0.05, 0.04, 0.03, 0.01, 0.01, 0.02), 2)
        ),
        4: dict(
            enumerate(
                (0.07, 0.13, 0.16, 0.16, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.02, 0.03), 2
            )
        ),
    },
}
"""By the set of tiles and the number of seats: how often a deal is worth each number of points."""
PASSES: Mapping[int, float] = {2: 0.55, 3: 1.9, 4: 4.0}
"""By the number of seats: the passes that bring points, for each deal."""
OPENING: Mapping[str, Mapping[int, float]] = {
    "double-six": {2: 0.56, 3: 0.4, 4: 0.37},
    "double-nine": {2: 0.61, 3: 0.44, 4: 0.33},
}
"""By the set of tiles and the number of sides: how likely the opener's side wins the deal."""
STEP = 0.2
"""How likely a side gains a bunch in one step of time."""
FAR = 60
"""The most points that are reckoned with; where sides need more, the nearest is what counts."""


class Race:
    """The rest of a match, for these options."""

    def __init__(self, seats: int, sides: int, options: Mapping[str, Any]) -> None:
        """Take the numbers of seats and of sides, and the options of the match."""
        passes = PASSES[seats] if paid_passes(options) == "each" else 0.0
        counts = COUNTS[options["set"]][seats]
        bunches = {points: often / (1 + passes) for points, often in counts.items()}
        bunches[2] = bunches.get(2, 0.0) + passes / (1 + passes)
        self._bunches = tuple(sorted(bunches.items()))
        self._counts = tuple(counts.items())
        self._opening = OPENING[options["set"]][sides]
        self._next: dict[tuple[tuple[int, ...], int], tuple[float, ...]] = {}

    def chances(self, needs: Sequence[int], opener: int) -> tuple[float, ...]:
        """Return the chance of each side, given its needed points and the next opener.

        The opener is the side that opens the next deal.
        """
        key = tuple(needs), opener
        if key not in self._next:
            self._next[key] = self._after_a_deal(*key)
        return self._next[key]

    def _after_a_deal(self, needs: tuple[int, ...], opener: int) -> tuple[float, ...]:
        if min(needs) <= 0:
            there = [need <= 0 for need in needs]
            return tuple([float(first) / sum(there) for first in there])
        found = [0.0] * len(needs)
        for side in range(len(needs)):
            wins = self._opening if side == opener else (1 - self._opening) / (len(needs) - 1)
            for points, often in self._counts:
                following = _first(
                    self._bunches,
                    tuple([need - points * (side == there) for there, need in enumerate(needs)]),
                )
                found = [
                    chance + wins * often * then
                    for chance, then in zip(found, following, strict=True)
                ]
        return tuple(found)


def _first(bunches: tuple[tuple[int, float], ...], needs: tuple[int, ...]) -> tuple[float, ...]:
    """Return how likely each side is the first to have the points it needs."""
    chances = _first_of(bunches, tuple(sorted(needs)))
    return tuple([chances[need] for need in needs])


@lru_cache(maxsize=1 << 14)
def _first_of(bunches: tuple[tuple[int, float], ...], needs: tuple[int, ...]) -> dict[int, float]:
    """Return the chance of a side by its need, given all needs in order.

    Sides that need as much have the same chance.
    """
    if needs[0] <= 0:
        return {need: float(need <= 0) for need in needs}
    cut = max(0, needs[-1] - FAR)
    waits = [_waits(bunches)[max(1, need - cut)] for need in needs]
    found: dict[int, float] = {}
    whole = 0.0
    for side, need in enumerate(needs):
        if need not in found:
            arrives: Iterable[float] = waits[side].arrives
            for other, wait in enumerate(waits):
                if other != side:
                    arrives = map(mul, arrives, wait.waiting)
            found[need] = sum(arrives)
        whole += found[need]
    return {need: chance / whole for need, chance in found.items()}


@dataclass(frozen=True)
class _Wait:
    """A wait until a side has the points that it needs.

    For each step, it has the chance that the wait ends there, and the chance that it still lasts.
    """

    arrives: list[float]
    waiting: list[float]


@lru_cache(maxsize=16)
def _waits(bunches: tuple[tuple[int, float], ...]) -> list[_Wait]:
    """Return the wait for each need, from 0."""
    return [
        _Wait(
            [before - now for before, now in pairwise(column)],
            [(before + now) / 2 for before, now in pairwise(column)],
        )
        for column in _columns(bunches)
    ]


def _columns(bunches: tuple[tuple[int, float], ...]) -> list[tuple[float, ...]]:
    """Return for each need, from 0, how likely it is not yet met after each step."""
    now = [0.0] + [1.0] * FAR
    rows = [now]
    while now[-1] > 1e-4:
        before = now
        now = [0.0] * (FAR + 1)
        for need in range(1, FAR + 1):
            waiting = sum(
                [often * before[need - points] for points, often in bunches if points < need]
            )
            now[need] = (1 - STEP) * before[need] + STEP * waiting
        rows.append(now)
    return list(zip(*rows, strict=True))
