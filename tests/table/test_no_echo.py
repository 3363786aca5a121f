"""An entry that a table has once dropped is never news to it again: else two tables would pass it
on to each other for ever."""

import pytest

from p2p.table import pool, votes
from p2p.table.log import FLUSH, VOTE
from tests.ring import Ring
from tests.standin import standin_group

MANY = 80


def places(kind):
    points = [bytes([number]) * 32 for number in range(MANY)]
    if kind == VOTE:
        return [(VOTE, 0, point, 1) for point in points]
    return [
        (FLUSH, 0, (), tuple((1, point) for point in points[: number + 1]), ())
        for number in range(MANY)
    ]


@pytest.mark.parametrize("kind", [VOTE, FLUSH])
def test_an_entry_that_nothing_needs_is_no_news_however_often_it_comes(kind):
    ring = Ring("tiny", 3, group=standin_group(), deals=1)
    table = ring.tables[0]
    body = {"records": 0, "done": b"", "reasons": []} if kind == FLUSH else {}
    told = [ring.signed(2, place, body, table.head).data for place in places(kind)]
    assert len(told) > pool.POOL
    assert not any(table.receive(data) for data in told for _ in range(2))
    assert len(list(table.epochs.waiting())) == pool.POOL


def test_votes_of_stages_that_are_over_make_room_for_others(monkeypatch):
    """A seat may vote at each point at which the match waits, to its end, and is heard."""
    monkeypatch.setattr(votes, "VOTES", 4)
    monkeypatch.setattr(pool, "POOL", 4)
    ring = Ring("tiny", 3, group=standin_group(), deals=6)
    ring.settle()
    cast = 0
    while not ring.tables[0].over:
        named = next(
            (seat for seat in ring.tables[0].waiting if ring.tables[0].may_vote(seat)), None
        )
        if named is not None:
            ring.tables[0].vote(named)
            ring.settle()
            cast += 1
            assert all(table.votes[named] == (0,) for table in ring.tables)
        ring.play(moves=1)
    assert cast > 8
