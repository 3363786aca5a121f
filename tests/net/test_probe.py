"""A probe tells whether the owner of a key answers, and says nothing to a stranger."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest
import trio

from p2p.net import probe
from p2p.net.dial import Me, greet
from p2p.net.errors import Unreachable
from p2p.net.framing import pack_frame
from p2p.net.free import free_port
from p2p.net.probe import Answer, Proof, open_prober

HOME = "127.0.0.1"


async def test_the_owner_of_the_key_is_proven_and_sees_no_link(mesh_of, identities) -> None:
    ane, jon = identities[:2]
    async with mesh_of(ane) as mesh, open_prober() as prober:
        at = (HOME, mesh.port)
        assert await prober.prove(ane.id, [at]) == Proof(at, silent=False)
        assert await prober.prove(ane.id, [(HOME, free_port(HOME)), at]) == Proof(at, silent=False)
        assert await prober.prove(jon.id, [at]) == Proof(None, silent=False), (
            "another key answers there"
        )
        assert mesh.links() == {}


async def test_nobody_learns_who_asks(mesh_of, identities, monkeypatch) -> None:
    seen = []
    secure = probe.secure

    async def spied(stream, identity, **options):
        seen.append(identity.id)
        return await secure(stream, identity, **options)

    monkeypatch.setattr(probe, "secure", spied)
    async with mesh_of(identities[0]) as mesh:
        for _ in range(2):
            async with open_prober() as prober:
                await prober.prove(identities[0].id, [(HOME, mesh.port)])
    assert len(set(seen)) == 2
    assert not {identity.id for identity in identities} & set(seen)


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\n\r\n", b"SBM", b"SBM1\x00\x05hello"])
@pytest.mark.parametrize("how", ["prove", "ask"])
async def test_a_printer_prints_nothing(said, how, monkeypatch) -> None:
    monkeypatch.setattr(
        probe, "PATIENCE", probe.replace(probe.PATIENCE, certificate_s=0.3, handshake_s=0.5)
    )
    heard = []

    async def printer(stream: trio.SocketStream) -> None:
        if said:
            await stream.send_all(said)
        with trio.move_on_after(2), suppress(trio.BrokenResourceError):
            while data := await stream.receive_some():
                heard.append(data)

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, printer, 0)
        port = listeners[0].socket.getsockname()[1]
        async with open_prober() as prober:
            assert (await getattr(prober, how)(bytes(32), [(HOME, port)])).address is None
        await trio.sleep(0.1)
        nursery.cancel_scope.cancel()
    # Only a program that begins as a peer does is answered, with a certificate made for this.
    assert bool(heard) is said.startswith(b"SBM1")


async def test_an_owner_that_floods_who_asks_is_hardly_read(identities, pem) -> None:
    host, sent = identities[0], 0
    me = Me(host, pem(host))

    async def answer(stream: trio.SocketStream) -> None:
        nonlocal sent
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        link = await greet(stream, me, dialled=False, address=(HOME, 1))
        with suppress(trio.BrokenResourceError):
            while True:
                await link.stream.send_all(pack_frame([bytes(50_000)]))
                sent += 50_000

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, answer, 0)
        at = (HOME, listeners[0].socket.getsockname()[1])
        async with open_prober() as prober:
            assert await prober.ask(host.id, [at]) == Answer(at)
        nursery.cancel_scope.cancel()
    assert sent < 5_000_000


async def test_one_machine_is_asked_only_so_often_for_all_players_together(monkeypatch) -> None:
    """Adverts of invented players would let every lobby flood it."""
    tried = []

    async def connect(address, _timeouts):
        tried.append(address)
        raise Unreachable(str(address), "refused")

    monkeypatch.setattr(probe, "connect", connect)
    async with open_prober() as prober:
        for number in range(500):
            await prober.prove(bytes(32), [("192.0.2.1", 1024 + number)])
        assert probe.BURST <= len(tried) <= probe.BURST + 3 * probe.RATE
        assert not (await prober.prove(bytes(32), [("192.0.2.1", 1)])).tried
        assert (await prober.prove(bytes(32), [("192.0.2.2", 1)])) == Proof(None, silent=False)
