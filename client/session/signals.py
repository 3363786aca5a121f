"""Signals that end the program, where no event loop runs that would heed them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""A kill from outside, and a closed window; there is no SIGHUP on Windows."""


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Let the body end by SystemExit on a signal that ends a program, so that it cleans up. Only in the main thread."""
    before = {number: signal.signal(number, _exit) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _exit(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
