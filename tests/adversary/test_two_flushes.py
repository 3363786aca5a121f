"""A liar signs two flushes for one round: it is convicted, and those who stay come to one match all
the same.

Before members confirmed a change, each of two honest seats made it with another flush. Each
convicted the liar, neither could reach the other's head, and one signature had stopped the match
for ever.
"""

from __future__ import annotations

import pytest

from p2p.table.calls import flush_place
from p2p.table.log import CONFIRM, FLUSH, Entry, read_entry
from p2p.table.table import Table
from p2p.table.view_change import ChangeRound
from tests.adversary.membership import (
    accused,
    catch_up,
    flush,
    must_end,
    point,
    send_signed,
    siete,
    silence,
    spread,
)
from tests.ring import Ring, seeded


def leave_with_two_flushes(
    ring: Ring, leaver: int, liar: int, two: tuple[Entry, Entry]
) -> list[int]:
    """Let a seat leave, and each of those who stay hear another flush of the liar; return them."""
    honest = [seat for seat in range(len(ring.tables)) if seat not in (leaver, liar)]
    silence(ring, liar, leaver)
    spread(ring, [send_signed(ring, leaver, ("leave", 0))], but=[leaver, liar])
    ring.tables[honest[0]].receive(two[0].data)
    for seat in honest[1:]:
        ring.tables[seat].receive(two[1].data)
    ring.settle()
    return honest


def show_each_other(ring: Ring, honest: list[int]) -> None:
    for one in honest * 2:
        for other in honest:
            for data in (
                ring.tables[one].lacking(ring.tables[other].steps, ring.tables[other].head)
                if one != other
                else ()
            ):
                ring.tables[other].receive(data)
        ring.settle()
    ring.play()


@pytest.mark.parametrize(("seats", "leaver", "liar"), [(4, 0, 1), (4, 2, 1), (5, 0, 1), (6, 3, 5)])
def test_two_flushes_on_two_heads_split_nobody(seats, leaver, liar):
    ring = siete(seats)
    trail, of = ring.tables[0].trail, ChangeRound((leaver,))
    last = len(trail) - 1
    two = flush(ring, liar, of, last, trail[last]), flush(ring, liar, of, last - 1, trail[last - 1])
    honest = leave_with_two_flushes(ring, leaver, liar, two)
    confirms = [
        send_signed(ring, liar, flush_place(0, of, CONFIRM), {"change": own_confirm(ring, seat)})
        for seat in honest
    ]
    for seat, entry in zip(honest, confirms, strict=True):  # it confirms to each what that one has
        ring.tables[seat].receive(entry.data)
    ring.settle()
    assert len({ring.tables[seat].head for seat in honest}) == 1, (
        "nobody makes another change than the others"
    )
    show_each_other(ring, honest)
    assert all(accused(ring, seat) == [liar] for seat in honest)
    must_end(ring, honest, (leaver, "left"), (liar, "convicted"))


def own_confirm(ring: Ring, seat: int) -> bytes:
    """Return the change that a seat has confirmed."""
    (confirm,) = [
        entry
        for entry in ring.tables[seat]._held.views.calls.all()
        if entry.seat == seat and entry.place[0] == CONFIRM
    ]
    return confirm.body["change"]


