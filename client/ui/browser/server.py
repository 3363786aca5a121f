"""The server of the page, on the loopback interface of this machine only."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from functools import partial
from hashlib import sha256

import trio
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from client.i18n.translation import language
from client.session.status import leaves
from client.storage.version import version
from client.ui.browser.access import Admitted, Gate, headers_for
from client.ui.browser.connections import Address, Connections
from client.ui.browser.shell import live_page
from client.ui.browser.tab import Tab
from client.ui.browser.words import words
from client.ui.pictures.art import KINDS, symbols
from client.ui.screen.application import TuiApplication

TABS = 8
"""Pages that are open at a time."""
TOKEN_BYTES = 200
GONE = (WebSocketDisconnect, OSError)
"""The errors of a socket after its page has gone."""
OPEN = frozenset(("/", *(f"/art/{kind}.svg" for kind in KINDS)))
"""The paths of the files of the page, which are no secret. Any other path may be one that gives
more, however it is spelled."""

Respond = Callable[[Request], Awaitable[Response]]


class Guard:
    """Answers only the requests of a page of ours, and puts our headers on every answer."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app, self._gate = app, gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""

        async def send_guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in headers_for(self._gate.host):
                    headers[name] = value
            await send(message)

        if scope["type"] not in ("http", "websocket"):
            return
        headers = Headers(scope=scope)
        known = len(headers.getlist("host")) == 1 and scope["http_version"] == "1.1"
        if known and self._gate.answers(headers, asks=scope["path"] not in OPEN):
            await self._app(scope, receive, send_guarded)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send_guarded).close()  # before it is accepted: 403
        else:
            await Response("refused", 403)(scope, receive, send_guarded)


class Server:
    """The page, the exchange of the token, and the socket of each page."""

    def __init__(self, application: TuiApplication, gate: Gate) -> None:
        self.gate = gate
        self._application = application
        self._tabs = 0
        self.failed: BaseException | None = None
        self.ended = trio.Event()
        self._version = f"{version()} {sha256(live_page('', '', '').encode()).hexdigest()[:16]}"
        routes = [
            Route("/", self._index),
            *(Route(f"/art/{kind}.svg", self._art(kind)) for kind in KINDS),
            Route("/enter", self._enter, methods=["POST"]),
            Route("/session", self._session, methods=["POST"]),
            WebSocketRoute("/socket", self._socket),
        ]
        self.connections = Connections(Guard(Starlette(routes=routes), self.gate))

    async def _index(self, _request: Request) -> Response:
        return Response(
            live_page(language(), self._version, json.dumps(words())), media_type="text/html"
        )

    def _art(self, kind: str) -> Respond:
        async def respond(_request: Request) -> Response:
            return Response(symbols(kind), media_type="image/svg+xml")

        return respond

    async def _enter(self, request: Request) -> Response:
        """Exchange a token."""
        body = b""
        try:
            async with aclosing(request.stream()) as chunks:
                async for chunk in chunks:
                    body += chunk
                    if len(body) > TOKEN_BYTES:
                        return Response("too long", 413)
        except ClientDisconnect:
            return Response(status_code=400)
        admitted = self.gate.exchange(body.decode(errors="replace"))
        if admitted is None:
            return Response("refused", 403)
        response = JSONResponse({"pass": admitted.word})
        response.set_cookie(
            self.gate.cookie_name, admitted.cookie, path="/", httponly=True, samesite="strict"
        )
        return response

    async def _session(self, request: Request) -> Response:
        """Say whether this browser is let in."""
        return Response(status_code=204 if self._admitted(request) else 403)

    def _admitted(self, request: Request | WebSocket) -> Admitted | None:
        return self.gate.by_cookie(request.cookies.get(self.gate.cookie_name))

    async def _socket(self, socket: WebSocket) -> None:
        admitted = self._admitted(socket)
        client = socket.client
        if admitted is None or client is None:
            await socket.close()
            return
        address = Address(client.host, client.port)
        drop, place = partial(self.connections.close, address), partial(self._place, address)
        tab = Tab(self._application, socket, admitted, self._version, drop, place)
        try:
            await tab.spend()
        except Exception as error:
            if all(isinstance(leaf, GONE) for leaf in leaves(error)):
                return
            self.failed = error
            self.ended.set()
            raise
        finally:
            self.connections.close_soon(address)

    @contextmanager
    def _place(self, address: Address) -> Iterator[bool]:
        """Let a connection with the pass last, if there is room for one more page."""
        free = self._tabs < TABS
        self._tabs += free
        if free:
            self.connections.keep(address)
        try:
            yield free
        finally:
            self._tabs -= free


async def serve(
    application: TuiApplication, gate: Gate, listeners: list[trio.SocketListener]
) -> None:
    """Show an application in a browser until cancelled.

    A bug in a picture ends it, as one in the full screen does.
    """
    server = Server(application, gate)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, server.connections.spend, listeners)
            await server.ended.wait()
            nursery.cancel_scope.cancel()
    finally:
        server.connections.close_all()
    assert server.failed is not None
    raise server.failed
