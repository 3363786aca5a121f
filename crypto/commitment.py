"""Commit and reveal: a value bound to one seat on one head."""

from __future__ import annotations

from crypto.errors import InvalidProof
from crypto.transcript import digest

NONCE = 32
"""Bytes of the random nonce that hides a committed value."""

COMMITMENT = 32
"""Bytes of a commitment."""


def commit(match: bytes, head: bytes, seat: int, nonce: bytes, value: bytes) -> bytes:
    """Commit a seat to a value (`protocol.md` 7.8).

    `head` is the head of the committing entry; it covers the epoch, the request and all decks. As
    the seat is included, nobody can use another's commitment as its own.
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
