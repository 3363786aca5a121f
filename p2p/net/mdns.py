"""Calls to zeroconf from trio: in a thread, and what it raises as one error of ours."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import TypeVar

import trio

from p2p.net.errors import NoDiscovery
from p2p.net.listen import number_of

T = TypeVar("T")

REASONS = {
    "no network": "this machine is on no network",
    "port": "another program keeps port 5353 for itself",
    "forbidden": "the system does not allow it",
    "failed": "zeroconf does not work here",
}


async def in_thread(call: Callable[[], T], *, abandon: bool = True) -> T:
    """Call zeroconf in a thread; what it raises becomes NoDiscovery."""
    from zeroconf import Error  # noqa: PLC0415 -- loaded already

    try:
        return await trio.to_thread.run_sync(call, abandon_on_cancel=abandon)
    except (Error, OSError, RuntimeError, TimeoutError, ValueError) as error:
        raise NoDiscovery(REASONS[_why(error)]) from error


def _why(error: Exception) -> str:
    number = number_of(error)
    if number == errno.EADDRINUSE:
        return "port"
    if number in (errno.EACCES, errno.EPERM):
        return "forbidden"
    if number in (errno.ENETDOWN, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.ENODEV):
        return "no network"
    return "no network" if isinstance(error, RuntimeError) and "interfaces" in str(error) else "failed"
