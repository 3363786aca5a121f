"""Limits on the connections of a page's server: their number and their duration."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import trio

from p2p.net.rate import Turns

LOG = logging.getLogger("sobremesa.browser")
# else Python writes the errors that strangers cause to the terminal
LOG.addHandler(logging.NullHandler())
CONNECTIONS = 48
"""At a time; for one more the oldest is closed that is no page's socket. A browser uses up to seven
for a page."""
LIFE_S = 20.0
"""The longest life in seconds of a connection that is no page's socket, however slowly it reads or
writes."""


class Address(NamedTuple):
    """The other side of a connection. 127.0.0.2 has the same ports once more."""

    host: str
    port: int


class Rate(NamedTuple):
    """The connections that one host may open: so many at once, and so many a second after that."""

    at_once: int
    per_second: float


HOSTS_KEPT = 256
"""Hosts whose rate is known at a time, and hosts that have had a page's socket; the oldest are
forgotten."""


Answer = Callable[[trio.SocketStream, Address], Awaitable[None]]


class Connections:
    """All connections to a server, by the address and port of the other side.

    An error in a connection ends this connection only: strangers may say anything.
    """

    def __init__(
        self,
        answer: Answer,
        most: int = CONNECTIONS,
        of_one: int = CONNECTIONS,
        rate: Rate | None = None,
        strangers: Rate | None = None,
    ) -> None:
        """Set up for `most` connections, of which one host may have `of_one`, at a rate of its own.

        One that lasts counts among all, and not among those of its host. `strangers` is the rate of
        all hosts together that have had no page's socket.
        """
        self._answer, self._most, self._of_one = answer, most, of_one
        self._hosts = Turns(*rate, HOSTS_KEPT) if rate else None
        self._strangers = Turns(*strangers) if strangers else None
        self._known: dict[str, None] = {}
        """Hosts that have had a page's socket: they are closed last."""
        self._open: dict[Address, tuple[trio.SocketStream, trio.CancelScope]] = {}

    @property
    def count(self) -> int:
        """The number of connections that are open."""
        return len(self._open)

    async def spend(self, stream: trio.SocketStream) -> None:
        """Serve a connection until it is closed."""
        try:
            name = stream.socket.getpeername()
        except OSError:  # it has gone already
            name = None
        address = Address(*name[:2]) if name is not None else None
        if address is None or not (self._takes(address.host) and self._make_room(address.host)):
            stream.socket.close()
            return
        try:
            with trio.move_on_after(LIFE_S) as scope:
                self._open[address] = stream, scope
                await self._answer(stream, address)
        except Exception as error:  # noqa: BLE001 - the server's own failures are raised by `serve`
            LOG.info("a connection to the page failed: %r", error)
        finally:
            self.close(address)
            self._open.pop(address, None)

    def _make_room(self, host: str) -> bool:
        """Return whether there is room for one more connection, if necessary after closing one.

        So connections that say nothing keep nobody out: a browser's own last a moment.
        """
        held = {one: scope for one, (_, scope) in self._open.items() if not scope.cancel_called}
        waiting = [one for one, scope in held.items() if scope.deadline < math.inf]
        of_host = [one for one in waiting if one.host == host]
        if len(of_host) >= self._of_one:
            self.close(of_host[0])
            return True
        if len(held) < self._most:
            return True
        if waiting:
            self.close(self._least_missed(waiting))
        return bool(waiting)

    def _least_missed(self, waiting: Sequence[Address]) -> Address:
        """Return the connection to close: of unknown hosts, the oldest one of that with most."""
        unknown = [one for one in waiting if one.host not in self._known]
        counted = Counter(one.host for one in unknown or waiting)
        most = max(counted.values())
        return next(one for one in unknown or waiting if counted[one.host] == most)

    def _takes(self, host: str) -> bool:
        """Return whether a host may open one more connection now."""
        now, strangers = trio.current_time(), self._strangers
        if self._hosts is not None and not self._hosts.take(host, now):
            return False
        return strangers is None or host in self._known or strangers.take("", now)

    def keep(self, address: Address) -> None:
        """Let a connection last: it is a page's socket."""
        if (found := self._open.get(address)) is not None:
            found[1].deadline = math.inf
            self._known.pop(address.host, None)
            self._known[address.host] = None
            if len(self._known) > HOSTS_KEPT:
                del self._known[next(iter(self._known))]

    def let_go(self, address: Address) -> None:
        """Let a connection last no longer than any other, because its page has left."""
        if (found := self._open.get(address)) is not None:
            found[1].deadline = trio.current_time() + LIFE_S

    def close(self, address: Address) -> None:
        """Close a connection at once, and end what it was about.

        To say more to a connection that does not read could last for ever.
        """
        if (found := self._open.get(address)) is not None:
            stream, scope = found
            stream.socket.close()
            scope.cancel()

    def close_all(self) -> None:
        """Close all of them."""
        for address in list(self._open):
            self.close(address)
