"""The few colours of plain lines, and whether the user wants them.

Colour only decorates: nothing is said by colour alone.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from client.ui.interactive import is_dumb

RED, GREEN, YELLOW = "31", "32", "33"


def colorful(choice: str, stream: TextIO) -> bool:
    """Return whether to write colours, given the value of `--color`.

    `auto` means on a terminal, unless NO_COLOR is set.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or is_dumb() or not stream.isatty():
        return False
    # old Windows consoles would show the codes as litter
    return sys.platform != "win32" or "WT_SESSION" in os.environ


def painted(text: str, color: str, *, on: bool) -> str:
    """Return text in a colour, or as it is."""
    return f"\x1b[{color}m{text}\x1b[0m" if on else text
