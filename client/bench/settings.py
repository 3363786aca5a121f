"""The settings of every section, and the rows of its figures for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from crypto.backend import best
from crypto.group import Group, ristretto255


def _silent(what: str) -> None:
    del what


@dataclass(frozen=True)
class BenchSettings:
    """`quick` does everything once, to show that it works; `say` hears what is being measured now."""

    quick: bool = False
    say: Callable[[str], None] = _silent
    group: Group = field(default_factory=ristretto255)
    fresh_group: Callable[[], Group] = lambda: Group(best())
    """Makes a group like it that remembers nothing yet: whoever verifies a log hashes the cards too."""

    def times(self, many: int) -> int:
        """Return how often to do something that is to be done many times."""
        return 1 if self.quick else many


@dataclass(frozen=True)
class Row:
    """One figure: what it is, what it took, the limit that its operations set, and what it should be at most."""

    name: str
    took: str
    limit: str = ""
    ratio: float | None = None
    aim: str = ""
    missed: bool | None = None
    """Whether the aim is missed; None where there is none."""


def ms(value: float) -> str:
    """Say milliseconds, in three digits or so."""
    return f"{value:.3g} ms" if value < 100 else f"{value:,.0f} ms"
