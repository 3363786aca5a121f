"""The process of a visitor, from the side of the program that has started it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import trio

from client.session.python_process import start_python
from client.ui.phone.messages import MessageReader, NoMessage, OfVisitor, ToVisitor, packed

END_S = 30.0
"""Seconds in which a visitor must have ended when its standard input has."""
TAKE_S = 30.0
"""Seconds within which a visitor must have taken a message in. One that hangs would keep its owner
from all others: orders are carried out one after the other."""
PIECE_BYTES = 65_536


class NoVisitorError(Exception):
    """The process cannot be started, or has ended."""


class VisitorProcess:
    """A running visitor."""

    def __init__(self, process: trio.Process) -> None:
        self._process = process
        self._reader = MessageReader()
        self._sending = trio.Lock()

    @classmethod
    async def start(cls, home: Path) -> VisitorProcess:
        """Start the visitor of a home; the first message to it must be `Begin`.

        Raises NoVisitorError. Other users see the path of the home, and no secret.
        """
        try:
            process = await start_python("client.ui.phone.visitor", str(home))
        except OSError as error:
            raise NoVisitorError(str(error)) from error
        return cls(process)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    async def send(self, message: ToVisitor) -> None:
        """Send a message, whole even if we are cancelled meanwhile. Raises NoVisitorError.

        `end` ends it, and so does a visitor that does not take it in.
        """
        assert self._process.stdin is not None
        async with self._sending:
            try:
                with trio.move_on_after(TAKE_S, shield=True) as late:
                    await self._process.stdin.send_all(packed(message))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise NoVisitorError("it has ended") from None
            if late.cancelled_caught:
                self.kill()
                raise NoVisitorError("it hangs")

    def kill(self) -> None:
        """End it by force: it hangs."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def receive(self) -> list[OfVisitor]:
        """Return the next messages, one or more. NoVisitorError when there are no more."""
        assert self._process.stdout is not None
        while True:
            try:
                data = await self._process.stdout.receive_some(PIECE_BYTES)
                found = self._reader.feed(bytes(data))
            except (trio.BrokenResourceError, trio.ClosedResourceError, NoMessage):
                data = b""
            if not data:
                raise NoVisitorError("it has ended")
            if found:
                return [message for message in found if isinstance(message, OfVisitor)]

    async def end(self) -> int:
        """End the visitor, if need be by force; return its exit status."""
        with trio.CancelScope(shield=True):
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    await trio.aclose_forcefully(stream)
            with trio.move_on_after(END_S) as late:
                await self._process.wait()
            if late.cancelled_caught:
                self.kill()
            await self._process.wait()
        assert self._process.returncode is not None
        return self._process.returncode
