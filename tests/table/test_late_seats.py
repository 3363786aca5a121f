"""Seats that come late or not at all: which are heard, which are waited for, and how often one may
vote."""

import pytest

from p2p.table.epoch_entries import LATE_ALL
from tests.adversary.membership import catch_up, must_agree, siete, vote_out
from tests.ring import Ring


def call_late(ring: Ring) -> None:
    """Seats 0 and 1 vote about seat 2, whose word was on its way."""
    ring.tap = lambda sender, receiver, data: () if sender == 2 else (data,)
    ring.play()
    assert [ring.tables[seat].waiting for seat in (0, 1)] == [(2,)] * 2
    ring.tap = lambda sender, receiver, data: () if sender == 2 or receiver == 1 else (data,)
    vote_out(ring, 2, 1)
    ring.tap = lambda sender, receiver, data: ()
    vote_out(ring, 2, 0)
    ring.tap = None
    catch_up(ring)
    assert not ring.charged


def test_a_slow_seat_is_heard_and_the_match_goes_on_where_it_was():
    ring = siete(3, deals=9)
    for _ in range(2):
        before = ring.tables[0].trail
        call_late(ring)
        assert [table.mark[0] for table in ring.tables] == [0] * 3
        assert ring.tables[0].trail[: len(before)] == before
        ring.play(moves=7)
    ring.play()
    must_agree(ring)
    assert not ring.tables[0].gone


@pytest.mark.slow
def test_a_seat_that_is_late_nine_times_goes_even_if_it_speaks():
    """A stall is paid once (G10)."""
    ring = siete(3, deals=12)
    for _ in range(LATE_ALL):
        assert not ring.tables[0].gone
        call_late(ring)
    ring.play()
    must_agree(ring, (2, "voted"))
