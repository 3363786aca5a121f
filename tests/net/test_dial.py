from __future__ import annotations

import errno
import socket
import sys
from contextlib import asynccontextmanager

import pytest
import trio

from client.i18n.sentences import said
from p2p.net.dial import Me, dial, why
from p2p.net.errors import OwnIdentity, Unreachable, WrongPeer


@pytest.fixture
def me(identities, pem):
    return Me(identities[0], pem(identities[0]))


@asynccontextmanager
async def server(handler):
    """Answer on loopback with `handler`; yields the address."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, handler, listeners)
        yield ("127.0.0.1", listeners[0].socket.getsockname()[1])
        nursery.cancel_scope.cancel()


def closed_port() -> tuple[str, int]:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return ("127.0.0.1", unused.getsockname()[1])


async def test_a_closed_port_gives_a_hint(me):
    with pytest.raises(Unreachable, match="hint refused") as caught:
        await dial([closed_port()], me)
    assert "127.0.0.1:" in str(caught.value)


async def test_all_ports_that_nobody_listens_at_are_named(me, monkeypatch):
    async def refuses(host, port):
        raise ConnectionRefusedError(errno.ECONNREFUSED, "refused")

    monkeypatch.setattr(trio, "open_tcp_stream", refuses)
    with pytest.raises(Unreachable) as caught:
        await dial([("192.0.2.9", 47747), ("192.0.2.9", 47748), ("fd00::9", 5)], me)
    assert caught.value.address == "192.0.2.9:47747-47748, [fd00::9]:5"


async def test_the_addresses_with_another_hint_are_not_named(me, monkeypatch):
    async def answers(host, port):
        number = errno.ECONNREFUSED if port == 5 else errno.ENETUNREACH
        raise OSError(number, "in vain")

    monkeypatch.setattr(trio, "open_tcp_stream", answers)
    with pytest.raises(Unreachable) as caught:
        await dial([("192.0.2.9", 5), ("fd00::9", 6)], me)
    assert (caught.value.address, caught.value.hint) == ("192.0.2.9:5", "refused")


async def test_no_answer_to_the_connection(me, monkeypatch, autojump_clock):
    async def never(host, port):
        await trio.sleep_forever()

    monkeypatch.setattr(trio, "open_tcp_stream", never)
    with pytest.raises(Unreachable, match="hint silent"):
        await dial([("192.0.2.9", 5)], me)
    assert trio.current_time() == pytest.approx(5.0)


async def test_a_bad_address_does_not_hold_up_a_good_one(
    me, identities, mesh_of, monkeypatch, skipping_clock
):
    real = trio.open_tcp_stream

    async def open_some(host, port):
        if host == "192.0.2.9":
            await trio.sleep_forever()
        return await real(host, port)

    monkeypatch.setattr(trio, "open_tcp_stream", open_some)
    async with mesh_of(identities[1]) as other:
        addresses = [("192.0.2.9", 5), ("192.0.2.9", 6), closed_port(), *other.addresses()]
        link = await dial(addresses, me)
        assert link.peer == identities[1].id
        assert trio.current_time() == pytest.approx(0.5, abs=0.2)
        await link.abort()


async def test_two_addresses_of_one_machine_make_one_link(me, identities, mesh_of):
    async with mesh_of(identities[1]) as other:
        link = await dial(other.addresses() * 3, me)
        with trio.fail_after(60):
            while not other.links():
                await trio.sleep(0.01)
        await trio.sleep(0.1)
        assert len(other.links()) == 1
        assert other.refused == {}
        await link.abort()


async def test_wrong_peer_and_oneself(me, identities, mesh_of):
    async with mesh_of(identities[1]) as other:
        with pytest.raises(WrongPeer):
            await dial(other.addresses(), me, expect=identities[2].id)
    async with mesh_of(identities[0]) as own:
        with pytest.raises(OwnIdentity):
            await dial(own.addresses(), me)


async def test_a_connection_that_waits_for_its_greeting_is_closed_with_the_dial(me):
    """The first of two connections is being greeted."""
    closed = []

    async def waiting(stream):
        async with stream:
            while await stream.receive_some():
                pass
        closed.append(stream)

    async with server(waiting) as one, server(waiting) as other:
        with trio.move_on_after(0.6):
            await dial([one, other], me)
        with trio.fail_after(60):
            while len(closed) < 2:
                await trio.sleep(0.01)


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (OSError(errno.ECONNREFUSED, ""), "refused"),
        (OSError(errno.ETIMEDOUT, ""), "silent"),
        (OSError(errno.ENETUNREACH, ""), "no network"),
        (socket.gaierror(-2, ""), "unknown"),
        (ExceptionGroup("", [OSError("?"), OSError(errno.ECONNREFUSED, "")]), "failed"),
        (ValueError(), "failed"),
    ],
)
def test_why(error, hint):
    assert why(error) == hint


def test_macos_local_network_privacy(monkeypatch):
    assert why(OSError(errno.EHOSTUNREACH, "")) == "no route"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert why(OSError(errno.EHOSTUNREACH, "")) == "blocked"
    assert "System Settings" in said(Unreachable("192.0.2.1:5", "blocked"))
