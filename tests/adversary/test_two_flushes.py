"""A liar signs two flushes for one round: it is convicted, and those who stay come to one match all
the same.

Before members stood on a change, each of two honest seats made it with another flush. Each
convicted the liar, neither could reach the other's head, and one signature had stopped the match
for ever.
"""

from __future__ import annotations

import pytest

from p2p.table.epoch_entries import ChangeRound
from p2p.table.log import FLUSH, STAND, Entry
from p2p.table.member_entries import flush_place
from tests.adversary.membership import (
    accused,
    flush,
    must_end,
    own_stand,
    show_each_other,
    siete,
    silence,
    spread,
    stand,
)
from tests.ring import Ring


def leave_with_two_flushes(
    ring: Ring, leaver: int, liar: int, two: tuple[Entry, Entry]
) -> list[int]:
    """Let a seat leave, and each of those who stay hear another flush of the liar; return them."""
    honest = [seat for seat in range(len(ring.tables)) if seat not in (leaver, liar)]
    silence(ring, liar, leaver)
    spread(ring, [ring.signed(leaver, ("leave", 0))], but=[leaver, liar])
    ring.tables[honest[0]].receive(two[0].data)
    for seat in honest[1:]:
        ring.tables[seat].receive(two[1].data)
    ring.settle()
    return honest


@pytest.mark.parametrize(("seats", "leaver", "liar"), [(4, 0, 1), (4, 2, 1), (5, 0, 1), (6, 3, 5)])
def test_two_flushes_on_two_heads_split_nobody(seats, leaver, liar):
    ring = siete(seats)
    trail, of = ring.tables[0].trail, ChangeRound((leaver,))
    two = flush(ring, liar, of, trail[-1]), flush(ring, liar, of, trail[-2])
    honest = leave_with_two_flushes(ring, leaver, liar, two)
    for seat in honest:  # it stands with each as that one stands
        ring.tables[seat].receive(stand(ring, liar, of, own_stand(ring, seat)).data)
    ring.settle()
    assert len({ring.tables[seat].head for seat in honest}) == 1, (
        "nobody makes another change than the others"
    )
    show_each_other(ring, honest)
    assert all(accused(ring, seat) == [liar] for seat in honest)
    must_end(ring, honest, (leaver, "left"), (liar, "convicted"))


def test_two_flushes_that_name_other_changes_as_done_split_nobody():
    """Seat 3 leaves, all flush; the liar lets nobody hear of its stand. Then seat 4 leaves, all
    flush anew. The liar names the first change as done to one of two."""
    ring, liar, honest = siete(5), 1, (0, 2)
    first, later = ChangeRound((3,)), ChangeRound((3, 4))
    now = ring.tables[0].epochs.now
    silence(ring, liar, 3, 4)
    leave, other = ring.signed(3, ("leave", 0)), ring.signed(4, ("leave", 0))
    spread(ring, [leave, flush(ring, liar, first), flush(ring, 4, first)], but=[liar, 3, 4])
    ring.settle()
    spread(ring, [stand(ring, 4, first, own_stand(ring, 0))], but=[liar, 3, 4])
    spread(ring, [other], but=[liar, 3, 4])
    ring.settle()
    assert now.round == later
    assert not any(ring.tables[seat].mark[0] for seat in honest)
    spread(ring, [stand(ring, liar, first, own_stand_for(ring, 0, first))], but=[liar, 3, 4])
    two = flush(ring, liar, later), flush(ring, liar, later, done=now.id_of(first))
    for seat, entry in zip(honest, two, strict=True):
        ring.tables[seat].receive(entry.data)
    ring.settle()
    stood = [own_stand_for(ring, seat, later) for seat in honest]
    assert len(set(stood)) == 2
    for seat, on in zip(honest, stood, strict=True):
        ring.tables[seat].receive(stand(ring, liar, later, on).data)
    ring.settle()
    assert not any(ring.tables[seat].mark[0] for seat in honest), "nobody has made a change"
    show_each_other(ring, [*honest])
    for seat in honest:
        assert accused(ring, seat) == [liar]
    must_end(ring, honest, (3, "left"), (4, "left"), (liar, "convicted"))


def own_stand_for(ring: Ring, seat: int, of: ChangeRound) -> bytes:
    """Return the id on which a seat has stood for a round."""
    known = ring.tables[seat].epochs.known(flush_place(0, of, STAND), seat)
    assert known is not None
    return known.head


def test_a_stand_that_does_not_come_can_be_voted_on():
    ring, liar = siete(4), 1
    ring.tap = lambda sender, receiver, data: (
        () if sender == liar and place_of(ring, data) == STAND else (data,)
    )
    ring.tables[0].leave()
    ring.settle()
    assert [ring.tables[seat].waiting for seat in (2, 3)] == [(liar,)] * 2
    silence(ring, liar)
    for voter in (2, 3):
        ring.tables[voter].vote(liar)
        ring.settle()
    ring.play()
    must_end(ring, (2, 3), (0, "left"), (liar, "voted"))


def test_a_stand_on_another_change_is_no_stand():
    ring, liar = siete(4), 1
    silence(ring, liar)
    of = ChangeRound((0,))
    ring.tables[0].leave()
    ring.settle()
    spread(ring, [flush(ring, liar, of), stand(ring, liar, of, bytes(32))], but=[liar])
    ring.settle()
    assert [ring.tables[seat].waiting for seat in (2, 3)] == [(liar,)] * 2
    for voter in (2, 3):
        ring.tables[voter].vote(liar)
        ring.settle()
    ring.play()
    must_end(ring, (2, 3), (0, "left"), (liar, "voted"))


def test_a_stand_is_kept_over_a_restart_with_the_flushes_that_it_names():
    """Seat 2 makes the change; seat 3 has stood on it, dies, and hears another flush of the liar
    first when it is back."""
    ring, leaver, liar = siete(4), 0, 1
    trail, of = ring.tables[0].trail, ChangeRound((leaver,))
    one, other = flush(ring, liar, of, trail[-1]), flush(ring, liar, of, trail[-2])
    silence(ring, liar, leaver)
    spread(ring, [ring.signed(leaver, ("leave", 0)), one], but=[leaver, liar])
    ring.tap = lambda sender, receiver, data: (
        (data,) if (sender, receiver) == (2, 3) and place_of(ring, data) == FLUSH else ()
    )
    ring.settle()
    for kind in (FLUSH, STAND):
        said = (data for sender, data in ring.sent if sender == 3 and place_of(ring, data) == kind)
        ring.tables[2].receive(next(said))
        ring.settle()
    ring.tables[2].receive(stand(ring, liar, of, own_stand(ring, 3)).data)
    ring.settle()
    assert [ring.tables[seat].mark[0] for seat in (2, 3)] == [1, 0]
    ring.tables[3] = ring.resumed(3)
    ring.tables[3].receive(other.data)
    ring.tap = lambda sender, receiver, data: () if {sender, receiver} & {liar, leaver} else (data,)
    show_each_other(ring, [2, 3])
    assert all(liar in accused(ring, seat) for seat in (2, 3))
    must_end(ring, (2, 3), (leaver, "left"), (liar, "convicted"))


def place_of(ring: Ring, data: bytes) -> str:
    return str(ring.read(data).kind)
