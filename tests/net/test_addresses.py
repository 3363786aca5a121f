from __future__ import annotations

import errno
import ipaddress
from functools import partial

import ifaddr
import pytest

from p2p.net import addresses
from p2p.net.addresses import (
    PORTS,
    all_networks,
    is_own,
    nearest_first,
    own_addresses,
    own_networks,
    parse_address,
    reachable_hosts,
    worth_dialling,
)
from p2p.net.errors import BadAddress
from tests.net.adapters import ASIDE, INSIDE, LO, SILENT, WLAN, adapter, have


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("192.168.1.23:5", [("192.168.1.23", 5)]),
        (" ane.local:65535 ", [("ane.local", 65535)]),
        ("[fd00::2]:5", [("fd00::2", 5)]),
        ("[fe80::1%2]:5", [("fe80::1%2", 5)]),
        ("192.168.1.23", [("192.168.1.23", port) for port in PORTS]),
        ("fd00::2", [("fd00::2", port) for port in PORTS]),
        ("laptop", [("laptop", port) for port in PORTS]),
    ],
)
def test_addresses_as_people_type_them(text, found):
    assert list(parse_address(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":5",
        "host:",
        "host:0",
        "fe80::1%",
        "fe80::1%\x1b[2J",
        "::1%2]",
        "fe80::1%" + "x" * 17,
        "host:65536",
        "host:-1",
        "host:٣",
        "a b",
        "-x",
        "1.2.3",
        "999.1.1.1",
        "[fd00::2",
        "x" * 300,
        "a..b",
        "é",
    ],
)
def test_text_that_is_no_address(text):
    with pytest.raises(BadAddress):
        parse_address(text)


@pytest.fixture
def adapters(monkeypatch):
    return partial(have, monkeypatch)


def shown(networks) -> list[str]:
    return [str(own.interface.ip) for own in networks]


def test_tunnels_and_containers_are_not_told_where_there_is_another_network(adapters):
    adapters(LO, *INSIDE, *ASIDE, WLAN)
    assert own_addresses() == ["192.168.1.7", "fd00::5"]
    assert own_addresses(link_local=True) == ["192.168.1.7", "fd00::5", "fe80::1"]
    assert sorted(shown(all_networks().skipped)) == sorted(
        str(one.ips[0].ip) for one in (*INSIDE, *ASIDE)
    )


@pytest.mark.parametrize("only", ASIDE, ids=lambda one: one.name)
@pytest.mark.parametrize("beside", [[], [SILENT], INSIDE], ids=["alone", "silent", "containers"])
def test_a_tunnel_or_bridge_is_told_where_there_is_nothing_else(adapters, only, beside):
    adapters(LO, *beside, only)
    assert own_addresses()[0] == only.ips[0].ip
    assert [str(own.interface.ip) for own in own_networks() if own.aside] == [only.ips[0].ip]
    assert only.ips[0].ip not in shown(all_networks().skipped)


def test_the_machines_of_a_tailnet_are_in_one_network(adapters):
    adapters(LO, adapter("tailscale0", ("100.100.1.1", 32)))
    assert worth_dialling(["100.64.7.7", "100.128.0.1"], loopback=False) == ["100.64.7.7"]
    adapters(LO, WLAN)
    assert worth_dialling(["100.64.7.7"], loopback=False) == []


def test_no_network_leads_to_containers(adapters):
    adapters(LO, *INSIDE, adapter("veth1", (("fe80::3", 0, 3), 64)))
    assert own_addresses(link_local=True) == []
    assert len(all_networks().skipped) == len(INSIDE)


def test_an_unplugged_interface_does_not_count(adapters):
    adapters(LO, WLAN, adapter("eth0", ("192.168.1.8", 24)), broken=["wlan0"])
    assert own_addresses() == ["192.168.1.8"]
    assert all_networks().skipped == []
    assert "192.168.1.7" in shown(all_networks().broken)


