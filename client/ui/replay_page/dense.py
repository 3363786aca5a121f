"""Bytes as text inside a page: seven bits a character, which takes less room than base64.

All characters are ASCII, so that the page means the same in any encoding. Those that HTML or the
transport of texts may change are written as `=` and another one.
"""

from __future__ import annotations

ESCAPED = {code: bytes([61, code ^ 64]) for code in b"=\0\n\r<"}
"""The first is the sign that begins an escape."""


def spelled(data: bytes) -> str:
    """Return the one text for these bytes."""
    found = bytearray()
    for place in range(0, len(data), 7):
        some = data[place : place + 7]
        bits = int.from_bytes(some.ljust(7, b"\0"), "big")
        found += bytes([bits >> shift & 127 for shift in range(49, 42 - 7 * len(some), -7)])
    text = bytes(found)
    for code, escape in ESCAPED.items():
        text = text.replace(bytes([code]), escape)
    return text.decode("ascii")


def read(text: str) -> bytes:
    """Return the bytes of a text. ValueError for a text that `spelled` does not return."""
    codes = text.encode("ascii")
    for code, escape in reversed(ESCAPED.items()):
        codes = codes.replace(escape, bytes([code]))
    found = bytearray()
    for place in range(0, len(codes), 8):
        some, bits = codes[place : place + 8], 0
        for code in some.ljust(8, b"\0"):
            bits = bits << 7 | code
        found += bits.to_bytes(7, "big")[: len(some) - 1]
    data = bytes(found)
    if spelled(data) != text:
        raise ValueError("another spelling")
    return data
