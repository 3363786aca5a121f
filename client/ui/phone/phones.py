"""The server for phones, on one private address: the page, and the frames to the visitors.

Everybody in the network reaches it. Therefore:

- `Host` must be ours to the letter, and for the socket `Origin` too: no page of another site comes
  here, also by a name that leads to our address.
- Without a key there are only files, which are the same for everybody.
- The first frame of a socket names a key; it belongs to a visitor, or the socket is closed. For any
  other mistake of a page it is closed alike. We cannot open the frames, and pass them on.
- As long as the keys of a visitor are not known, a page with a secret is told to come again.
- Connections that have not proven that they have a key are bounded, and make room for new ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from socket import socket

import trio

from client.ui.browser.connections import Address, Connections, Rate
from client.ui.browser.drawings import ART, drawn
from client.ui.browser.http import Exchange, Request, serve_one, typed
from client.ui.browser.page_socket import Bounds, PageSocket
from client.ui.browser.shell import headers
from client.ui.phone.hosted import AGAIN, PROOF_S, REFUSED, STARTS, Connection, Hosted, News
from client.ui.phone.messages import Begin
from client.ui.phone.page import ICON, SCRIPT, files, icon, phone_page
from client.ui.phone.process import NoVisitorError
from crypto.channel import FROM_PAGE_BYTES, Kind, claim
from crypto.noise import TAG_BYTES, Broken

AT_ONCE, PER_SECOND = 100, 10.0
"""Connections that one address may open at once, and each second after that."""
STRANGERS, STRANGERS_PER_SECOND = 400, 330.0
"""Connections that all addresses from which no phone was in may open: they cost the owner time. A
flood uses this up from more than 32 addresses, which can have all connections anyway."""
CONNECTIONS, OF_ONE = 32, 8
"""Connections at a time, and those of one address that have proven nothing."""
AGAIN_S, LATER_S = 0.5, 10.0
"""Seconds before a visitor that could not be started is started again: at first, and later on."""
CLOSE_S = 1.0
"""Seconds for a page to read why its socket is closed."""
PAGE, SOCKET = "/", "/socket"
SEALED = Bounds(FROM_PAGE_BYTES + TAG_BYTES, REFUSED, REFUSED)
FILES = frozenset((PAGE, ICON, *ART))


class Phones:
    """The visitors of a program, and the way of phones to them."""

    def __init__(
        self,
        host: str,
        interface: str,
        hear: Callable[[Hosted, News], None],
        vouch: Callable[[Path], tuple[bytes, bytes]],
    ) -> None:
        """Set up for an address with its port, such as 192.168.1.23:47757.

        `interface` is the address on which visitors look for tables, or empty. `hear` gets the
        news of a visitor for its owner. `vouch` returns our key, and the voucher for the visitor of
        a home.
        """
        self._name(host)
        self._interface, self._hear, self._vouch = interface, hear, vouch
        self._listening = trio.CancelScope()
        self.visitors: list[Hosted] = []
        self.asked = -math.inf
        """The time, by the clock of trio, at which somebody in the network last asked anything."""
        self._nursery: trio.Nursery | None = None
        self._numbers = count(1)
        self._connections = Connections(
            self._answer,
            CONNECTIONS,
            OF_ONE,
            Rate(AT_ONCE, PER_SECOND),
            Rate(STRANGERS, STRANGERS_PER_SECOND),
        )

    async def spend(
        self,
        listener: socket,
        homes: list[Path],
        *,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Serve phones until cancelled, with the visitors of these homes.

        The visitors are started first: only they know the keys of their phones.
        """
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                async with trio.open_nursery() as starting:
                    for home in homes:
                        starting.start_soon(_begun, self.add(home))
                for visitor in self.visitors:
                    nursery.start_soon(self._begin_later, visitor)
                nursery.start_soon(self._listen, listener)
                task_status.started()
                await trio.sleep_forever()
        finally:
            self._nursery = None
            listener.close()
            self._connections.close_all()

    async def _listen(self, listener: socket) -> None:
        """Answer connections at one address, until cancelled or moved to another one."""
        listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(listener))]
        with self._listening:
            try:
                await trio.serve_listeners(self._connections.spend, listeners)
            finally:
                listener.close()

    async def move(self, listener: socket, host: str) -> None:
        """Serve at another address instead of the one before; all connections end.

        The visitors and their matches go on. ValueError while we do not serve.
        """
        if self._nursery is None:
            raise ValueError("there is nobody to serve phones")
        self._listening.cancel()
        self._listening = trio.CancelScope()
        self._connections.close_all()
        self._name(host)
        for visitor in list(self.visitors):  # one may end meanwhile
            await visitor.move(host)
        self._nursery.start_soon(self._listen, listener)

    def _name(self, host: str) -> None:
        """Take an address with its port for ours."""
        self.host, self.origin = host, f"http://{host}"
        self._headers = headers(host, SCRIPT)

    def add(self, home: Path) -> Hosted:
        """Let phones come to one more visitor, while we serve. It does not run before it is wanted.

        ValueError while we do not serve.
        """
        if self._nursery is None:
            raise ValueError("there is nobody to serve phones")

        def hear(news: News) -> None:
            self._hear(visitor, news)

        begin = Begin(self.host, files(), self._interface, *self._vouch(home))
        visitor = Hosted(home, begin, hear)
        self.visitors.append(visitor)
        self._nursery.start_soon(visitor.spend)
        return visitor

    async def remove(self, visitor: Hosted) -> None:
        """Stop letting phones come to a visitor, and return when it has ended."""
        if visitor in self.visitors:
            self.visitors.remove(visitor)
            await visitor.end()

    async def _answer(self, stream: trio.SocketStream, address: Address) -> None:
        """Answer the one request of a connection."""
        self.asked = trio.current_time()

        async def work(exchange: Exchange, request: Request) -> None:
            if (status := self._refusal(request)) is not None:
                await exchange.respond(status, "refused", typed("text/plain"))
            elif request.path == SOCKET:
                socket = PageSocket(stream, exchange, request, SEALED)
                await self._socket(socket, address)
            elif request.path == PAGE:
                await exchange.respond(200, phone_page(), typed("text/html"))
            elif request.path == ICON:
                await exchange.respond(200, icon(), [("content-type", "image/png")])
            else:
                await exchange.respond(200, drawn(request.path), typed("image/svg+xml"))

        await serve_one(stream, self._headers, work)

    def _refusal(self, request: Request) -> int | None:
        """Return the status with which a request is refused; None if it is answered."""
        origin = request.headers.get("origin")
        asks = request.path not in FILES
        if (
            request.version != "1.1"
            or request.headers.get("host") != self.host
            or (origin != self.origin and (asks or origin is not None))
        ):
            return 403
        if asks and request.path != SOCKET:
            return 404
        return 405 if request.method != "GET" else None

    async def _socket(self, socket: PageSocket, address: Address) -> None:
        """Pass the frames of a page on to the visitor whose key it names. Raises Gone."""
        await socket.accept()
        why, first = REFUSED, b""
        with trio.move_on_after(PROOF_S):
            said = await socket.receive()
            first = said if isinstance(said, bytes) else b""
        if isinstance(visitor := self._visitor_of(first), int):
            why = visitor
        else:
            keep, let_go = (
                partial(act, address) for act in (self._connections.keep, self._connections.let_go)
            )
            connection = Connection(next(self._numbers), socket, keep, let_go)
            why = await visitor.connect(connection, first)
        with trio.move_on_after(CLOSE_S):
            await socket.close(why, "")

    def _visitor_of(self, frame: bytes) -> Hosted | int:
        """Return the visitor whose key a first frame names, or the code to close its socket with.

        A secret may be that of a visitor that could not be started yet.
        """
        try:
            named = claim(frame)
        except Broken:
            return REFUSED
        key, waits = bytes([named.kind]) + named.id, False
        for visitor in self.visitors:
            if visitor.claims is None:
                waits = named.kind is Kind.SECRET
            elif key in visitor.claims:
                return visitor
        return AGAIN if waits else REFUSED

    async def _begin_later(self, visitor: Hosted) -> None:
        """Start a visitor that could not be started: nobody else knows the keys of its phone."""
        while visitor in self.visitors and visitor.claims is None:
            await trio.sleep(LATER_S)
            with suppress(NoVisitorError):
                await visitor.start()


async def _begun(visitor: Hosted) -> None:
    """Start a visitor, as far as it can be started.

    If this program was killed, its visitor takes a moment to see that, and has the home until then.
    """
    for _ in range(STARTS):
        try:
            await visitor.start()
        except NoVisitorError:
            await trio.sleep(AGAIN_S)
        else:
            return
