"""The faces that one seat saw in a match: those that became public, and those that it kept.

A card that was dealt to a seat lacks only that seat's share. So a share that the seat kept opens
that card from the log, and no other. The log has the public part of each deck key, and each share
is proven against it: a false one opens nothing (decision 0027).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crypto.errors import CryptoError
from engine.core.moves import Face, Seat, Slot
from p2p.table.events import Dealt, Event, Moved, Opened
from p2p.table.table import Table


class SeenFaces:
    """The faces that a seat has seen, collected while its match is replayed.

    `shares` are shares that it kept, by slot. Without a seat only public faces are collected.
    """

    def __init__(self, seat: Seat | None, shares: Mapping[Slot, bytes] | None = None) -> None:
        self.faces: dict[Slot, Face] = {}
        self._seat, self._shares = seat, dict(shares or {})
        self._opened: set[Slot] = set()
        """The slots that shares have opened, without those that became public since."""

    def __repr__(self) -> str:
        """Say how many there are, and nothing else."""
        return f"<SeenFaces: {len(self.faces)} faces, {len(self._shares)} shares>"

    @property
    def needed(self) -> Mapping[Slot, bytes]:
        """The shares without which a card would stay hidden, in the order of the cards."""
        return {slot: self._shares[slot] for slot in sorted(self._opened)}

    @property
    def unfit(self) -> tuple[Slot, ...]:
        """The slots of the shares that are false, or open no card that stayed hidden."""
        return tuple(sorted(self._shares.keys() - self._opened))

    def take(self, table: Table, events: Iterable[Event]) -> None:
        """Take in the events of a record; `table` is the table after it."""
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
