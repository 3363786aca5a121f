"""Framing: u32 length, then canonical msgpack (sans-I/O).

A length over the limit is refused before any byte of the body is kept.
"""

from __future__ import annotations

import struct
from typing import Any

from p2p import wire
from p2p.net.errors import FrameTooLong

LIMIT = 64 * 1024
"""The most bytes of a message, without the four of its length: more than of any entry."""

_LENGTH = struct.Struct(">I")


def pack_frame(value: Any) -> bytes:
    """Return the frame of a value; raise FrameTooLong, or TypeError if it cannot be encoded."""
    body = wire.pack(value)
    if len(body) > LIMIT:
        raise FrameTooLong(len(body), LIMIT)
    return _LENGTH.pack(len(body)) + body


class FrameReader:
    """Decodes a stream of bytes into values. Unusable after an error, as is the stream."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes | bytearray) -> list[Any]:
        """Take the next bytes of a stream and return the values that they complete.

        Raises FrameTooLong for a length over the limit, Malformed for a body in no canonical
        encoding.
        """
        self._buffer += data
        values = []
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            if length > LIMIT:
                self._buffer.clear()
                raise FrameTooLong(length, LIMIT)
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                break
            values.append(wire.unpack(bytes(self._buffer[_LENGTH.size : end]), LIMIT))
            del self._buffer[:end]
        return values

    @property
    def waiting(self) -> int:
        """The number of buffered bytes of an unfinished frame."""
        return len(self._buffer)
