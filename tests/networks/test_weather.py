"""A match over a bad network: frames are lost, the others 0.1 to 0.3 s late, each by itself so that
they overtake.

The weather turns bad when all have seen a move: a guest that loses its host before a match begins
gives up.
"""

from __future__ import annotations

from statistics import median

import pytest

from tests.end_to_end.processes import same_logs
from tests.networks.lan import in_mid_match, latencies


@pytest.mark.slow
@pytest.mark.soak
def test_loss_delay_and_disorder(net, figure):
    guests = net.four("--option", "target=1")
    in_mid_match(guests, moves=1)
    net.weather(loss=0.1, delay=0.2, jitter=0.1)
    for guest in reversed(guests):  # the host last: it waits for ever for a guest that has failed
        assert guest.ends(seconds=200) == 0, guest.err
    same_logs(*guests)
    found = latencies(guests)
    figure(
        f"10 % loss, 200 ± 100 ms: {len(found)} moves, median {median(found):.2f} s to all, the "
        f"slowest {max(found):.2f} s"
    )
    assert median(found) <= 1.0


@pytest.mark.slow
@pytest.mark.soak
def test_heavy_loss_shows_nobody_another_program_with_its_key(net):
    """Links are often lost and dialled anew, by both sides at once, and one of the two goes."""
    guests = net.four("--option", "target=1")
    in_mid_match(guests, moves=1)
    net.weather(loss=0.25, delay=0.2, jitter=0.1)
    for guest in reversed(guests):
        assert guest.ends(seconds=400) == 0, guest.err
        assert "another program with your key" not in guest.out
