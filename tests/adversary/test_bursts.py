"""A7: a burst of one seat stops nobody."""

from __future__ import annotations

import itertools

import pytest

from p2p.table.epoch_entries import ChangeRound
from p2p.table.hashing import h
from p2p.table.log import FLUSH, STAND, Entry
from tests.adversary.membership import (
    flush,
    keep_from,
    must_end,
    siete,
    silence,
    vote_out_all_that_are_late,
)
from tests.ring import Ring
from tests.sample import sample
from tests.standin import standin_group

GROUP = standin_group()


MANY = 256


def burst(ring: Ring, kind: str, count: int = MANY) -> list[Entry]:
    seats = len(ring.tables)
    hashes = [h("burst", number) for number in range(count)]
    if kind == "votes of this epoch":
        return [ring.signed(1, ("vote", 0, one, 3)) for one in hashes]
    if kind == "votes of later epochs":
        return [
            ring.signed(1, ("vote", number % (seats - 1) + 1, one, 3))
            for number, one in enumerate(hashes)
        ]
    if kind == "leaves of later epochs":
        return [ring.signed(1, ("leave", epoch)) for epoch in range(1, seats)]
    if kind == "flushes of later epochs":
        return [
            ring.signed(
                1,
                (FLUSH, number % (seats - 1) + 1, (2,), ((3, one),), ()),
                {"records": 0, "done": b"", "reasons": []},
            )
            for number, one in enumerate(hashes)
        ]
    if kind == "flushes for more and more":
        calls = sorted((3, one) for one in hashes[:250])
        return [
            flush(ring, 1, ChangeRound((2,), tuple(calls[:number]))) for number in range(len(calls))
        ]
    if kind == "flushes without a form":
        return [
            ring.signed(1, (FLUSH, number % seats, (2,), ((3, one),), ()), {"more": 1})
            for number, one in enumerate(hashes)
        ]
    if kind == "stands":
        return [
            ring.signed(1, (STAND, number % seats, (2,), ((3, one),), ()), head=one)
            for number, one in enumerate(hashes)
        ]
    assert kind == "second stories"
    words = [
        one for record in ring.tables[0].progress.records for one in record.entries if one.seat == 1
    ]
    return [
        ring.signed(1, one.place, {"more": number}, one.head, one.stage)
        for one in words
        for number in range(10)
    ]


KINDS = (
    "votes of this epoch",
    "votes of later epochs",
    "leaves of later epochs",
    "flushes of later epochs",
    "flushes for more and more",
    "flushes without a form",
    "stands",
    "second stories",
)


THEN = ("a leave", "a vote", "nothing")
BURSTS = sorted(
    itertools.product(range(len(KINDS)), range(len(THEN))), key=lambda pair: sum(pair) % len(THEN)
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "then"),
    sample([(KINDS[one], THEN[two]) for one, two in BURSTS], len(KINDS), rows=True),
)
def test_A7_a_burst_of_one_seat_stops_nobody(kind, then):
    ring = siete()
    honest = [0, 2, 3]
    # The liar's words before the burst are still counted: it votes with the others, and then
    # floods.
    said = burst(ring, kind)
    if then == "a vote":
        silence(ring, 3)
        ring.play(moves=40)
        for voter in (0, 1):
            ring.tables[voter].vote(3)
            ring.settle()
        honest = [0, 2]
    keep_from(ring, 1, {one.data for one in said})
    for data in [one.data for one in said]:
        for seat in honest:
            ring.tables[seat].receive(data)
    if then == "a leave":
        ring.tables[2].leave()
        honest = [0, 3]
    if then == "a vote" and ring.tables[2].may_vote(3):
        ring.tables[2].vote(3)
    ring.settle()
    ring.play()
    for seat in honest:
        table = ring.tables[seat]
        ring.store(seat)
        held = [*table.epochs.all(), *table.epochs.waiting()]
        assert sum(entry.seat == 1 for entry in held) <= 260
    vote_out_all_that_are_late(ring, honest)
    gone = [(seat, ring.tables[honest[0]].how(seat)) for seat in ring.tables[honest[0]].gone]
    must_end(ring, honest, *gone)
    for seat in honest:
        again = ring.resumed(seat)
        assert again.sealed
