"""A needed entry is heard, no matter how many others its seat has signed before (B1, B2)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

import pytest

from p2p.table.hashing import h
from p2p.table.log import Entry, Place
from p2p.table.need import ANSWER_BYTES, Need
from p2p.table.table import Table
from tests.adversary.limits import liar_at, play_on, ring_of, time_limit
from tests.adversary.membership import catch_up, must_end, silence
from tests.lying import Lying
from tests.ring import Ring

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
        liar.sign_any(("step", liar.mark[0], liar.steps + 100 + number), one)
        for number, one in enumerate(hashes(count))
    ]


FITS_NOWHERE = (
    "steps to come",
    "stages to come",
    "decks that nobody makes",
    "seals of steps to come",
    "steps of the next epoch",
    "large words",
)


def of_kind(liar: Lying, kind: str, seat: int, count: int) -> list[Entry]:
    """Sign entries that fit nowhere yet, others for each seat that hears them."""
    epoch, steps = liar.mark[0], liar.steps
    found = []
    for number, head in enumerate(h("never", kind, seat, at) for at in range(count)):
        place: Place = ("step", epoch, steps + 100 + number)
        body = {"more": bytes(50_000)} if kind == "large words" else {}
        if kind == "stages to come":
            place = ("step", epoch, steps + 2 + number // 60)
        elif kind == "decks that nobody makes":
            place = ("deck", epoch, 1 + number % 9, head)
        elif kind == "seals of steps to come":
            place = ("seal", epoch, steps + 100 + number)
        elif kind == "steps of the next epoch":
            place = ("step", epoch + 1, steps + number)
        stage = 1 + number % 60 if kind == "stages to come" else 0
        found.append(liar.sign_any(place, head, body, stage))
    return found


@pytest.mark.parametrize("kind", FITS_NOWHERE)
def test_B1_a_seat_is_heard_whatever_each_of_the_others_has_heard_of_it(kind):
    """Again and again, so that its waiting words are displaced, also those that are needed next."""
    ring = table_of(3)
    liar = liar_at(ring, LIAR, Lying)
    for _ in range(3):
        for seat in (0, 2):
            fill(ring, seat, of_kind(liar, kind, seat, 130))
        ring.play(moves=3)
    play_on(ring, range(3), LIMITS)
    must_end(ring, range(3))


@pytest.mark.parametrize("kind", FITS_NOWHERE)
def test_a_liar_draws_no_more_than_an_answer_by_all_its_words(kind):
    ring = table_of(3)
    liar = liar_at(ring, LIAR, Lying)
    fill(ring, 0, of_kind(liar, kind, 0, 130))
    table = ring.tables[0]
    for need in (Need(), table.need, replace(table.need, point=b""), replace(liar.need, seats=())):
        assert sum(map(len, table.lacking(need))) < 2 * (ANSWER_BYTES + 60_000)
    assert sum(map(len, table.lacking(ring.tables[2].need))) < 60_000


class Selective(Lying):
    """It answers nobody who asks with anything of use, but fills pools."""

    answers = 0

    def lacking(self, need: Need) -> list[bytes]:
        del need
        self.answers += 1
        places = range(130 * self.answers, 130 * (self.answers + 1))
        return [self.sign_any(("step", 0, 1000 + at), h("never", at)).data for at in places]


def asks(ring: Ring, *, but: tuple[int, int]) -> None:
    """Let everybody ask everybody, but one seat that one other says nothing to."""
    for one, other in itertools.permutations(range(len(ring.tables)), 2):
        for data in (
            ring.tables[one].lacking(ring.tables[other].need) if (one, other) != but else ()
        ):
            ring.tables[other].receive(data)
    ring.settle()


@pytest.mark.parametrize("victim", [0, 2])
def test_G8_a_word_that_a_liar_tells_to_some_is_heard_by_all_who_ask(victim):
    """Nobody passes anything on; the liar gives false answers, and the victim none of its words."""
    ring = ring_of("siete-y-media", [Table, Selective, Table], deals=2)
    ring.tap = lambda sender, receiver, data: (
        () if (sender, receiver) == (LIAR, victim) else (data,)
    )
    ring.play()
    late = 0
    while not all(table.sealed for table in ring.tables):
        before = [table.mark for table in ring.tables], ring.tables[victim].need
        asks(ring, but=(LIAR, victim))
        ring.play()
        assert before != ([table.mark for table in ring.tables], ring.tables[victim].need)
        late += 1
    assert late > 3, "the victim asks at each stage"
    must_end(ring, range(3))


def test_B2_a_vote_counts_though_its_voter_has_cast_many_others():
    """Seat 3 is silent. Its removal takes the liar's vote, and seat 0 has heard 16 others."""
    ring = table_of(4)
    silence(ring, 3)
    ring.play(moves=20)
    assert ring.tables[0].waiting == (3,)
    liar = liar_at(ring, LIAR, Lying)
    fill(
        ring,
        0,
        [liar.sign_any(("vote", liar.mark[0], one, 3), liar.trail[0]) for one in hashes(16)],
    )
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
    body = {"records": liar.steps, "done": b"", "reasons": []} if kind == "flush" else {}
    found = []
    for number in range(1, count + 1):
        called = tuple(calls(count, 3)[:number])
        place: Place = (kind, liar.mark[0], gone, called, called)
        found.append(liar.sign_any(place, liar.head, body))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["flush", "stand"])
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
