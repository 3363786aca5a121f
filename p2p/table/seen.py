"""The faces that one seat saw in a match: those that became public, and those that its keys open.

A card that was dealt to a seat lacks only that seat's share. So the seat's own key of the deck
opens it from the log, and no other card that stayed hidden: of a card of another seat, that seat's
share is missing, and of a card in the stock all shares. The log has the public part of each deck
key. A key that is not the seat's for that deck opens nothing (decision 0022).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crypto.errors import CryptoError
from crypto.group import Group
from crypto.masking import DeckKey, key_from_secret
from engine.core.moves import Face, Seat, Slot
from p2p.table.events import Dealt, Event, Moved, Opened
from p2p.table.table import Table


class SeenFaces:
    """The faces that a seat has seen, collected while its match is replayed.

    `keys` are secrets of decks, in any order. Without a seat only public faces are collected.
    """

    def __init__(self, seat: Seat | None, keys: Iterable[bytes] = ()) -> None:
        self.faces: dict[Slot, Face] = {}
        self._seat, self._keys = seat, tuple(keys)
        self._known: Mapping[bytes, DeckKey] | None = None
        self._opened: dict[Slot, bytes] = {}
        """The slots that our keys have opened, each with its key, without those that became public
        since."""

    def __repr__(self) -> str:
        """Say how many there are, and nothing else."""
        return f"<SeenFaces: {len(self.faces)} faces, {len(self._keys)} keys>"

    @property
    def needed(self) -> tuple[bytes, ...]:
        """The keys without which a card would stay hidden, each once, in the order of the cards."""
        return tuple(dict.fromkeys(self._opened[slot] for slot in sorted(self._opened)))

    def take(self, table: Table, events: Iterable[Event]) -> None:
        """Take in the events of a record; `table` is the table after it."""
        for event in events:
            if isinstance(event, Moved):
                self._show(event.shown)
            elif isinstance(event, Opened):
                self._show(event.faces)
            elif isinstance(event, Dealt) and self._seat is not None and self._keys:
                self._open(table, self._seat, event.to.get(self._seat, ()))

    def _show(self, faces: Mapping[Slot, Face]) -> None:
        self.faces.update(faces)
        for slot in faces:
            self._opened.pop(slot, None)

    def _open(self, table: Table, seat: Seat, slots: Iterable[Slot]) -> None:
        if self._known is None:
            self._known = _read(table.group, self._keys)
        for slot in slots:
            found = table.dealt_face(slot, seat, self._known)
            if found is not None and slot not in self.faces:
                self.faces[slot], key = found
                self._opened[slot] = table.group.scalar_bytes(key.secret)


def _read(group: Group, keys: Iterable[bytes]) -> Mapping[bytes, DeckKey]:
    """Return the deck keys by their public parts, without those that cannot be any."""
    found = {}
    for data in keys:
        try:
            key = key_from_secret(group, group.scalar(data))
        except (CryptoError, ValueError):
            continue
        found[key.public] = key
    return found
