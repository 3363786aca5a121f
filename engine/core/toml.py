"""Read TOML that somebody else may have written, in linear time."""

from __future__ import annotations

import tomllib
from typing import Any

DOTS = 32
"""The most dots in one line: `tomllib` needs quadratic time and memory in a key's parts."""


def read_toml(data: str | bytes) -> dict[str, Any]:
    """Return the values of a file in TOML. Raises ValueError.

    Deeply nested brackets, whole numbers of more than 64 bits, and lines with more dots than `DOTS`
    are rejected.
    """
    text = data.decode() if isinstance(data, bytes) else data
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > DOTS and not line.startswith("#"):
            raise ValueError(f"more than {DOTS} dots in line {number}")
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError("brackets in brackets, too many") from None
    _require_short_numbers(found)
    return found


def _require_short_numbers(found: dict[str, Any]) -> None:
    """Require 64 bits, as TOML does: longer hexadecimal ones could not be shown. ValueError."""
    left: list[Any] = [found]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        elif isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise ValueError("a whole number of more than 64 bits")
