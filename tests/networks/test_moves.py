"""Machines that come to other addresses under a running match, all of them at once: nobody has to
do anything.

A router that restarts, or a phone that opens its hotspot anew, gives everybody another address.
Peers find each other by mDNS.
"""

from __future__ import annotations

import time

import pytest

from tests.end_to_end.processes import eventually, invite_of
from tests.networks.lan import LONG, Guest, Lan, in_mid_match
from tests.networks.test_holes import goes_on
from tests.sample import sample

AGAIN = 25.0
"""Seconds from the network's return until play goes on; other work shares the machine."""

pytestmark = pytest.mark.slow


def address_off(net: Lan, host: int, device: str = "lan") -> None:
    net.run(host, "ip", "addr", "flush", "dev", device)


def address_on(net: Lan, host: int, network: str = "10.77.0", device: str = "lan") -> None:
    net.run(host, "ip", "addr", "add", f"{network}.{60 - host}/24", "dev", device)


def all_move(net: Lan, hosts: int, network: str = "10.77.0", *, pause: float = 2.0) -> float:
    """Take all addresses away, and give others a while later; return when."""
    for host in range(hosts):
        address_off(net, host)
    time.sleep(pause)
    for host in range(hosts):
        address_on(net, host, network)
    return time.monotonic()


def all_back(guests: list[Guest]) -> None:
    for guest in guests:
        eventually(
            lambda guest=guest: guest.out.count("is away") == guest.out.count("is back"),
            "all to be back",
        )


@pytest.mark.parametrize("pause", sample([0.0, 3.0, 12.0], 1))
def test_all_addresses_change(net, figure, pause):
    guests = net.four(*LONG)
    in_mid_match(guests)
    moved = all_move(net, 4, pause=pause)
    took = goes_on(guests, moved)
    figure(f"all addresses change, {pause:.0f} s without any: play went on {took:.2f} s later")
    assert took < AGAIN
    goes_on(guests, time.monotonic(), moves=20)
    all_back(guests)


def test_a_private_table_finds_itself_again_and_nobody_else_sees_it(net, figure):
    """Two play at a table that is announced nowhere. A stranger who looks for tables meanwhile is
    shown none."""
    table = net.table("escoba", "--private", *LONG)
    guests = [table, net.join(1, invite_of(table))]
    in_mid_match(guests)
    moved = all_move(net, 3)
    looking = net.guest(2, "tables", "--wait", "6")
    took = goes_on(guests, moved)
    figure(f"a private table whose two players move: play went on {took:.2f} s later")
    assert took < AGAIN
    assert looking.ends() == 0
    for word in ("ane", "jon", "escoba", "playing", "seat"):
        assert word not in looking.out
    all_back(guests)


@pytest.mark.soak
def test_one_network_dies_and_another_appears(net, figure):
    guests = net.four(*LONG)
    in_mid_match(guests)
    for host in range(4):
        net.run(host, "ip", "link", "set", "lan", "down")
        address_off(net, host)
    time.sleep(9)
    for host in range(4):
        net.run(host, "ip", "link", "set", "lan", "name", "wlan0")
        address_on(net, host, "192.168.43", "wlan0")
        net.run(host, "ip", "link", "set", "wlan0", "up")
    moved = time.monotonic()
    took = goes_on(guests, moved)
    figure(f"one network dies and another appears: play went on {took:.2f} s later")
    assert took < AGAIN
    all_back(guests)
