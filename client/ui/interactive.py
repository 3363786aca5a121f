"""Whether a person sits at a terminal, and whether that terminal has a cursor to be moved."""

from __future__ import annotations

import os
import sys


def interactive() -> bool:
    """Whether a person sits at a terminal, both to read and to type."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_dumb() -> bool:
    """Whether the terminal only prints lines: it moves no cursor, and knows no colours."""
    return os.environ.get("TERM", "").casefold() in ("dumb", "unknown")
