"""Reading TOML that somebody else may have written: in a time that grows as its length does."""

from __future__ import annotations

import tomllib
from typing import Any

DOTS = 32
"""Dots in one line: `tomllib` needs time and memory by the square of a key's parts."""


def read_toml(data: str | bytes) -> dict[str, Any]:
    """Return the values of a file in TOML. ValueError.

    Also brackets by the thousand, whole numbers of more than 64 bits, and lines with more dots than
    `DOTS`, are refused.
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
    """Require 64 bits, as TOML does: a longer one in hexadecimal could not be shown. ValueError."""
    left: list[Any] = [found]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        elif isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise ValueError("a whole number of more than 64 bits")
