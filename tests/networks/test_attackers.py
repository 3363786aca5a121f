"""Attacks of another machine of the network on whole programs."""

from __future__ import annotations

import subprocess
import time

import pytest

from p2p.net import keep, probe
from tests.end_to_end.processes import eventually
from tests.networks.attackers import LIAR, OPEN, PLACES, PORT, VICTIM
from tests.networks.lan import Lan
from tests.networks.switch import address

SECONDS = 6.0
GUEST = 1
OWN = 4
"""Connections to the liar itself."""

pytestmark = pytest.mark.slow


@pytest.fixture
def hosts() -> int:
    return 3


def counted(net: Lan, host: int, name: str) -> int:
    """Return a count of the connections of a machine (RFC 4022)."""
    words = [*net.inside(host), "cat", "/proc/net/snmp"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    names, values = (line.split() for line in done.stdout.splitlines() if line.startswith("Tcp:"))
    return int(values[names.index(name)])


def dials(net: Lan) -> int:
    return counted(net, GUEST, "ActiveOpens")


def with_many_addresses(net: Lan) -> None:
    for place in PLACES:
        net.run(VICTIM, "ip", "addr", "add", f"{place}/24", "dev", "lan")


def test_a_host_sends_its_guest_to_few_connections_elsewhere(net, figure):
    """B4. It names new addresses of its invented players as often as the guest sits down."""
    with_many_addresses(net)
    with (
        net.stranger(VICTIM, "tests.networks.attackers", "accept") as taken,
        net.stranger(LIAR, "tests.networks.attackers", "host"),
    ):
        eventually(lambda: listens(net, LIAR, PORT), "the liar")
        eventually(lambda: listens(net, VICTIM, *OPEN), "the other machine")
        began = time.monotonic()
        guest = net.join(GUEST, f"{address(LIAR)}:{PORT}")
        guest.sees("nick1")
        time.sleep(SECONDS)
        came, took = dials(net), time.monotonic() - began
        assert guest.process.poll() is None, guest.err
        guest.end()
    figure(f"a host that lies: {came} connections to elsewhere in {took:.1f} s")
    assert keep.TOLD_BURST < came <= keep.TOLD_BURST + keep.TOLD_RATE * (took + 1) + OWN
    connections, talkative, strangers = map(int, taken[0].split())
    assert connections > 0
    assert talkative == 0, "something was said to a machine that is no peer"
    assert strangers == 0, "somebody without a seat was looked for"


def test_announcements_of_invented_players_send_a_search_to_few_connections(net, figure):
    """B4. All of them lead to one machine."""
    with_many_addresses(net)
    with (
        net.stranger(VICTIM, "tests.networks.attackers", "accept") as taken,
        net.stranger(LIAR, "tests.networks.attackers", "invent"),
    ):
        eventually(lambda: listens(net, VICTIM, *OPEN), "the other machine")
        began = time.monotonic()
        looking = net.guest(GUEST, "tables", "--wait", str(int(SECONDS)))
        assert looking.ends() == 0
        came, took = dials(net), time.monotonic() - began
    figure(f"invented players: {came} connections to one machine in {took:.1f} s")
    assert probe.BURST / 2 < came <= probe.BURST + probe.RATE * (took + 1) + OWN
    assert taken[0].split()[1] == "0", "something was said to a machine that is no peer"


def test_a_forger_renames_no_table_and_tells_nobody_to_update(net):
    """B3. While the forger speaks, each look shows what the table says of itself."""
    table = net.table("escoba", "--seats", "2", host=VICTIM, name="goiz")
    with net.stranger(LIAR, "tests.networks.attackers", "rename"):
        time.sleep(SECONDS / 2)
        for _look in range(3):
            looking = net.guest(GUEST, "tables", home="looking")
            assert looking.ends() == 0
            assert "goiz" in looking.out, looking.out
            for lie in ("Eve", "elsewhere", "newer", "update", "playing"):
                assert lie not in looking.out, looking.out
        guest = net.guest(GUEST, "join", "goiz", "--nick", "jon", "--auto", "--at-once")
        guest.sees("The match begins")
        assert "update" not in guest.out + guest.err + table.out


def listens(net: Lan, host: int, *ports: int) -> bool:
    """Whether somebody listens on all these ports of a machine."""
    words = [*net.inside(host), "cat", "/proc/net/tcp", "/proc/net/tcp6"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    listening = [line.split()[1] for line in done.stdout.splitlines() if " 0A " in line]
    return {f"{port:04X}" for port in ports} <= {end.rpartition(":")[2] for end in listening}
