"""Who lies about leaving is found out, named and shut out, and the others go on with one log."""

import pytest

from p2p.table.log import read_entry
from tests.adversary.cuts import lies, must_name, ring_for, tell
from tests.adversary.liar import Lie


@pytest.mark.parametrize("lie", lies(), ids=str)
def test_the_others_name_who_lies_about_leaving_and_go_on(lie: Lie):
    must_name(tell(lie), lie)


def test_what_a_false_flush_hides_counts_all_the_same():
    """Some have heard it before the flush, and one only after: they come to one log."""
    lie = next(lie for lie in lies() if lie.name == "stood there long before")
    ring, liar = ring_for(lie, 5)

    def late(sender: int, receiver: int, data: bytes) -> tuple[bytes, ...]:
        entry = read_entry(ring.terms, ring.terms.match, data)
        return () if receiver == 3 and entry.seat == liar.seat and entry.place[0] in ("step", "deck") else (data,)

    ring.tap = late
    ring.play()
    assert ring.tables[3].steps < ring.tables[0].steps
    ring.tables[0].leave()
    ring.settle()
    ring.tap = None
    for table in ring.tables:
        for data in table.said_since(0):
            for other in (0, 2, 3):
                ring.tables[other].receive(data)
    ring.play()
    assert liar.told
    assert ring.tables[2].gone == (0, 1)
    assert all(ring.tables[seat].sealed for seat in (0, 2, 3))
    assert ring.logs[0] == ring.logs[2] == ring.logs[3]
