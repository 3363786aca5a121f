"""Votes at other points than those where the match waits (A8, A10): they remove nobody, and count
for nothing."""

from __future__ import annotations

import pytest

from p2p.table.epoch_entries import ChangeRound
from p2p.table.hashing import h
from p2p.wire import Malformed
from tests.adversary.membership import (
    come_together,
    flush,
    must_end,
    point,
    siete,
    silence,
    spread,
)


def test_A8_old_honest_votes_are_no_use_to_a_third_when_the_seat_has_come_back():
    ring = siete()
    held: list[bytes] = []
    ring.tap = lambda sender, receiver, data: (
        () if 2 in (sender, receiver) and not held.append(data) else (data,)
    )
    ring.play(moves=8)
    assert ring.tables[0].waiting == (2,)
    old = point(ring)
    for voter in (0, 3):
        ring.tables[voter].vote(2)
    ring.settle()
    ring.tap = None
    for table in ring.tables:
        for other in ring.tables:
            for data in table.lacking(other.need):
                other.receive(data)
    ring.play(moves=10)
    of = ChangeRound((), ((2, old),))
    silence(ring, 1)
    spread(ring, [ring.signed(1, ("vote", 0, old, 2)), flush(ring, 1, of)], but=[1])
    ring.settle()
    assert not any(ring.tables[seat].gone for seat in (0, 2, 3))
    assert ring.tables[0].how(2) != "convicted"
    ring.tap = None
    come_together(ring)
    must_end(ring, (0, 2, 3), *[(seat, ring.tables[0].how(seat)) for seat in ring.tables[0].gone])
    assert 2 not in ring.tables[0].gone


def test_A10_votes_about_a_seat_that_owes_nothing_count_nowhere():
    """Three of four sign them: an honest one would not, so here the tables alone must refuse."""
    ring = siete()
    owing = ring.tables[0].waiting
    named = next(seat for seat in range(4) if seat not in owing)
    voters = [seat for seat in range(4) if seat != named]
    spread(ring, [ring.signed(seat, ("vote", 0, point(ring), named)) for seat in voters])
    ring.settle()
    assert not any(table.epochs.now.round.called for table in ring.tables)
    ring.play()
    must_end(ring, range(4))


def test_A10_a_vote_for_a_head_that_never_comes_counts_for_nothing():
    ring = siete()
    spread(ring, [ring.signed(1, ("vote", 0, h("never", number), 2)) for number in range(50)])
    ring.play()
    must_end(ring, range(4))


def test_A10_a_seat_that_is_to_go_has_one_vote_like_all_others_and_none_about_itself():
    ring = siete()
    silence(ring, 3)
    ring.play(moves=40)
    ring.tap = None
    ring.tap = lambda sender, receiver, data: () if sender == 3 else (data,)
    assert ring.tables[0].waiting == (3,)
    self_vote = ring.signed(3, ("vote", 0, point(ring), 3))
    for seat in (0, 1, 2):
        with pytest.raises(Malformed):
            ring.tables[seat].receive(self_vote.data)
    for voter in (0, 1):
        ring.tables[voter].vote(3)
        ring.settle()
    assert not ring.tables[0].gone, "two of four are no majority"


@pytest.mark.parametrize("place", [("step", 1, 3), ("step", 3, 1), ("seal", 3, 3)])
def test_an_entry_of_a_later_epoch_is_no_word_of_this_one(place):
    """A liar writes nonsense on the head where its word is awaited, and is silent: it can still be
    voted out."""
    ring = siete()
    liar = ring.tables[0].waiting[0]
    honest = [seat for seat in range(4) if seat != liar]
    spread(ring, [ring.signed(liar, place, head=point(ring, honest[0]))], but=[liar])
    silence(ring, liar)
    for seat in honest:
        ring.tables[seat].vote(liar)
        ring.settle()
    ring.play()
    must_end(ring, honest, (liar, "voted"))
