"""The sealed channel between a page and its program, without TLS: the program's end.

The page has a code, which a person scanned, or a secret, which it got over this channel. Either is
the root of the pre-shared key of a Noise handshake (`crypto.noise`). No clock and no I/O: frames
in, frames out. `client/ui/browser/page/sealed.js` is the other end; decision 0035 has the reasons.

An invalid frame gets no answer: the connection is closed at once, in all cases alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Self

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from crypto.base32 import VALUES, number_of, spell
from crypto.chance import Entropy
from crypto.errors import InvalidEncoding
from crypto.noise import EMPTY_BYTES, TAG_BYTES, Agreed, Broken, respond

SALT = b"sobremesa/phone/1"
VERSION = 1
CODE_LETTERS = 16
ID_BYTES, PSK_BYTES = 8, 32
HEAD_BYTES = 2 + ID_BYTES
"""Bytes of the version, the kind and the id, before the first message of the handshake."""
OPENING_BYTES = HEAD_BYTES + EMPTY_BYTES
FILES_BYTES = 32
"""Bytes of the hash of the page's files, in the second message."""
ANSWER_BYTES = EMPTY_BYTES + FILES_BYTES
FROM_PAGE_STEP, SHORT, TO_PAGE_STEP = 128, 1024, 32 * 1024
"""Texts are padded with spaces to multiples of these sizes, because lengths would reveal cards. The
step to a page is longer than any view of a table; texts about the connection are short."""
FROM_PAGE_BYTES, TO_PAGE_BYTES = 4096, 256 * 1024
"""The most bytes of a text in each direction; the frame has a tag of 16 bytes more."""
MORE = "+"
"""The end of a text that continues in the next frame to the page; no JSON ends with it."""


class Kind(IntEnum):
    """The kind of a key's root, as in the first frame."""

    CODE = 0
    SECRET = 1


ROOT_BYTES = {Kind.CODE: 10, Kind.SECRET: 32}
"""Bytes of a root. 80 bits suffice for a code: it expires after five minutes, and
is useless for decrypting an earlier connection."""


def spell_code(root: bytes) -> str:
    """Write the 10 bytes of a code as 16 letters of Crockford's base32. They are secret."""
    return spell(int.from_bytes(root, "big"), CODE_LETTERS)


def read_code(text: str) -> bytes:
    """Return the 10 bytes of a code. Raises InvalidEncoding.

    Case, dashes and spaces do not matter; O is read as 0, I and L as 1.
    """
    letters = text.upper().replace("-", "").replace(" ", "")
    if len(letters) != CODE_LETTERS or any(letter not in VALUES for letter in letters):
        raise InvalidEncoding("no code")
    return number_of(letters).to_bytes(ROOT_BYTES[Kind.CODE], "big")


@dataclass(frozen=True)
class Key:
    """A pre-shared key, and the id by which the other side names it."""

    kind: Kind
    id: bytes
    """8 bytes, not secret: it crosses the network, and reveals nothing."""
    psk: bytes = field(repr=False)

    @staticmethod
    def of(kind: Kind, root: bytes) -> Key:
        """Return the key of a code of 10 bytes or a secret of 32. ValueError for other lengths."""
        if len(root) != ROOT_BYTES[kind]:
            raise ValueError("a code has 10 bytes, and a secret 32")
        return Key(
            kind, _derive(root, b"id", kind, ID_BYTES), _derive(root, b"psk", kind, PSK_BYTES)
        )


@dataclass(frozen=True)
class Claim:
    """The key that a first frame names. The sender has not proven that it has it."""

    kind: Kind
    id: bytes


def claim(frame: bytes) -> Claim:
    """Return the key that a first frame names. Broken if it is no first frame of this version."""
    if len(frame) != OPENING_BYTES or frame[0] != VERSION or frame[1] not in ROOT_BYTES:
        raise Broken("no first frame")
    return Claim(Kind(frame[1]), frame[2:HEAD_BYTES])


class Channel:
    """A connection, from the answer to its first frame on."""

    def __init__(self, agreed: Agreed) -> None:
        """Start a connection with the result of its handshake."""
        self.answer = agreed.message
        """The first frame to the page."""
        self._receiving, self._sending, self._hash = agreed.receiving, agreed.sending, agreed.hash

    @classmethod
    def open(cls, key: Key, host: str, frame: bytes, files: bytes, entropy: Entropy) -> Self:
        """Answer the first frame of a page.

        `host` is the address and port in the page's location, `files` the hash of the page's files,
        32 bytes. Raises Broken. Until its next frame is unsealed the page has proven nothing:
        anybody can replay a first frame.
        """
        named = claim(frame)
        if (named.kind, named.id) != (key.kind, key.id):
            raise Broken("a first frame for another key")
        if len(files) != FILES_BYTES:
            raise ValueError("a hash of 32 bytes")
        first = frame[HEAD_BYTES:]
        return cls(respond(key.psk, prologue(key, host), first, files, entropy))

    @property
    def digits(self) -> str:
        """Four digits that are equal at both ends of a connection.

        They only tell two phones apart: a relay between the ends can make them equal.
        """
        return f"{int.from_bytes(self._hash, 'big') % 10_000:04}"

    def seal(self, text: str) -> bytes:
        """Return the frame with a JSON text for the page; trailing spaces are lost.

        ValueError if it is longer than `TO_PAGE_BYTES`.
        """
        data = text.encode(errors="replace")
        if len(data) > TO_PAGE_BYTES:
            raise ValueError("a text that is too long for a page")
        steps = -(-len(data) // TO_PAGE_STEP)
        room = SHORT if len(data) <= SHORT else min(steps * TO_PAGE_STEP, TO_PAGE_BYTES)
        return self._sending.encrypt(data.ljust(room))

    def seal_all(self, text: str) -> list[bytes]:
        """Return the frames with a JSON text of any length for the page."""
        data = text.encode(errors="replace")
        frames: list[bytes] = []
        while len(data) > TO_PAGE_BYTES:
            part = data[: TO_PAGE_BYTES - len(MORE)].decode(errors="ignore")  # no half character
            frames.append(self.seal(part + MORE))
            data = data[len(part.encode()) :]
        return [*frames, self.seal(data.decode())]

    def unseal(self, frame: bytes) -> str:
        """Return the text in a frame of the page.

        Broken, now and for every later call, if it is not the page's next frame.
        """
        try:
            return self._receiving.decrypt(_padded(frame)).rstrip(b" ").decode()
        except (Broken, UnicodeDecodeError):
            self._end()
            raise Broken("a frame that is not the next one") from None

    def _end(self) -> None:
        self._receiving.end()
        self._sending.end()


def prologue(key: Key, host: str) -> bytes:
    """Return the bytes that a handshake is bound to: version, key, and address and port."""
    return SALT + bytes([0, key.kind]) + key.id + host.encode("ascii")


def _padded(frame: bytes) -> bytes:
    """Return a frame if it has one of the lengths of a page's frames, else raise Broken."""
    size = len(frame) - TAG_BYTES
    if size % FROM_PAGE_STEP or not FROM_PAGE_STEP <= size <= FROM_PAGE_BYTES:
        raise Broken("a frame of another length")
    return frame


def _derive(root: bytes, name: bytes, kind: Kind, size: int) -> bytes:
    return HKDF(SHA256(), size, SALT, name + bytes([kind])).derive(root)