def test_two_flushes_that_name_other_changes_as_done_split_nobody():
    """Seat 3 is called, all flush, its word turns up, all flush anew. The liar names the first
    round as done to one of two."""
    ring, liar = siete(4), 1
    ring.tap = lambda sender, receiver, data: () if sender == 3 else (data,)
    ring.play(moves=40)
    assert ring.tables[0].waiting == (3,)
    head = point(ring)
    ring.tap = lambda sender, receiver, data: ()
    for voter in (0, 2):
        ring.tables[voter].vote(3)
    first, later = ChangeRound((), ((3, head),)), ChangeRound((), ((3, head),), ((3, head),))
    ring.tap = lambda sender, receiver, data: (
        () if 3 in (sender, receiver) or liar in (sender, receiver) else (data,)
    )
    vote = send_signed(ring, liar, ("vote", 0, head, 3))
    spread(ring, [vote], but=[liar, 3])
    for seat in (0, 2):
        for other in (0, 2):
            for data in ring.tables[seat].held_since(0) if seat != other else ():
                ring.tables[other].receive(data)
    ring.settle()
    now = ring.tables[0]._held.views.now
    assert now.round == first
    base = ring.tables[0].steps, ring.tables[0].head
    word = ring.tables[3].held_since(ring.tables[0].steps)
    for seat in (0, 2):
        for data in word:
            ring.tables[seat].receive(data)
    ring.settle()
    assert now.round == later
    spread(ring, [flush(ring, liar, first, *base)], but=[liar, 3])
    of_seat_3 = [flush(ring, 3, later, *base)]
    spread(ring, of_seat_3, but=[liar, 3])
    two = flush(ring, liar, later, *base), flush(ring, liar, later, *base, now.id_of(first))
    for seat, entry in zip((0, 2), two, strict=True):
        ring.tables[seat].receive(entry.data)
    ring.settle()
    assert own_confirm(ring, 0) != own_confirm(ring, 2)
    assert not ring.tables[0].mark[0], "nobody has made a change"
    assert not ring.tables[2].mark[0], "nobody has made a change"
    silence(ring, liar)
    catch_up(ring)
    for seat in (0, 2, 3):
        assert accused(ring, seat) == [liar]
    must_end(ring, (0, 2, 3), (liar, "convicted"))


def test_a_confirm_that_does_not_come_can_be_voted_on():
    ring, liar = siete(4), 1
    ring.tap = lambda sender, receiver, data: (
        () if sender == liar and place_of(ring, data) == CONFIRM else (data,)
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


def test_a_confirm_of_another_change_is_no_confirm():
    ring, liar = siete(4), 1
    silence(ring, liar)
    of = ChangeRound((0,))
    ring.tables[0].leave()
    ring.settle()
    spread(
        ring,
        [
            flush(ring, liar, of),
            send_signed(ring, liar, flush_place(0, of, CONFIRM), {"change": bytes(32)}),
        ],
        but=[liar],
    )
    ring.settle()
    assert [ring.tables[seat].waiting for seat in (2, 3)] == [(liar,)] * 2
    for voter in (2, 3):
        ring.tables[voter].vote(liar)
        ring.settle()
    ring.play()
    must_end(ring, (2, 3), (0, "left"), (liar, "voted"))


def test_a_confirm_is_kept_over_a_restart_with_the_flushes_that_it_names():
    """Seat 2 makes the change; seat 3 has confirmed it, dies, and hears another flush of the liar
    first when it is back."""
    ring, leaver, liar = siete(4), 0, 1
    trail, of = ring.tables[0].trail, ChangeRound((leaver,))
    last = len(trail) - 1
    one, other = (
        flush(ring, liar, of, last, trail[last]),
        flush(ring, liar, of, last - 1, trail[last - 1]),
    )
    silence(ring, liar, leaver)
    spread(ring, [send_signed(ring, leaver, ("leave", 0)), one], but=[leaver, liar])
    ring.tap = lambda sender, receiver, data: (
        (data,) if (sender, receiver) == (2, 3) and place_of(ring, data) == FLUSH else ()
    )
    ring.settle()
    ring.tables[2].receive(
        next(data for sender, data in ring.sent if sender == 3 and place_of(ring, data) == FLUSH)
    )
    ring.settle()
    ring.tables[2].receive(
        next(data for sender, data in ring.sent if sender == 3 and place_of(ring, data) == CONFIRM)
    )
    ring.tables[2].receive(
        send_signed(ring, liar, flush_place(0, of, CONFIRM), {"change": own_confirm(ring, 3)}).data
    )
    ring.settle()
    assert [ring.tables[seat].mark[0] for seat in (2, 3)] == [1, 0]
    ring.tables[3] = Table.resumed(
        ring.terms,
        ring.signatures,
        3,
        ring.who[3],
        seeded("again"),
        ring.journals[3],
        ring.logs[3],
        ring.group,
    )
    ring.tables[3].receive(other.data)
    ring.tap = lambda sender, receiver, data: () if {sender, receiver} & {liar, leaver} else (data,)
    show_each_other(ring, [2, 3])
    assert all(liar in accused(ring, seat) for seat in (2, 3))
    must_end(ring, (2, 3), (leaver, "left"), (liar, "convicted"))


def place_of(ring: Ring, data: bytes) -> str:
    return str(read_entry(ring.terms, ring.terms.match, data).place[0])
