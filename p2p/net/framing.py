"""Where one message ends and the next begins: u32 length, then canonical msgpack (sans-I/O).

Law: a length over the limit is refused when its four bytes are read, before anything of the body is
kept.
"""

from __future__ import annotations

import struct
from typing import Any

from p2p import wire
from p2p.net.errors import FrameTooLong

LIMIT = 64 * 1024
"""Bytes of one message at most, the four of its length not counted. The largest entry, a shuffle of
165 cards, has 32 kB."""

_LENGTH = struct.Struct(">I")


def pack_frame(value: Any) -> bytes:
    """Return the frame of a value.

    FrameTooLong if it would be refused, TypeError if it has no spelling.
    """
    body = wire.pack(value)
    if len(body) > LIMIT:
        raise FrameTooLong(len(body), LIMIT)
    return _LENGTH.pack(len(body)) + body


class FrameReader:
    """A decoder of bytes to values, of no further use after an error, like the stream it read."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes | bytearray) -> list[Any]:
        """Take the next bytes of a stream and return the values completed by them.

        FrameTooLong for a length over the limit, Malformed for a body that is no value in its one
        spelling.
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
        """How many bytes of an unfinished frame are kept."""
        return len(self._buffer)
