"""Listening: one port for IPv4 and IPv6, and a limit on connections without a proven identity."""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import trio

from p2p.net.addresses import PORTS, Address, ip_address, origin
from p2p.net.errors import NoSuchInterface, PortInUse
from p2p.net.timeouts import Limits

_TRIES = 20

T = TypeVar("T")


async def open_listeners(interface: str | None, port: int | None) -> list[trio.SocketListener]:
    """Listen on one port number, on `interface` or on all interfaces.

    If `port` is None, take the first free one of `PORTS`, else any; 0 means any. PortInUse if that
    very port cannot be had, or NoSuchInterface.
    """
    hosts = ["0.0.0.0", "::"] if interface is None else [interface]  # noqa: S104 -- a table is for everybody on the LAN
    wanted: Iterable[int] = (
        [*PORTS, *[0] * _TRIES] if port is None else [port] if port else [0] * _TRIES
    )
    for number in wanted:
        listeners = await _open_all(hosts, number)
        if listeners:
            return listeners
    raise PortInUse(port or 0)


async def _open_all(hosts: list[str], port: int) -> list[trio.SocketListener]:
    """Listen at all hosts on one port number; return an empty list if it is taken."""
    listeners: list[trio.SocketListener] = []
    try:
        for host in hosts:
            listeners += await trio.open_tcp_listeners(port, host=host)
            port = port_of(listeners[0])  # IPv6 takes the number that IPv4 was given
    except OSError as error:
        # This machine has IPv4 only.
        if listeners and number_of(error) in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
            return listeners
        for listener in listeners:
            await listener.aclose()
        if number_of(error) in (errno.EADDRINUSE, errno.EACCES, errno.EPERM):
            return []
        raise NoSuchInterface(hosts[-1]) from error
    return listeners


def port_of(listener: trio.SocketListener) -> int:
    """Return the port number of a listener."""
    return int(listener.socket.getsockname()[1])


def number_of(error: BaseException | None) -> int | None:
    """Return the errno of an OSError, or of the first such error among its causes."""
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        if isinstance(error, BaseExceptionGroup):
            return number_of(error.exceptions[0])
        error = error.__cause__
    return None


def remote_address(stream: trio.SocketStream) -> Address:
    """Return the address of the other end, scoped if link-local; OSError if it is gone."""
    return _plain(stream.socket.getpeername())


def own_host(stream: trio.SocketStream) -> str | None:
    """Return our own address of a connection, scoped if link-local; None if it is gone."""
    try:
        return _plain(stream.socket.getsockname())[0]
    except OSError:
        return None


def _plain(name: tuple[Any, ...]) -> Address:
    """Return a socket's address in our spelling."""
    host, port, *scope = name
    ip = ip_address(host)
    if ip is not None and ip.version == 6:
        if ip.ipv4_mapped is not None:
            host = str(ip.ipv4_mapped)
        elif ip.is_link_local and scope and scope[-1]:
            host = f"{host.split('%')[0]}%{scope[-1]}"
    return host, port


class PendingConnections:
    """Connections whose peer has not yet proven an identity.

    All are accepted; over the limit, one is closed.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._inside: dict[trio.CancelScope, str] = {}

    @contextmanager
    def inside(self, host: str) -> Iterator[trio.CancelScope]:
        """Count a connection from this host until the body ends.

        The scope is cancelled if the connection must give way to another.
        """
        with trio.CancelScope() as scope:
            self._inside[scope] = origin(host)
            for gone in crowded_out(self._inside, self._limits.handshakes):
                del self._inside[gone]
                gone.cancel()
            try:
                yield scope
            finally:
                self._inside.pop(scope, None)

    @property
    def pending(self) -> int:
        """The number of pending connections."""
        return len(self._inside)


def crowded_out(origins: Mapping[T, str], limit: int) -> list[T]:
    """Return the strangers to close so that at most `limit` stay; `origins` has the oldest first.

    Each is the oldest of the most frequent origin, so a flood displaces only its own. An additional
    limit per origin would shut out honest people who share one with a stranger, or let them
    displace each other for ever: a household behind one address, or a whole LAN in IPv6.
    """
    left, gone = dict(origins), []
    while len(left) > limit:
        crowd = Counter(left.values())
        most = max(crowd.values())
        gone.append(next(one for one, where in left.items() if crowd[where] == most))
        del left[gone[-1]]
    return gone
