"""A needed entry is heard, no matter how many others its seat has signed before (B1, B2)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from p2p.table.log import Entry, Place
from p2p.table.table import Table
from p2p.table.terms import h
from tests.adversary.limits import liar_at, play_on, ring_of, time_limit
from tests.adversary.membership import must_end
from tests.lying import Lying
from tests.ring import Ring
from tests.table.view_changes import catch_up, silence

LIAR = 1
LIMITS = 3
"""More time limits than any of these matches may take."""


def hashes(count: int) -> list[bytes]:
    return [h("never", number) for number in range(count)]


def table_of(seats: int) -> Ring:
    """Seat a liar among honest players, and let them play for a while."""
    kinds = [Lying if seat == LIAR else Table for seat in range(seats)]
    ring = ring_of("siete-y-media", kinds, deals=2)
    ring.play(moves=3)
    return ring


def fill(ring: Ring, victim: int, entries: Iterable[Entry]) -> None:
    """Let a liar tell a seat these entries, before it tells it anything else."""
    for entry in entries:
        ring.tables[victim].receive(entry.data)
    ring.tables[victim].proceed()


def words(liar: Lying, count: int) -> list[Entry]:
    """Sign words for steps that are far away."""
    return [
        liar.sign(("step", liar.mark[0], liar.steps + 100 + number), one)
        for number, one in enumerate(hashes(count))
    ]


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="protocol 2: the first 64 waiting entries of a seat decide what can be heard of it. The "
    "victim hears no later word of the liar, is late for ever, and is voted out",
)
@pytest.mark.parametrize("seats", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_B1_a_seat_is_heard_though_it_has_signed_words_that_fit_nowhere_yet(seats):
    """The others have its next word before they hear of the many."""
    ring, victim = table_of(seats), seats - 1
    fill(ring, victim, words(liar_at(ring, LIAR, Lying), 64))
    play_on(ring, range(seats), LIMITS)
    must_end(ring, range(seats))


@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="protocol 2: the first 16 votes of a seat about another decide which of them can be "
    "heard. One table never counts the vote that the others count, and the match stops for ever",
)
def test_B2_a_vote_counts_though_its_voter_has_cast_many_others():
    """Seat 3 is silent. Its removal takes the liar's vote, and seat 0 has heard 16 others."""
    ring = table_of(4)
    silence(ring, 3)
    ring.play(moves=20)
    assert ring.tables[0].waiting == (3,)
    liar = liar_at(ring, LIAR, Lying)
    fill(ring, 0, [liar.sign(("vote", liar.mark[0], one, 3), liar.head) for one in hashes(16)])
    for _ in range(LIMITS):
        for seat in (0, LIAR, 2):
            table = ring.tables[seat]
            for late in table.waiting:
                if table.may_vote(late):
                    table.vote(late)
                    ring.settle()
        catch_up(ring, 0, LIAR, 2)
        ring.play()
    must_end(ring, (0, LIAR, 2), (3, "voted"))


def calls(count: int, seat: int) -> list[tuple[int, bytes]]:
    return sorted((seat, one) for one in hashes(count))


def more_and_more(liar: Lying, kind: str, gone: tuple[int, ...], count: int) -> list[Entry]:
    """Sign entries of one kind for rounds in which more and more calls of seat 3 are heard."""
    body = {"records": liar.steps, "done": b""} if kind == "flush" else {"change": bytes(32)}
    found = []
    for number in range(1, count + 1):
        called = tuple(calls(count, 3)[:number])
        place: Place = (kind, liar.mark[0], gone, called, called)
        found.append(liar.sign(place, liar.head, body))
    return found


@pytest.mark.slow
@pytest.mark.xfail(
    strict=True,
    raises=AssertionError,
    reason="protocol 2: the first 32 flushes and the first 32 confirms of a seat decide which of "
    "them can be heard. The victim cannot follow a change that all others make, and is voted out",
)
@pytest.mark.parametrize("kind", ["flush", "confirm"])
def test_B2_a_change_is_made_with_a_seat_that_has_signed_for_many_other_rounds(kind):
    """Seat 0 leaves; seat 4 has heard 32 entries of the liar for rounds that nobody comes to."""
    ring = table_of(5)
    fill(ring, 4, more_and_more(liar_at(ring, LIAR, Lying), kind, (0,), 32))
    ring.tables[0].leave()
    ring.settle()
    for _ in range(LIMITS):
        time_limit(ring, range(1, 5))
        ring.play()
    must_end(ring, range(1, 5), (0, "left"))
