"""Fiat-Shamir: statements to bytes, bytes to challenges; only this file defines the bytes to hash.

Every hash is SHA-512 over a domain, a label and parts. Each part carries its type and its length,
each list its number of items, so two different inputs never hash the same bytes:

    domain label part*      with  part = type (1 byte) || length (8 bytes, big endian) || content
    bytes "b": themselves             int "i": big endian, shortest, never negative
    str "s": UTF-8                    list "l": length counts its parts
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeAlias

Part: TypeAlias = "bytes | str | int | Sequence[Part]"

DOMAIN = "sobremesa/v1"
"""Changes whenever an equation or encoding of this package does."""


_OF_32 = b"b" + (32).to_bytes(8, "big")
"""The beginning of a part of 32 bytes."""


def digest(label: str, *parts: Part) -> bytes:
    """Hash labelled parts to 64 bytes.

    TypeError for a part of another type (a bool too), ValueError for a negative int.
    """
    return hashlib.sha512(statement_bytes(label, *parts)).digest()


def digests(label: str, *parts: Part) -> Callable[[int], bytes]:
    """Return a function that hashes labelled parts, followed by one int.

    It returns what `digest` would, but hashes the parts only once.
    """
    begun = hashlib.sha512(statement_bytes(label, *parts))

    def after(index: int) -> bytes:
        spelled: list[bytes] = []
        _spell(index, spelled)
        hashed = begun.copy()
        hashed.update(b"".join(spelled))
        return hashed.digest()

    return after


def challenge(label: str, *parts: Part, order: int) -> int:
    """Hash labelled parts to a number from 0 to order-1.

    The bias is 2**-259 for an order of 253 bits.
    """
    return int.from_bytes(digest(label, *parts), "little") % order


def challenge128(label: str, *parts: Part) -> int:
    """Hash labelled parts to a number of 128 bits."""
    return int.from_bytes(digest(label, *parts)[:16], "little")


def challenges128(label: str, *parts: Part, n: int) -> list[int]:
    """Hash labelled parts, followed by 0 .. n-1, to n numbers of 128 bits."""
    hashed = digests(label, *parts)
    return [int.from_bytes(hashed(index)[:16], "little") for index in range(n)]


def statement_bytes(label: str, *parts: Part) -> bytes:
    """Return the exact bytes that `digest` hashes, for tests and auditors."""
    out: list[bytes] = []
    _spell(DOMAIN, out)
    _spell(label, out)
    for part in parts:
        _spell(part, out)
    return b"".join(out)


def expand_message(message: bytes, dst: bytes, size: int) -> bytes:
    """Expand a message to `size` uniform bytes: expand_message_xmd, SHA-512, RFC 9380 5.3.1.

    `dst` is the domain separation tag, hashed first if it is longer than 255 bytes (5.3.3).
    """
    blocks = -(-size // 64)
    if not 0 < blocks <= 255:
        raise ValueError(f"cannot expand to {size} bytes")
    if len(dst) > 255:
        dst = hashlib.sha512(b"H2C-OVERSIZE-DST-" + dst).digest()
    dst_prime = dst + bytes([len(dst)])
    first = hashlib.sha512(
        bytes(128) + message + size.to_bytes(2, "big") + b"\0" + dst_prime
    ).digest()
    block = hashlib.sha512(first + b"\1" + dst_prime).digest()
    out = [block]
    for index in range(2, blocks + 1):
        mixed = bytes(a ^ b for a, b in zip(first, block, strict=True))
        block = hashlib.sha512(mixed + bytes([index]) + dst_prime).digest()
        out.append(block)
    return b"".join(out)[:size]


def _spell(part: Part, out: list[bytes]) -> None:
    kind = type(part)
    if isinstance(part, bytes):
        out += (b"b", len(part).to_bytes(8, "big"), part)
    elif isinstance(part, str):
        text = part.encode()
        out += (b"s", len(text).to_bytes(8, "big"), text)
    elif kind is int and isinstance(part, int):
        if part < 0:
            raise ValueError("a negative number has no spelling")
        data = part.to_bytes((part.bit_length() + 7) // 8, "big")
        out += (b"i", len(data).to_bytes(8, "big"), data)
    elif isinstance(part, (list, tuple)):
        out += (b"l", len(part).to_bytes(8, "big"))
        if part and all(type(item) is bytes and len(item) == 32 for item in part):
            out += (_OF_32, _OF_32.join(part))  # most parts that are hashed are elements
            return
        for item in part:
            _spell(item, out)
    else:
        raise TypeError(f"a {kind.__name__} has no spelling")
