"""A peer that asks is sent the entries that it needs: those after the last head that both have
stood on, and where we wait at the same point the words of the seats that it waits for."""

from __future__ import annotations

import pytest

from p2p.table import need as need_module
from p2p.table.events import Accused
from p2p.table.log import Entry, make_entry
from p2p.table.need import HEADS, LACKS, Need
from p2p.table.pool import POOL
from p2p.table.table import Table
from p2p.wire import Malformed
from tests.ring import Ring
from tests.standin import seeded, standin_group

GROUP = standin_group()


def test_one_answer_has_so_many_bytes_and_the_next_goes_on_from_there(monkeypatch) -> None:
    ring = Ring("escoba", 2, group=GROUP, target=1)
    ring.play()
    monkeypatch.setattr(need_module, "ANSWER_BYTES", 3000)
    whole, late = ring.tables[0], Table(ring.terms, ring.signatures, None, None, seeded(""), GROUP)
    sizes = []
    while not late.sealed:
        sent = whole.lacking(late.need)
        assert whole.shows_all(late.need) == (sum(map(len, sent)) <= 3000)
        sizes.append(sum(map(len, sent)))
        before = late.mark
        for data in sent:
            late.receive(data)
        late.proceed()
        assert late.mark > before
    assert len(sizes) > 2
    assert max(sizes) < 3000 + max(
        sum(len(entry.data) for entry in record.entries) for record in whole.progress.records
    )


def test_a_need_is_read_as_it_was_sent_and_nothing_else_is() -> None:
    need = Need.of([b"1" * 32, b"2" * 32], b"p" * 32, (0, 3), (b"r" * 32,))
    message = need.message(b"m" * 32)
    assert Need.read(message) == (b"m" * 32, need)
    for spoiled in (
        {"steps": -1},
        {"steps": "1"},
        {"heads": []},
        {"heads": [b"short"]},
        {"heads": [bytes(32)] * (HEADS + 1)},
        {"point": b"short"},
        {"seats": ["0"]},
        {"seats": [0] * 17},
        {"lacks": [b"short"]},
        {"lacks": [bytes(32)] * (LACKS + 1)},
        {"more": 1},
    ):
        with pytest.raises(Malformed):
            Need.read({**message, **spoiled})


def test_a_peer_on_another_head_is_sent_everything_and_two_stories_meet() -> None:
    ring = Ring("escoba", 3, group=GROUP, seed="lacking", target=1)
    cut: set[int] = set()
    ring.tap = lambda sender, receiver, data: () if {sender, receiver} <= cut else (data,)
    ring.settle()
    seat = next(table.seat for table in ring.tables if table.asked)
    liar, (one, other) = ring.tables[seat], ring.others(seat)
    cut |= {one, other}
    move, elsewhere = list(liar.view().options)[:1], ring.tables[other]
    liar.act(move[0])
    ring.settle()
    told = next(data for sender, data in reversed(ring.sent) if sender == seat)
    entry = ring.read(told)
    story = ring.signed(seat, entry.place, {**entry.body, "more": 1}, entry.head, entry.stage)
    fresh = Ring("escoba", 3, group=GROUP, seed="lacking", target=1)
    fresh.settle()
    apart = fresh.tables[other]
    apart.receive(story.data)
    apart.proceed()
    assert apart.lacking(Need(elsewhere.steps)) == apart.held_since(0)
    for data in elsewhere.lacking(Need(apart.steps)):
        apart.receive(data)
    apart.proceed()
    assert apart.fault is not None
    assert apart.fault.seat == seat
    assert any(isinstance(event, Accused) for event in apart.events())


def test_a_seat_with_very_many_bytes_displaces_nothing_of_others_from_an_answer() -> None:
    def entry(seat: int, number: int, size: int) -> Entry:
        data = bytes([seat, number]).ljust(size, b".")
        return Entry(b"", ("step", 0, number), 0, seat, bytes([number]) * 32, {}, data)

    flood = [entry(3, number, 60_000) for number in range(100)]
    word, others = entry(1, 7, 200), [entry(seat, 8, 200) for seat in (0, 2)]
    need = Need(point=word.head, seats=(1, 3))
    sent = need_module.answer([], flood[:50], [*flood[50:], word, *others], need)
    assert {one.data for one in (word, *others)} <= set(sent)
    assert sum(map(len, sent)) <= need_module.ANSWER_BYTES + 60_000
    awaited = flood[-1]
    at = Need(point=awaited.head, seats=(1, 3))
    assert awaited.data in need_module.answer([], flood[:50], [*flood[50:], word], at)
    few = [flood[0], *others, word]
    assert need_module.answer([], few[:1], few[1:], Need(seats=(1,))) == [
        one.data for one in (flood[0], word, *others)
    ]


def test_a_liar_with_any_number_of_double_stories_that_nothing_needs_takes_little_space() -> None:
    ring = Ring("siete-y-media", 4, group=GROUP, deals=2)
    ring.settle()
    table, liar = ring.tables[0], 3

    def flush(number: int, story: int) -> bytes:
        place = ("flush", 3, (0,), ((1, number.to_bytes(32, "big")),), ())
        body = {"records": story, "done": b"", "reasons": [bytes([at]) * 32 for at in range(200)]}
        who = ring.who[liar]
        return make_entry(who, ring.terms.match, (place, 0), liar, bytes(32), body).data

    for number in range(200):
        for story in (0, 1):
            table.receive(flush(number, story))
    assert len(table.held_since(table.steps)) < 2 * POOL
    table.proceed()
    assert table.fault is not None
    assert table.fault.seat == liar
    assert len(table.held_since(table.steps)) < 2 * POOL
