"""A seat that goes learns of the change in which it stayed, or did not, from those who have made
it."""

import pytest

from p2p.table.log import FLUSH
from tests.ring import Ring
from tests.standin import standin_group


@pytest.mark.parametrize("moves", [0, 1, 3])
@pytest.mark.parametrize("players", [3, 4])
def test_a_seat_that_leaves_after_its_flush_follows_the_change_of_that_flush(players, moves):
    """Seat 0 leaves. The last seat confirms, hears flushes alone, and leaves as well: the others
    have made a change with it."""
    ring = Ring("tiny", players, group=standin_group(), deals=1)
    ring.play(moves=moves)
    late, last = [], players - 1

    def tap(sender, receiver, data):
        if receiver == last and sender != 0 and ring.read(data).kind != FLUSH:
            late.append((sender, data))
            return ()
        return (data,)

    ring.tap = tap
    ring.tables[0].leave()
    ring.settle()
    others = range(1, last)
    assert all(ring.tables[seat].gone == (0,) for seat in others)
    assert not ring.tables[last].gone
    ring.tables[last].leave()
    ring.settle()
    ring.tap = None
    for sender, data in late:
        ring.carry(sender, data, [last])
    ring.settle()
    ring.play()
    assert {table.sealed for table in ring.tables} == {True}
    assert len({table.head for table in ring.tables}) == 1
