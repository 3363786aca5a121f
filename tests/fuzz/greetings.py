"""The greeting of a new connection, whichever side has dialled.

The other side sends bytes before TLS, or is an honest program up to a WELCOME or a nonce that it
has damaged, and sends frames after it. A greeting fails with an error of the network, or makes a
link; a link ends by itself.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import trio
from trio.testing import MockClock, memory_stream_pair

from crypto.identity import Identity
from crypto.sas import commitment
from p2p.net import dial
from p2p.net.dial import Me
from p2p.net.errors import Broken, NetError
from p2p.net.framing import pack_frame
from p2p.net.greeting import Hello
from p2p.net.tls import MAGIC, secure
from p2p.wire import PROTOCOL
from tests.fuzz.draw import Draw, told

US, THEM = (Identity.from_seed(bytes([number]) * 32) for number in (1, 2))
FRAMES = 6
"""Frames after the greeting, at most."""

maxima: Counter[str] = Counter()
"""The most values that an input has brought over a link."""


def one_input(data: bytes) -> None:
    """Greet somebody."""
    trio.run(greeted, Draw(data), clock=MockClock(autojump_threshold=0))


async def greeted(draw: Draw) -> None:
    ours, theirs = memory_stream_pair()
    dialled = bool(draw.byte() % 2)
    errors: list[Exception] = []
    values: list[Any] = []
    me = Me(US, pem(1), Hello("1.0", 47747), failed=errors.append)

    async def deliver(value: Any) -> None:
        values.append(value)

    async def answer() -> None:
        try:
            link = await dial.greet(ours, me, dialled=dialled, address=("192.0.2.1", 47747))
        except Broken as error:
            raise errors[0] from error
        except NetError as error:
            told(error, one_line=True)
            return
        assert link.program.isprintable()
        assert await link.run(deliver)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(speak, draw, theirs, not dialled)
        await answer()
        nursery.cancel_scope.cancel()
    maxima["values"] = max(maxima["values"], len(values))


async def speak(draw: Draw, stream: Any, dialled: bool) -> None:
    """Be the other side; it has `dialled`, or was."""
    with suppress(NetError, trio.BrokenResourceError, trio.ClosedResourceError):
        if draw.byte() % 4 == 0:
            certificate = THEM.certificate()
            plain = MAGIC + len(certificate).to_bytes(2, "big") + certificate
            for _ in range(draw.below(4)):
                at = draw.below(len(plain))
                plain = plain[:at] + draw.some(draw.below(5)) + plain[at + draw.below(5) :]
            await stream.send_all(plain + draw.rest())
            await stream.aclose()
            return
        secured = await secure(stream, THEM, server_side=not dialled, pem_path=pem(2))
        nonce = bytes(16)
        part = {"commit": commitment(THEM.id, US.id, nonce)} if dialled else {"nonce": nonce}
        welcome = {**part, "port": 47747, "program": "1.0", "protocol": PROTOCOL}
        await say(draw, secured.stream, welcome)
        if dialled:
            await say(draw, secured.stream, {"nonce": nonce})
        for _ in range(FRAMES):
            if draw.more:
                likes = ({"t": "look", "secret": b""}, [], b"entry", None, "closed", "\x1b[2J")
                await say(draw, secured.stream, draw.one(likes))
        await trio.aclose_forcefully(stream)


async def say(draw: Draw, stream: Any, value: Any) -> None:
    """Send a value, perhaps another one, perhaps with damaged bytes."""
    changed = draw.value(value) if draw.byte() % 4 == 0 else value
    try:
        frame = pack_frame(changed)
    except (NetError, TypeError):
        return
    if draw.byte() % 16 == 0:
        at = draw.below(len(frame))
        frame = frame[:at] + draw.some(draw.below(5)) + frame[at + draw.below(5) :]
    await stream.send_all(frame)


@cache
def pem(number: int) -> Path:
    """The file of a key, until the program ends."""
    path = Path(folder().name) / f"{number}.pem"
    path.touch(0o600)
    path.write_bytes((US, THEM)[number - 1].pem())
    return path


@cache
def folder() -> Any:
    return tempfile.TemporaryDirectory(prefix=f"greetings-{os.getpid()}-")
