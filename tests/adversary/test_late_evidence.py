"""A contradiction in an epoch that all have left convicts all the same, whenever its entries turn
up."""

import pytest

from p2p.table.log import FLUSH, Entry
from tests.adversary.membership import Ring, accused, must_end, siete, silence, spread

LIAR, HONEST = 3, (1, 2, 4)


def after_a_change() -> tuple[Ring, Entry]:
    """Return a match in which all play in epoch 1, and the flush of the liar in epoch 0, which
    nobody remembers."""
    ring = siete(5)
    ring.tables[0].leave()
    ring.play(moves=3)
    assert all(ring.tables[seat].mark[0] == 1 for seat in HONEST)
    read = (ring.read(data) for seat, data in ring.sent if seat == LIAR)
    return ring, next(entry for entry in read if entry.kind == FLUSH)


def show(ring: Ring, *entries: Entry) -> None:
    silence(ring, 0, LIAR)
    spread(ring, entries, but=[0, LIAR])
    ring.settle()


@pytest.mark.parametrize("order", [1, -1])
def test_two_flushes_for_one_round(order):
    ring, flush = after_a_change()
    other = ring.signed(LIAR, flush.place, flush.body, ring.terms.first_head())
    show(ring, *[other, flush][::order])
    assert [accused(ring, seat) for seat in HONEST] == [[LIAR]] * 3
    ring.play()
    must_end(ring, HONEST, (0, "left"), (LIAR, "convicted"))


def test_two_flushes_that_contradict_each_other():
    ring, flush = after_a_change()
    other = ring.signed(LIAR, (FLUSH, 0, (1,), (), ()), flush.body, flush.head)
    show(ring, other, flush)
    assert [accused(ring, seat) for seat in HONEST] == [[LIAR]] * 3
    ring.play()
    must_end(ring, HONEST, (0, "left"), (LIAR, "convicted"))


def test_entries_without_a_contradiction_convict_nobody():
    ring, flush = after_a_change()
    show(ring, flush, ring.signed(LIAR, ("step", 0, 2), head=b"h" * 32), flush)
    assert [accused(ring, seat) for seat in HONEST] == [[], [], []]
