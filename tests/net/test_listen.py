from __future__ import annotations

import socket

import pytest
import trio

from p2p.net import listen
from p2p.net.addresses import PORTS
from p2p.net.errors import NoSuchInterface, PortInUse
from p2p.net.listen import Door, open_listeners, port_of
from p2p.net.pace import Limits


async def close(listeners):
    for listener in listeners:
        await listener.aclose()


async def test_one_number_for_ipv4_and_ipv6():
    listeners = await open_listeners(None, 0)
    assert len({port_of(listener) for listener in listeners}) == 1
    families = {listener.socket.family for listener in listeners}
    assert families == ({socket.AF_INET, socket.AF_INET6} if socket.has_ipv6 else {socket.AF_INET})
    await close(listeners)


async def test_a_port_taken_in_ipv6_alone_is_not_used(monkeypatch):
    with socket.socket(socket.AF_INET6) as other:
        other.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        other.bind(("::1", 0))
        other.listen()
        with pytest.raises(PortInUse):
            await open_listeners(None, other.getsockname()[1])
        monkeypatch.setattr(listen, "PORTS", range(other.getsockname()[1], other.getsockname()[1] + 1))
        listeners = await open_listeners(None, None)  # goes on to another
        assert port_of(listeners[0]) != other.getsockname()[1]
        await close(listeners)


async def test_the_port_asked_for_or_none():
    first = await open_listeners("127.0.0.1", 0)
    with pytest.raises(PortInUse) as caught:
        await open_listeners("127.0.0.1", port_of(first[0]))
    assert caught.value.port == port_of(first[0])
    assert "--port" in str(caught.value)
    await close(first)


async def test_preferred_ports_one_after_the_other(monkeypatch):
    base = await open_listeners("127.0.0.1", 0)
    monkeypatch.setattr(listen, "PORTS", range(port_of(base[0]), port_of(base[0]) + 10))
    next_one = await open_listeners("127.0.0.1", None)
    assert port_of(next_one[0]) > port_of(base[0])
    await close(base + next_one)
    assert PORTS[0] == 47747


@pytest.mark.parametrize("address", ["203.0.113.9", "no.such.host.invalid"])
async def test_an_interface_that_is_not_ours(address):
    with pytest.raises(NoSuchInterface):
        await open_listeners(address, 0)


async def test_a_machine_without_ipv6(monkeypatch):
    real = trio.open_tcp_listeners

    async def only_v4(port, *, host):
        if ":" in host:
            raise OSError(97, "Address family not supported by protocol")
        return await real(port, host=host)

    monkeypatch.setattr(trio, "open_tcp_listeners", only_v4)
    listeners = await open_listeners(None, 0)
    assert len(listeners) == 1
    await close(listeners)


def test_the_door_counts_by_host_and_in_all():
    door = Door(Limits(handshakes=5, handshakes_per_host=2))
    assert [door.enter("a") for _ in range(3)] == [True, True, False]
    assert [door.enter(host) for host in "bcde"] == [True, True, True, False]
    door.leave("a")
    assert door.pending == 4
    assert door.enter("e")
