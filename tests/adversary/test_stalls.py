"""A seat that lets every time limit pass, and answers when the votes suffice, is removed soon
(B5)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from p2p.table.log import Entry, read_unsigned
from p2p.table.replay import verify_log
from p2p.table.table import Table
from tests.adversary.limits import GROUP, ring_of, time_limit
from tests.adversary.membership import catch_up
from tests.lying import Lying
from tests.ring import Ring
from tests.sample import sample

EACH = 9
"""So many time limits one liar may cost in a whole match."""


class Stalls(Lying):
    """It says each of its words only when the others stop for that."""

    heard: frozenset[bytes] = frozenset()

    def says(self, entry: Entry) -> Iterable[Entry]:
        return self.keep_back(entry) if entry.kind in ("step", "deck") else (entry,)

    def hears(self, entry: Entry) -> bool:
        if entry.kind == "flush" and entry.data not in self.heard:
            self.heard |= {entry.data}
            self.give_up()
        return True


def is_flush(ring: Ring, data: bytes) -> bool:
    return read_unsigned(ring.terms, ring.terms.match, data).kind == "flush"


def stalled(seats: int, liars: tuple[int, ...], most: int) -> tuple[Ring, int]:
    """Play until all honest seats have sealed, or so many time limits have passed; return how
    many. The liars are fast: no flush arrives anywhere before they have answered it."""
    kinds = [Stalls if seat in liars else Table for seat in range(seats)]
    ring, limits = ring_of("siete-y-media", kinds, deals=1), 0
    ring.tap = lambda _sender, receiver, data: (
        () if is_flush(ring, data) and receiver not in liars else (data,)
    )
    honest = ring.others(*liars)
    while limits < most and not all(ring.tables[seat].sealed for seat in honest):
        limits += time_limit(ring, honest)
        ring.play()
        catch_up(ring)
    return ring, limits


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "liars"), sample([(3, (1,)), (5, (1, 3))], 1, rows=True))
def test_B5_liars_cost_at_most_nine_time_limits_each_in_a_whole_match(seats, liars):
    most = EACH * len(liars)
    ring, limits = stalled(seats, liars, most + 1)
    assert limits <= most
    for seat in ring.others(*liars):
        ring.store(seat)
        assert ring.tables[seat].sealed
        assert {one.seat for one in verify_log(ring.logs[seat], GROUP).gone} <= set(liars)
