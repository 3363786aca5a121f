"""Seats that come late or not at all: which are heard, which are waited for, and how often one may
vote."""

import pytest

from engine.core.run import IllegalMove
from p2p.table.log import read_entry
from tests.table.view_changes import catch_up, must_agree, siete, silence, stay, vote_out


@pytest.mark.slow
def test_a_slow_seat_is_heard_in_time_more_often_than_there_are_seats():
    """No view change has a leaver, so there may be more of them than seats."""
    ring = siete(3, deals=9)
    for view in range(5):
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
        assert [table.mark[0] for table in ring.tables] == [view + 1] * 3
    ring.play()
    must_agree(ring)
    assert not ring.tables[0].gone


def test_a_seat_that_is_voted_out_waits_for_those_who_have_not_spoken_since():
    ring = siete(4)
    silence(ring, 2)
    ring.play(moves=12)
    vote_out(ring, 2, 0, 1, 3)
    ring.tap = None
    stand = ring.tables[1]._held.inbox.signed((("stand", 1), 0), 1)
    assert stand is not None
    for data in ring.tables[0].held_since(0):
        entry = read_entry(ring.terms, ring.terms.match, data)
        if entry.seat != 1 or entry.place[1] == 0:
            ring.tables[2].receive(data)
    ring.tables[2].proceed()
    assert ring.tables[2].waiting == (1,)
    ring.tables[2].receive(stand.data)
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
