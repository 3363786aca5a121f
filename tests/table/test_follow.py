"""A seat that goes learns of the change in which it stayed, or did not, from those who have made
it."""

import pytest

from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.log import FLUSH, read_entry
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
        if (
            receiver == last
            and sender != 0
            and read_entry(ring.terms, ring.terms.match, data).place[0] != FLUSH
        ):
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


def test_following_another_branch_leaves_our_open_commitment_alone():
    ring, further = (Ring("escoba", 2, group=standin_group(), target=1) for _ in range(2))
    further.settle()
    for table in ring.tables:
        table.proceed()
    follower = ring.tables[0].anew(Inbox(0))
    follower.take(further.tables[0].progress.records[0])
    ring.play()
    assert all(table.sealed for table in ring.tables)


def test_a_branch_with_a_deck_whose_key_we_lack_is_followed_up_to_that():
    """A match that goes on there says so: its table needs the key."""
    ring = Ring("escoba", 2, group=standin_group(), target=1)
    ring.play(moves=1)
    table = ring.tables[0]
    inbox = table.inbox.afresh(0, ())
    follower = table.new_progress(inbox, lambda _epoch, _head, _owed: None, Journal())
    follower.go_on()
    assert 0 < len(follower.records) < len(table.progress.records)
