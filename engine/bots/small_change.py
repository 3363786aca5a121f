"""Many small random numbers from one large one, for players that try moves hundreds of times.

The caller gives a seed. Nothing here is fit to keep a secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.core.moves import Choose

T = TypeVar("T")

SEEDS = 2**48


class Dice:
    """A linear congruential generator (Knuth's MMIX, upper bits) that starts at a drawn number."""

    def __init__(self, choose: Choose) -> None:
        """Draw the seed."""
        self._state = choose(SEEDS)

    @classmethod
    def at(cls, seed: int) -> Dice:
        """Return the numbers that begin with a seed."""
        return cls(lambda _: seed)

    def below(self, count: int) -> int:
        """Return a number from 0 to count - 1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self._state >> 33) % count

    def take(self, items: list[T], count: int) -> list[T]:
        """Remove `count` items and return them."""
        taken = []
        for _ in range(count):
            place = self.below(len(items))
            items[place], items[-1] = items[-1], items[place]
            taken.append(items.pop())
        return taken

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in any order: Fisher and Yates."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found
