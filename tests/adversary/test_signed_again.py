"""A key can make any number of signatures for one message: entries that differ in nothing else."""

from __future__ import annotations

import pytest

from p2p.table.compare import compare_logs
from p2p.table.epoch_entries import ChangeRound
from tests.adversary.membership import (
    flush,
    must_end,
    own_stand,
    show_each_other,
    siete,
    silence,
    spread,
    stand,
)
from tests.adversary.signatures import signed_again
from tests.ring import Ring

LEAVER, LIAR, HONEST = 0, 1, (2, 3)
OF = ChangeRound((LEAVER,))


def one_leaves(ring: Ring) -> None:
    silence(ring, LIAR, LEAVER)
    leave = ring.signed(LEAVER, ("leave", 0))
    spread(ring, [leave, flush(ring, LIAR, OF)], but=[LIAR, LEAVER])
    ring.settle()


def hears(ring: Ring, *said: bytes) -> None:
    """Let each of the honest hear one of these, and nothing of each other."""
    ring.tap = lambda *_: ()
    for seat, data in zip(HONEST, said, strict=True):
        ring.tables[seat].receive(data)
    ring.settle()
    silence(ring, LIAR, LEAVER)


def test_a_stand_that_is_signed_twice_splits_nobody():
    """Each has made the change with another signature of the liar under the same stand."""
    ring = siete(4)
    one_leaves(ring)
    one = stand(ring, LIAR, OF, own_stand(ring, 2))
    hears(ring, one.data, signed_again(ring.who[LIAR], one).data)
    assert [ring.tables[seat].gone for seat in HONEST] == [(LEAVER,)] * 2
    assert ring.tables[2].head == ring.tables[3].head
    show_each_other(ring, [*HONEST])
    must_end(ring, HONEST, (LEAVER, "left"), (LIAR, "convicted"))
    assert ring.logs[2] != ring.logs[3], "they have the stands that each has heard"
    compared = compare_logs(ring.logs[2], ring.logs[3])
    assert compared is not None
    assert not compared.differ


@pytest.mark.parametrize("what", ["leave", "flush", "seal"])
def test_another_entry_that_is_signed_twice_splits_nobody(what):
    ring = siete(4)
    if what == "leave":
        silence(ring, LEAVER)
        one = ring.signed(LEAVER, ("leave", 0))
        hears(ring, one.data, signed_again(ring.who[LEAVER], one).data)
        silence(ring, LEAVER)
        show_each_other(ring, [LIAR, *HONEST])
        must_end(ring, (LIAR, *HONEST), (LEAVER, "convicted"))
    elif what == "flush":
        silence(ring, LIAR, LEAVER)
        spread(ring, [ring.signed(LEAVER, ("leave", 0))], but=[LIAR, LEAVER])
        one = flush(ring, LIAR, OF)
        hears(ring, one.data, signed_again(ring.who[LIAR], one).data)
        show_each_other(ring, [*HONEST])
        must_end(ring, HONEST, (LEAVER, "left"), (LIAR, "convicted"))
    else:
        ring.tap = lambda sender, _receiver, data: (
            () if sender == LIAR and is_seal(ring, data) else (data,)
        )
        ring.play()
        one = ring.tables[LIAR].seals[LIAR]
        hears(ring, one.data, signed_again(ring.who[LIAR], one).data)
        for seat in HONEST:
            ring.store(seat)
            assert ring.tables[seat].sealed


def is_seal(ring: Ring, data: bytes) -> bool:
    return ring.read(data).kind == "seal"
