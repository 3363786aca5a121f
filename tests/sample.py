"""A sample of the values that a test tries belongs to every check; the rest to `scripts/soak`."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import Any

import pytest


def sample(values: Iterable[Any], count: int, *, rows: bool = False) -> list[Any]:
    """Return values to parametrize a test with: every check tries the first `count` of them,
    `scripts/soak` the others.

    `rows` says that each value is a row of several arguments.
    """
    return [
        value
        if number < count
        else pytest.param(*(value if rows else (value,)), marks=pytest.mark.soak)
        for number, value in enumerate(values)
    ]


def pairs(first: Iterable[Any], second: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Return all pairs of two lists. Each value of both occurs in the first pairs, which are as
    many as the longer list has."""
    ones, others = list(first), list(second)
    count = max(len(ones), len(others))
    shifts = range(min(len(ones), len(others)))
    return [
        (ones[place % len(ones)], others[(place + shift) % len(others)])
        if len(ones) >= len(others)
        else (ones[(place + shift) % len(ones)], others[place % len(others)])
        for shift in shifts
        for place in range(count)
    ]


def odds(wins: int, matches: int, share: float) -> float:
    """Return how likely a player wins at least so many matches, if it wins each with this
    probability."""
    return sum(
        comb(matches, count) * share**count * (1 - share) ** (matches - count)
        for count in range(wins, matches + 1)
    )
