"""What a table has once dropped is never news to it again: else two tables would pass it on to each other for ever."""

import pytest

from p2p.table.log import FLUSH, LEAVE, VOTE, make_entry
from tests.ring import Ring
from tests.standin import standin_group

MANY = 80


def places(kind):
    points = [bytes([number]) * 32 for number in range(MANY)]
    if kind == VOTE:
        return [(VOTE, 0, point, 1) for point in points]
    if kind == LEAVE:
        return [(LEAVE, view) for view in range(1, MANY)]
    return [(FLUSH, 0, (), tuple((1, point) for point in points[: number + 1]), ()) for number in range(MANY)]


@pytest.mark.parametrize("kind", [VOTE, LEAVE, FLUSH])
def test_what_found_no_room_is_no_news_when_it_comes_again(kind):
    ring = Ring("tiny", 3, group=standin_group(), deals=1)
    table = ring.tables[0]
    body = {"records": 0, "done": b""} if kind == FLUSH else {}
    told = [make_entry(ring.who[2], table.match, (place, 0), 2, table.head, body).data for place in places(kind)]
    first = [table.receive(data) for data in told]
    assert any(first)
    assert not all(first)
    assert table.turned_away()
    assert not any(table.receive(data) for data in told for _ in range(2))


def test_votes_of_stages_that_are_over_make_room_for_others():
    """Votes in every step are heard to the end of the match, at each point at which it waits."""
    ring = Ring("tiny", 3, group=standin_group(), deals=1)
    moves = 0
    while not ring.tables[0].over:
        for seat, table in enumerate(ring.tables):
            named = [other for other in table.waiting if table.may_vote(other)]
            if seat == 0 and named:
                table.vote(named[0])
                ring.settle()
                assert 0 in ring.tables[named[0]].votes.get(named[0], ())
                moves += 1
        ring.play(moves=1)
    assert moves > 4
