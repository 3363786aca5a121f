"""Calls to zeroconf from trio: in a thread, with its exceptions as NoDiscovery."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import trio

from p2p.net.errors import NoDiscovery
from p2p.net.listen import number_of
from p2p.net.tasks import containing

T = TypeVar("T")

FILES = 24
"""The most files that zeroconf may open at its start: its loop, and sockets for each interface."""


def require_zeroconf() -> None:
    """Check that zeroconf can be imported. Raises NoDiscovery."""
    try:
        import zeroconf  # noqa: F401, PLC0415 -- 70 ms that only discovery needs
    except ImportError as error:
        raise NoDiscovery("not installed") from error


def require_files() -> None:
    """Check that zeroconf can open its files. Raises NoDiscovery.

    Without them zeroconf would wait for its loop for ever.
    """
    opened: list[int] = []
    try:
        opened.extend(os.open(os.devnull, os.O_RDONLY) for _file in range(FILES))
    except OSError as error:
        raise NoDiscovery("few files") from error
    finally:
        for file in opened:
            os.close(file)


async def in_thread(call: Callable[[], T], *, abandon: bool = True) -> T:
    """Call zeroconf in a thread. Raises NoDiscovery."""
    with obstacles():
        return await trio.to_thread.run_sync(call, abandon_on_cancel=abandon)


@contextmanager
def obstacles() -> Iterator[None]:
    """Raise NoDiscovery for the obstacles that zeroconf meets in the body."""
    from zeroconf import Error  # noqa: PLC0415 -- loaded already

    try:
        yield
    except (Error, OSError, RuntimeError) as error:
        raise NoDiscovery(_why(error)) from error


@contextmanager
def tried_again(failed: Callable[[Exception], object]) -> Iterator[None]:
    """Let a known obstacle pass, as between two networks; `failed` takes any other error."""
    with containing(failed):
        try:
            yield
        except NoDiscovery as error:
            if error.reason == "failed":
                raise


def _why(error: Exception) -> str:
    number = number_of(error)
    if number == errno.EADDRINUSE:
        return "port"
    if number in (errno.EACCES, errno.EPERM):
        return "forbidden"
    if number in (errno.ENETDOWN, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.ENODEV):
        return "no network"
    if number in (errno.EMFILE, errno.ENFILE):
        return "few files"
    return (
        "no network" if isinstance(error, RuntimeError) and "interfaces" in str(error) else "failed"
    )
