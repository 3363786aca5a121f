"""The page's server on a real socket, and clients that say to it whatever a test wants."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import h11
import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    RejectConnection,
    RejectData,
    Request,
    TextMessage,
)

from client.session.context import Context
from client.storage.home import Home
from client.storage.settings import Settings
from client.ui.browser.access import Gate
from client.ui.browser.connections import Connections
from client.ui.browser.server import Server
from client.ui.screen.application import TuiApplication
from client.ui.screen.kept import KeptState
from client.ui.screen.state import ScreenState
from tests.patience import PATIENCE


class Page:
    """A server that shows an application, and the acts of a stranger or a browser."""

    listener: trio.socket.SocketType
    connections: Connections

    def __init__(self, application: TuiApplication, gate: Gate) -> None:
        self.application, self.gate = application, gate
        self.host, self.port = gate.host, int(gate.host.split(":")[1])

    @property
    def token(self) -> str:
        return self.gate.address().partition("#")[2]

    async def connect(self) -> trio.SocketStream:
        return await trio.open_tcp_stream("127.0.0.1", self.port)

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str | None) -> Answer:
        """Ask as our page does, but for some headers; None leaves one out."""
        known: dict[str, str | None] = {
            "host": self.host,
            "origin": self.gate.origin if method == "POST" else None,
        }
        known |= {name.replace("_", "-"): value for name, value in headers.items()}
        if body:
            known["content-length"] = str(len(body))
        head = [(name, value.encode()) for name, value in known.items() if value is not None]
        connection = h11.Connection(h11.CLIENT)
        data = connection.send(h11.Request(method=method, target=path, headers=head))
        async with await self.connect() as stream:
            await stream.send_all(
                data + connection.send(h11.Data(data=body)) + connection.send(h11.EndOfMessage())
            )
            return await answer_of(stream, connection)

    async def enter(self, token: str | None = None) -> tuple[str, str]:
        """Exchange a token for a cookie and a pass."""
        answer = await self.ask("POST", "/enter", (token or self.token).encode())
        assert answer.status == 200
        return answer.headers["set-cookie"].partition(";")[0], json.loads(answer.body)["pass"]

    @asynccontextmanager
    async def socket(
        self, cookie: str | None, path: str = "/socket", **headers: str | None
    ) -> AsyncIterator[Socket]:
        """Open the socket as our page does, but for some headers."""
        known: dict[str, str | None] = {"origin": self.gate.origin, "cookie": cookie} | headers
        host = known.pop("host", self.host)
        async with await self.connect() as stream:
            socket = Socket(stream)
            head = [
                (name.replace("_", "-").encode(), value.encode())
                for name, value in known.items()
                if value is not None
            ]
            await socket.say(Request(host=host, target=path, extra_headers=head))
            await socket.begin()
            yield socket

    @asynccontextmanager
    async def window(self) -> AsyncIterator[Socket]:
        """Open a page that is let in and shows something."""
        cookie, word = await self.enter()
        async with self.socket(cookie) as socket:
            await socket.send({"pass": word})
            socket.cookie, socket.word = cookie, word
            await socket.picture()
            yield socket


async def connect_from(address: str, to: int, port: int = 0) -> trio.SocketStream:
    """Connect to a port of this machine from an address of it, if wished from a certain port."""
    found = trio.socket.socket()
    found.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_REUSEADDR, 1)
    await found.bind((address, port))
    await found.connect(("127.0.0.1", to))
    return trio.SocketStream(found)


async def said(to: Any, data: bytes) -> bytes:
    """Say something, and return all that the server says until it ends the connection."""
    heard = b""
    async with await to.connect() as stream:
        with trio.fail_after(PATIENCE), suppress(trio.BrokenResourceError):
            await stream.send_all(data)
            while more := await stream.receive_some():
                heard += more
    return heard


class Answer:
    """An answer of the server."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body


async def answer_of(stream: trio.SocketStream, connection: h11.Connection) -> Answer:
    head, body = None, b""
    with trio.fail_after(PATIENCE):
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                connection.receive_data(await stream.receive_some())
            elif isinstance(event, h11.Response):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage):
                break
            else:
                raise AssertionError(event)
    assert head is not None
    return Answer(
        head.status_code, {name.decode(): value.decode() for name, value in head.headers}, body
    )


class Socket:
    """The page's end of a socket."""

    cookie = word = ""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream, self._wire = stream, WSConnection(ConnectionType.CLIENT)
        self._events: list[Any] = []
        self.status = 0
        self.extensions: list[Any] = []
        self.shown: dict[str, Any] = {}
        """The fields beside the view and the view, as far as they were sent; and its page."""

    async def say(self, *events: Any) -> None:
        await self.stream.send_all(b"".join(map(self._wire.send, events)))

    async def send(self, message: object) -> None:
        await self.say(
            TextMessage(data=message if isinstance(message, str) else json.dumps(message))
        )

    async def begin(self) -> None:
        event = await self.next(AcceptConnection, RejectConnection)
        self.status = 101 if isinstance(event, AcceptConnection) else event.status_code
        if isinstance(event, AcceptConnection):
            self.extensions = list(event.extensions)

    async def next(self, *kinds: type) -> Any:
        """Return the next event of these kinds; None if the connection ends before."""
        with trio.fail_after(PATIENCE):
            while True:
                for event in self._wire.events():
                    self._events.append(event)
                while self._events:
                    event = self._events.pop(0)
                    if isinstance(event, kinds):
                        return event
                try:
                    data = await self.stream.receive_some()
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    return None
                if not data:
                    return None
                self._wire.receive_data(data)

    async def message(self) -> dict[str, Any]:
        """Return the next message."""
        text = ""
        while True:
            event = await self.next(TextMessage, CloseConnection)
            assert isinstance(event, TextMessage), event
            text += event.data
            if event.message_finished:
                return json.loads(text)

    async def picture(self) -> dict[str, Any]:
        """Return the next message, and keep what it changes."""
        message = await self.message()
        self.shown |= message.get("set", {}) | {"number": message["number"]}
        self.shown["page"] = self.shown["view"]["page"]
        return message

    async def click(self, name: str) -> None:
        """Click a thing of the view that is shown."""
        await self.send({"click": name, "seen": self.shown["number"]})

    async def until(self, holds: Any) -> None:
        """Take views in until something holds of the one that is shown."""
        while not holds(self.shown):
            await self.picture()

    async def is_heard(self) -> None:
        """Wait until the program has taken in all that was sent: it takes one after the other."""
        before = self.shown["heard"]
        await self.send({"typed": ""})
        await self.until(lambda shown: shown["heard"] > before)

    async def closed(self) -> int | None:
        """Return the code with which the socket is closed; None if it just ends."""
        event = await self.next(CloseConnection)
        return None if event is None else int(event.code)


__all__ = ["BytesMessage", "Page", "RejectData", "open_page"]


@asynccontextmanager
async def open_page(home: Path, state: ScreenState | None = None) -> AsyncIterator[Page]:
    """Serve the page of an application that has no session."""
    args = Namespace(color="auto", interface="127.0.0.1", lang=None)
    application = TuiApplication(
        Context(Home(home)),
        state or ScreenState(kept=KeptState(settings=Settings(nick="Ane"))),
        args,
        None,
    )
    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        gate = Gate(listeners[0].socket.getsockname()[1])
        server = Server(gate)
        nursery.start_soon(server.spend, listeners)
        server.show(application)
        page = Page(application, gate)
        page.listener = listeners[0].socket
        page.connections = server.connections
        yield page
        nursery.cancel_scope.cancel()
