"""Seats that come late or not at all: which are heard, which are waited for, and how often one may
vote."""

import pytest

from engine.core.run import IllegalMove
from p2p.table.epoch_entries import LATE_ALL, rows_of
from p2p.table.log import read_entry
from tests.ring import Ring
from tests.table.member_changes import catch_up, must_agree, siete, silence, stay, vote_out


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


def test_a_seat_that_is_voted_out_goes_when_it_knows_that_an_honest_one_has_gone_on():
    ring = siete(4)
    silence(ring, 2)
    ring.play(moves=12)
    vote_out(ring, 2, 0, 1, 3)
    ring.play(moves=8)
    ring.tap = None
    kept = []
    for data in ring.tables[0].held_since(0):
        entry = read_entry(ring.terms, ring.terms.match, data)
        if entry.seat != 1 or entry.place[1] == 0:
            ring.tables[2].receive(data)
        else:
            kept.append(data)
    ring.tables[2].proceed()
    assert not ring.tables[2].out
    for data in kept:
        ring.tables[2].receive(data)
    ring.tables[2].proceed()
    assert ring.tables[2].out


def test_a_vote_that_is_cast_is_not_cast_again():
    ring = siete()
    named = ring.tables[0].waiting[0]
    voter = stay(ring, named)[0]
    ring.tables[voter].vote(named)
    assert not ring.tables[voter].may_vote(named)
    with pytest.raises(IllegalMove):
        ring.tables[voter].vote(named)


def test_a_late_call_at_a_round_lengthens_the_longest_row():
    """A seat that goes by it still does so when another late call at a stage becomes known."""
    assert rows_of([], 2) == [2]
    assert rows_of([4], 1) == [2]
    assert rows_of([4, 5], 1) == [3]
    assert rows_of([4, 5, 7], 1) == [3, 1]
    assert rows_of([2, 4, 5, 7, 8], 1) == [1, 2, 3]
