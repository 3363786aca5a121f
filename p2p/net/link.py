"""One authenticated connection: WELCOME, frames, heartbeats, and an end with a named reason.

A frame holds one value: a dict, a list or bytes from the application; None, a heartbeat; or a str,
a goodbye with its reason. Sending never waits: the send queue is bounded, and a link that exceeds
the bound is closed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import trio
from trio.abc import Stream

from crypto.errors import InvalidProof
from p2p.net.addresses import Address
from p2p.net.errors import FrameTooLong, LinkLost, VersionMismatch
from p2p.net.framing import FrameReader, pack_frame
from p2p.net.greeting import PIECE, Hello, greet
from p2p.net.rate import Allowance, Flood
from p2p.net.text import bare, clean
from p2p.net.timeouts import LIMITS, TIMEOUTS, Limits, Timeouts
from p2p.wire import Malformed

# Why a link ended.
CLOSED = "closed"  # we or the peer closed it
LOST = "lost"  # the connection broke without a goodbye
SILENT = "silent"  # nothing was heard for Timeouts.away_s
SLOW = "too slow"  # more waited to be sent than Limits.queue_bytes
FLOOD = "flood"  # Limits.rate exceeded for longer than Limits.patience_s
MALFORMED = "malformed"  # bytes that are no frame
DUPLICATE = "duplicate"  # another link to the same peer stays
DISPLACED = f"goodbye: {DUPLICATE}"  # the other end has another link to our key
FULL = "full"  # a stranger gave way to another (Limits.links)

Deliver = Callable[[Any], Awaitable[None]]


class Link:
    """A link to `peer`, the proven id of the owner of the key `public`.

    `own` is our id. `address` is where the peer can be dialled, if it told us. `dialled` says
    whether we dialled. `nonces`, ours and theirs, identify the link, and `words` are three words by
    which two people can compare it. `kept` says whether we keep a link to this peer; others have a
    smaller allowance. `local` is this machine's address of the connection, if known. `carried`
    returns the bytes that TLS received since its last call. `ended` is the reason once the link has
    ended.
    """

    def __init__(
        self,
        stream: Stream,
        peer: bytes,
        public: bytes,
        *,
        own: bytes,
        dialled: bool,
        address: Address = ("?", 0),
        timeouts: Timeouts = TIMEOUTS,
        limits: Limits = LIMITS,
        carried: Callable[[], int] = lambda: 0,
    ) -> None:
        self.peer = peer
        self.public = public
        self.own = own
        self.dialled = dialled
        self.address = address
        self.program = "?"
        self.nonces = (b"", b"")
        self.words = ""
        self.kept = True
        self.local: str | None = None
        self.since = trio.current_time()
        self.ended: str | None = None
        self.stream = stream
        self._timeouts = timeouts
        self._limits = limits
        self.carried = carried
        self._reader = FrameReader()
        self._early: list[Any] = []  # received together with WELCOME
        self._queue: list[bytes] = []
        self._queued = 0
        self._something = trio.Event()  # the queue is not empty
        self._closing = trio.Event()
        self._over = trio.Event()
        self._delivering: trio.CancelScope | None = None

    def __repr__(self) -> str:
        return (
            f"<Link {self.peer[:4].hex()} {'to' if self.dialled else 'from'} {self.address[0]} "
            f"{self.ended or 'up'}>"
        )

    @property
    def unread(self) -> int:
        """The number of bytes that the peer has not taken yet, as far as we know."""
        return self._queued

    async def greet(self, hello: Hello) -> None:
        """Exchange WELCOMEs; the link is up when this returns.

        Raises VersionMismatch or LinkLost; the stream is then closed.
        """
        try:
            greeted = await greet(
                self.stream, self._reader, hello, self.own, self.peer, dialled=self.dialled
            )
        except VersionMismatch:
            # Close gracefully, so that our WELCOME arrives and the peer can name both versions.
            with trio.move_on_after(0.5):
                await self.stream.aclose()
            await trio.aclose_forcefully(self.stream)
            raise
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            await trio.aclose_forcefully(self.stream)
            raise LinkLost(self.peer, LOST) from error
        except (FrameTooLong, Malformed, InvalidProof) as error:
            await trio.aclose_forcefully(self.stream)
            raise LinkLost(self.peer, MALFORMED) from error
        except BaseException:
            await trio.aclose_forcefully(self.stream)
            raise
        self.program, self.nonces, self.words, self._early = (
            greeted.program,
            greeted.nonces,
            greeted.words,
            greeted.early,
        )
        if greeted.port is not None:
            self.address = (self.address[0], greeted.port)
        self.since = trio.current_time()

    def send(self, value: dict[str, Any] | list[Any] | bytes) -> bool:
        """Queue a value; return False if the link has ended or is ending.

        Only an answer proves that the value arrived. FrameTooLong or TypeError for a value that no
        link can send.
        """
        return self.send_frame(pack_value(value))

    def send_frame(self, frame: bytes) -> bool:
        """Queue a frame made by `pack_value`; return False as `send` does."""
        if self._closing.is_set():
            return False
        if self._queued + len(frame) > self._limits.queue_bytes:
            self._end(SLOW)
            return False
        self._put(frame)
        return True

    def close(self, reason: str = CLOSED) -> None:
        """End the link: send the queue and a goodbye, and deliver nothing more.

        `run` returns soon after.
        """
        if self._closing.is_set():
            return
        self.ended = reason
        self._put(pack_frame(bare(reason, 60)))
        self._closing.set()
        self._stop_delivering()

    def lose(self) -> None:
        """End the link without a goodbye, because the network is gone. `run` returns at once."""
        self._end(LOST)

    async def run(self, deliver: Deliver) -> str:
        """Pass each received value to `deliver`, one at a time, until the link ends; return why.

        While `deliver` waits nothing is read, which slows the peer down and does not count as its
        silence.
        """
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write)
                nursery.start_soon(self._beat)
                nursery.start_soon(self._listen, deliver)
                await self._closing.wait()
                with trio.move_on_after(self._timeouts.flush_s):
                    await self._over.wait()
                nursery.cancel_scope.cancel()
        finally:
            self._end(LOST)
            await trio.aclose_forcefully(self.stream)
        assert self.ended is not None
        return self.ended

    async def abort(self) -> None:
        """Close a link that will not be run, without a goodbye."""
        self._end(LOST)
        await trio.aclose_forcefully(self.stream)

    def _put(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._queued += len(frame)
        self._something.set()

    def _end(self, reason: str) -> None:
        if self.ended is None:
            self.ended = reason
        self._closing.set()
        self._over.set()
        self._stop_delivering()

    def _stop_delivering(self) -> None:
        if self._delivering is not None:
            self._delivering.cancel()

    async def _write(self) -> None:
        try:
            while True:
                await self._something.wait()
                self._something = trio.Event()
                batch, self._queue = self._queue, []
                data = b"".join(batch)
                await self.stream.send_all(data)
                self._queued -= len(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._end(LOST)

    async def _beat(self) -> None:
        while True:
            await trio.sleep(self._timeouts.heartbeat_s)
            if not self._queued and not self._closing.is_set():
                self._put(pack_frame(None))

    async def _listen(self, deliver: Deliver) -> None:
        try:
            await self._read(deliver)
        except (FrameTooLong, Malformed):
            self.close(MALFORMED)
        except Flood:
            self.close(FLOOD)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._end(LOST)
            return
        # Read to the end even so: closing with unread bytes would destroy what is still queued.
        try:
            while await self.stream.receive_some():
                self.carried()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the expected end
        self._end(LOST)

    async def _read(self, deliver: Deliver) -> None:
        """Read until a goodbye, the end of the stream, or a timeout; each ends the link."""
        allowance = Allowance(self._limits, trio.current_time())
        size = 0
        values, self._early = self._early, []
        while True:
            # Count before delivering: a flood is not worth an event.
            pause = allowance.spend(len(values), size, trio.current_time(), kept=self.kept)
            for value in values:
                if isinstance(value, str):
                    self._end(CLOSED if value == CLOSED else f"goodbye: {clean(value, 60)}")
                    return
                if value is not None and not self._closing.is_set():
                    _require_application(value)
                    with trio.CancelScope() as self._delivering:
                        await deliver(value)
            if pause and not self._closing.is_set():
                with trio.move_on_after(pause):
                    await self._closing.wait()
            with trio.move_on_after(self._timeouts.away_s) as patience:
                data = await self.stream.receive_some(PIECE)
            if patience.cancelled_caught or not data:
                self._end(SILENT if patience.cancelled_caught else LOST)
                return
            size = max(len(data), self.carried())
            values = self._reader.feed(data)


def pack_value(value: dict[str, Any] | list[Any] | bytes) -> bytes:
    """Return the frame of an application's value. Raises FrameTooLong or TypeError."""
    try:
        _require_application(value)
    except Malformed as error:
        raise TypeError("an application sends a dict with its kind, a list or bytes") from error
    return pack_frame(value)


def _require_application(value: object) -> None:
    """Raise Malformed unless an application may send this value: a dict, a list or bytes.

    A dict has its kind under `t`, as text, which handlers look up.
    """
    if not isinstance(value, dict | list | bytes):
        raise Malformed("neither a heartbeat, a goodbye nor a message")
    if isinstance(value, dict) and type(value.get("t")) is not str:
        raise Malformed("a message without a kind")
