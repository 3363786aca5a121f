"""The integers modulo L in the place of ristretto255: the same equations and sizes, no secrecy,
many times cheaper.

An element is a number below L in 32 bytes, little endian, so its logarithm is itself. For
simulating whole matches by the thousand; nothing that is installed can select it. Beside it,
randomness from a seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from crypto.chance import Entropy
from crypto.group import Group
from crypto.plain import L, Row


class Integers:
    name = "integers modulo L"

    def valid(self, data: bytes) -> bool:
        elements = [data[at : at + 32] for at in range(0, len(data), 32)]
        return bool(elements) and all(len(p) == 32 and _number(p) < L for p in elements)

    def add(self, p: bytes, q: bytes) -> bytes:
        return _spell(_number(p) + _number(q))

    def sub(self, p: bytes, q: bytes) -> bytes:
        return _spell(_number(p) - _number(q))

    def mult(self, k: int, p: bytes) -> bytes:
        return _spell(k * _number(p))

    def base(self, k: int) -> bytes:
        return _spell(k)

    def total(self, elements: Sequence[bytes]) -> bytes:
        return _spell(sum(map(_number, elements)))

    def combine(self, rows: Sequence[Row]) -> list[bytes]:
        return [_spell(sum(k * _number(p) for k, p in zip(*row, strict=True))) for row in rows]

    def combine_public(self, rows: Sequence[Row]) -> list[bytes]:
        return self.combine(rows)

    def mask(self, p: bytes, scalars: Sequence[int], elements: Sequence[bytes]) -> list[bytes]:
        return [_spell(_number(q) + k * _number(p)) for k, q in zip(scalars, elements, strict=True)]

    def from_uniform(self, data: bytes) -> bytes:
        return _spell(int.from_bytes(data, "little"))


@lru_cache(maxsize=1)
def standin_group() -> Group:
    return Group(Integers())


def seeded(seed: object) -> Entropy:
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
