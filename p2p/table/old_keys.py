"""Kept shares from deck keys: earlier versions kept these keys, which open more than was seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from crypto.errors import CryptoError
from crypto.group import Group
from crypto.masking import DeckKey, key_from_secret
from engine.core.moves import Slot
from p2p.table.events import Dealt, Moved, Opened
from p2p.table.replay import replay_log


@dataclass(frozen=True)
class TurnedOver:
    """The shares that the deck keys of a seat make with a log."""

    shares: Mapping[Slot, bytes] = field(repr=False)
    """The seat's shares, with proofs, of the slots dealt to it that did not become public."""
    fits: bool
    """Whether any key is one of the log."""
    sealed: bool
    """Whether the log is whole, so that nothing can be missing."""


def turn_over(log: bytes, keys: Iterable[bytes], group: Group | None = None) -> TurnedOver:
    """Verify a log, and return the shares that the deck keys of one of its seats make. BadLog."""
    shares: dict[Slot, bytes] = {}
    known: Mapping[bytes, DeckKey] | None = None
    fits = False
    for table, events in replay_log(log, group):
        known = _read(table.group, keys) if known is None else known
        for event in events:
            if isinstance(event, Dealt):
                for seat, slots in event.to.items():
                    for slot in slots:
                        if (share := table.kept_share(slot, seat, known)) is not None:
                            shares[slot], fits = share, True
            elif isinstance(event, Moved | Opened):
                for slot in event.shown if isinstance(event, Moved) else event.faces:
                    shares.pop(slot, None)
    return TurnedOver(shares, fits, table.sealed)


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
