"""The faces that one seat saw in a match: those that became public, and those of kept shares.

A card dealt to a seat lacks only that seat's share. So a share that the seat kept opens that card
from the log, and no other. It is proven against the deck key in the log: a false one opens nothing
(decision 0027).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crypto.errors import CryptoError
from engine.core.moves import Face, Seat, Slot
from p2p.table.events import Dealt, Event, Moved, Opened
from p2p.table.table import Table


class SeenFaces:
    """The faces that a seat saw, collected while its match is replayed.

    `shares` are shares that it kept, by slot. Without a seat only public faces are collected.
    """

    def __init__(self, seat: Seat | None, shares: Mapping[Slot, bytes] | None = None) -> None:
        self.faces: dict[Slot, Face] = {}
        self._seat, self._shares = seat, dict(shares or {})
        self._opened: set[Slot] = set()
        """The slots that shares opened, except those that became public since."""

    def __repr__(self) -> str:
        """Show the counts only."""
        return f"<SeenFaces: {len(self.faces)} faces, {len(self._shares)} shares>"

    @property
    def needed(self) -> Mapping[Slot, bytes]:
        """The shares without which a card would stay hidden, sorted by slot."""
        return {slot: self._shares[slot] for slot in sorted(self._opened)}

    @property
    def unfit(self) -> tuple[Slot, ...]:
        """The slots of shares that are false, or not needed."""
        return tuple(sorted(self._shares.keys() - self._opened))

    def take(self, table: Table, events: Iterable[Event]) -> None:
        """Take the events of a record; `table` is the table after it."""
        for event in events:
            if isinstance(event, Moved):
                self._show(event.shown)
            elif isinstance(event, Opened):
                self._show(event.faces)
            elif isinstance(event, Dealt) and self._seat is not None:
                self._open(table, self._seat, event.to.get(self._seat, ()))

    def _show(self, faces: Mapping[Slot, Face]) -> None:
        self.faces.update(faces)
        self._opened -= faces.keys()

    def _open(self, table: Table, seat: Seat, slots: Iterable[Slot]) -> None:
        for slot in slots:
            if slot not in self._shares or slot in self.faces:
                continue
            try:
                face = table.kept_face(slot, seat, self._shares[slot])
            except CryptoError:
                continue
            if face is not None:
                self.faces[slot] = face
                self._opened.add(slot)
