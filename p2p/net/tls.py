"""Mutual TLS 1.3 over any stream, with announced certificates: it proves the peer's identity.

The side that was dialled sends MAGIC first, in clear. The other sends MAGIC, and each side `u16
length || certificate DER`, only after it has read the other's MAGIC. The announced certificate
serves only as the trust anchor: TLS, with both certificates required, proves that the other end
owns the key of the certificate it presents, and we require that this is the announced one, byte for
byte. Names and addresses mean nothing here. On any failure the transport is closed, and nothing of
ours beyond the certificate was sent.

The TLS 1.3 client finishes before the server has judged it: a link is up only when WELCOME has come
back (`p2p.net.greeting`).
"""

from __future__ import annotations

import ssl
import struct
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trio
from trio.abc import Stream

from crypto.errors import CryptoError
from crypto.identity import Identity, player_id, public_of_certificate
from p2p.net.errors import (
    KeyFileUnreadable,
    LinkLost,
    NotSobremesa,
    OwnIdentity,
    PeerBlocked,
    TooSlow,
    Unproven,
    WrongPeer,
)
from p2p.net.timeouts import TIMEOUTS, Timeouts

MAGIC = b"SBM1"
ALPN = "sobremesa/1"
"""MAGIC and ALPN name this greeting, not the protocol after it: two versions must be able to tell
each other that they differ."""

CERTIFICATE_LIMIT = 2048
PIN = 10
"""The least bytes of a pinned id (an invite has ten)."""

WITHOUT_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, which Python does not name: certificates count whatever the
clock shows."""

CUT = "closed during the handshake"

CARRIED = 16 * 1024
"""Bytes read at a time (a TLS record)."""
MOST_CARRIED = 4 * CARRIED
"""The most bytes that may come without a message. There are no tickets, and no peer of ours changes
its keys."""

_LENGTH = struct.Struct(">H")


@dataclass(frozen=True, slots=True)
class Secured:
    """An encrypted stream, and the proven public key at its other end."""

    stream: trio.SSLStream[Carrier]
    public: bytes
    id: bytes
    carrier: Carrier


class Carrier(Stream):
    """The stream under TLS. It counts received bytes, because TLS's own messages cost work too."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._bytes = 0

    def take(self) -> int:
        """Return how many bytes came since the last call."""
        taken, self._bytes = self._bytes, 0
        return taken

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """Receive; raise BrokenResourceError if too much has come since the last `take`."""
        if self._bytes > MOST_CARRIED:
            raise trio.BrokenResourceError("bytes of TLS that carry nothing")
        data = await self._stream.receive_some(min(max_bytes or CARRIED, CARRIED))
        self._bytes += len(data)
        return data

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all of the data."""
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until sending might not block."""
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()


async def secure(
    stream: Stream,
    identity: Identity,
    *,
    server_side: bool,
    pem_path: Path,
    expect: bytes | None = None,
    blocked: Collection[bytes] = frozenset(),
    address: str = "?",
    timeouts: Timeouts = TIMEOUTS,
) -> Secured:
    """Prove both identities to each other; exactly one side is the server.

    `pem_path` is a file with our key and certificate (`Identity.pem`), `expect` a pin, `blocked`
    the ids to refuse, `address` is for errors only. Raises NotSobremesa, WrongPeer, PeerBlocked,
    OwnIdentity, Unproven, TooSlow or LinkLost; the stream is then closed.
    """
    if expect is not None and len(expect) < PIN:
        raise ValueError(f"a pin has at least {PIN} bytes")
    try:
        with _deadline(timeouts.certificate_s, address):
            certificate, ours = identity.certificate(), b"" if server_side else MAGIC
            if server_side:
                await stream.send_all(MAGIC)
            # Another service does not learn our key, and a printer prints nothing: the address may
            # be somebody's forgery.
            if await _read(stream, len(MAGIC), MAGIC) != MAGIC:
                raise NotSobremesa(address)  # noqa: TRY301 -- as below
            await stream.send_all(ours + _LENGTH.pack(len(certificate)) + certificate)
            announced = await _read_announcement(stream, address)
        public = _public(announced, address)
        peer = player_id(public)
        if peer == identity.id:
            raise OwnIdentity(address)  # noqa: TRY301 -- on any failure the stream is closed in one place
        if expect is not None and not peer.startswith(expect):
            raise WrongPeer(expect, peer)  # noqa: TRY301 -- the same
        if peer in blocked:
            raise PeerBlocked(peer)  # noqa: TRY301 -- the same
        context = _context(server_side, pem_path, announced, address)
        carrier = Carrier(stream)
        secured = trio.SSLStream(carrier, context, server_side=server_side, https_compatible=False)
        with _deadline(timeouts.handshake_s, address):
            await _handshake(secured, announced, peer, address)
    except trio.BrokenResourceError as error:
        await trio.aclose_forcefully(stream)
        raise LinkLost(None, CUT) from error
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    carrier.take()
    return Secured(secured, public, peer, carrier)


def check_key_file(identity: Identity, pem_path: Path) -> None:
    """Check that this file is readable and holds a key with its certificate.

    Raises KeyFileUnreadable.
    """
    _context(server_side=True, pem_path=pem_path, anchor=identity.certificate(), address="")


@contextmanager
def _deadline(seconds: float, address: str) -> Iterator[None]:
    try:
        with trio.fail_after(seconds):
            yield
    except trio.TooSlowError as error:
        raise TooSlow(address, seconds) from error


async def _handshake(
    secured: trio.SSLStream[Carrier], announced: bytes, peer: bytes, address: str
) -> None:
    try:
        await secured.do_handshake()
    except trio.BrokenResourceError as error:
        cause = error.__cause__
        # Python versions differ in how they report a link that is cut.
        if isinstance(cause, ssl.SSLError) and not isinstance(
            cause, ssl.SSLEOFError | ssl.SSLZeroReturnError
        ):
            raise Unproven(address, peer) from error
        raise
    if (
        secured.getpeercert(binary_form=True) != announced
        or secured.selected_alpn_protocol() != ALPN
    ):
        raise Unproven(address, peer)


async def _read_announcement(stream: Stream, address: str) -> bytes:
    # Read not a byte too many: the next ones are TLS.
    (length,) = _LENGTH.unpack(await _read(stream, _LENGTH.size))
    if not 0 < length <= CERTIFICATE_LIMIT:
        raise NotSobremesa(address)
    return await _read(stream, length)


async def _read(stream: Stream, size: int, start: bytes | None = None) -> bytes:
    """Read `size` bytes, or fewer if they do not begin like `start`."""
    data = b""
    while len(data) < size:
        more = await stream.receive_some(size - len(data))
        if not more:
            raise LinkLost(None, CUT)
        data += more
        if start is not None and not start.startswith(data):
            break
    return data


def _public(announced: bytes, address: str) -> bytes:
    try:
        return public_of_certificate(announced)
    except CryptoError as error:
        raise NotSobremesa(address) from error


def _context(server_side: bool, pem_path: Path, anchor: bytes, address: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server_side else ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # identity is the key, not a name
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | WITHOUT_TIME
    try:
        context.load_verify_locations(cadata=anchor)
    except ssl.SSLError as error:
        raise NotSobremesa(address) from error
    try:
        context.load_cert_chain(pem_path)
    except (OSError, ssl.SSLError) as error:
        raise KeyFileUnreadable(str(pem_path)) from error
    context.set_alpn_protocols([ALPN])
    if server_side:
        # Every link does a whole handshake, and unread tickets cannot block a stream.
        context.num_tickets = 0
    return context
