"""The WebSocket (RFC 6455) of a page: messages that are bounded in size, without extensions."""

from __future__ import annotations

from typing import NamedTuple

import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    TextMessage,
)
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from client.ui.browser.http import BadRequest, Exchange, Gone, Request
from p2p.net.rate import Turns

PIECE_BYTES = 512
"""Bytes that are read at a time: so much more than a message may be kept of it."""
AT_ONCE, PER_SECOND = 120, 60.0
"""Pings, and pieces of messages: no page of ours sends any, but a message may be read in pieces."""
HANDSHAKE = ("host", "connection", "upgrade", "sec-websocket-key", "sec-websocket-version")
"""The headers that are looked at. No extension is accepted, so no message grows when it is
inflated; on the loopback interface none needs to be deflated."""


class Bounds(NamedTuple):
    """The longest message of a page, in bytes, and the close codes of its socket."""

    most: int
    too_long: int
    too_many: int


IN_CLEAR = Bounds(4096, 1009, 1008)
"""The bounds of a page on this machine (RFC 6455, 7.4.1)."""


class PageSocket:
    """The socket of a page."""

    def __init__(
        self,
        stream: trio.SocketStream,
        exchange: Exchange,
        request: Request,
        bounds: Bounds = IN_CLEAR,
    ) -> None:
        """Read a request for a socket, which is not accepted yet. Raises BadRequest."""
        self._stream, self._exchange, self._bounds = stream, exchange, bounds
        self._sending = trio.Lock()
        self._turns = Turns(AT_ONCE, PER_SECOND)
        self._wire = WSConnection(ConnectionType.SERVER)
        head = [
            (name.encode("ascii"), request.headers[name].encode("latin-1"))
            for name in HANDSHAKE
            if name in request.headers
        ]
        try:
            self._wire.initiate_upgrade_connection(head, request.path)
            _asked = list(self._wire.events())
        except (RemoteProtocolError, UnicodeError):
            raise BadRequest(400) from None

    async def accept(self) -> None:
        """Accept it. Raises Gone."""
        headers = [(name.encode(), value.encode()) for name, value in self._exchange.always]
        await self._say(AcceptConnection(extra_headers=headers))
        self._wire.receive_data(self._exchange.rest())

    async def receive(self) -> str | bytes:
        """Return the next message; b"" for an event that is none. Gone when it is closed."""
        parts: list[str | bytes] = []
        size = 0
        while True:
            for event in self._wire.events():
                match event:
                    case TextMessage(data=part) | BytesMessage(data=part):
                        parts.append(part if isinstance(part, str) else bytes(part))
                        size += len(part.encode() if isinstance(part, str) else part)
                        if size > self._bounds.most:
                            await self.close(self._bounds.too_long, "")
                            raise Gone
                        if event.message_finished:
                            return _whole(parts)
                        await self._count()
                    case Ping():
                        await self._count()
                        await self._say(event.response())
                    case CloseConnection():  # of the other side, or for a frame that is none
                        await self._say(event.response())
                        raise Gone
                    case _:
                        return b""
            try:
                data = await self._stream.receive_some(PIECE_BYTES)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise Gone from None
            if not data:
                raise Gone
            self._wire.receive_data(data)

    async def _count(self) -> None:
        """Count what is no whole message. Gone if there is too much of it."""
        if not self._turns.take("", trio.current_time()):
            await self.close(self._bounds.too_many, "")
            raise Gone

    async def send(self, message: str | bytes) -> None:
        """Send a message. Raises Gone."""
        await self._say(
            TextMessage(data=message) if isinstance(message, str) else BytesMessage(data=message)
        )

    async def close(self, code: int, reason: str) -> None:
        """Say that it is closed, and why (RFC 6455, 7.4). Raises Gone."""
        await self._say(CloseConnection(code=code, reason=reason))

    async def _say(self, event: Event) -> None:
        async with self._sending:
            try:
                data = self._wire.send(event)
            except LocalProtocolError:  # it is closed
                raise Gone from None
            await self._exchange.send(data)


def _whole(parts: list[str | bytes]) -> str | bytes:
    """Return a message of its parts, which are all of one type (RFC 6455, 5.4)."""
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if texts else b"".join(part for part in parts if isinstance(part, bytes))
