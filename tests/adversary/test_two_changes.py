"""Liars try to lead honest members to two changes of one view, or to rounds that never meet, after
flushes are confirmed."""

from __future__ import annotations

from collections.abc import Iterable

from p2p.table.calls import flush_place
from p2p.table.log import CONFIRM, Entry
from p2p.table.view_change import ChangeRound
from tests.adversary.membership import accused, flush, send_signed, siete, silence
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


def confirms(ring: Ring, seat: int, of: ChangeRound, like: Iterable[int]) -> list[Entry]:
    """Let a seat confirm for a round of view 0 what others have confirmed for it."""
    place = flush_place(0, of, CONFIRM)
    known = [ring.tables[other]._held.views.calls.known(place, other) for other in like]
    changes = {entry.body["change"] for entry in known if entry is not None}
    return [send_signed(ring, seat, place, {"change": change}) for change in sorted(changes)]


def deliver(ring: Ring, seats: Iterable[int], *entries: Entry) -> None:
    """Let seats hear entries, and go on."""
    for entry in entries:
        for seat in seats:
            ring.tables[seat].receive(entry.data)
    ring.settle()


def test_a_member_that_has_made_a_change_confirms_no_other():
    """Seats 3 to 6 leave one after the other. The liar names the first round as done, so that one
    makes it; then the second."""
    ring, liar, honest = siete(7), 2, (0, 1)
    base = ring.tables[0].steps, ring.tables[0].head
    rounds = [
        ChangeRound((3,)),
        ChangeRound((3, 4)),
        ChangeRound((3, 4, 5)),
        ChangeRound((3, 4, 5, 6)),
    ]
    now = ring.tables[0]._held.views.now
    done = [b"", b"", now.id_of(rounds[0]), now.id_of(rounds[1])]
    silence(ring, *range(2, 7))
    for leaver, of, named in zip(range(3, 7), rounds, done, strict=True):
        leave = send_signed(ring, leaver, ("leave", 0))
        if of == rounds[3]:  # one hears that seat 6 leaves, the other that all have confirmed
            silence(ring, *range(7))
            deliver(ring, honest[1:], leave)
            deliver(ring, honest[:1], *confirms(ring, liar, rounds[2], honest))
            show(ring, honest)
        deliver(
            ring, honest, leave, *(flush(ring, seat, of, *base) for seat in range(leaver + 1, 7))
        )
        deliver(ring, honest, flush(ring, liar, of, *base, named))
        if of == rounds[2]:
            deliver(ring, honest, *confirms(ring, 6, of, honest))
    deliver(ring, honest, *confirms(ring, liar, rounds[3], honest[1:]))
    made = {ring.tables[seat].trail[base[0] + 1] for seat in honest if ring.tables[seat].mark[0]}
    assert len(made) <= 1, "two honest members have made different changes of one view"
    show(ring, honest)
    assert [accused(ring, seat) for seat in honest] == [[liar]] * 2
    assert [ring.tables[seat].mark[0] for seat in honest] == [2, 2]
    assert ring.tables[0].trail == ring.tables[1].trail


def test_a_confirm_that_some_take_for_theirs_and_others_not_stops_nobody():
    """The liars: one flushes twice, the other confirms what came of the first flush alone, late,
    and says nothing more."""
    ring, two_faced, late, leaver = siete(6), 3, 4, 5
    honest = (0, 1, 2)
    base = ring.tables[0].steps, ring.tables[0].trail
    of = ChangeRound((leaver,))
    now = ring.tables[0]._held.views.now
    silence(ring, *range(6))
    deliver(
        ring,
        honest,
        send_signed(ring, leaver, ("leave", 0)),
        flush(ring, late, of, base[0], base[1][-1]),
    )
    two = (
        flush(ring, two_faced, of, base[0], base[1][-1]),
        flush(ring, two_faced, of, base[0] - 1, base[1][-2]),
    )
    deliver(ring, honest[:1], two[0])
    deliver(ring, honest[1:], two[1])
    for seat in honest:  # the flushes of the honest arrive, and nothing else yet
        own = ring.tables[seat]._held.views.calls.known(flush_place(0, of), seat)
        deliver(ring, honest, own)
    assert [len(confirms(ring, late, of, [seat])) for seat in honest] == [1, 1, 1]
    for seat in honest:
        ring.tables[seat].vote(late)
    votes = [send_signed(ring, seat, ("vote", 0, now.confirm_point(of), late)) for seat in honest]
    deliver(ring, honest, *confirms(ring, late, of, honest[:1]))
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
    assert len({ring.tables[seat].trail[base[0] + 1] for seat in honest}) == 1
