"""A visitor is a process of its own: a phone sees its pages over two pipes and a sealed channel."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from client.storage.home import Home, StoreError
from client.storage.phone_secrets import NAME, UNUSED_S, Secrets, read_secrets
from client.storage.visitors import Visitors
from client.ui.phone.messages import (
    Begin,
    Claims,
    Close,
    Code,
    Doing,
    Entered,
    Frame,
    LinkClosed,
    MakeCode,
    OfVisitor,
)
from client.ui.phone.process import NoVisitorError, VisitorProcess
from crypto.channel import Key, Kind, read_code
from tests.patience import PATIENCE
from tests.second_noise import SecondPage

HOST = "192.168.1.23:47757"
FILES = bytes(range(32))
BEGIN = Begin(HOST, FILES, "127.0.0.1", b"", b"")


class Running:
    """A visitor's process, and the messages that have come of it."""

    def __init__(self, process: VisitorProcess) -> None:
        self.process = process
        self.waiting: list[OfVisitor] = []
        self.doing: list[Doing] = []
        """The doings of its player, apart from the other messages."""
        self.connections = 0
        self.claims: set[bytes] = set()
        """The keys that open it now, before the message that was read last was sent."""

    async def next(self) -> OfVisitor:
        """Return the next message that tells of something else than its keys."""
        while await self.claims_come():
            pass
        return self.waiting.pop(0)

    async def claims_come(self) -> bool:
        """Whether the next message tells its keys, which are then read."""
        while not self.waiting:
            await self.more()
        if come := isinstance(self.waiting[0], Claims):
            self.claims = {one[1:] for one in self.waiting.pop(0).claims}
        return come

    async def more(self) -> None:
        """Wait for messages."""
        with trio.fail_after(PATIENCE):
            found = await self.process.receive()
        self.doing += [one for one in found if isinstance(one, Doing)]
        self.waiting += [one for one in found if not isinstance(one, Doing)]

    async def does(self, **what: object) -> None:
        """Wait until its player is said to do this."""
        while not self.doing or not what.items() <= vars(self.doing[-1]).items():
            await self.more()

    async def ends(self) -> None:
        """Wait until it has ended."""
        with suppress(NoVisitorError):
            while True:
                await self.next()

    async def code(self) -> bytes:
        """Let it show a code."""
        await self.process.send(MakeCode())
        code = await self.next()
        assert isinstance(code, Code)
        assert Key.of(Kind.CODE, read_code(code.letters)).id in self.claims
        return read_code(code.letters)

    async def phone(self, root: bytes) -> Phone:
        """Open a connection by a code or a secret, and say hello."""
        self.connections += 1
        kind = Kind.CODE if len(root) == 10 else Kind.SECRET
        phone = Phone(self, self.connections, SecondPage(kind, root, HOST, os.urandom(32)))
        await phone.says_bytes(phone.page.first)
        assert phone.page.finish(await phone.frame()) == FILES
        await phone.says({"lang": "eu-ES"})
        return phone


class Phone:
    """A connection to a visitor."""

    def __init__(self, visitor: Running, number: int, page: SecondPage) -> None:
        self.visitor, self.number, self.page = visitor, number, page
        self.by_code = False

    async def says_bytes(self, data: bytes) -> None:
        await self.visitor.process.send(Frame(self.number, data))

    async def says(self, text: object) -> None:
        await self.says_bytes(self.page.seal(json.dumps(text)))

    async def frame(self) -> bytes:
        frame = await self.visitor.next()
        assert isinstance(frame, Frame), frame
        assert frame.connection == self.number
        return frame.data

    async def reads(self) -> dict:
        return json.loads(self.page.unseal(await self.frame()))

    async def is_in(self) -> dict:
        """Wait until it is in; return the first view."""
        assert await self.visitor.next() == Entered(self.number, "eu-ES", by_code=self.by_code)
        return await self.reads()

    async def pairs(self) -> bytes:
        """Take the secret, and come in with it."""
        secret = bytes.fromhex((await self.reads())["secret"])
        assert Key.of(Kind.SECRET, secret).id in self.visitor.claims
        await self.says({"kept": True})
        self.by_code = True
        return secret


@asynccontextmanager
async def running(home: Path, first: object = None) -> AsyncIterator[Running]:
    started = await VisitorProcess.start(home)
    try:
        await started.send(first or BEGIN)
        yield Running(started)
    finally:
        await started.end()


