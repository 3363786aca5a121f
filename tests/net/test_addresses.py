from __future__ import annotations

import ipaddress
from types import SimpleNamespace

import ifaddr
import pytest

from p2p.net import addresses
from p2p.net.addresses import (
    PORTS,
    is_loopback,
    is_own,
    nearest_first,
    own_addresses,
    parse_address,
    show_address,
)
from p2p.net.errors import BadAddress


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
    "address", [("192.168.1.23", 5), ("fd00::2", 5), ("fe80::1%2", 5), ("ane.local", 5)]
)
def test_a_shown_address_can_be_typed(address):
    assert parse_address(show_address(address)) == (address,)


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


def adapter(name: str, *ips: tuple[object, int], index: int = 1) -> SimpleNamespace:
    return SimpleNamespace(
        name=name,
        nice_name=name,
        index=index,
        ips=[SimpleNamespace(ip=ip, network_prefix=prefix) for ip, prefix in ips],
    )


@pytest.fixture
def adapters(monkeypatch):
    def have(*found):
        monkeypatch.setattr(ifaddr, "get_adapters", lambda: list(found))

    return have


def test_tunnels_and_containers_are_not_told(adapters):
    adapters(
        adapter("lo", ("127.0.0.1", 8), (("::1", 0, 0), 128)),
        adapter("docker0", ("172.17.0.1", 16)),
        adapter("br-12ab", ("172.18.0.1", 16)),
        adapter("veth1", ("10.1.0.1", 16)),
        adapter("tun0", ("10.8.0.2", 24)),
        adapter("tailscale0", ("100.100.1.1", 32)),
        adapter("wg0", ("10.9.0.2", 24)),
        adapter("virbr0", ("192.168.122.1", 24)),
        adapter(
            "wlan0",
            (("fe80::1", 0, 3), 64),
            (("fd00::5", 0, 0), 64),
            ("192.168.1.7", 24),
            ("8.8.8.8", 24),
        ),
    )
    assert own_addresses() == ["192.168.1.7", "fd00::5"]
    assert own_addresses(link_local=True) == ["192.168.1.7", "fd00::5", "fe80::1"]


def test_public_addresses_are_told_where_there_are_no_others(adapters):
    adapters(adapter("eth0", ("8.8.8.8", 24)))
    assert own_addresses() == ["8.8.8.8"]


def test_private_addresses_are_the_same_in_every_python(adapters):
    adapters(adapter("eth0", ("192.0.0.9", 24), ("8.8.8.8", 24)))
    assert own_addresses() == ["192.0.0.9", "8.8.8.8"]


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.9.9.9", True), ("::1", True), ("::ffff:127.0.0.1", False), ("localhost", False)],
)
def test_loopback_is_the_same_in_every_python(host, loopback):
    assert is_loopback(host) == loopback


def test_no_network(adapters):
    adapters(adapter("lo", ("127.0.0.1", 8)))
    assert own_addresses() == []
    assert is_own("127.0.0.1")
    assert not is_own("192.168.1.7")
    assert not is_own("laptop")


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
