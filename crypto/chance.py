"""How randomness enters: always as an argument, never from a source of our own.

`Entropy` is any function that gives that many unpredictable bytes, such as `os.urandom`; a seeded
one makes everything repeatable. Nonces of proofs are hashed from fresh entropy, the secret and the
statement together (the idea of RFC 6979 and of hedged signatures), so that a broken source alone
gives no secret away: it can then only repeat a proof, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeAlias

from crypto.transcript import Part, digest, digests

Entropy: TypeAlias = Callable[[int], bytes]

SEED = 32
"""Bytes of entropy that one proof, or one draw, takes."""


def fresh(entropy: Entropy, size: int) -> bytes:
    """Take `size` bytes.

    ValueError if the source gives another number: a short read would be a weak key.
    """
    data = entropy(size)
    if len(data) != size:
        raise ValueError(f"the source of randomness gave {len(data)} bytes instead of {size}")
    return bytes(data)


def below(bound: int, entropy: Entropy) -> int:
    """Draw from 0 ..

    bound-1, for a bound of at most 2**64; the bias is under 2**-190 and no draw is ever repeated.
    """
    if not 0 < bound <= 1 << 64:
        raise ValueError(f"cannot draw below {bound}")
    return int.from_bytes(fresh(entropy, SEED), "little") % bound


def nonces(
    order: int, label: str, entropy: Entropy, secret: Part, statement: Part
) -> Iterator[int]:
    """Give nonces in 1 ..

    order-1 without end, for one proof: functions of entropy, secret and statement.
    """
    seed = digest("nonces", label, fresh(entropy, SEED), secret, statement)
    hashed = digests("nonce", seed)
    for index in count():
        yield 1 + int.from_bytes(hashed(index), "little") % (order - 1)
