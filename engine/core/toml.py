"""Reading TOML that somebody else may have written: in a time that grows as its length does."""

from __future__ import annotations

import tomllib
from typing import Any

DOTS = 32
"""Dots in one line: `tomllib` needs time and memory by the square of a key's parts."""


def read_toml(data: str | bytes) -> dict[str, Any]:
    """Return the values of a file in TOML. ValueError.

    Also brackets or digits by the thousand, and lines with more dots than `DOTS`, are refused.
    """
    text = data.decode() if isinstance(data, bytes) else data
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > DOTS and not line.startswith("#"):
            raise ValueError(f"more than {DOTS} dots in line {number}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("brackets in brackets, too many") from None
