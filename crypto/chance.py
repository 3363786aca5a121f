"""Randomness is always an argument; this package has no source of its own.

`Entropy` is any function that returns a number of unpredictable bytes, such as `os.urandom`; a
seeded one makes everything repeatable. Nonces of proofs are hashed from fresh entropy, the secret
and the statement (as in RFC 6979 and in hedged signatures), so that a broken source alone reveals
no secret: it can only repeat a proof, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import TypeAlias

from crypto.transcript import Part, digest, digests

Entropy: TypeAlias = Callable[[int], bytes]

SEED = 32
"""Bytes of entropy for one proof or one draw."""


def fresh(entropy: Entropy, size: int) -> bytes:
    """Return `size` bytes of entropy.

    ValueError if the source returns another number: a short read would make a weak key.
    """
    data = entropy(size)
    if len(data) != size:
        raise ValueError(f"the source of randomness gave {len(data)} bytes instead of {size}")
    return bytes(data)


def below(bound: int, entropy: Entropy) -> int:
    """Draw a number from 0 to bound-1.

    The bound is at most 2**64; the bias is under 2**-190. Each call takes entropy once.
    """
    if not 0 < bound <= 1 << 64:
        raise ValueError(f"cannot draw below {bound}")
    return int.from_bytes(fresh(entropy, SEED), "little") % bound


def nonces(
    order: int, label: str, entropy: Entropy, secret: Part, statement: Part
) -> Iterator[int]:
    """Give endless nonces from 1 to order-1 for one proof.

    They are a function of entropy, secret and statement.
    """
    seed = digest("nonces", label, fresh(entropy, SEED), secret, statement)
    hashed = digests("nonce", seed)
    for index in count():
        yield 1 + int.from_bytes(hashed(index), "little") % (order - 1)
