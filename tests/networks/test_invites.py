"""The invite of a table is right at every moment, or the host reads that nobody can reach it."""

from __future__ import annotations

import pytest

from p2p.net.invite import parse_invite
from tests.end_to_end.processes import eventually, invite_of, same_logs
from tests.networks.lan import Guest, Lan
from tests.networks.switch import address

SHORT = ("--option", "target=1")
NOBODY = "No other machine can reach this table now"

pytestmark = pytest.mark.slow
HOSTS = 2


def private_table(net: Lan, *words: str) -> Guest:
    """Open a table of which nothing is announced but the key of its host."""
    return net.table("escoba", "--private", *SHORT, *words)


def invites(table: Guest) -> list[str]:
    """Return all invites that a host has shown, the newest last."""
    words = table.out.split()
    return [word for word in words if word.startswith("SBM1-")]


def hosts_of(invite: str) -> tuple[str, ...]:
    return parse_invite(invite).hosts


def play(net: Lan, table: Guest, invite: str) -> None:
    guest = net.join(1, invite)
    assert [one.ends() for one in (table, guest)] == [0, 0]
    same_logs(table, guest)


def test_a_host_whose_network_comes_up_late(net):
    net.run(0, "ip", "link", "set", "lan", "down")
    table = private_table(net)
    table.says(NOBODY)
    assert invites(table) == []
    net.run(0, "ip", "link", "set", "lan", "up")
    net.run(0, "ip", "addr", "replace", f"{address(0)}/24", "dev", "lan")
    eventually(lambda: any(address(0) in hosts_of(one) for one in invites(table)), "an invite")
    play(net, table, invites(table)[-1])


def test_machines_with_link_local_ipv6_alone(net):
    for host in (0, 1):
        net.run(host, "ip", "-4", "addr", "flush", "dev", "lan")
    table = private_table(net)
    assert [host[:5] for host in hosts_of(invite_of(table))] == ["fe80:"]
    play(net, table, invites(table)[-1])


def test_an_interface_with_the_name_of_a_tunnel_is_used_if_there_is_no_other(net):
    for host in (0, 1):
        net.run(host, "ip", "link", "set", "lan", "down")
        net.run(host, "ip", "link", "set", "lan", "name", "wg0")
        net.run(host, "ip", "link", "set", "wg0", "up")
    table = net.table("escoba", *SHORT)
    assert hosts_of(invite_of(table)) == (address(0),)
    guest = net.guest(1, "join", "--nick", "jon", "--auto", "--at-once")
    assert [one.ends() for one in (table, guest)] == [0, 0]
    same_logs(table, guest)
