"""A stranger on the LAN floods all four players of a running match: moves still reach everyone, and
memory stays small."""

from __future__ import annotations

import time
from statistics import median

import pytest

from tests.end_to_end.processes import eventually
from tests.networks.lan import LONG, Lan, in_mid_match, latencies, port_of
from tests.networks.switch import address

HOSTS = 5
FLOOD = 8.0
"""Seconds of each flood, at least; honest moves are timed all the while."""
MOVES = 20
"""Moves in each flood, at least: on a slow machine it lasts longer."""
WITHIN = 1.0
"""Seconds until a move has reached everybody."""
SLOWER = 10
"""On a slow machine a move may take this many times as long as the slowest one before the
floods."""
MEGABYTES = 150


@pytest.mark.slow
@pytest.mark.soak
def test_floods_while_a_match_runs(net: Lan, figure):
    guests = net.four(*LONG)
    in_mid_match(guests, MOVES)
    within = max(WITHIN, SLOWER * max(latencies(guests)))
    targets = [f"{address(host)}:{port_of(guests[0])}" for host in range(4)]
    for what in ("idle", "garbage", "messages"):
        with net.stranger(4, "tests.net.flooder", what, *targets) as said:
            time.sleep(2)
            begun = time.monotonic()
            time.sleep(FLOOD)
            eventually(
                lambda begun=begun: len(latencies(guests, begun)) >= MOVES,
                f"{MOVES} moves during {what}",
            )
            found = latencies(guests, begun)
            memory = [guest.megabytes for guest in guests]
        figure(
            f"{what}: {said[0]}; {len(found)} moves, median {1000 * median(found):.0f} ms to all, "
            f"the slowest {1000 * max(found):.0f} ms; memory {max(memory):.0f} MB at most"
        )
        assert max(found) < within
        assert max(memory) < MEGABYTES
    assert all("away" not in guest.out for guest in guests), "somebody honest was left"
