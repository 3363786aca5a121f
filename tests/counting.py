"""The stand-in group's integers, recounting what a group counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from crypto.group import Group
from crypto.plain import Row
from tests.standin import Integers


class Counting(Integers):
    """The stand-in, counting the operations that it sees itself."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def valid(self, data: bytes) -> bool:
        self.calls["decode"] += len(data) // 32
        return super().valid(data)

    def add(self, p: bytes, q: bytes) -> bytes:
        self.calls["add"] += 1
        return super().add(p, q)

    def sub(self, p: bytes, q: bytes) -> bytes:
        self.calls["add"] += 1
        return super().sub(p, q)

    def mult(self, k: int, p: bytes) -> bytes:
        self.calls["mult"] += 1
        return super().mult(k, p)

    def base(self, k: int) -> bytes:
        self.calls["base"] += 1
        return super().base(k)

    def total(self, elements: Sequence[bytes]) -> bytes:
        self.calls["addend"] += len(elements) - 1
        return super().total(elements)

    def combine(self, rows: Sequence[Row]) -> list[bytes]:
        self._terms("mult", "", rows)
        return super().combine(rows)

    def combine_public(self, rows: Sequence[Row]) -> list[bytes]:
        self._terms("public", "public_", rows)
        return super().combine(rows)

    def mask(self, p: bytes, scalars: Sequence[int], elements: Sequence[bytes]) -> list[bytes]:
        self.calls["base_mask" if p == super().base(1) else "mask"] += len(elements)
        return super().mask(p, scalars, elements)

    def _terms(self, first: str, prefix: str, rows: Sequence[Row]) -> None:
        for _, elements in rows:
            of_generator = elements.count(super().base(1))
            assert of_generator <= 1, "equal elements were taken together"
            match len(elements) - of_generator, of_generator:
                case 0, 1:
                    self.calls["base"] += 1
                case others, _:
                    self.calls.update(
                        {first: 1, f"{prefix}term": others - 1, f"{prefix}base_term": of_generator}
                    )

    def from_uniform(self, data: bytes) -> bytes:
        self.calls["hash"] += 1
        return super().from_uniform(data)


def counting() -> tuple[Group, Counting]:
    """Return a group that counts, and the stand-in below it that counts the same."""
    backend = Counting()
    return Group(backend), backend


def whole_deals(moves: int) -> bool:
    """Whether so many moves fill whole deals of Escoba to one point for two or four players.

    A deal has 36 moves; a match goes on when its first deal ends in a draw.
    """
    return moves > 0 and moves % 36 == 0
