"""WELCOME: the first messages of both ends of a connection, and words to compare it by.

The dialling side sends WELCOME with a commitment; the other answers with WELCOME and its nonce;
then the first reveals the nonce it committed to. Both nonces yield the words by which two people
can compare this link (`crypto.sas`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import trio
from trio.abc import Stream

from crypto.sas import COMMITMENT, NONCE, check_nonce, commitment, shared_words
from p2p import wire
from p2p.net.errors import LinkLost, UpdateHere, UpdateThere
from p2p.net.framing import FrameReader, pack_frame
from p2p.net.text import clean
from p2p.wire import PROTOCOL, Malformed

PIECE = 16 * 1024
"""Bytes read at a time (a TLS record): few, so that they barely exceed the allowance."""
PIECES = 64
"""The most pieces of a greeting. It has a few hundred bytes, and a frame at most five TLS records.
"""


_VERSION = re.compile(
    r"[0-9]{1,5}(\.[0-9]{1,5}){0,3}((a|b|rc)[0-9]{1,3})?(\.(post|dev)[0-9]{1,5})?(?![\w.-])"
)
"""A PEP 440 version without its local part."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The fields of our WELCOME: versions, our port (0: do not dial us), and a source of nonces."""

    program: str = "?"
    port: int = 0
    protocol: int = PROTOCOL
    entropy: Callable[[int], bytes] = os.urandom


HELLO = Hello()


@dataclass(frozen=True, slots=True)
class Greeted:
    """The result of a greeting.

    `nonces` are ours and theirs; they identify this link. `port` is where the peer that dialled us
    can be dialled; None if we dialled. `early` are values that came with the greeting.
    """

    program: str
    port: int | None
    nonces: tuple[bytes, bytes] = field(repr=False)
    words: str
    early: list[Any] = field(repr=False)


async def greet(
    stream: Stream, reader: FrameReader, hello: Hello, own: bytes, peer: bytes, *, dialled: bool
) -> Greeted:
    """Exchange WELCOMEs with `peer` as `own` (both ids); leave the stream open, even on errors.

    Raises VersionMismatch; LinkLost if the peer says goodbye; Malformed, FrameTooLong or
    InvalidProof for a wrong greeting; and the stream's own errors.
    """
    early: list[Any] = []
    pieces = iter(range(PIECES))

    async def receive() -> Any:
        while not early:
            if next(pieces, None) is None:
                raise Malformed("a greeting in crumbs")
            data = await stream.receive_some(PIECE)
            if not data:
                raise trio.BrokenResourceError("the connection ends in the greeting")
            early.extend(reader.feed(data))
        return early.pop(0)

    async def send_welcome(**more: bytes) -> None:
        welcome = {"port": hello.port, "program": hello.program, "protocol": hello.protocol, **more}
        await stream.send_all(pack_frame(welcome))

    nonce = hello.entropy(NONCE)
    if dialled:
        await send_welcome(commit=commitment(own, peer, nonce))
        theirs = judge(await receive(), hello, peer, dialled=True)
        their_nonce = theirs["nonce"]
        await stream.send_all(pack_frame({"nonce": nonce}))
        words = shared_words(own, peer, nonce, their_nonce)
    else:
        welcome = await receive()
        await send_welcome(nonce=nonce)
        theirs = judge(welcome, hello, peer, dialled=False)
        their_nonce = wire.shape(await receive(), nonce=bytes)["nonce"]
        check_nonce(theirs["commit"], peer, own, their_nonce)
        words = shared_words(peer, own, their_nonce, nonce)
    # We see only the port of this connection; the peer names the one on which it listens.
    port = None if dialled else theirs["port"]
    return Greeted(version_in(theirs["program"]), port, (nonce, their_nonce), words, early)


def version_in(program: str) -> str:
    """Return the version in a peer's program name, or `?`.

    A stranger may send any text, and our player reads it in a sentence about an update.
    """
    found = _VERSION.match(clean(program, 40))
    return found[0] if found else "?"


def judge(theirs: Any, hello: Hello, peer: bytes, *, dialled: bool) -> dict[str, Any]:
    """Check the WELCOME of the peer, which answers ours if we have `dialled`; return its fields.

    Raises VersionMismatch: of other versions, only `protocol` and `program` are read. Raises
    LinkLost for a goodbye, or Malformed.
    """
    if isinstance(theirs, str):
        raise LinkLost(peer, f"goodbye: {clean(theirs, 40)}")
    if (
        type(theirs) is not dict
        or type(theirs.get("protocol")) is not int
        or type(theirs.get("program")) is not str
    ):
        raise Malformed("no WELCOME")
    if theirs["protocol"] != hello.protocol:
        kind = UpdateHere if theirs["protocol"] > hello.protocol else UpdateThere
        raise kind(
            peer, hello.protocol, hello.program, theirs["protocol"], version_in(theirs["program"])
        )
    part, length = ("nonce", NONCE) if dialled else ("commit", COMMITMENT)
    fields = wire.shape(theirs, **{part: bytes, "port": int, "program": str, "protocol": int})
    if len(fields[part]) != length or not 0 <= fields["port"] < 65536:
        raise Malformed("no WELCOME")
    return fields
