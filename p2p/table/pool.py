"""Entries that nothing needs yet: a few of each sender, of which the oldest make way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from engine.core.moves import Seat

POOL = 64
"""Entries of one sender that may wait. A sender displaces only its own."""

T = TypeVar("T")


class Pool(Generic[T]):
    """The entries that may be of use later, by their senders.

    A member that needs an entry asks for it, so any of them may be forgotten at any time.
    """

    def __init__(self, most: int | None = None) -> None:
        """Keep at most so many of each sender, or else `POOL`."""
        self._most = most
        self._waiting: dict[Seat, list[T]] = {}

    def __iter__(self) -> Iterator[T]:
        for waiting in self._waiting.values():
            yield from waiting

    def put(self, sender: Seat, entry: T) -> list[T]:
        """Keep an entry as the newest of its sender; return the oldest if that is displaced."""
        waiting = self._waiting.setdefault(sender, [])
        if entry not in waiting:
            waiting.append(entry)
        most = POOL if self._most is None else self._most
        displaced = waiting[:-most]
        del waiting[:-most]
        return displaced

    def take(self, needs: Callable[[T], bool]) -> T | None:
        """Take out the first entry that something needs now, or None."""
        for waiting in self._waiting.values():
            for entry in waiting:
                if needs(entry):
                    waiting.remove(entry)
                    return entry
        return None
