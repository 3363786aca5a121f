"""A sample of what a test tries belongs to every check; the rest belongs to `scripts/soak`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sample(values: Iterable[Any], count: int) -> list[Any]:
    """Return values to parametrize a test with: every check tries the first `count` of them, `scripts/soak` the others."""
    return [value if number < count else pytest.param(value, marks=pytest.mark.soak) for number, value in enumerate(values)]
