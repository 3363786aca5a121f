"""The settings of every section, and the rows of its figures for people."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from crypto.backend import backends, best
from crypto.group import Group, ristretto255


def _silent(what: str) -> None:
    del what


@dataclass(frozen=True)
class BenchSettings:
    """The settings of the measurements.

    `quick` does everything once, to show that it works. `say` is told what is being measured now.
    """

    quick: bool = False
    say: Callable[[str], None] = _silent
    group: Group = field(default_factory=ristretto255)
    fresh_group: Callable[[], Group] = lambda: Group(best())
    """Makes a group of the same kind with empty caches, because verifying a log includes hashing
    the cards."""

    groups: Callable[[], list[Group]] = lambda: [Group(backend) for backend in backends()]
    """Makes a group for each backend that there is here."""

    def times(self, many: int) -> int:
        """Return how often to do what is done `many` times: once in a quick run."""
        return 1 if self.quick else many


@dataclass(frozen=True)
class Row:
    """A figure: its name, its time, the limit that its operations set, and the time aimed at."""

    name: str
    took: str
    limit: str = ""
    ratio: float | None = None
    aim: str = ""
    missed: bool | None = None
    """Whether the aim is missed; None where there is none."""


def ms(value: float) -> str:
    """Return milliseconds as text, in about three digits."""
    return f"{value:.3g} ms" if value < 100 else f"{value:,.0f} ms"


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
