"""The reasons of a flush come to all who ask for them, also if liars have signed more than one
answer has."""

from __future__ import annotations

from itertools import permutations

from p2p.table.epoch_entries import ChangeRound
from p2p.table.known_records import REASONS_BYTES
from p2p.table.log import ENTRY_LIMIT, Entry
from p2p.table.pool import POOL
from tests.adversary.membership import (
    flush,
    own_stand,
    siete,
    spread,
)
from tests.ring import Ring

LEAVER, LIARS, HONEST = 0, (1, 2), (3, 4, 5)
OF = ChangeRound((LEAVER,))


def words(ring: Ring, seat: int, count: int, size: int, since: int = 500) -> list[Entry]:
    """Sign words for decks that never come."""
    return [
        ring.signed(seat, ("deck", 0, since + at, bytes(32)), {"j": bytes(size)}, bytes(32))
        for at in range(count)
    ]


def tell(ring: Ring, seat: int, *entries: Entry) -> None:
    for entry in entries:
        ring.tables[seat].receive(entry.data)
    ring.tables[seat].proceed()


def test_reasons_that_one_alone_was_told_come_to_all_who_ask():
    """Seat 0 leaves. Seat 3 alone hears what the flushes of the liars name, and stands. It would
    wait for seats 4 and 5, which wait for the liars: its vote and theirs remove them."""
    ring = siete(6)
    ring.tap = lambda sender, receiver, data: (
        () if {sender, receiver} & {LEAVER, *LIARS} else (data,)
    )
    few = [one for seat in (LEAVER, *LIARS) for one in words(ring, seat, POOL, 10)]
    leave = ring.signed(LEAVER, ("leave", 0))
    spread(ring, [*few, leave], but=[LEAVER, *LIARS])
    ring.settle()
    many = {seat: words(ring, seat, 8, ENTRY_LIMIT - 300, 900) for seat in (LEAVER, *LIARS)}
    assert all(sum(len(one.data) for one in found) < REASONS_BYTES for found in many.values())
    tell(ring, 3, *(one for found in many.values() for one in found))
    spread(
        ring,
        [flush(ring, seat, OF, reasons=[leave, *many[seat]]) for seat in LIARS],
        but=[LEAVER, *LIARS],
    )
    ring.settle()
    for _ in range(3):
        for one, other in permutations(HONEST, 2):
            for data in ring.tables[one].lacking(ring.tables[other].need):
                ring.tables[other].receive(data)
        ring.settle()
    assert len({own_stand(ring, seat) for seat in HONEST}) == 1
    assert {ring.tables[seat].waiting for seat in HONEST} == {LIARS}, "no vote about the honest"
