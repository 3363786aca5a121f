"""A change drops the step under way: entries of that step leave no trace in anybody's rules or
cards."""

import pytest

from p2p.table.log import FLUSH, read_entry
from tests.ring import Ring
from tests.standin import standin_group

LATE, LEAVER = 2, 1


class LateRing(Ring):
    """Tiny, in which words of seat LATE, after so many, and then all flushes are on their way until
    `release`."""

    def __init__(self, number):
        self.number, self.words, self.late = number, 0, []
        super().__init__("tiny", 3, group=standin_group(), deals=1)
        self.play()

    def carry(self, sender, data, receivers):
        entry = read_entry(self.terms, self.tables[0].match, data)
        self.words += sender == LATE
        if self.number is not None and (
            entry.kind == FLUSH or (sender == LATE and self.words > self.number)
        ):
            self.late.append((sender, data, receivers))
        else:
            super().carry(sender, data, receivers)

    def release(self):
        self.number = None
        for sender, data, receivers in self.late:
            self.carry(sender, data, receivers)
        self.settle()


@pytest.mark.parametrize("number", range(14))
def test_a_seat_that_has_left_signs_nothing_more(number):
    """Its leave was its last word, though it hears the others go on until they have heard it."""
    ring = LateRing(number)
    table, said = ring.tables[LEAVER], set[bytes]()
    if table.over:
        pytest.skip("the match is over")

    def tap(sender, receiver, data):
        if sender != LEAVER:
            return (data,)
        said.add(data)
        return ()

    table.data_to_store()
    before = set(table.data_to_send())
    ring.tap = tap
    table.leave()
    ring.release()
    ring.play()
    entries = [ring.read(data) for data in said - before]
    assert [entry.kind for entry in entries if entry.seat == LEAVER] == ["leave"]
