"""Signals that end the program: at a checkpoint of trio, or outside of any event loop."""

from __future__ import annotations

import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar, TypeVarTuple

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""A kill from outside, and a closed window; Windows has no SIGHUP."""


def run_trio(main: Callable[[*Arguments], Awaitable[Result]], *arguments: *Arguments) -> Result:
    """Run `main` in trio until it returns.

    Ctrl-C raises KeyboardInterrupt only at a checkpoint. Elsewhere it could fall between the
    creation of a coroutine and its start, and Python would print a warning.
    """
    import trio  # noqa: PLC0415 - takes longer to load than a page takes to be opened

    return trio.run(main, *arguments, restrict_keyboard_interrupt_to_checkpoints=True)  # noqa: TID251 - the one place


async def heed_signals(end: Callable[[int], None]) -> None:
    """Call `end` with the exit status on a signal that ends a program, until cancelled."""
    import trio  # noqa: PLC0415 - takes longer to load than a page takes to be opened

    with trio.open_signal_receiver(*ENDING) as caught:
        async for number in caught:
            end(128 + number)


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Raise SystemExit in the body on a signal that ends a program, so that it cleans up.

    Only in the main thread.
    """
    before = {number: signal.signal(number, _exit) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def late_signals() -> Iterator[None]:
    """Delay signals that end a program until the end of the body, which loads modules.

    Only in the main thread. Python drops an exception raised while it removes a module's lock, so
    such a signal could be lost.
    """
    caught: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _frame: caught.append(number))
        for number in (signal.SIGINT, *ENDING)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in caught:
            signal.raise_signal(number)


def _exit(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)
