"""The number of columns in which the terminal draws a text: we ask it where the cursor is then."""

from __future__ import annotations

import os
import re
import select
import sys
import time

ANSWER_S = 0.5
"""Seconds in which a terminal that answers at all does so, through a slow network too."""
_WHERE = b"\x1b[6n"
_HERE = re.compile(rb"\x1b\[\d+;(\d+)R")
_CLEAR = b"\r\x1b[K"


def drawn_columns(text: str) -> int | None:
    """Draw a text at the left of this line, and wipe it away again; return its columns.

    None if there is no terminal to ask, or it does not answer.
    """
    if sys.platform == "win32":
        return None
    import termios  # noqa: PLC0415 - not on Windows
    import tty  # noqa: PLC0415 - not on Windows

    try:
        source, target = sys.stdin.fileno(), sys.stdout.fileno()
        before = termios.tcgetattr(source)
    except (OSError, ValueError, termios.error):
        return None
    sys.stdout.flush()
    try:
        tty.setcbreak(source, termios.TCSANOW)
        os.write(target, b"\r" + text.encode() + _WHERE)
        found = _HERE.search(_answer(source))
        os.write(target, _CLEAR)
    except OSError:
        return None
    finally:
        termios.tcsetattr(source, termios.TCSANOW, before)
    return int(found[1]) - 1 if found else None


def _answer(source: int) -> bytes:
    """Read until the terminal has told the place of its cursor, or its time is over."""
    until, heard = time.monotonic() + ANSWER_S, b""
    while not _HERE.search(heard):
        left = until - time.monotonic()
        if left <= 0 or not select.select([source], [], [], left)[0]:
            break
        heard += os.read(source, 64)
    return heard
