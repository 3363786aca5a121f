"""Limits on the connections of a page's server: their number and their duration."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import trio

LOG = logging.getLogger("sobremesa.browser")
# else Python writes the errors that strangers cause to the terminal
LOG.addHandler(logging.NullHandler())
CONNECTIONS = 48
"""At a time; for one more the oldest is closed that is no page's socket. A browser uses up to seven
for a page."""
LIFE_S = 20.0
"""Seconds for which a connection may last that is no page's socket, however slowly it reads or
writes."""


class Address(NamedTuple):
    """The other side of a connection. 127.0.0.2 has the same ports once more."""

    host: str
    port: int


Answer = Callable[[trio.SocketStream, Address], Awaitable[None]]


class Connections:
    """All connections to a server, by the address and port of the other side.

    An error in a connection ends this connection only: strangers may say anything.
    """

    def __init__(self, answer: Answer, most: int = CONNECTIONS, of_one: int = CONNECTIONS) -> None:
        """Set up for `most` connections, of which one host may have `of_one`.

        One that lasts counts among all, and not among those of its host.
        """
        self._answer, self._most, self._of_one = answer, most, of_one
        self._open: dict[Address, tuple[trio.SocketStream, trio.CancelScope]] = {}

    async def spend(self, stream: trio.SocketStream) -> None:
        """Serve a connection until it is closed."""
        try:
            name = stream.socket.getpeername()
        except OSError:  # it has gone already
            name = None
        address = Address(*name[:2]) if name is not None else None
        if address is None or not self._make_room(address.host):
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
        for oldest in waiting[:1]:
            self.close(oldest)
        return bool(waiting)

    def keep(self, address: Address) -> None:
        """Let a connection last: it is a page's socket."""
        if (found := self._open.get(address)) is not None:
            found[1].deadline = math.inf

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
