"""Liars try to lead honest members to two changes of one epoch, or to rounds that never meet, after
somebody has stood."""

from __future__ import annotations

from collections.abc import Iterable

from p2p.table.epoch_entries import ChangeRound
from p2p.table.log import STAND, VOTE, Entry
from p2p.table.member_entries import flush_place
from tests.adversary.membership import accused, flush, siete, silence, stand
from tests.ring import Ring


def show(ring: Ring, seats: tuple[int, ...]) -> None:
    """Let these seats show each other all that they hold, until nothing changes; nobody else hears
    or says anything."""
    ring.tap = lambda sender, receiver, data: (data,) if {sender, receiver} <= set(seats) else ()
    for one in seats:
        for other in seats:
            for data in ring.tables[one].held_since(0) if one != other else ():
                ring.tables[other].receive(data)
    ring.settle()


def stands(ring: Ring, seat: int, of: ChangeRound, like: Iterable[int]) -> list[Entry]:
    """Let a seat stand in a round of epoch 0 as the others have stood in it."""
    place = flush_place(0, of, STAND)
    known = [ring.tables[other].epochs.known(place, other) for other in like]
    return [stand(ring, seat, of, on) for on in sorted({one.head for one in known if one})]


def deliver(ring: Ring, seats: Iterable[int], *entries: Entry) -> None:
    """Let seats hear entries, and go on."""
    for entry in entries:
        for seat in seats:
            ring.tables[seat].receive(entry.data)
    ring.settle()


def test_a_member_that_has_made_a_change_stands_on_no_other():
    """Seats 3 to 6 leave one after the other. All stand on the changes of the first two rounds when
    it is too late to make them. The liar names the first as done, so that one makes it; then the
    second."""
    ring, liar, honest = siete(7), 2, (0, 1)
    steps, head = ring.tables[0].steps, ring.tables[0].head
    rounds = [
        ChangeRound((3,)),
        ChangeRound((3, 4)),
        ChangeRound((3, 4, 5)),
        ChangeRound((3, 4, 5, 6)),
    ]
    now = ring.tables[0].epochs.now
    done = [b"", b"", now.id_of(rounds[0]), now.id_of(rounds[1])]
    silence(ring, *range(2, 7))
    for at, (leaver, of, named) in enumerate(zip(range(3, 7), rounds, done, strict=True)):
        leave = ring.signed(leaver, ("leave", 0))
        if of == rounds[3]:  # one hears that seat 6 leaves, the other that all have stood
            silence(ring, *range(7))
            deliver(ring, honest[1:], leave)
            deliver(ring, honest[:1], *stands(ring, liar, rounds[2], honest))
            show(ring, honest)
        deliver(
            ring, honest, leave, *(flush(ring, seat, of, head) for seat in range(leaver + 1, 7))
        )
        if of in rounds[1:3]:
            late = [
                one
                for seat in (liar, *range(leaver, 7))
                for one in stands(ring, seat, rounds[at - 1], honest)
            ]
            deliver(ring, honest, *late)
            assert now.whole(rounds[at - 1])
            assert not any(ring.tables[seat].mark[0] for seat in honest)
        deliver(ring, honest, flush(ring, liar, of, head, named))
        if of == rounds[2]:
            deliver(ring, honest, *stands(ring, 6, of, honest))
    deliver(ring, honest, *stands(ring, liar, rounds[3], honest[1:]))
    made = {ring.tables[seat].trail[steps + 1] for seat in honest if ring.tables[seat].mark[0]}
    assert len(made) <= 1, "two honest members have made different changes of one epoch"
    show(ring, honest)
    assert [accused(ring, seat) for seat in honest] == [[liar]] * 2
    assert [ring.tables[seat].mark[0] for seat in honest] == [2, 2]
    assert ring.tables[0].trail == ring.tables[1].trail


def test_a_stand_that_some_take_for_theirs_and_others_not_stops_nobody():
    """The liars: one flushes twice, the other stands on the change of the first flush alone, late,
    and says nothing more."""
    ring, two_faced, late, leaver = siete(6), 3, 4, 5
    honest = (0, 1, 2)
    trail = ring.tables[0].trail
    of = ChangeRound((leaver,))
    silence(ring, *range(6))
    deliver(
        ring,
        honest,
        ring.signed(leaver, ("leave", 0)),
        flush(ring, late, of, trail[-1]),
    )
    two = (
        flush(ring, two_faced, of, trail[-1]),
        flush(ring, two_faced, of, trail[-2]),
    )
    deliver(ring, honest[:1], two[0])
    deliver(ring, honest[1:], two[1])
    for seat in honest:  # the flushes of the honest arrive, and nothing else yet
        own = ring.tables[seat].epochs.known(flush_place(0, of), seat)
        deliver(ring, honest, own)
    assert [len(stands(ring, late, of, [seat])) for seat in honest] == [1, 1, 1]
    for seat in honest:
        ring.tables[seat].vote(late)
    votes = [
        entry
        for seat in honest
        for entry in ring.tables[seat].epochs.all()
        if entry.kind == VOTE and entry.seat == seat
    ]
    deliver(ring, honest, *stands(ring, late, of, honest[:1]))
    deliver(ring, honest, *votes)
    show(ring, honest)
    for _ in range(4):
        show(ring, honest)
        for seat in honest:
            for other in (two_faced, late):
                if ring.tables[seat].may_vote(other):
                    ring.tables[seat].vote(other)
    show(ring, honest)
    assert [ring.tables[seat].mark[0] > 0 for seat in honest] == [True] * 3
    assert len({ring.tables[seat].trail[len(trail)] for seat in honest}) == 1
