"""Connections of the loopback server, bounded: how many there are, how long one may be idle or slow, and how much it may say."""

from __future__ import annotations

import logging
from typing import Any

import trio
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from hypercorn.utils import wrap_app

CONNECTIONS = 48
"""At a time; more are closed at once. A browser uses up to seven for a page."""
LIFE_S = 20.0
"""Seconds for which a connection may last that is no page's socket, however slowly it reads or writes."""
IDLE_S = 5.0
"""Seconds for which it may say nothing, or not all of a request's head."""
HEAD_BYTES = 8192
MESSAGE_BYTES = 4096
"""Bytes of a message of a socket."""


def config() -> Config:
    """Return the settings of the HTTP server."""
    return Config.from_mapping(
        errorlog=logging.getLogger("sobremesa.browser"),
        include_server_header=False,
        keep_alive_timeout=IDLE_S,
        h11_max_incomplete_size=HEAD_BYTES,
        h2_max_concurrent_streams=1,
        websocket_max_message_size=MESSAGE_BYTES,
    )


class Connections:
    """All connections to an application, by the port of the other side."""

    def __init__(self, app: Any) -> None:
        self._config = config()
        self._app = wrap_app(app, self._config.wsgi_max_body_size, "asgi")
        self._open: dict[int, trio.SocketStream] = {}
        self._kept: set[int] = set()

    async def spend(self, stream: trio.SocketStream) -> None:
        """Serve a connection until it is closed."""
        try:
            port = int(stream.socket.getpeername()[1])
        except OSError:  # it has gone already
            port = 0
        if not port or len(self._open) >= CONNECTIONS:
            stream.socket.close()
            return
        self._open[port] = stream
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._expire, port)
                plain: Any = stream  # hypercorn takes it, and its annotation has forgotten it
                await TCPServer(self._app, self._config, WorkerContext(None), ConnectionState({}), plain).run()
                nursery.cancel_scope.cancel()
        finally:
            self.close(port)
            self._open.pop(port, None)
            self._kept.discard(port)

    async def _expire(self, port: int) -> None:
        await trio.sleep(LIFE_S)
        if port not in self._kept:
            self.close(port)

    def keep(self, port: int) -> None:
        """Let a connection last: it is a page's socket."""
        self._kept.add(port)

    def close(self, port: int) -> None:
        """Close a connection at once. To send more to one that does not read could last for ever."""
        if (stream := self._open.get(port)) is not None:
            stream.socket.close()

    def close_all(self) -> None:
        """Close all of them."""
        for port in list(self._open):
            self.close(port)
