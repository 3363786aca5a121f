"""The deck keys that a table has in memory; and the shares that a seat keeps, made another way:
from its deck keys and the log."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType

from crypto.group import Group
from crypto.masking import DeckKey, key_from_secret
from engine.core.moves import Seat, Slot
from p2p.table.events import Dealt, Moved, Opened
from p2p.table.replay import replay_log
from p2p.table.table import Table

CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""Objects that lead to the whole program."""


def keys_in_memory(table: Table) -> list[str]:
    """Return where in a table its deck keys are, by the types of the objects that lead there."""
    known, found = set[int](), list[str]()
    waiting: list[tuple[object, str]] = [(table, "")]
    while waiting:
        one, way = waiting.pop()
        if isinstance(one, DeckKey):
            found.append(way)
        elif id(one) not in known and not isinstance(one, CODE):
            known.add(id(one))
            way += f"/{type(one).__name__}"
            waiting += [(held, way) for held in gc.get_referents(one)]
    return found


def shares_from_keys(log: bytes, keys: Iterable[bytes], group: Group) -> Mapping[Slot, bytes]:
    """Return the kept shares of the seat that has these deck keys."""
    pairs = [key_from_secret(group, group.scalar(data)) for data in keys]
    known, shares = {key.public: key for key in pairs}, dict[Slot, bytes]()
    for table, events in replay_log(log, group):
        for event in events:
            if isinstance(event, Dealt):
                for seat, slots in event.to.items():
                    shares |= {
                        slot: share
                        for slot in slots
                        if (share := share_of(table, slot, seat, known)) is not None
                    }
            elif isinstance(event, Moved | Opened):
                for slot in event.shown if isinstance(event, Moved) else event.faces:
                    shares.pop(slot, None)
    return shares


def share_of(table: Table, slot: Slot, seat: Seat, keys: Mapping[bytes, DeckKey]) -> bytes | None:
    """Return a seat's share of a slot in play, if the seat's deck key is among these."""
    masks = table.progress.here.masks
    for masked in masks.decks.values():
        key = keys.get(masked.keys.get(seat, b""))
        if slot in masked.deck.slots and key is not None:
            return masks.kept_share(masked, slot, key)
    return None
