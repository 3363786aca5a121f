"""Phones find us at one private address and a port that stays; nobody else does."""

from __future__ import annotations

import os
import socket
from ipaddress import ip_interface

import pytest

from client.ui.phone import listening
from client.ui.phone.listening import PORTS, NoListenerError, listen, private_addresses
from p2p.net.addresses import OwnAddress


@pytest.fixture(autouse=True)
def own_ports(monkeypatch: pytest.MonkeyPatch) -> range:
    """Ports of this process alone: other tests run at the same time."""
    first = 20_000 + os.getpid() % 1000 * len(PORTS)
    ports = range(first, first + len(PORTS))
    monkeypatch.setattr(listening, "PORTS", ports)
    return ports


def port(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


@pytest.mark.parametrize(
    "address", ["0.0.0.0", "8.8.8.8", "100.64.1.1", "172.32.0.1", "127.0.0.2", "::1", "fd00::1"]
)
def test_nothing_listens_at_a_public_address_or_at_all_of_them(address):
    with pytest.raises(NoListenerError, match="private"):
        listen(address)


def test_the_first_free_port_is_taken_and_the_one_of_before_is_preferred(own_ports):
    with listen("127.0.0.1") as first, listen("127.0.0.1") as second:
        assert {port(first), port(second)} <= set(own_ports)
        assert port(first) < port(second)
        before = port(second)
        second.close()
        with listen("127.0.0.1", before) as again:
            assert port(again) == before


def test_private_addresses_come_with_thataddress_to_elsewhere_first(monkeypatch):
    texts = ["10.0.0.5/8", "192.168.1.23/24", "8.8.8.8/24", "fd00::1/64", "172.16.0.1/12"]
    own = [OwnAddress(ip_interface(text), "eth", 1) for text in texts]
    monkeypatch.setattr(listening, "own_networks", lambda: own)
    monkeypatch.setattr(listening, "address_to_elsewhere", lambda: "192.168.1.23")
    assert private_addresses() == ["192.168.1.23", "10.0.0.5", "172.16.0.1"]
    monkeypatch.setattr(listening, "address_to_elsewhere", lambda: "8.8.8.8")
    assert private_addresses() == ["10.0.0.5", "192.168.1.23", "172.16.0.1"]
