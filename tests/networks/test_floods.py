"""A stranger on the LAN floods all four players of a running match: moves still reach everyone, and memory stays small."""

from __future__ import annotations

import time
from statistics import median

import pytest

from tests.networks.hole import LONG
from tests.networks.lan import Lan, in_mid_match, latencies, port_of
from tests.networks.switch import address

FLOOD = 8.0
"""Seconds of each flood; honest moves are timed all the while."""
WITHIN = 1.0
MEGABYTES = 150


@pytest.fixture
def hosts() -> int:
    return 5


@pytest.mark.slow
def test_floods_while_a_match_runs(net: Lan):
    guests = net.four(*LONG)
    in_mid_match(guests)
    targets = [f"{address(host)}:{port_of(guests[0])}" for host in range(4)]
    for what in ("idle", "garbage", "messages"):
        with net.stranger(4, "tests.net.flooder", what, *targets) as said:
            time.sleep(2)
            begun = time.monotonic()
            time.sleep(FLOOD)
            found = latencies(guests, begun)
            memory = [guest.megabytes for guest in guests]
        print(
            f"\n{what}: {said[0]}; {len(found)} moves, median {1000 * median(found):.0f} ms to all, "
            f"the slowest {1000 * max(found):.0f} ms; memory {max(memory):.0f} MB at most"
        )
        assert len(found) >= 20
        assert max(found) < WITHIN
        assert max(memory) < MEGABYTES
    assert all("away" not in guest.out for guest in guests), "somebody honest was left"
