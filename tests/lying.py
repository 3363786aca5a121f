"""A table whose seat says something else than its program: the seam that liars in tests use.

All that a seat says leaves its table by `data_to_send` or, to a peer that asks, by `lacking`.
All that it hears comes by `receive`. In the place of each entry that its program has signed a liar
says this entry, nothing for now, another one, or several; and it decides which entries its program
hears. It signs with its own key, so all that it says is rightly signed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from p2p.table.log import Body, Entry, Place, make_entry, read_unsigned
from p2p.table.need import Need
from p2p.table.table import Table


class Lying(Table):
    """The table of a liar; a subclass decides what it says."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._who = arguments[3]
        self._said: dict[bytes, list[Entry]] = {}
        """The entries that are said in the place of each entry of its program."""
        self._kept: list[Entry] = []
        self._more: list[bytes] = []
        self._unheard: dict[bytes, None] = {}

    def says(self, entry: Entry) -> Iterable[Entry]:
        """Return the entries that the seat says in the place of one of its program."""
        return (entry,)

    def hears(self, entry: Entry) -> bool:
        """Return whether its program hears an entry of another seat now, or not before `hear`."""
        del entry
        return True

    def hear(self) -> None:
        """Let its program hear all that it has not heard."""
        unheard, self._unheard = self._unheard, {}
        for data in unheard:
            super().receive(data)

    def keep_back(self, entry: Entry) -> Iterable[Entry]:
        """Say nothing in the place of this entry until it is given up."""
        self._kept.append(entry)
        return ()

    @property
    def kept(self) -> tuple[Entry, ...]:
        """The entries that are kept back."""
        return tuple(self._kept)

    def give_up(self) -> None:
        """Say all that was kept back."""
        for entry in self._kept:
            self._said[entry.data] = [entry]
            self._more.append(entry.data)
        self._kept = []

    def say(self, entry: Entry) -> None:
        """Say something that its program has not signed."""
        self._more.append(entry.data)

    def sign_any(
        self, place: Place, head: bytes, body: Body | None = None, stage: int = 0
    ) -> Entry:
        """Sign anything."""
        assert self.seat is not None
        return make_entry(self._who, self.match, (place, stage), self.seat, head, body or {})

    def read(self, data: bytes) -> Entry:
        """Read an entry of this match."""
        return read_unsigned(self.terms, self.match, data)

    def receive(self, data: bytes) -> bool:
        if self.hears(self.read(data)):
            return super().receive(data)
        new = data not in self._unheard
        self._unheard[data] = None
        return new

    def data_to_send(self) -> list[bytes]:
        said = [one for data in super().data_to_send() for one in self._told(data)]
        more, self._more = self._more, []
        return [*said, *more]

    def held_since(self, steps: int) -> list[bytes]:
        return [one for data in super().held_since(steps) for one in self._told(data)]

    def lacking(self, need: Need) -> list[bytes]:
        return [one for data in super().lacking(need) for one in self._told(data)]

    def _told(self, data: bytes) -> list[bytes]:
        entry = self.read(data)
        if entry.seat != self.seat:
            return [data]
        if data not in self._said:
            self._said[data] = []
            self._said[data] = list(self.says(entry))
        return [one.data for one in self._said[data]]
