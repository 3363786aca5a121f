"""A match over a bad network: frames are lost, the others 0.1 to 0.3 s late, each by itself so that
they overtake."""

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
