"""The server for phones on a real socket, with visitors in this process, and pages that say to it
anything that a test wants."""

from __future__ import annotations

import json
import math
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import h11
import pytest
import trio
from wsproto.events import BytesMessage, CloseConnection, Request

from client.storage.phone_secrets import Secrets
from client.ui.phone import hosted, messages
from client.ui.phone.access import Access, Said
from client.ui.phone.hosted import PROOF_S, REFUSED, Hosted, News
from client.ui.phone.messages import Begin, Claims, Code, Entered, Frame, OfVisitor, ToVisitor
from client.ui.phone.phones import Phones
from client.ui.phone.process import NoVisitorError
from crypto.channel import Kind, read_code
from tests.browser.wire import Answer, Socket, answer_of
from tests.patience import PATIENCE
from tests.second_noise import SecondPage
from tests.standin import seeded


class StandIn:
    """A visitor in this process, in place of the process of a visitor."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.disk: list[Secrets] = [Secrets()]
        self.access: Access | None = None
        self.says_nothing = False
        """Whether it takes frames, and tells neither of them nor of its beginning."""
        self.taken: list[ToVisitor] = []
        self.texts: list[str] = []
        self.starts = 0
        self.fails = False
        """Whether it cannot be started."""
        self.held: trio.Event | None = None
        """It takes no message before this."""
        self.begin()

    def begin(self) -> None:
        self._outer, self._inner = trio.open_memory_channel[list[OfVisitor]](math.inf)

    async def send(self, message: ToVisitor) -> None:
        await trio.lowlevel.checkpoint()
        if self.held is not None:
            await self.held.wait()
        self.taken.append(message)
        try:
            self._outer.send_nowait(self._take(message))
        except trio.ClosedResourceError:
            raise NoVisitorError("it has ended") from None

    async def receive(self) -> list[OfVisitor]:
        try:
            while not (found := await self._inner.receive()):
                pass
        except trio.EndOfChannel:
            raise NoVisitorError("it has ended") from None
        return found

    async def end(self) -> int:
        self._outer.close()
        return 0

    def crash(self) -> None:
        self._outer.close()

    def kill(self) -> None:
        self._outer.close()

    def say(self, *said: OfVisitor) -> None:
        self._outer.send_nowait(list(said))

    def _take(self, message: ToVisitor) -> list[OfVisitor]:
        if isinstance(message, Begin):
            count = sum(isinstance(one, Begin) for one in self.taken)
            entropy = seeded(f"visitor {self.home} {count}")
            self.access = Access(
                message.host, message.files, entropy, self.disk.append, self.disk[-1]
            )
            return [] if self.says_nothing else [self._claims()]
        assert self.access is not None
        found: list[OfVisitor] = []
        match message:
            case Frame(number, data) if not self.says_nothing:
                for event in self.access.receive(number, data):
                    if isinstance(event, Said):
                        self.texts.append(event.text)
                    else:
                        found.append(event)
                    if isinstance(event, Entered):
                        found += self.access.tell(number, json.dumps({"set": {}, "number": 1}))
            case messages.MakeCode():
                ended = [*self.access.turn_away(), *self.access.turn_back()]
                found = [
                    *(one for one in ended if not isinstance(one, Said)),
                    Code(self.access.new_code()),
                ]
            case messages.Moved(host):
                self.access.move(host)
            case messages.EndCode():
                self.access.end_code()
                found = [one for one in self.access.turn_away() if not isinstance(one, Said)]
            case messages.AdmitPhone(number):
                found = [one for one in self.access.let_in(number) if not isinstance(one, Said)]
            case messages.LinkClosed(number):
                self.access.gone(number)
        return [self._claims(), *found]

    def _claims(self) -> Claims:
        assert self.access is not None
        return Claims(sorted(bytes([one.kind]) + one.id for one in self.access.claims))


@dataclass
class House:
    """A server for phones, its visitors, and the news for their owner."""

    host: str
    visitors: dict[Path, StandIn]
    phones: Phones
    told: list[News] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.host.split(":")[1])

    @property
    def visitor(self) -> StandIn:
        return next(iter(self.visitors.values()))

    def hosted(self, home: Path | None = None) -> Hosted:
        return next(one for one in self.phones.visitors if one.home == (home or self.visitor.home))

    async def until(self, kind: type[News]) -> News:
        """Wait until the owner is told something."""
        with trio.fail_after(PATIENCE):
            while not (found := [one for one in self.told if isinstance(one, kind)]):
                await trio.sleep(0.01)
        return found[-1]

    async def code(self, home: Path | None = None) -> bytes:
        self.told.clear()
        await self.hosted(home).tell(messages.MakeCode())
        code = await self.until(Code)
        assert isinstance(code, Code)
        return read_code(code.letters)

    async def connect(self) -> trio.SocketStream:
        return await trio.open_tcp_stream("127.0.0.1", self.port)

    async def ask(self, method: str, path: str, **headers: str | None) -> Answer:
        known: dict[str, str | None] = {"host": self.host, **headers}
        head = [(name, value.encode()) for name, value in known.items() if value is not None]
        connection = h11.Connection(h11.CLIENT)
        data = connection.send(h11.Request(method=method, target=path, headers=head))
        assert data is not None
        async with await self.connect() as stream:
            await stream.send_all(data)
            return await answer_of(stream, connection)

    @asynccontextmanager
    async def open(self, **headers: str | None) -> AsyncIterator[Socket]:
        """Open the socket as our page does, but for some headers."""
        known: dict[str, str | None] = {"origin": self.phones.origin} | headers
        host = known.pop("host", self.host)
        assert host is not None
        async with await self.connect() as stream:
            socket = Socket(stream)
            head = [
                (name.encode(), value.encode())
                for name, value in known.items()
                if value is not None
            ]
            await socket.say(Request(host=host, target="/socket", extra_headers=head))
            await socket.begin()
            yield socket

    @asynccontextmanager
    async def page(self, root: bytes, **headers: str | None) -> AsyncIterator[KnockingPage]:
        """Open a page that has a code or a secret."""
        async with self.open(**headers) as socket:
            yield KnockingPage(socket, root, self.host)


class KnockingPage:
    """A page on a real socket."""

    count = 0

    def __init__(self, socket: Socket, root: bytes, host: str) -> None:
        KnockingPage.count += 1
        self.socket = socket
        kind = Kind.CODE if len(root) == 10 else Kind.SECRET
        self.sealed = SecondPage(kind, root, host, seeded(f"page {KnockingPage.count}")(32))

    async def sends(self, data: bytes) -> None:
        await self.socket.say(BytesMessage(data=data))

    async def says(self, text: object) -> None:
        await self.sends(self.sealed.seal(json.dumps(text)))

    async def frame(self) -> bytes:
        data = b""
        while True:
            event = await self.socket.next(BytesMessage, CloseConnection)
            assert isinstance(event, BytesMessage), event
            data += event.data
            if event.message_finished:
                return data

    async def reads(self) -> dict:
        return json.loads(self.sealed.unseal(await self.frame()))

    async def begins(self) -> bytes:
        """Send the first frame; return the hash of the files."""
        await self.sends(self.sealed.first)
        return self.sealed.finish(await self.frame())

    async def is_refused_at_once(self) -> None:
        """Its key is not known: else it would have time to prove that it has it."""
        await self.sends(self.sealed.first)
        with trio.fail_after(PROOF_S / 2):
            assert await self.closed() == REFUSED

    async def hello(self) -> None:
        await self.begins()
        await self.says({"lang": "eu"})

    async def pairs(self) -> bytes:
        """Come in by a code; return the new secret."""
        await self.hello()
        secret = bytes.fromhex((await self.reads())["secret"])
        await self.says({"kept": True})
        assert "set" in await self.reads()
        return secret

    async def comes_back(self) -> None:
        """Come in by a secret."""
        await self.hello()
        assert "set" in await self.reads()

    async def closed(self) -> int | None:
        return await self.socket.closed()


def unvouched(_home: Path) -> tuple[bytes, bytes]:
    """Vouch for no seat."""
    return b"", b""


@asynccontextmanager
async def house(
    monkeypatch: pytest.MonkeyPatch, homes: Sequence[Path] = (Path("jon"),), *, fails: bool = False
) -> AsyncIterator[House]:
    """Serve phones on the loopback interface; the visitors cannot be started if that `fails`."""
    visitors = {home: StandIn(home) for home in homes}
    for visitor in visitors.values():
        visitor.fails = fails

    async def start(home: Path) -> StandIn:
        await trio.lowlevel.checkpoint()
        visitor = visitors[home]
        visitor.starts += 1
        if visitor.fails:
            raise NoVisitorError("it cannot be started")
        visitor.begin()
        return visitor

    monkeypatch.setattr(hosted.VisitorProcess, "start", start)
    listener = socket.create_server(("127.0.0.1", 0))
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    told: list[News] = []
    phones = Phones(host, "127.0.0.1", lambda _visitor, news: told.append(news), unvouched)
    async with trio.open_nursery() as nursery:
        await nursery.start(phones.spend, listener, list(homes))
        yield House(host, visitors, phones, told)
        nursery.cancel_scope.cancel()
