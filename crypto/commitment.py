"""Commit and reveal: a value bound to one seat on one head, and the fair toss of such values."""

from __future__ import annotations

from collections.abc import Iterable

from crypto.chance import Entropy, below
from crypto.errors import InvalidProof
from crypto.transcript import digest

NONCE = 32
"""Bytes of the random nonce that hides a committed value."""

COMMITMENT = 32
"""Bytes of a commitment."""


def commit(match: bytes, head: bytes, seat: int, nonce: bytes, value: bytes) -> bytes:
    """Commit a seat to a value (`protocol.md` 7.8).

    The head is that of its entry: it names the epoch, the request and all decks. As the seat is
    included, nobody can use another's commitment as its own.
    """
    if len(nonce) != NONCE:
        raise ValueError(f"a nonce has {NONCE} bytes, not {len(nonce)}")
    return digest("commit", match, head, seat, nonce, value)[:COMMITMENT]


def check_reveal(
    commitment: bytes, match: bytes, head: bytes, seat: int, nonce: bytes, value: bytes
) -> None:
    """Check that a seat committed to this value. Raises InvalidProof."""
    if len(nonce) != NONCE or commit(match, head, seat, nonce, value) != commitment:
        raise InvalidProof(f"seat {seat} has revealed something else than it committed to")


def toss_value(sides: int, entropy: Entropy) -> int:
    """Draw a seat's part of a toss: 0 .. sides-1."""
    return below(sides, entropy)


def toss_result(values: Iterable[int], sides: int) -> int:
    """Add the seats' parts modulo sides; the result is fair if any seat is honest.

    InvalidProof if a part is not in 0 .. sides-1.
    """
    total = 0
    for value in values:
        if type(value) is not int or not 0 <= value < sides:
            raise InvalidProof(f"a toss of {sides} sides has no part {value!r}")
        total += value
    return total % sides
