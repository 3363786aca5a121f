"""The server of the page, on the loopback interface of this machine only.

It answers as soon as it listens: the application that it shows may be loaded meanwhile.
"""

from __future__ import annotations

import json
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import trio

from client.i18n.translation import language
from client.ui.browser.access import Admitted, Gate, headers_for
from client.ui.browser.connections import Address, Connections
from client.ui.browser.drawings import ART, drawn
from client.ui.browser.http import BadRequest, Exchange, Request, serve_one, typed
from client.ui.browser.shell import leading_to, live_page
from client.ui.browser.words import words

if TYPE_CHECKING:  # the page is served before it is loaded
    from client.ui.browser.tab import Tab
    from client.ui.screen.application import TuiApplication

TABS = 8
"""Pages that are open at a time."""
MANY = 1013
"""The close code of a socket for which there is no room (RFC 6455, 7.4.1)."""
TOKEN_BYTES = 200
PAGE, ENTER, SESSION, SOCKET = "/", "/enter", "/session", "/socket"
OPEN = frozenset((PAGE, *ART))
"""The paths of the files of the page, which are no secret. Any other path may be one that gives
more, however it is spelled."""
METHODS = dict.fromkeys((*OPEN, SOCKET), "GET") | {ENTER: "POST", SESSION: "POST"}


async def _token(exchange: Exchange) -> str:
    """Return the token in a request. Raises Gone or BadRequest."""
    return (await exchange.body(TOKEN_BYTES)).decode(errors="replace")


class Server:
    """The page, the exchange of the token, and the socket of each page."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self._application: TuiApplication | None = None
        self._shown = trio.Event()
        self._tabs = 0
        self._failed: BaseException | None = None
        self._ended = trio.Event()
        self._version = sha256(live_page("", "", "").encode()).hexdigest()[:16]
        self.connections = Connections(self._answer)

    def show(self, application: TuiApplication) -> None:
        """Show this application from now on. Pages that are open already wait for it.

        `client.ui.browser.entrance` must be loaded.
        """
        self._application = application
        self._shown.set()

    async def spend(self, listeners: list[trio.SocketListener]) -> None:
        """Serve until cancelled. A bug in a view ends it, as one in the full screen does."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.serve_listeners, self.connections.spend, listeners)
                await self._ended.wait()
                nursery.cancel_scope.cancel()
        finally:
            self.connections.close_all()
        assert self._failed is not None
        raise self._failed

    async def _answer(self, stream: trio.SocketStream, address: Address) -> None:
        """Answer the one request of a connection."""

        async def work(exchange: Exchange, request: Request) -> None:
            if (place := self._leads(request)) is not None:
                await exchange.respond(200, leading_to(place), typed("text/html"))
            elif (status := self._refusal(request)) is not None:
                await exchange.respond(status, "refused", typed("text/plain"))
            elif request.path == SOCKET:
                await self._socket(stream, exchange, request, address)
            else:
                await self._respond(exchange, request)

        await serve_one(stream, headers_for(self.gate.host), work)

    def _leads(self, request: Request) -> str | None:
        """Return where a request leads that comes from a file of ours; None if it is another."""
        if request.version != "1.1" or request.method != "GET":
            return None
        return self.gate.leads(request.headers, request.path)

    def _refusal(self, request: Request) -> int | None:
        """Return the status with which a request is refused; None if it is answered."""
        known = request.version == "1.1" and self.gate.answers(
            request.headers, asks=request.path not in OPEN
        )
        if not known or (request.path == SOCKET and self._admitted(request) is None):
            return 403
        method = METHODS.get(request.path)
        return 404 if method is None else 405 if method != request.method else None

    async def _respond(self, exchange: Exchange, request: Request) -> None:
        """Answer a request for a file of the page, or for access."""
        if request.path == PAGE:
            page = live_page(language(), self._version, json.dumps(words()))
            await exchange.respond(200, page, typed("text/html"))
        elif request.path == ENTER:
            await self._enter(exchange)
        elif request.path == SESSION:
            await self._go_on(exchange, request)
        else:
            await exchange.respond(200, drawn(request.path), typed("image/svg+xml"))

    async def _enter(self, exchange: Exchange) -> None:
        """Exchange a token."""
        token = await _token(exchange)
        if (admitted := self.gate.exchange(token)) is None:
            await exchange.respond(403, "refused", typed("text/plain"))
            return
        cookie = f"{self.gate.cookie_name}={admitted.cookie}; HttpOnly; Path=/; SameSite=Strict"
        await exchange.respond(
            200,
            json.dumps({"pass": admitted.word, "seal": admitted.seal}),
            [*typed("application/json"), ("set-cookie", cookie)],
        )

    async def _go_on(self, exchange: Exchange, request: Request) -> None:
        """Say whether a browser is in already; the token that it may bring is used up then."""
        token = await _token(exchange)
        if (admitted := self._admitted(request)) is None:
            await exchange.respond(403)
            return
        self.gate.use_up(token, admitted)
        await exchange.respond(200)

    def _admitted(self, request: Request) -> Admitted | None:
        found = map(self.gate.by_cookie, request.cookies(self.gate.cookie_name))
        return next(filter(None, found), None)

    async def _socket(
        self, stream: trio.SocketStream, exchange: Exchange, request: Request, address: Address
    ) -> None:
        await self._shown.wait()
        from client.ui.browser.entrance import admit  # noqa: PLC0415 - loaded before `show`
        from client.ui.browser.page_socket import PageSocket  # noqa: PLC0415 - loaded before `show`
        from client.ui.browser.tab import Tab  # noqa: PLC0415 - all drawings, loaded before `show`

        socket = PageSocket(stream, exchange, request)
        admitted, application = self._admitted(request), self._application
        if admitted is None or application is None:  # put out meanwhile
            raise BadRequest(403)
        drop = partial(self.connections.close, address)
        tab = Tab(application, socket, self._version, drop, admitted.seal)
        await admit(socket, admitted, drop, partial(self._stay, tab, address))

    async def _stay(self, tab: Tab, address: Address) -> tuple[int, str] | None:
        """Let a page with the pass stay, if there is room for one more."""
        if self._tabs == TABS:
            return MANY, "too many windows"
        self._tabs += 1
        self.connections.keep(address)
        try:
            return await tab.stay()
        except Exception as error:
            self._failed = error
            self._ended.set()
            raise
        finally:
            self._tabs -= 1
