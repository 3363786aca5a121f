"""A sample of what a test tries belongs to every check; the rest belongs to `scripts/soak`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sample(values: Iterable[Any], count: int, *, rows: bool = False) -> list[Any]:
    """Return values to parametrize a test with: every check tries the first `count` of them, `scripts/soak` the others.

    `rows` says that each value is a row of several arguments.
    """
    return [
        value if number < count else pytest.param(*(value if rows else (value,)), marks=pytest.mark.soak)
        for number, value in enumerate(values)
    ]
