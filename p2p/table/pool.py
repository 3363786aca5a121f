"""Entries that nothing needs yet: a few of each sender; the oldest are dropped first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from engine.core.moves import Seat

POOL = 64
"""The most waiting entries of one sender. A sender displaces only its own."""

T = TypeVar("T")


class Pool(Generic[T]):
    """Entries that may be useful later, by sender.

    A member requests an entry that it needs, so any may be forgotten at any time.
    """

    def __init__(self) -> None:
        self.waiting: dict[Seat, list[T]] = {}
        """Those of each sender, the oldest first."""

    def __iter__(self) -> Iterator[T]:
        for own in self.waiting.values():
            yield from own

    def put(self, sender: Seat, entry: T) -> list[T]:
        """Keep an entry as its sender's newest; return the oldest ones that it displaces."""
        own = self.waiting.setdefault(sender, [])
        if entry not in own:
            own.append(entry)
        displaced = own[:-POOL]
        del own[:-POOL]
        return displaced

    def take(self, needs: Callable[[T], bool]) -> T | None:
        """Remove and return the first entry that is needed now, or None."""
        for own in self.waiting.values():
            for entry in own:
                if needs(entry):
                    own.remove(entry)
                    return entry
        return None