@pytest.fixture
def home(tmp_path):
    return Visitors(tmp_path).create("Jon").path


async def test_a_phone_sees_its_program_and_comes_back_by_its_secret(home):
    async with running(home) as visitor:
        phone = await visitor.phone(await visitor.code())
        secret = await phone.pairs()
        shown = await phone.is_in()
        assert shown["set"]["view"]["page"] == "lobby"
        assert shown["set"]["lang"] == "eu"
        assert shown["set"]["version"] == FILES.hex()
        assert "Jon" in json.dumps(shown)
        assert '"quit"' not in json.dumps(shown)
    assert read_secrets(home) == Secrets(secret, None)
    async with running(home) as visitor:
        again = await visitor.phone(secret)
        assert Key.of(Kind.SECRET, secret).id in visitor.claims
        assert (await again.is_in())["set"]["view"]["page"] == "lobby"
        await again.says({"click": "nothing", "seen": 1})
        await visitor.process.send(LinkClosed(again.number))
        other = await visitor.phone(secret)
        await other.is_in()


async def test_a_secret_that_was_not_used_for_thirty_days_is_void(home):
    async with running(home) as visitor:
        phone = await visitor.phone(await visitor.code())
        secret = await phone.pairs()
        await phone.is_in()
        await visitor.process.send(LinkClosed(phone.number))
        old = time.time() - UNUSED_S - 60
        os.utime(home / NAME, (old, old))
        page = SecondPage(Kind.SECRET, secret, HOST, os.urandom(32))
        await visitor.process.send(Frame(9, page.first))
        while await visitor.next() != Close(9):
            pass
        assert Key.of(Kind.SECRET, secret).id not in visitor.claims
        other = await visitor.phone(await visitor.code())
        assert await other.reads() == {"wait": True}


async def test_a_visitor_that_is_killed_before_kept_has_both_secrets(home):
    async with running(home) as visitor:
        phone = await visitor.phone(await visitor.code())
        secret = bytes.fromhex((await phone.reads())["secret"])
        os.kill(visitor.process.pid, signal.SIGKILL)
        await visitor.ends()
    assert read_secrets(home) == Secrets(None, secret)
    async with running(home) as visitor:
        await (await visitor.phone(secret)).is_in()


async def test_a_visitor_ends_with_its_standard_input(home):
    started = await VisitorProcess.start(home)
    await started.send(BEGIN)
    await started.send(MakeCode())
    await started.receive()
    assert await started.end() == 0
    with Home(home).locked():
        pass


async def test_a_visitor_runs_once(home):
    async with running(home) as visitor:
        await visitor.code()
        other = await VisitorProcess.start(home)
        await Running(other).ends()
        assert await other.end() == 1
        (known,) = Visitors(home.parent.parent).all()
        for call in (known.delete, lambda: known.rename("Ane")):
            with pytest.raises(StoreError, match="another Sobremesa"):
                call()
        await visitor.code()


async def test_no_secret_is_on_the_command_line_or_readable_by_others(home):
    async with running(home) as visitor:
        phone = await visitor.phone(await visitor.code())
        secret = await phone.pairs()
        await phone.is_in()
        words = Path(f"/proc/{visitor.process.pid}/cmdline").read_bytes()
        assert secret.hex().encode() not in words
        assert stat.S_IMODE((home / NAME).stat().st_mode) == 0o600
        for folder in (home, home.parent):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_a_page_lets_its_visitor_dial_no_typed_address(home):
    async with running(home) as visitor, trio.open_nursery() as nursery:
        came = trio.Event()

        async def take(_stream: trio.SocketStream) -> None:
            came.set()

        listeners = await nursery.start(trio.serve_tcp, take, 0)
        port = listeners[0].socket.getsockname()[1]
        phone = await visitor.phone(await visitor.code())
        await phone.pairs()
        shown = await phone.is_in()
        await phone.says({"click": "join", "seen": shown["number"]})
        while "sheet" not in (shown := await phone.reads())["set"].get("view", {}):
            pass
        await phone.says({"typed": f"127.0.0.1:{port}"})
        await phone.says({"click": "key:enter", "seen": shown["number"]})
        while "ez da gonbidapena" not in json.dumps(await phone.reads()):
            pass
        assert not came.is_set()
        nursery.cancel_scope.cancel()
