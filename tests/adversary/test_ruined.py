"""Seats that the rules have put out of play stay members, and have nothing to lose."""

from __future__ import annotations

from p2p.table import known_records
from p2p.table.epoch_entries import ChangeRound
from p2p.table.events import WentBack
from p2p.table.log import STEP, Entry
from p2p.table.table import Table
from tests.adversary.membership import (
    GROUP,
    flush,
    must_end,
    own_stand,
    read_records,
    silence,
    spread,
    stand,
)
from tests.ring import Ring
from tests.standin import seeded

TELLS, FLUSHES = 1, 4
"""The ruined seats."""
HONEST = (0, 2, 3, 5)


def two_are_ruined(more: int) -> Ring:
    """Return a match of six, in which two are ruined, after so many more moves."""
    ring = Ring("siete-y-media", 6, group=GROUP, deals=30, chips=30, min_bet=10, max_bet=30)
    while len(ring.tables[0].run.game.seats) > len(HONEST):
        ring.play(moves=1)
    assert not {TELLS, FLUSHES} & set(ring.tables[0].run.game.seats)
    ring.play(moves=more)
    return ring


def old_story(ring: Ring) -> tuple[Entry, bytes, int]:
    """Return a second story of a ruined seat for shares that both have given, the head to which
    it leads, and the number of its record.

    Of shares there are many stories: their proofs hold fresh randomness.
    """
    records = ring.tables[0].progress.records
    at = max(
        at
        for at, record in enumerate(records)
        if {TELLS, FLUSHES} <= {one.seat for one in record.entries}
        and record.entries[0].kind == STEP
    )
    words = {entry.seat: entry for entry in records[at].entries}
    table = Table(ring.terms, ring.signatures, TELLS, ring.who[TELLS], seeded("branch"), GROUP)
    table.journal.read(GROUP, ring.journals[TELLS])
    table.take_up(b"", read_records(ring, at))
    table.proceed()
    second = table.inbox.signed(words[TELLS].stage_key, TELLS)
    assert second is not None
    for seat, word in words.items():
        if seat != TELLS:
            table.receive(word.data)
    table.proceed()
    return second, table.trail[at + 1], at + 1


def test_two_ruined_seats_take_back_nothing():
    """One tells a second story for its last word, and the other, which owes nothing since then,
    flushes on the head that follows from it."""
    ring = two_are_ruined(20)
    trail = ring.tables[0].trail
    second, head, number = old_story(ring)
    assert number + 30 < len(trail)
    silence(ring, TELLS, FLUSHES)
    of = ChangeRound((TELLS,))
    said = [second, flush(ring, FLUSHES, of, head, records=number)]
    spread(ring, said, but=[TELLS, FLUSHES])
    ring.settle()
    spread(ring, [stand(ring, FLUSHES, of, own_stand(ring, 0))], but=[TELLS, FLUSHES])
    ring.settle()
    for seat in HONEST:
        ring.store(seat)
        assert ring.tables[seat].trail[: len(trail)] == trail
        assert not [event for event in ring.events[seat] if isinstance(event, WentBack)]
    ring.play()
    must_end(ring, HONEST, (TELLS, "convicted"))


def test_the_story_of_a_ruined_seat_makes_no_flush_too_large(monkeypatch):
    """The proof against another rests on no words since then: all who are in play have spoken."""
    monkeypatch.setattr(known_records, "REASONS", 40)
    ring = two_are_ruined(20)
    second, _head, number = old_story(ring)
    words = [one for record in ring.tables[0].progress.records[number:] for one in record.entries]
    assert len(words) > 2 * known_records.REASONS
    exchange = ring.tables[0].progress.exchange
    liar = exchange.missing()[0]
    lie = ring.signed(liar, exchange.place, {"bad": 1}, exchange.head, exchange.stage)
    silence(ring, TELLS, liar)
    spread(ring, [second, lie], but=[TELLS, liar])
    ring.settle()
    ring.play()
    others = [seat for seat in HONEST if seat != liar]
    must_end(ring, others, (TELLS, "convicted"), (liar, "convicted"))
