"""Limits on the connections of the loopback server: their number, duration, and amount of data.

A connection that is idle or slow is closed after a time.
"""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import trio
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from hypercorn.utils import wrap_app

LOG = logging.getLogger("sobremesa.browser")
# else Python writes the errors that strangers cause to the terminal
LOG.addHandler(logging.NullHandler())
CONNECTIONS = 48
"""At a time; more are closed at once. A browser uses up to seven for a page."""
LIFE_S = 20.0
"""Seconds for which a connection may last that is no page's socket, however slowly it reads or
writes."""
IDLE_S = 5.0
"""Seconds for which it may say nothing, or not all of a request's head."""
LAST_WORDS_S = 0.5
"""Seconds in which it may take in why it is closed."""
HEAD_BYTES = 8192
MESSAGE_BYTES = 4096
"""Bytes of a message of a socket."""
PIECE_BYTES = 512
"""Bytes that are read at a time. A socket's may be deflated, to a thousandth of them."""
LAST_FRAME = b"\x88"
"""The first byte of a socket's closing frame; no text that is served begins with it."""


def config() -> Config:
    """Return the settings of the HTTP server."""
    return Config.from_mapping(
        errorlog=LOG,
        include_server_header=False,
        keep_alive_timeout=IDLE_S,
        h11_max_incomplete_size=HEAD_BYTES,
        h2_max_concurrent_streams=1,
        websocket_max_message_size=MESSAGE_BYTES,
    )


class Address(NamedTuple):
    """The other side of a connection. 127.0.0.2 has the same ports once more."""

    host: str
    port: int


class SmallPieces:
    """A connection that is read in small pieces, and no further once its socket was told to close.

    The HTTP server measures a message only after it has inflated a piece, and goes on collecting a
    message that it has refused.
    """

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self.socket, self.send_eof, self.aclose = stream.socket, stream.send_eof, stream.aclose
        self._closes = False

    async def send_all(self, data: bytes) -> None:
        """Send."""
        self._closes = self._closes or data.startswith(LAST_FRAME)
        await self._stream.send_all(data)

    async def receive_some(self, _most: int) -> bytes:
        """Return the next piece; after the closing frame return the end.

        The end comes when other bytes have had a moment to come.
        """
        if not self._closes:
            return bytes(await self._stream.receive_some(PIECE_BYTES))
        with trio.move_on_after(LAST_WORDS_S):
            while await self._stream.receive_some(HEAD_BYTES):
                pass
        return b""


class Connections:
    """All connections to an application, by the address and port of the other side.

    An error in a connection ends this connection only: strangers of this machine may say anything.
    """

    def __init__(self, app: Any) -> None:
        self._config = config()
        self._app = wrap_app(app, self._config.wsgi_max_body_size, "asgi")
        self._open: dict[Address, tuple[trio.SocketStream, trio.CancelScope, trio.Event]] = {}
        self._kept: set[Address] = set()

    async def spend(self, stream: trio.SocketStream) -> None:
        """Serve a connection until it is closed."""
        try:
            name = stream.socket.getpeername()
        except OSError:  # it has gone already
            name = None
        if name is None or len(self._open) >= CONNECTIONS:
            stream.socket.close()
            return
        address = Address(*name[:2])
        try:
            async with trio.open_nursery() as nursery:
                said = trio.Event()
                self._open[address] = stream, nursery.cancel_scope, said
                nursery.start_soon(self._expire, address, said)
                # hypercorn takes it, and its annotation has forgotten it
                plain: Any = SmallPieces(stream)
                await TCPServer(
                    self._app, self._config, WorkerContext(None), ConnectionState({}), plain
                ).run()
                nursery.cancel_scope.cancel()
        except Exception as error:  # noqa: BLE001 - the server's own failures are raised by `serve`
            LOG.info("a connection to the page failed: %r", error)
        finally:
            self.close(address)
            self._open.pop(address, None)
            self._kept.discard(address)

    async def _expire(self, address: Address, said: trio.Event) -> None:
        with trio.move_on_after(LIFE_S):
            await said.wait()
        if address in self._kept:
            await said.wait()
        if said.is_set():
            await trio.sleep(LAST_WORDS_S)
        self.close(address)

    def keep(self, address: Address) -> None:
        """Let a connection last: it is a page's socket."""
        self._kept.add(address)

    def close(self, address: Address) -> None:
        """Close a connection at once, and end what it was about.

        To say more to a connection that does not read could last for ever.
        """
        if (found := self._open.get(address)) is not None:
            stream, scope, _said = found
            stream.socket.close()
            scope.cancel()

    def close_soon(self, address: Address) -> None:
        """Leave a connection a moment to take in the last words, then close it."""
        if (found := self._open.get(address)) is not None:
            found[2].set()

    def close_all(self) -> None:
        """Close all of them."""
        for address in list(self._open):
            self.close(address)
