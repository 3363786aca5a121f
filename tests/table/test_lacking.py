"""A returning peer is sent all that follows the last head that both have stood on."""

from __future__ import annotations

from p2p.table.events import Accused
from p2p.table.log import make_entry, read_entry
from tests.ring import Ring
from tests.standin import standin_group


def test_a_peer_at_a_head_of_ours_is_sent_the_entries_after_it() -> None:
    ring = Ring("escoba", 2, group=standin_group(), target=1)
    ring.settle()
    table = ring.tables[0]
    steps, head = table.steps, table.head
    ring.play(moves=4)
    assert table.lacking(steps, head) == table.held_since(steps)
    assert table.lacking(table.steps, table.head) == table.held_since(table.steps)


def test_a_peer_on_another_head_is_sent_everything_and_two_stories_meet() -> None:
    ring = Ring("escoba", 3, group=standin_group(), seed="lacking", target=1)
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
    entry = read_entry(ring.terms, ring.terms.match, told)
    story = make_entry(
        ring.who[seat],
        ring.terms.match,
        entry.stage_key,
        seat,
        entry.head,
        {**entry.body, "more": 1},
    )
    fresh = Ring("escoba", 3, group=standin_group(), seed="lacking", target=1)
    fresh.settle()
    apart = fresh.tables[other]
    apart.receive(story.data)
    apart.proceed()
    assert apart.lacking(elsewhere.steps, bytes(32)) == apart.held_since(0)
    for data in elsewhere.lacking(apart.steps, bytes(32)):
        apart.receive(data)
    apart.proceed()
    assert apart.fault is not None
    assert apart.fault.seat == seat
    assert any(isinstance(event, Accused) for event in apart.events())
