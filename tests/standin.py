"""The integers modulo L in the place of ristretto255: the same equations and sizes, no secrecy, many times cheaper.

An element is a number below L in 32 bytes, little endian, so its logarithm is itself. For simulating whole matches by the
thousand; nothing that is installed can select it. Beside it, randomness from a seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache

from crypto.group import Group
from crypto.plain import L


class Integers:
    name = "integers modulo L"

    def is_valid(self, p: bytes) -> bool:
        return len(p) == 32 and int.from_bytes(p, "little") < L

    def add(self, p: bytes, q: bytes) -> bytes:
        return _spell(_number(p) + _number(q))

    def sub(self, p: bytes, q: bytes) -> bytes:
        return _spell(_number(p) - _number(q))

    def mult(self, k: int, p: bytes) -> bytes:
        return _spell(k * _number(p))

    def base(self, k: int) -> bytes:
        return _spell(k)

    def combine(self, terms: Sequence[tuple[int, bytes]]) -> bytes:
        return _spell(sum(k * int.from_bytes(p, "little") for k, p in terms))

    def from_uniform(self, data: bytes) -> bytes:
        return _spell(int.from_bytes(data, "little"))


@lru_cache(maxsize=1)
def standin_group() -> Group:
    return Group(Integers(), "integers modulo L")


def seeded(seed: object) -> Callable[[int], bytes]:
    """A source of randomness that repeats itself: SHAKE-256 over the seed's text and a counter."""
    turn = 0

    def entropy(size: int) -> bytes:
        nonlocal turn
        turn += 1
        return hashlib.shake_256(f"{seed}/{turn}".encode()).digest(size)

    return entropy


def _number(p: bytes) -> int:
    return int.from_bytes(p, "little")


def _spell(k: int) -> bytes:
    return (k % L).to_bytes(32, "little")