@pytest.mark.parametrize("call", [(ifaddr, "get_adapters"), (addresses, "works")])
def test_without_a_free_file_the_addresses_are_those_of_the_last_look(adapters, monkeypatch, call):
    adapters(LO, WLAN, adapter("eth0", ("192.168.1.8", 24)), broken=["wlan0"])
    before = all_networks()

    def out_of_files(*_):
        raise OSError(errno.EMFILE, "too many files")

    monkeypatch.setattr(*call, out_of_files)
    assert all_networks() == before
    assert is_own("192.168.1.8")


def test_others_dial_link_local_ipv6_only_where_there_is_nothing_else(adapters):
    adapters(LO, WLAN)
    assert reachable_hosts() == ["192.168.1.7", "fd00::5"]
    adapters(LO, adapter("eth0", (("fe80::2", 0, 2), 64)))
    assert reachable_hosts() == ["fe80::2"]
    adapters(LO)
    assert reachable_hosts() == []


def test_a_link_local_address_without_a_scope_is_tried_on_each_network(adapters):
    one = adapter("eth0", (("fe80::2", 0, 2), 64), ("192.168.1.7", 24), index=2)
    two = adapter("wlan0", (("fe80::1", 0, 3), 64), (("fd00::5", 0, 0), 64), index=3)
    adapters(LO, one, two, adapter("usb0", ("10.0.0.1", 8), index=4))
    assert nearest_first([("fe80::9", 5)]) == [("fe80::9%2", 5), ("fe80::9%3", 5)]
    assert nearest_first([("fe80::9%7", 5)]) == [("fe80::9%7", 5)]
    adapters(LO)
    assert nearest_first([("fe80::9", 5)]) == [("fe80::9", 5)]


def test_public_addresses_are_told_where_there_are_no_others(adapters):
    public = adapter("eth0", (("fe80::2", 0, 2), 64), ("8.8.8.8", 24))
    adapters(public)
    assert own_addresses() == ["8.8.8.8"]
    assert own_addresses(link_local=True) == ["8.8.8.8", "fe80::2"]
    adapters(public, WLAN)
    assert own_addresses() == ["192.168.1.7", "fd00::5"]


def test_the_same_network_is_tried_first(adapters):
    adapters(adapter("wlan0", ("192.168.1.7", 24)))
    far, near, name = ("10.0.0.1", 5), ("192.168.1.9", 5), ("laptop", 5)
    assert nearest_first([far, name, near, far]) == [near, far, name]


NEAR = [
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.1",
    "192.168.7.7",
    "169.254.3.4",
    "fd12::1",
    "fe80::1%2",
    "198.51.100.77",
]
FAR = [
    *(
        "8.8.8.8",
        "172.32.0.1",
        "203.0.113.9",
        "2600::1",
        "100.64.0.1",
        "240.0.0.1",
        "255.255.255.255",
    ),
    *("0.0.0.0", "0.0.0.1", "224.0.0.251", "ff02::fb", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
    *(
        "::ffff:169.254.3.4",
        "::ffff:198.51.100.77",
        "fe80::1",
        "router.local",
        "localhost",
        "",
        "10.0.0.1/24",
        "10.0.0.1:22",
        "0x7f000001",
        "fe80::1%\x1b[2J",
        "10.0.0.1\x1b[2J",
        "\x1b[2J",
    ),
]


@pytest.mark.parametrize("loopback", [False, True])
def test_we_go_nowhere_a_stranger_likes_to_send_us(monkeypatch, loopback):
    here = ipaddress.ip_interface("198.51.100.5/24")
    monkeypatch.setattr(addresses, "own_networks", lambda: [addresses.OwnAddress(here, "eth0", 2)])
    assert addresses.worth_dialling(NEAR, loopback=loopback) == NEAR
    assert addresses.worth_dialling(FAR, loopback=loopback) == []
    assert addresses.worth_dialling(["127.0.0.1", "::1", "127.9.9.9"], loopback=loopback) == (
        ["127.0.0.1", "::1", "127.9.9.9"] if loopback else []
    )
    assert len(addresses.worth_dialling(NEAR * 2, loopback=loopback)) == 8
