"""Helpers for tests of changes of members: a match, silent seats, votes, and the required end."""

from __future__ import annotations

import itertools

from p2p.table.events import Accused, Gone
from p2p.table.replay import verify_log
from tests.ring import Ring, bare
from tests.standin import standin_group

GROUP = standin_group()


def siete(seats: int = 4, moves: int = 5, **options) -> Ring:
    ring = Ring("siete-y-media", seats, group=GROUP, **{"deals": 3, **options})
    ring.play(moves=moves)
    return ring


def stay(ring: Ring, *gone: int) -> list[int]:
    return [seat for seat in range(len(ring.tables)) if seat not in gone]


def must_agree(ring: Ring, *gone: tuple[int, str]) -> None:
    """Require that all who stay seal one match, that their logs say who went, and that nobody is
    accused."""
    seats = stay(ring, *(seat for seat, _ in gone))
    for seat in seats:
        ring.store(seat)
        table = ring.tables[seat]
        assert table.sealed, (seat, table.phase, table.waiting)
        assert table.trail == ring.tables[seats[0]].trail
        assert bare(ring.logs[seat]) == bare(ring.logs[seats[0]])
        verdict = verify_log(ring.logs[seat], GROUP)
        assert not verdict.missing
        assert sorted((one.seat, one.how) for one in verdict.gone) == sorted(gone)
        assert verdict.complete is not any(how == "voted" for _, how in gone)
    assert not any(isinstance(event, Accused) for events in ring.events for event in events)


def went(ring: Ring) -> list[tuple[int, str]]:
    return sorted(
        {
            (event.seat, event.how)
            for events in ring.events
            for event in events
            if isinstance(event, Gone)
        }
    )


def silence(ring: Ring, *seats: int) -> list[tuple[int, bytes]]:
    """Let nothing of these seats arrive, and nothing reach them; return what is lost, with its
    receiver."""
    lost: list[tuple[int, bytes]] = []

    def tap(sender, receiver, data):
        if sender in seats or receiver in seats:
            lost.append((receiver, data))
            return ()
        return (data,)

    ring.tap = tap
    return lost


def catch_up(ring: Ring, *others: int) -> None:
    """Let everybody, or some, show one another what they lack."""
    seats = others or tuple(range(len(ring.tables)))
    for one, other in itertools.permutations(seats, 2):
        for data in ring.tables[one].lacking(ring.tables[other].need):
            ring.tables[other].receive(data)
    ring.settle()


def vote_out(ring: Ring, seat: int, *voters: int) -> None:
    for voter in voters:
        ring.tables[voter].vote(seat)
        ring.settle()
