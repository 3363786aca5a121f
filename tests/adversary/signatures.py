"""Other valid signatures of a key for one message. Only a signer fixes the nonce, no verifier."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from crypto.identity import SIGN_CONTEXT, Identity
from crypto.plain import L
from p2p.table.log import ENTRY_CONTEXT, Entry
from p2p.wire import pack, unpack


def another_signature(who: Identity, context: str, data: bytes, number: int = 1) -> bytes:
    """Sign with another nonce than Ed25519 prescribes: as valid as the usual signature, and other
    bytes (RFC 8032, 5.1.6). The nonce is the scalar of another key, whose point is its public
    key."""
    name = context.encode()
    message = SIGN_CONTEXT + len(name).to_bytes(2, "big") + name + data
    nonce = Identity.from_seed(hashlib.sha256(who.seed + bytes([number])).digest())
    hashed = hashlib.sha512(nonce.public + who.public + message).digest()
    challenge = int.from_bytes(hashed, "little") % L
    answer = (_scalar(nonce) + challenge * _scalar(who)) % L
    return nonce.public + answer.to_bytes(32, "little")


def signed_again(who: Identity, entry: Entry, number: int = 1) -> Entry:
    """Return an entry with the same fields, and another signature of its seat."""
    *fields, _signature = unpack(entry.data, 1 << 20)
    signature = another_signature(who, ENTRY_CONTEXT, pack(fields), number)
    return replace(entry, data=pack([*fields, signature]))


def _scalar(identity: Identity) -> int:
    data = bytearray(hashlib.sha512(identity.seed).digest()[:32])
    data[0] &= 248
    data[31] = data[31] & 127 | 64
    return int.from_bytes(data, "little")
