"""The cost of group operations on this machine, and the cost of work beside that of its operations.

Kinds of operation are `crypto.group.KINDS`; each backend has its own cost of each. Costs are
microseconds, works milliseconds.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Generic, TypeAlias, TypeVar

from crypto.group import KINDS, Group

CALLS = 24
"""Operations of each kind in one measuring of the unit costs: together about fifteen milliseconds
with libsodium."""

T = TypeVar("T")
Clock: TypeAlias = Callable[[], int]
"""Nanoseconds."""
Units = Mapping[str, float]
"""Microseconds of one operation, by kind."""


@dataclass(frozen=True)
class Timed:
    """A repeated piece of work: its median time, and the operations of each repetition."""

    ms: float
    ops: Mapping[str, int]
    units: Units

    @property
    def ops_ms(self) -> float:
        """The sum of count x cost over the operations, in milliseconds."""
        return ops_ms(self.ops, self.units)

    def json(self) -> dict[str, Any]:
        """Return it as `--json` prints it. `ratio` is None where the work has no operations."""
        limit = self.ops_ms
        ratio = round(self.ms / limit, 3) if limit else None
        return {
            "ms": round(self.ms, 3),
            "ops": dict(self.ops),
            "ops_ms": round(limit, 3),
            "ratio": ratio,
        }


class UnitCosts:
    """The cost of each kind of operation, measured repeatedly during another measurement."""

    def __init__(self, group: Group, clock: Clock = time.perf_counter_ns) -> None:
        self._group, self.clock = group, clock
        self._scalars = [group.random_scalar(os.urandom) for _ in range(CALLS)]
        self._elements = self._fresh()
        self._found: dict[str, list[float]] = {kind: [] for kind in KINDS}

    def sample(self) -> None:
        """Measure every kind once more.

        A term's cost is the time by which a sum takes longer with it.
        """
        group, scalars, elements, g = (
            self._group,
            self._scalars,
            self._elements,
            self._group.generator,
        )
        k, p, q = scalars[0], elements[0], elements[1]
        each = self._each
        group.elements(b"".join(elements), CALLS)
        fresh = b"".join(self._fresh())  # a backend remembers those that it has decoded before
        one, two = [((k,), (p,))] * CALLS, [((k, k), (g, p))] * CALLS
        costs = {
            "decode": each(lambda: group.elements(fresh, CALLS)),
            "hash": each(lambda: [group.hash_to_group(b"sobremesa/v1/bench", p) for p in elements]),
            "add": each(lambda: [group.add(p, q) for _ in scalars]),
            "addend": each(lambda: group.sum([q, *elements])),
            "mult": each(lambda: [group.mult(k, p) for _ in scalars]),
            "base": each(lambda: [group.base(k) for k in scalars]),
            "mask": each(lambda: group.mask(p, scalars, elements)),
            "base_mask": each(lambda: group.mask(g, scalars, elements)),
            "public": each(lambda: group.combine_each_public(one)),
        }
        long = ((k, *scalars), (group.sub(group.identity, q), *elements))
        single = each(lambda: group.combine_each(one))
        costs["term"] = each(lambda: group.combine_each([long])) - single / CALLS
        costs["base_term"] = each(lambda: group.combine_each(two)) - single
        costs["public_term"] = (
            each(lambda: group.combine_each_public([long])) - costs["public"] / CALLS
        )
        costs["public_base_term"] = each(lambda: group.combine_each_public(two)) - costs["public"]
        for kind, cost in costs.items():
            self._found[kind].append(cost)

    @property
    def units(self) -> dict[str, float]:
        """The median time of each kind of operation so far, in microseconds."""
        if not self._found[KINDS[0]]:
            self.sample()
        return {kind: round(max(0.0, median(self._found[kind])), 3) for kind in KINDS}

    def _each(self, operations: Callable[[], object]) -> float:
        """Give the microseconds of each of CALLS operations."""
        began = self.clock()
        operations()
        return (self.clock() - began) / CALLS / 1000

    def _fresh(self) -> list[bytes]:
        group = self._group
        return [group.base(group.random_scalar(os.urandom)) for _ in range(CALLS)]


class Course(Generic[T]):
    """A piece of work that is measured several times, perhaps in turn with others.

    The first time fills permanent caches, and is not counted. Sample `costs` between the times.
    `before` runs before each time, unmeasured.
    """

    def __init__(
        self,
        group: Group,
        work: Callable[[], T],
        costs: UnitCosts,
        before: Callable[[], object] = bool,
    ) -> None:
        before()
        self.result = work()
        self._group, self._work, self._costs, self._before = group, work, costs, before
        self._took: list[float] = []
        self._ops: Mapping[str, int] = {}

    def again(self) -> None:
        """Do the work once more."""
        self._before()
        before = self._group.counts
        began = self._costs.clock()
        self.result = self._work()
        self._took.append((self._costs.clock() - began) / 1e6)
        self._ops = difference(self._group.counts, before)

    @property
    def timed(self) -> Timed:
        """The median so far."""
        return Timed(median(self._took), self._ops, self._costs.units)


def timed(
    group: Group, work: Callable[[], T], times: int, before: Callable[[], object] = bool
) -> tuple[Timed, T]:
    """Measure a piece of work several times. Also return the result of the last time."""
    costs = UnitCosts(group)
    course = Course(group, work, costs, before)
    for _ in range(times):
        costs.sample()
        course.again()
    costs.sample()
    return course.timed, course.result


def difference(after: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """Return the operations between two readings of a group's counts, all kinds of them."""
    return {kind: after[kind] - before[kind] for kind in KINDS}


def total(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Add up operations."""
    found: Counter[str] = Counter()
    for ops in counts:
        found.update(ops)
    return {kind: found[kind] for kind in KINDS}


def ops_ms(ops: Mapping[str, int], units: Units) -> float:
    """Return the cost of these operations in milliseconds."""
    return sum(count * units[kind] for kind, count in ops.items()) / 1000


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the nearest-rank percentile of values. ValueError if there is none."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[max(0, -int(-len(ordered) * percent // 100) - 1)]
