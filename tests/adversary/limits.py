"""Time limits that pass at a table: everybody shows everybody what they lack, and each person votes
about the seats that its table waits for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from engine.core.moves import Seat
from p2p.table.log import read_unsigned
from tests.adversary.membership import catch_up
from tests.lying import Lying
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()
L = TypeVar("L", bound=Lying)


def ring_of(game: str, kinds: Sequence[type], **options) -> Ring:
    """Seat these tables."""
    return Ring(game, len(kinds), group=GROUP, table_class=kinds, **options)


def liar_at(ring: Ring, seat: Seat, kind: type[L]) -> L:
    """Return the liar of a kind that sits at this seat."""
    liar = ring.tables[seat]
    assert isinstance(liar, kind)
    return liar


def time_limit(ring: Ring, voters: Iterable[Seat]) -> bool:
    """Let one time limit pass, in which the players that are asked play; return whether a person
    voted, so that somebody was late."""
    ring.play()
    catch_up(ring)
    ring.play()
    voted = False
    for seat in voters:
        table = ring.tables[seat]
        for late in table.waiting:
            if table.may_vote(late):
                table.vote(late)
                voted = True
                ring.settle()
    catch_up(ring)
    return voted


def play_on(ring: Ring, voters: Iterable[Seat], most: int) -> int:
    """Play until all voters have sealed, or so many time limits have passed; return how many."""
    seats = list(voters)
    for limits in range(most):
        ring.play()
        catch_up(ring)
        ring.play()
        if all(ring.tables[seat].sealed or ring.tables[seat].out for seat in seats):
            return limits
        time_limit(ring, seats)
    return most


def tosses(ring: Ring, seat: Seat) -> int:
    """Return to how many numbers for a toss a seat has committed itself."""
    said = {data for sender, data in ring.sent if sender == seat}
    entries = (read_unsigned(ring.terms, ring.terms.match, data) for data in said)
    return sum(set(entry.body) == {"commit"} for entry in entries if entry.seat == seat)
