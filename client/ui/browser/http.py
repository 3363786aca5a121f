"""HTTP/1.1 (RFC 9112) for the page's servers: one request on a connection, and its response.

A second request is never read, so nothing can be hidden behind the first one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import h11
import trio

IDLE_S = 5.0
"""Seconds within which a whole request must come."""
LAST_WORDS_S = 0.5
"""Seconds for the other side to read the response before the connection is closed."""
HEAD_BYTES = 8192
PIECE_BYTES = 4096
"""Bytes that are read at a time."""
TLS_HELLO = b"\x16"
"""The first byte of a browser that tries HTTPS first (RFC 8446, 5.1)."""

Headers = Iterable[tuple[str, str]]


class Gone(Exception):
    """The other side has gone, or sends nothing that can be answered."""


class BadRequest(Exception):
    """A request that is no HTTP, or too long; the status says which (RFC 9110, 15.5)."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class Request:
    """The head of a request."""

    method: str
    version: str
    path: str
    """As it was sent, without a query: nothing is decoded, so each path has one spelling."""
    headers: Mapping[str, str] = field(repr=False)
    """By lower-case name; a header that comes twice has both values (RFC 9110, 5.3)."""

    def cookies(self, name: str) -> list[str]:
        """Return the values of a cookie: a page of another port may have set one more."""
        pairs = (pair.strip().partition("=") for pair in self.headers.get("cookie", "").split(";"))
        return [value for known, _equals, value in pairs if known == name]


class Exchange:
    """A request on a connection and its response."""

    def __init__(self, stream: trio.SocketStream, always: Headers) -> None:
        """Set up for a connection; `always` are the headers of every response."""
        self.always = tuple(always)
        self._stream = stream
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._wants_body = True
        self._until = trio.current_time() + IDLE_S

    async def request(self) -> Request:
        """Return the head of the request. Raises Gone or BadRequest."""
        event = await self._next()
        if not isinstance(event, h11.Request):
            raise Gone
        self._wants_body = event.method != b"HEAD"
        headers: dict[str, str] = {}
        for raw, value in event.headers:
            name, said = raw.decode("latin-1"), value.decode("latin-1")
            headers[name] = f"{headers[name]}, {said}" if name in headers else said
        return Request(
            event.method.decode("ascii"),
            event.http_version.decode("ascii"),
            event.target.decode("latin-1").partition("?")[0],
            headers,
        )

    async def body(self, most: int) -> bytes:
        """Return the body of the request, of `most` bytes. Raises Gone or BadRequest."""
        body = b""
        while isinstance(event := await self._next(), h11.Data):
            body += event.data
            if len(body) > most:
                raise BadRequest(413)
        if not isinstance(event, h11.EndOfMessage):
            raise Gone
        return body

    async def _next(self) -> object:
        with trio.move_on_at(self._until):
            while True:
                try:
                    event = self._http.next_event()
                    if event is not h11.NEED_DATA:
                        return event
                    data = await self._stream.receive_some(PIECE_BYTES)
                    if self._http.their_state is h11.IDLE and data.startswith(TLS_HELLO):
                        raise Gone
                    self._http.receive_data(data)
                except h11.RemoteProtocolError as error:
                    raise BadRequest(error.error_status_hint) from None
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    raise Gone from None
        raise Gone

    async def respond(self, status: int, body: str | bytes = "", headers: Headers = ()) -> None:
        """Send the response. Raises Gone."""
        content = body.encode() if isinstance(body, str) else body
        said = {"content-length": str(len(content)), "connection": "close"}
        parts = (
            h11.Response(status_code=status, headers=[*self.always, *said.items(), *headers]),
            h11.Data(data=content if self._wants_body else b""),
            h11.EndOfMessage(),
        )
        await self.send(b"".join(self._http.send(part) or b"" for part in parts))

    async def send(self, data: bytes) -> None:
        """Send bytes. Raises Gone."""
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise Gone from None

    def rest(self) -> bytes:
        """Return the bytes after a request that asks for another protocol."""
        return self._http.trailing_data[0]


async def serve_one(
    stream: trio.SocketStream,
    always: Headers,
    work: Callable[[Exchange, Request], Awaitable[None]],
) -> None:
    """Let a function answer the one request of a connection, or raise Gone or BadRequest.

    `always` are the headers of every response.
    """
    exchange = Exchange(stream, always)
    with suppress(Gone):
        try:
            await work(exchange, await exchange.request())
        except BadRequest as error:
            await exchange.respond(error.status)
    await say_no_more(stream)


def typed(kind: str) -> Headers:
    """Return the header of a body of this type."""
    return [("content-type", f"{kind}; charset=utf-8")]


async def say_no_more(stream: trio.SocketStream) -> None:
    """End our half of a connection, and give the other side time to read the response.

    To close it while bytes are unread could make the other side lose the response.
    """
    try:
        with trio.move_on_after(LAST_WORDS_S):
            await stream.send_eof()
            while await stream.receive_some(PIECE_BYTES):
                pass
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        return
