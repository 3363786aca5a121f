"""The cost of group operations on this machine, and the cost of work beside that of its operations.

Kinds of operation are those of `Group.counts`: mult, base, add, decode, hash. Costs are microseconds, works milliseconds.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeVar

from crypto.group import Group

KINDS = ("mult", "base", "add", "decode", "hash")
CALLS = 24
"""Calls of each kind in one measuring of the unit costs: together about two milliseconds with libsodium."""

T = TypeVar("T")
Units = Mapping[str, float]
"""Microseconds of one operation, by kind."""


@dataclass(frozen=True)
class Timed:
    """A piece of work that was done several times: the median of its times, and the operations that each time took."""

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
        return {"ms": round(self.ms, 3), "ops": dict(self.ops), "ops_ms": round(limit, 3), "ratio": ratio}


class UnitCosts:
    """The cost of each kind of operation, measured again and again while something else is measured."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._scalar = group.random_scalar(os.urandom)
        self._p, self._q = group.base(self._scalar), group.base(self._scalar + 1)
        self._found: dict[str, list[float]] = {kind: [] for kind in KINDS}

    def sample(self) -> None:
        """Measure every kind once more."""
        group, k, p, q = self._group, self._scalar, self._p, self._q
        self._time("mult", lambda: group.mult(k, p))
        self._time("base", lambda: group.base(k))
        self._time("add", lambda: group.add(p, q))
        self._time("decode", lambda: group.element(p))
        self._time("hash", lambda: group.hash_to_group(b"sobremesa/v1/bench", p))

    @property
    def units(self) -> dict[str, float]:
        """The median time of each kind of operation so far, in microseconds."""
        if not self._found[KINDS[0]]:
            self.sample()
        return {kind: round(median(found), 3) for kind, found in self._found.items()}

    def _time(self, kind: str, operation: Callable[[], object]) -> None:
        began = time.perf_counter_ns()
        for _ in range(CALLS):
            operation()
        self._found[kind].append((time.perf_counter_ns() - began) / CALLS / 1000)


def timed(group: Group, work: Callable[[], T], times: int) -> tuple[Timed, T]:
    """Measure a piece of work several times, after one run that is not counted because it fills permanent caches.

    Also return the result of the last run.
    """
    work()
    costs = UnitCosts(group)
    took: list[float] = []
    ops: Mapping[str, int] = {}
    for _ in range(times):
        costs.sample()
        before = group.counts
        began = time.perf_counter_ns()
        result = work()
        took.append((time.perf_counter_ns() - began) / 1e6)
        ops = difference(group.counts, before)
    costs.sample()
    return Timed(median(took), ops, costs.units), result


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
    """Return the milliseconds of so many operations at these costs."""
    return sum(count * units[kind] for kind, count in ops.items()) / 1000


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that so many percent of all do not exceed. ValueError if there is none."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[max(0, -int(-len(ordered) * percent // 100) - 1)]
