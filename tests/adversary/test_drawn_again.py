"""A step that its members could have completed is never drawn again (B3, B4)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from p2p.table.log import Entry, read_unsigned
from p2p.table.replay import verify_log
from p2p.table.table import Table
from tests.adversary.limits import GROUP, liar_at, play_on, ring_of, time_limit, tosses
from tests.adversary.membership import catch_up
from tests.lying import Lying
from tests.ring import Ring

LIAR = 1


class KeepsReveal(Lying):
    """It keeps its part of a toss back, though it sees the others', until they stop for that."""

    given_up = False
    tries = 2

    def says(self, entry: Entry) -> Iterable[Entry]:
        if "commit" in entry.body and self.tries:
            self.tries -= 1
            self.given_up = False
        return (entry,) if "nonce" not in entry.body or self.given_up else self.keep_back(entry)

    def hears(self, entry: Entry) -> bool:
        if entry.kind == "flush" and self.kept:
            self.relent()
        return "nonce" not in entry.body or self.given_up

    def relent(self) -> None:
        """Reveal, and play on."""
        self.given_up = True
        self.give_up()
        self.hear()


def read(ring: Ring, data: bytes) -> Entry:
    return read_unsigned(ring.terms, ring.terms.match, data)


def liar_is_fast(ring: Ring) -> None:
    """Let no flush arrive anywhere before the liar has heard it and answered."""
    ring.tap = lambda _sender, receiver, data: (
        () if read(ring, data).kind == "flush" and receiver != LIAR else (data,)
    )


def must_have_drawn_once(ring: Ring, *accomplices: int) -> None:
    """Require that no seat drew again but for a seat that went; and that the match ends."""
    honest = ring.others(LIAR, *accomplices)
    for seat in honest:
        assert tosses(ring, seat) <= 1 + len(ring.tables[seat].gone)
    ring.tap = None
    liar_at(ring, LIAR, KeepsReveal).relent()
    play_on(ring, honest, 12)
    for seat in honest:
        ring.store(seat)
        assert ring.tables[seat].sealed
        gone = verify_log(ring.logs[seat], GROUP).gone
        assert {one.seat for one in gone} <= {LIAR}
        assert tosses(ring, seat) <= 1 + len(gone)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_B3_a_seat_that_reveals_when_the_votes_suffice_does_not_draw_a_toss_again(seats):
    ring = ring_of("siete-y-media", [Table, KeepsReveal, *[Table] * (seats - 2)], deals=1)
    liar_is_fast(ring)
    ring.settle()
    assert {ring.tables[seat].waiting for seat in ring.others(LIAR)} == {(LIAR,)}
    for _ in range(2):
        time_limit(ring, ring.others(LIAR))
    must_have_drawn_once(ring)


def test_B4_a_vote_about_a_seat_that_has_spoken_since_does_not_draw_a_toss_again():
    """Seat 3 is slow and reveals; then the liar, which sees all the others' parts, votes too."""
    ring = ring_of("siete-y-media", [Table, KeepsReveal, Table, Table], deals=1)
    ring.tap = lambda sender, _receiver, data: (
        () if sender == 3 and "nonce" in read(ring, data).body else (data,)
    )
    ring.settle()
    for voter in (0, 2):
        ring.tables[voter].vote(3)
    ring.settle()
    liar_is_fast(ring)
    catch_up(ring, 0, 2, 3)
    assert ring.tables[0].waiting == (LIAR,), "all others have revealed"
    liar, point = liar_at(ring, LIAR, KeepsReveal), ring.tables[0].waiting_at
    liar.say(liar.sign_any(("vote", 0, point, 3), liar.trail[0]))
    ring.settle()
    catch_up(ring)
    must_have_drawn_once(ring)


def test_B4_more_than_half_do_not_draw_a_toss_again_by_votes_about_a_seat_that_has_spoken():
    ring = ring_of("siete-y-media", [Table, KeepsReveal, Lying], deals=1)
    liar_is_fast(ring)
    ring.settle()
    point = ring.tables[0].waiting_at
    for seat in (1, 2):
        liar = liar_at(ring, seat, Lying)
        liar.say(liar.sign_any(("vote", 0, point, 0), liar.trail[0]))
    ring.settle()
    catch_up(ring)
    must_have_drawn_once(ring, 2)
