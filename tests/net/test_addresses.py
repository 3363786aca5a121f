from __future__ import annotations

from types import SimpleNamespace

import ifaddr
import pytest

from p2p.net.addresses import PORTS, is_own, nearest_first, own_addresses, parse_address, show_address
from p2p.net.errors import BadAddress


@pytest.mark.parametrize(
    ("text", "addresses"),
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
def test_addresses_as_people_type_them(text, addresses):
    assert list(parse_address(text)) == addresses


@pytest.mark.parametrize("address", [("192.168.1.23", 5), ("fd00::2", 5), ("fe80::1%2", 5), ("ane.local", 5)])
def test_what_is_shown_can_be_typed(address):
    assert parse_address(show_address(address)) == (address,)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":5",
        "host:",
        "host:0",
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
def test_what_is_no_address(text):
    with pytest.raises(BadAddress):
        parse_address(text)


def adapter(name: str, *ips: tuple[object, int], index: int = 1) -> SimpleNamespace:
    return SimpleNamespace(
        name=name, nice_name=name, index=index, ips=[SimpleNamespace(ip=ip, network_prefix=prefix) for ip, prefix in ips]
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
        adapter("wlan0", (("fe80::1", 0, 3), 64), (("fd00::5", 0, 0), 64), ("192.168.1.7", 24), ("8.8.8.8", 24)),
    )
    assert own_addresses() == ["192.168.1.7", "fd00::5"]
    assert own_addresses(link_local=True) == ["192.168.1.7", "fd00::5", "fe80::1"]


def test_public_addresses_are_told_where_there_are_no_others(adapters):
    adapters(adapter("eth0", ("8.8.8.8", 24)))
    assert own_addresses() == ["8.8.8.8"]


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
