"""The arithmetic of dominoes: pips, the order of tiles for opening, and the value of a count.

Faces only, no state.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.core.cards import DOMINOES, pips
from engine.core.moves import Face


def weight(face: Face) -> int:
    """R1. The sum of a tile's two numbers."""
    return sum(pips(face))


def is_double(face: Face) -> bool:
    """Whether a tile's two numbers are the same."""
    high, low = pips(face)
    return high == low


def points_for(total: int) -> int:
    """R12. The value of so many pips: 1 up to 2, 2 up to 20, then one more for every ten begun."""
    return 1 if total <= 2 else max(2, -(-total // 10))


def outside(numbers: Collection[int]) -> list[Face]:
    """C3. The tiles with none of these numbers."""
    return [face for face in DOMINOES if not set(pips(face)).intersection(numbers)]


def _rank(face: Face) -> tuple[bool, int, int]:
    return is_double(face), weight(face), pips(face)[0]


BY_RANK: tuple[Face, ...] = tuple(sorted(DOMINOES, key=_rank, reverse=True))
"""R4. The holder of the first of these that is held opens: doubles from 6-6 down, then by pips,
then by the larger number."""
