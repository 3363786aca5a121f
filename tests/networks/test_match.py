"""Four machines on a LAN: they find each other and play a match to its end, with multicast or
without."""

from __future__ import annotations

import pytest

from client.session.patience import SEALS_TIMEOUT_S
from client.session.status import Status
from tests.end_to_end.processes import invite_of, same_logs
from tests.networks.lan import address_of, latencies
from tests.networks.switch import address

SHORT = ("--option", "target=1")


@pytest.mark.slow
def test_a_newcomer_finds_the_table_and_plays(net, figure):
    guests = [net.table("escoba", "--seats", "4", *SHORT)]
    for host in (1, 2, 3):
        guests.append(
            net.guest(host, "join", "--nick", f"guest{host}", "--auto", "--at-once", "--wait", "60")
        )
        guests[0].says(f"p{host + 1}: guest{host}")
    assert [guest.ends() for guest in guests] == [0] * 4
    same_logs(*guests)
    last = [guest.lines[-1].at for guest in guests]
    assert max(last) - min(last) < SEALS_TIMEOUT_S / 2, (
        "somebody has waited for seals although nobody lacked any"
    )
    found = latencies(guests)
    figure(
        f"a match of four on four hosts: {len(found)} moves, the slowest {1000 * max(found):.0f} "
        f"ms to all"
    )


@pytest.mark.slow
def test_where_multicast_is_filtered_one_joins_by_address_and_by_invite(net):
    net.weather(multicast=False)
    # another network of the host's; nobody else is in it
    net.run(0, "ip", "addr", "add", "10.98.0.1/24", "dev", "lan")
    table = net.table("escoba", "--seats", "4", "--interface", address(0), *SHORT)
    blind = net.guest(1, "join", "--nick", "jon", "--auto", "--at-once", "--wait", "4")
    assert blind.ends() == Status.NETWORK
    assert "no table was found" in blind.sentence()
    assert "join with an address or an invite" in blind.sentence()
    guests = [
        table,
        net.join(1, address_of(table), "--interface", address(1)),
        net.join(2, invite_of(table)),
        net.join(3, address(0)),
    ]
    assert [guest.ends() for guest in guests] == [0] * 4
    same_logs(*guests)
