"""The arithmetic of dominoes: pips, doubles, and the value of a count. It uses faces only."""

from __future__ import annotations

from engine.core.cards import pips
from engine.core.moves import Face


def weight(face: Face) -> int:
    """R1. The sum of a tile's two numbers."""
    return sum(pips(face))


def is_double(face: Face) -> bool:
    """Whether a tile's two numbers are equal."""
    high, low = pips(face)
    return high == low


def points_for(total: int) -> int:
    """R12. The points for these pips: 1 up to 2, 2 up to 20, then one more for each ten begun."""
    return 1 if total <= 2 else max(2, -(-total // 10))
