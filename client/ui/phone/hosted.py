"""A visitor as the program that listens has it: its process, and the connections of pages to it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from client.ui.browser.http import Gone
from client.ui.browser.page_socket import PageSocket
from client.ui.phone import messages
from client.ui.phone.messages import (
    Asks,
    Begin,
    Claims,
    Code,
    CodeUsed,
    Doing,
    Entered,
    OfVisitor,
    ToVisitor,
)
from client.ui.phone.process import NoVisitorError, VisitorProcess
from p2p.net.rate import Turns

PROOF_S = 5.0
"""Seconds within which a page must send its first frame, and then prove that it has a key."""
SEND_S = 20.0
"""Seconds for a page to read a frame."""
LAST_S = 5.0
"""Seconds for a page to read the last frames before it is closed."""
FRAMES = 32
"""Frames that may wait for a page: one that sleeps comes anew when it wakes."""
AT_ONCE, PER_SECOND = 120, 60.0
"""Frames of a page. The visitor bounds what they say (`client.ui.browser.tab`)."""
START_S = 60.0
"""Seconds within which a visitor must have told its keys."""
STARTS, STARTS_PER_SECOND = 3, 0.1
"""Starts of a visitor, which may end by itself again and again."""
REFUSED, AGAIN = 4403, 1013
"""The close codes of a socket: for any mistake of a page, and for a visitor that has
ended, and is there again for the next connection."""


@dataclass(frozen=True)
class Stopped:
    """The process of a visitor has ended by itself, and with it the code that it had shown."""


News = Code | Asks | CodeUsed | Entered | Doing | messages.LinkClosed | Stopped
"""The news of a visitor for its owner."""


class Connection:
    """A connection of a page that has named a key of a visitor."""

    def __init__(
        self,
        number: int,
        socket: PageSocket,
        keep: Callable[[], None],
        let_go: Callable[[], None],
    ) -> None:
        """Set up a connection; `keep` lets it last, and `let_go` lets it make room for others."""
        self.number, self._socket, self._keep, self._let_go = number, socket, keep, let_go
        self._scope = trio.CancelScope()
        self._outer, self._frames = trio.open_memory_channel[bytes](FRAMES)
        self._answered = self._proven = False
        self._turns = Turns(AT_ONCE, PER_SECOND)
        self._why = REFUSED

    async def spend(self, first: bytes, tell: Callable[[ToVisitor], Awaitable[None]]) -> int:
        """Pass frames on until the page has gone or must go; return the code to close it with.

        `tell` sends a message to the visitor, or raises NoVisitorError.
        """
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._listen, first, tell)
                await self._say()
                nursery.cancel_scope.cancel()
        return self._why

    def send(self, frame: bytes) -> None:
        """Send a frame of the visitor, soon. A page that does not take them in is dropped.

        The first one answers the page's own, which anybody can repeat. The second one shows that
        the page has proven to have a key (decision 0035).
        """
        if self._answered:
            self.keep()
        self._answered = True
        try:
            self._outer.send_nowait(frame)
        except (trio.WouldBlock, trio.ClosedResourceError):
            self.drop()

    def keep(self) -> None:
        """Let it last, because its page is proven."""
        self._proven = True
        self._scope.deadline = math.inf
        self._keep()

    def close(self) -> None:
        """Close it when all frames have gone, soon: a page that takes nothing in holds no place."""
        self._outer.close()
        self._scope.deadline = min(self._scope.deadline, trio.current_time() + LAST_S)
        self._let_go()

    def drop(self, why: int = REFUSED) -> None:
        """Close it at once."""
        self._why = why
        self._scope.cancel()

    async def _listen(self, first: bytes, tell: Callable[[ToVisitor], Awaitable[None]]) -> None:
        try:
            await tell(messages.Frame(self.number, first))
            if not self._proven:
                self._scope.deadline = trio.current_time() + PROOF_S  # from when the visitor runs
            while isinstance(frame := await self._socket.receive(), bytes):
                if not self._turns.take("", trio.current_time()):
                    break
                await tell(messages.Frame(self.number, frame))
        except NoVisitorError:
            self._why = AGAIN
        except Gone:
            pass
        self._scope.cancel()

    async def _say(self) -> None:
        with suppress(Gone, trio.TooSlowError):
            async for frame in self._frames:
                with trio.fail_after(SEND_S):
                    await self._socket.send(frame)


class Hosted:
    """A visitor, its process while it runs, and the connections to it."""

    def __init__(self, home: Path, begin: Begin, hear: Callable[[News], None]) -> None:
        """Set up a visitor that does not run yet; `hear` gets the news for its owner."""
        self.home = home
        self.claims: frozenset[bytes] | None = None
        """The kinds and ids of the keys that a first frame may name. They stay when it ends.

        None before it has run for the first time.
        """
        self._begin, self._hear = begin, hear
        self.connections: dict[int, Connection] = {}
        """The connections of pages to it that are open, by their numbers."""
        self._process: VisitorProcess | None = None
        self._wanted, self._decided = trio.Event(), trio.Event()
        self._turns = Turns(STARTS, STARTS_PER_SECOND)
        self._all, self._over = trio.CancelScope(), trio.Event()

    @property
    def runs(self) -> bool:
        """Whether its process runs."""
        return self._process is not None

    async def spend(self) -> None:
        """Run the visitor whenever it is wanted, until cancelled or ended."""
        try:
            with self._all:
                await self._run_when_wanted()
        finally:
            self._process = None
            self._over.set()
            self._decided.set()
            for connection in self.connections.values():
                connection.drop()

    async def end(self) -> None:
        """End it for good, and return when its process has ended: its home can be used then."""
        self._all.cancel()
        with trio.CancelScope(shield=True):
            await self._over.wait()

    async def _run_when_wanted(self) -> None:
        while True:
            await self._wanted.wait()
            if self._turns.take("", trio.current_time()):
                with suppress(NoVisitorError):
                    await self._run()
            ran, self._process = self.runs, None
            self._wanted, decided, self._decided = trio.Event(), self._decided, trio.Event()
            decided.set()
            for connection in self.connections.values():
                connection.drop(AGAIN)
            if ran:
                self._hear(Stopped())

    async def start(self) -> None:
        """Start it if it does not run; return when its claims are known. Raises NoVisitorError."""
        self._wanted.set()
        if self._process is None and not self._over.is_set():
            await self._decided.wait()
        if self._process is None:
            raise NoVisitorError("it has ended")

    async def tell(self, message: ToVisitor) -> None:
        """Send it a message; it is started if it does not run. Raises NoVisitorError."""
        await self.start()
        if self._process is not None:
            await self._process.send(message)

    async def move(self, host: str) -> None:
        """Let its pages have another address and port from now on."""
        self._begin = replace(self._begin, host=host)
        if self._process is not None:
            with suppress(NoVisitorError):
                await self._process.send(messages.Moved(host))

    async def connect(self, connection: Connection, first: bytes) -> int:
        """Pass the frames of a connection on, of which this is the first, until it ends.

        Return the code to close it with.
        """
        self.connections[connection.number] = connection
        try:
            return await connection.spend(first, self.tell)
        finally:
            del self.connections[connection.number]
            self._hear(messages.LinkClosed(connection.number))
            with trio.CancelScope(shield=True), suppress(NoVisitorError):
                if self._process is not None:
                    await self._process.send(messages.LinkClosed(connection.number))

    async def _run(self) -> None:
        """Run it until it ends. Raises NoVisitorError."""
        process = await VisitorProcess.start(self.home)
        try:
            with trio.move_on_after(START_S) as starting:
                await process.send(begin := self._begin)
                while True:
                    for message in await process.receive():
                        self._take(message)
                        if self._process is None:
                            while begin != self._begin:  # it has moved before it could be told
                                begin = self._begin
                                await process.send(messages.Moved(begin.host))
                            self._process, starting.deadline = process, math.inf
                            self._decided.set()
            process.kill()
        finally:
            await process.end()

    def _take(self, message: OfVisitor) -> None:
        match message:
            case Claims(claims):
                self.claims = frozenset(claims)
            case messages.Frame(number, data):
                if number in self.connections:
                    self.connections[number].send(data)
            case messages.Close(number):
                if number in self.connections:
                    self.connections[number].close()
            case Entered(number):
                if number in self.connections:
                    self.connections[number].keep()
                self._hear(message)
            case _:
                self._hear(message)
