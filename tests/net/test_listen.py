from __future__ import annotations

import socket
from contextlib import ExitStack

import pytest

from p2p.net import listen
from p2p.net.addresses import origin
from p2p.net.errors import NoSuchInterface, PortInUse
from p2p.net.listen import PendingConnections, open_listeners, port_of
from p2p.net.timeouts import Limits


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
        monkeypatch.setattr(
            listen, "PORTS", range(other.getsockname()[1], other.getsockname()[1] + 1)
        )
        listeners = await open_listeners(None, None)  # goes on to another
        assert port_of(listeners[0]) != other.getsockname()[1]
        await close(listeners)


async def test_the_port_asked_for_or_none():
    first = await open_listeners("127.0.0.1", 0)
    with pytest.raises(PortInUse) as caught:
        await open_listeners("127.0.0.1", port_of(first[0]))
    assert caught.value.port == port_of(first[0])
    await close(first)


@pytest.mark.parametrize("address", ["203.0.113.9", "no.such.host.invalid"])
async def test_an_interface_that_is_not_ours(address):
    with pytest.raises(NoSuchInterface):
        await open_listeners(address, 0)


def stand(pending, stack, host):
    """Add a pending connection; return the scope that is cancelled when it must make room."""
    return stack.enter_context(pending.inside(host))


async def test_a_new_connection_replaces_the_oldest_of_the_address_with_most_pending():
    pending = PendingConnections(Limits(handshakes=4))
    with ExitStack() as stack:
        first, *rest = [stand(pending, stack, host) for host in "abbb"]
        assert [scope.cancel_called for scope in (first, *rest)] == [False] * 4
        another = stand(pending, stack, "c")
        assert [scope.cancel_called for scope in (first, *rest, another)] == [
            False,
            True,
            False,
            False,
            False,
        ]
        same = stand(pending, stack, "b")
        assert [scope.cancel_called for scope in (first, *rest, another, same)] == [
            False,
            True,
            True,
            False,
            False,
            False,
        ]
        assert pending.pending == 4
    assert pending.pending == 0


async def test_a_connection_that_is_no_longer_pending_leaves_its_place():
    pending = PendingConnections(Limits(handshakes=2))
    with ExitStack() as stack:
        stays = stand(pending, stack, "a")
        with pending.inside("a"):
            assert pending.pending == 2
        stand(pending, stack, "b")
        assert pending.pending == 2
        assert not stays.cancel_called


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.168.1.7", "192.168.1.7", True),
        ("192.168.1.7", "192.168.1.8", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%2", "fe80::9%2", True),
        ("fe80::1%2", "fe80::1%3", False),
        ("?", "?", True),
    ],
)
def test_of_ipv6_the_first_half_counts_for_a_machine_chooses_the_rest(one, other, same):
    assert (origin(one) == origin(other)) is same
