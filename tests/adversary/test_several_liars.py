"""Several liars in one step: the proof against one rests on words of another, and logs verify all
the same.

The simulator found these (S7 to S14, truco seed 146); here each is made by hand.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from p2p.table.epoch_entries import ChangeRound
from p2p.table.log import DECK, Entry
from p2p.table.table import Table
from tests.adversary.membership import accused, flush, must_end, siete, spread
from tests.ring import Ring
from tests.standin import seeded, standin_group

LATE = 2


def waiting_for_a_deck(seats: int = 5) -> Ring:
    """All wait for the shuffle of seat LATE, which nobody hears."""
    ring = Ring("siete-y-media", seats, group=standin_group(), deals=2)
    ring.tap = lambda sender, receiver, data: (
        () if sender == LATE and later_stage(ring, data) else (data,)
    )
    ring.settle()
    assert ring.tables[0].waiting == (LATE,)
    assert ring.tables[0].progress.exchange.stage > 0
    return ring


def later_stage(ring: Ring, data: bytes) -> bool:
    entry = ring.read(data)
    return entry.kind == DECK and entry.stage > 0


def word_out_of_turn(ring: Ring, liar: int) -> Entry:
    """Sign a word for the stage at which the match waits for another seat."""
    exchange = ring.tables[0].progress.exchange
    return ring.signed(liar, exchange.place, {}, exchange.head, exchange.stage)


def test_S10_a_word_that_convicts_at_a_later_stage_convicts_in_the_log_too():
    """A log is read a record at a time: the word comes in before the head that it names is
    known."""
    ring = waiting_for_a_deck()
    ring.tap = None
    spread(ring, [word_out_of_turn(ring, 1)], but=[1])
    ring.settle()
    ring.play()
    must_end(ring, (0, 2, 3, 4), (1, "convicted"))


@pytest.mark.parametrize("seats", [5, 8])
@pytest.mark.parametrize("number", range(6))
def test_S14_what_convicts_one_may_rest_on_either_story_of_another(number, seats):
    """Seat 3 has told two keys of a deck on one head. The proof against seat 1 stands on the first,
    wherever that is sorted. Of eight seats all others but one have each heard two more stories of
    seat 3 before, which nothing rests on, and name these."""
    ring = waiting_for_a_deck(seats)
    honest = [seat for seat in range(seats) if seat not in (1, 3)]
    (key,) = [
        word for word in ring.tables[0].progress.context() if word.seat == 3 and not word.stage
    ]
    other = Table(
        ring.terms,
        ring.signatures,
        3,
        ring.who[3],
        seeded(f"another key {number}"),
        standin_group(),
    )
    for data in ring.tables[0].held_since(0):
        if ring.read(data).place != key.place:
            other.receive(data)
    other.proceed()
    assert other.inbox.signed(key.stage_key, 3) not in (None, key)
    second = other.inbox.signed(key.stage_key, 3)
    for seat in honest[1:] if seats == 8 else ():
        for story in (1, 2):
            word = ring.signed(3, ("step", 0, 900 + seat), {"story": story}, bytes(32))
            ring.tables[seat].receive(word.data)
    spread(ring, [word_out_of_turn(ring, 1), second], but=[1, 3])
    ring.tap = lambda sender, receiver, data: () if {sender, receiver} & {1, 3} else (data,)
    ring.settle()
    ring.play()
    assert all(sorted(accused(ring, seat)) == [1, 3] for seat in honest)
    must_end(ring, honest, (1, "convicted"), (3, "convicted"))


def test_S13_second_stories_after_the_end_harm_nobody():
    """The keys are wiped then: nobody follows what would have come of them."""
    ring = siete(deals=1, moves=1000)
    table, logs = ring.tables[0], list(ring.logs)
    assert table.sealed
    words = [word for record in table.progress.records for word in record.entries if word.seat == 1]
    for word in words:
        table.receive(ring.signed(1, word.place, {"more": 1}, word.head, word.stage).data)
    table.receive(flush(ring, 2, ChangeRound((1,)), bytes(32)).data)
    table.receive(ring.signed(1, words[0].place, {"more": 2}, words[0].head, words[0].stage).data)
    table.proceed()
    ring.settle()
    assert table.sealed
    assert ring.logs == logs


@pytest.mark.parametrize("restart", [False, True])
def test_a_word_that_came_before_its_point_was_known_convicts_all_the_same(restart):
    """Seat 4 hears it before it comes to the stage, or hears it so from its journal; the others
    when they wait there."""
    ring = waiting_for_a_deck()
    word = word_out_of_turn(ring, 1)
    if restart:
        spread(ring, [word], but=[1])
        ring.store(4)
        ring.tables[4] = ring.resumed(4)
    else:
        early = Ring("siete-y-media", 5, group=standin_group(), deals=2)
        early.tap = lambda sender, receiver, data: (
            () if sender == LATE and later_stage(early, data) else (data,)
        )
        early.tables[4].receive(word.data)
        ring = early
        ring.settle()
        spread(ring, [word], but=[1])
    ring.tap = lambda sender, receiver, data: () if 1 in (sender, receiver) else (data,)
    ring.settle()
    for one, other in permutations((0, 2, 3, 4), 2):
        for data in ring.tables[one].lacking(ring.tables[other].need):
            ring.tables[other].receive(data)
    ring.settle()
    ring.play()
    assert all(accused(ring, seat) == [1] for seat in (0, 2, 3))
    must_end(ring, (0, 2, 3, 4), (1, "convicted"))
