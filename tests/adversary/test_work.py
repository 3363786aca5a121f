"""The work that two liars of four, who know each other, can cause at an honest table for each entry
that they send."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from engine.core.moves import spell_move
from p2p.table.calls import flush_place
from p2p.table.epoch_entries import ChangeRound
from p2p.table.log import Entry, make_entry
from tests.ring import Ring

LIAR, FRIEND, VICTIM = 1, 3, 0
MOST_MS = 50
ENTRIES = 40
MOVES = 36


def signed(ring: Ring, seat: int, like: tuple, head: bytes, body: dict, stage: int = 0) -> Entry:
    return make_entry(ring.who[seat], ring.terms.match, (like, stage), seat, head, body)


def words(ring: Ring, seat: int) -> list[Entry]:
    """Return the words of a seat in the records, the latest first."""
    records = ring.tables[VICTIM].progress.records
    found = [entry for record in records for entry in record.entries if entry.seat == seat]
    return found[::-1]


def again(ring: Ring, word: Entry, number: int) -> Entry:
    return signed(ring, word.seat, word.place, word.head, {"story": number}, word.stage)


def of_one_word(ring: Ring) -> Iterator[Entry]:
    """Any number of stories for the last word of the liar."""
    for number in range(10_000):
        yield again(ring, words(ring, LIAR)[0], number)


def of_every_word(ring: Ring) -> Iterator[Entry]:
    """A second story for each word of the liar, the latest first; then a third one."""
    for number in range(100):
        for word in words(ring, LIAR):
            yield again(ring, word, number)


def of_words_to_come(ring: Ring) -> Iterator[Entry]:
    """Two stories of words that nobody waits for."""
    for number in range(10_000):
        place = ("step", 0, 500 + number // 2)
        yield signed(ring, LIAR, place, bytes(32), {"story": number})


def of_both(ring: Ring) -> Iterator[Entry]:
    """Second stories of both."""
    for one, other in zip(words(ring, LIAR), words(ring, FRIEND), strict=False):
        yield again(ring, one, 1)
        yield again(ring, other, 1)


def on_false_heads(ring: Ring) -> Iterator[Entry]:
    """Flushes of the friend on heads that do not exist, each with another story of the liar."""
    of = ChangeRound((LIAR,))
    for number, story in enumerate(of_one_word(ring)):
        body = {"records": ring.tables[VICTIM].steps + number, "done": b"", "reasons": []}
        yield signed(ring, FRIEND, flush_place(0, of), number.to_bytes(32, "big"), body)
        yield story


def of_good_moves(ring: Ring) -> Iterator[Entry]:
    """One move, proven in other ways: each story is a line of its own."""
    while not ring.tables[LIAR].asked:
        ring.play(moves=1)
    progress = ring.tables[LIAR].progress
    turn, place, head = progress.asked, progress.exchange.place, progress.exchange.head
    move = next(iter(ring.tables[LIAR].view().options))
    while True:
        body = {"move": spell_move(move), "shares": turn._shares(move, head)}
        yield signed(ring, LIAR, place, head, body)


WAYS: list[Callable[[Ring], Iterator[Entry]]] = [
    of_one_word,
    of_every_word,
    of_words_to_come,
    of_both,
    on_false_heads,
    of_good_moves,
]


@pytest.mark.parametrize("way", WAYS)
def test_two_liars_of_four_cause_little_work_for_each_entry(way, capsys):
    ring = Ring("escoba", 4, target=21)
    ring.play(moves=MOVES)
    table, number = ring.tables[VICTIM], ring.tables[VICTIM].steps
    of = ChangeRound((LIAR,))
    body = {"records": number, "done": b"", "reasons": []}
    first = [
        again(ring, words(ring, LIAR)[0], 99_999),
        signed(ring, FRIEND, flush_place(0, of), b"f" * 32, body),
    ]
    sent = [*first, *islice(way(ring), ENTRIES)]
    spent, worst = 0.0, 0.0
    for entry in sent:
        began = time.process_time()
        table.receive(entry.data)
        table.proceed()
        took = time.process_time() - began
        spent, worst = spent + took, max(worst, took)
        table.data_to_store()
        table.data_to_send()
    each = 1000 * spent / len(sent)
    with capsys.disabled():
        print(
            f"\n{way.__name__}: {number} records, {len(sent)} entries, {each:.1f} ms each, "
            f"the worst {1000 * worst:.0f} ms"
        )
    assert each <= MOST_MS
