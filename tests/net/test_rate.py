from __future__ import annotations

import pytest

from p2p.net.rate import Allowance, Flood, Turns
from p2p.net.timeouts import Limits

LIMITS = Limits(rate=100.0, burst=400.0, patience_s=10.0)


def drain(allowance: Allowance, messages: int, each: int, size: int = 0) -> float:
    """Bring messages as fast as allowed, return the time it took."""
    now = 0.0
    for _ in range(messages // each):
        now += allowance.spend(each, size, now)
    return now


def test_spending_beyond_the_burst_has_to_wait_for_the_rate():
    assert drain(Allowance(LIMITS, 0.0), 900, 10) == pytest.approx(5.0)


def test_bytes_count_like_messages():
    allowance = Allowance(LIMITS, 0.0)
    assert allowance.spend(0, 500 * 1024, 0.0) == pytest.approx(1.0)


def test_a_piece_costs_a_unit_however_little_it_brings():
    """A record of TLS may carry a single byte."""
    allowance = Allowance(LIMITS, 0.0)
    assert sum(allowance.spend(0, 1, 0.0) for _ in range(400)) == 0
    assert allowance.spend(0, 1, 0.0) > 0


def test_a_sender_that_never_stops_has_flooded():
    with pytest.raises(Flood):
        drain(Allowance(LIMITS, 0.0), 5000, 10)


def test_a_sender_that_pauses_has_not_flooded():
    allowance, now = Allowance(LIMITS, 0.0), 0.0
    for _ in range(20):  # each time a long answer, then some quiet: not a flood, however often
        for _ in range(90):
            now += allowance.spend(10, 0, now)
        now += 5
        assert allowance.spend(1, 0, now) == 0


def test_turns_are_counted_for_each_place():
    turns = Turns(3, 2)
    assert [turns.take("here", 0.0) for _ in range(5)] == [True, True, True, False, False]
    assert turns.take("there", 0.0)
    assert [turns.take("here", 1.0) for _ in range(3)] == [True, True, False]


def test_turns_of_many_places_are_bounded():
    turns = Turns(1, 1, most=10)
    for number in range(100):
        turns.take(str(number), 0.0)
    assert not turns.take("99", 0.0)
    assert turns.take("0", 0.0), "the oldest is forgotten"
