"""Whether a person sits at a terminal, whether it has a cursor to be moved, and its letters."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def interactive() -> bool:
    """Whether a person sits at a terminal, both to read and to type."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_dumb() -> bool:
    """Whether the terminal only prints lines: it moves no cursor, and knows no colours."""
    return os.environ.get("TERM", "").casefold() in ("dumb", "unknown")


def only_ascii(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal is said to know no UTF-8.

    If nothing is said, it is taken to know UTF-8, as nearly all terminals do by now.
    """
    said = next(
        (value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := environment.get(name))),
        "UTF-8",
    )
    return os.name == "posix" and "utf" not in said.lower()
