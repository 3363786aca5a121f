"""Other valid signatures of a key for one message. Only a signer fixes the nonce, no verifier."""

from __future__ import annotations

import hashlib

from crypto.identity import Identity, _message
from crypto.plain import L, P, _add, _double
from p2p.table.log import ENTRY_CONTEXT, Entry
from p2p.wire import pack, unpack

_BASE = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)


def _times(scalar: int) -> bytes:
    """Return a multiple of the base point of Ed25519, encoded."""
    x, y = _BASE
    total, step = (0, 1, 1, 0), (x, y, 1, x * y % P)
    while scalar:
        if scalar & 1:
            total = _add(total, step)
        step, scalar = _double(step), scalar >> 1
    inverse = pow(total[2], -1, P)
    x, y = total[0] * inverse % P, total[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def signed_again(who: Identity, entry: Entry, number: int = 1) -> Entry:
    """Return an entry with the same fields, and another signature of its seat."""
    *fields, _signature = unpack(entry.data, 1 << 20)
    message = _message(ENTRY_CONTEXT, pack(fields))
    digest = bytearray(hashlib.sha512(who.seed).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    secret = int.from_bytes(digest, "little")
    nonce = int.from_bytes(hashlib.sha512(b"%d" % number + message).digest(), "little") % L
    point = _times(nonce)
    challenge = int.from_bytes(hashlib.sha512(point + who.public + message).digest(), "little") % L
    signature = point + ((nonce + challenge * secret) % L).to_bytes(32, "little")
    fields_ = (entry.match, entry.place, entry.stage, entry.seat, entry.head, entry.body)
    return Entry(*fields_, pack([*fields, signature]))
