"""Meshes over real sockets on loopback, with real TLS."""

from __future__ import annotations

import pytest
import trio

from p2p.net import keep
from p2p.net import mesh as mesh_module
from p2p.net.errors import (
    NotSobremesa,
    OwnIdentity,
    Unreachable,
    UpdateHere,
    UpdateThere,
    WrongPeer,
)
from p2p.net.events import Failed, LinkDown, LinkUp, PeerAway, Received, TurnedAway
from p2p.net.link import FULL, LOST, SILENT, Link
from p2p.net.mesh import survivor
from p2p.net.timeouts import Limits, Timeouts
from p2p.wire import PROTOCOL
from tests.net.meshes import join, next_event, received, until, waiting


async def test_dial_and_talk(identities, mesh_of):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        assert await one.dial(two.addresses()) == b.id
        up = await next_event(two, LinkUp)
        assert (up.peer, up.public) == (a.id, a.public)
        # where it can be dialled, not where it came from
        assert up.address == ("127.0.0.1", one.port)
        assert await next_event(one, LinkUp) == LinkUp(b.id, b.public, ("127.0.0.1", two.port))
        assert one.send(b.id, {"t": "hello", "more": b"\0" * 60_000})
        assert await next_event(two, Received) == Received(
            a.id, {"t": "hello", "more": b"\0" * 60_000}, two.links()[a.id].nonces
        )
        assert two.send(a.id, ["back"])
        assert (await next_event(one, Received)).value == ["back"]
        assert list(one.links()) == [b.id]
        assert not one.send(identities[2].id, [1])


async def test_broadcast_goes_to_all_but_its_sender(identities, mesh_of):
    a, b, c = identities[:3]
    async with mesh_of(a) as one, mesh_of(b) as two, mesh_of(c) as three:
        await join(one, two, three)
        one.broadcast([1], skip={b.id})
        one.broadcast([2])
        assert (await next_event(two, Received)).value == [2]
        assert (await next_event(three, Received)).value == [1]
        assert (await next_event(three, Received)).value == [2]


@pytest.mark.parametrize("smaller_first", [True, False])
async def test_both_dial_at_once_and_one_link_stays(
    identities, mesh_of, smaller_first, skipping_clock
):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        async with trio.open_nursery() as nursery:
            for mesh, other in (
                ((one, two), (two, one)) if smaller_first else ((two, one), (one, two))
            ):
                nursery.start_soon(mesh.dial, other.addresses())
        await trio.sleep(10)
        (of_one,), (of_two,) = one.links().values(), two.links().values()
        assert of_one.nonces == of_two.nonces[::-1]  # the same link
        assert of_one.dialled  # by the smaller id
        for mesh, peer in ((one, b), (two, a)):
            events = waiting(mesh)
            assert isinstance(events[-1], LinkUp)
            assert {event.peer for event in events} == {peer.id}
        one.send(b.id, [1])
        assert (await next_event(two, Received)).value == [1]


async def test_both_keep_each_other_and_one_link_stays(identities, mesh_of, skipping_clock):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        two.keep(a.id, one.addresses())
        one.keep(b.id, two.addresses())
        await trio.sleep(30)
        (of_one,), (of_two,) = one.links().values(), two.links().values()
        assert of_one.nonces == of_two.nonces[::-1]
        assert of_one.dialled
        assert [type(event) for event in waiting(one)] == [LinkUp]


def test_the_survivor_of_two_links():
    class Link:
        def __init__(self, since, *, dialled):
            self.dialled, self.since, self.peer = dialled, since, b"\2"

    small, large = b"\1", b"\3"
    ours, theirs = Link(0.0, dialled=True), Link(0.1, dialled=False)
    # we are the smaller id: the link that we dialled stays
    assert survivor(ours, theirs, small, 3.0) is ours
    assert survivor(ours, theirs, large, 3.0) is theirs
    assert survivor(theirs, ours, small, 3.0) is ours
    later = Link(3.2, dialled=False)
    # they would not dial again if they still had the old one
    assert survivor(ours, later, small, 3.0) is later
    again = Link(0.2, dialled=True)
    assert survivor(ours, again, small, 3.0) is again


async def test_a_pin_that_does_not_fit(identities, mesh_of):
    a, b, c = identities[:3]
    async with mesh_of(a) as one, mesh_of(b) as two:
        with pytest.raises(WrongPeer):
            await one.dial(two.addresses(), expect=c.id[:10])
        assert await one.dial(two.addresses(), expect=b.id[:10]) == b.id
        assert await one.dial([], expect=b.id) == b.id  # there already
        await until(lambda: two.refused == {"LinkLost": 1})


async def test_dialling_oneself_or_a_copy_of_oneself(identities, mesh_of):
    async with mesh_of(identities[0]) as one, mesh_of(identities[0]) as copy:
        with pytest.raises(OwnIdentity):
            await one.dial(copy.addresses())
        with pytest.raises(Unreachable) as caught:
            await one.dial(one.addresses())
        assert caught.value.hint == "here"
        assert one.links() == copy.links() == {}


async def test_garbage_at_the_port_hurts_nobody(identities, mesh_of):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        for said in (
            b"GET / HTTP/1.1\r\n\r\n",
            b"SBM1\xff\xff",
            b"\0" * 1000,
            b"SBM1\x01\x00" + b"x" * 256,
        ):
            async with await trio.open_tcp_stream("127.0.0.1", one.port) as stream:
                await stream.send_all(said)
                answer = b""
                while data := await received(stream):
                    answer += data
                assert answer.startswith(b"SBM1") or not answer  # our announcement and nothing else
                assert len(answer) < 400
        await until(lambda: one.refused.total() == 4)
        assert one.refused == {NotSobremesa.__name__: 4}
        await two.dial(one.addresses())
        assert (await next_event(one, LinkUp)).peer == b.id


async def test_idle_strangers_are_few_and_do_not_stay(identities, mesh_of, skipping_clock):
    a, b = identities[:2]
    async with mesh_of(a, limits=Limits(handshakes=32)) as one, mesh_of(b) as two:
        strangers = [await trio.open_tcp_stream("127.0.0.1", one.port) for _ in range(60)]
        await trio.sleep(0.5)
        assert one.pending.pending == 32
        assert one.refused == {"TooManyPending": 28}
        two.keep(a.id, one.addresses())
        await next_event(one, LinkUp)
        assert trio.current_time() < 1
        assert one.refused["TooManyPending"] == 29
        await trio.sleep(Timeouts().certificate_s + 1)
        assert one.pending.pending == 0
        assert one.refused["TooSlow"] == 31
        for stream in strangers:
            await stream.aclose()


async def test_no_more_strangers_than_the_limit_but_kept_peers_come_in(
    identities, mesh_of, skipping_clock
):
    a, b, c, d = identities
    async with (
        mesh_of(a, limits=Limits(links=1)) as one,
        mesh_of(b) as two,
        mesh_of(c) as three,
        mesh_of(d) as four,
    ):
        await two.dial(one.addresses())
        await next_event(two, LinkUp)
        one.keep(d.id)
        await four.dial(one.addresses())
        await next_event(four, LinkUp)
        await until(lambda: set(one.links()) == {b.id, d.id})
        await three.dial(one.addresses())
        assert (await next_event(two, LinkDown)).reason == f"goodbye: {FULL}"
        assert set(one.links()) == {c.id, d.id}


async def test_silence_is_away_then_down(identities, mesh_of, skipping_clock):
    """A black hole in the middle: connections stay, nothing comes through."""
    a, b = identities[:2]
    open_valve = trio.Event()
    open_valve.set()
    async with mesh_of(a) as one, mesh_of(b) as two, trio.open_nursery() as nursery:
        state = {"valve": open_valve}

        async def proxy(stream):
            async with (
                stream,
                await trio.open_tcp_stream("127.0.0.1", two.port) as onward,
                trio.open_nursery() as both,
            ):
                both.start_soon(pipe, stream, onward)
                both.start_soon(pipe, onward, stream)

        async def pipe(source, sink):
            while data := await received(source):
                await state["valve"].wait()
                await sink.send_all(data)

        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, proxy, listeners)
        await one.dial([("127.0.0.1", listeners[0].socket.getsockname()[1])])
        await next_event(one, LinkUp)
        await next_event(two, LinkUp)
        await trio.sleep(20)
        before = trio.current_time()
        state["valve"] = trio.Event()
        for mesh, peer in ((one, b), (two, a)):
            assert await next_event(mesh, PeerAway) == PeerAway(peer.id, None)
            assert await next_event(mesh, LinkDown) == LinkDown(peer.id, SILENT)
        assert 4 <= trio.current_time() - before <= 8
        nursery.cancel_scope.cancel()


async def test_another_version_is_told_on_both_sides(identities, mesh_of):
    a, b = identities[:2]
    async with mesh_of(a) as old, mesh_of(b, protocol=PROTOCOL + 1, program="0.2") as new:
        with pytest.raises(UpdateHere, match=r"0\.2"):
            await old.dial(new.addresses())
        told = await next_event(new, TurnedAway)
        assert isinstance(told.error, UpdateThere)
        assert told.error.peer == a.id
        assert old.links() == new.links() == {}
        with pytest.raises(UpdateThere):
            await new.dial(old.addresses())


async def test_an_owner_who_does_not_look_loses_nothing(identities, mesh_of, skipping_clock):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        await join(one, two)
        one.keep(b.id)
        for number in range(3000):
            two.send(a.id, [number])
        await trio.sleep(60)
        for number in range(3000):
            assert (await next_event(one, Received, LinkDown)).value == [number]


async def test_a_change_of_network_wakes_the_dialling(
    identities, mesh_of, monkeypatch, skipping_clock
):
    a, b = identities[:2]
    here = ["10.0.0.1"]
    monkeypatch.setattr(mesh_module, "own_addresses", lambda **_: list(here))
    tries = []

    async def dial(addresses, me, *, expect):
        tries.append(trio.current_time())
        raise Unreachable("there", "no way")

    monkeypatch.setattr(keep, "dial", dial)
    slow = Timeouts(redial_most_s=1000.0, redial_s=1000.0)
    async with mesh_of(a, interface=None, timeouts=slow) as one:
        one.keep(b.id, [("192.0.2.1", 5)])
        await trio.sleep(100)
        assert len(tries) == 1
        here[:] = ["10.0.0.2"]
        await trio.sleep(6)
        assert len(tries) == 2


async def test_a_link_from_an_address_that_is_ours_no_more_is_lost_at_once(
    identities, mesh_of, monkeypatch
):
    a, b = identities[:2]
    here, asked = ["10.0.0.1"], []
    monkeypatch.setattr(mesh_module, "own_addresses", lambda **_: list(here))
    monkeypatch.setattr(mesh_module, "is_own", lambda host: bool(asked.append(host)))
    async with mesh_of(a, interface=None) as one, mesh_of(b) as other:
        await one.dial([("127.0.0.1", other.port)], b.id)
        await next_event(one, LinkUp)
        here[:] = ["10.0.0.2"]
        changed = trio.current_time()
        assert (await next_event(one, LinkDown)).reason == LOST
        assert trio.current_time() - changed < Timeouts().away_s / 2
        assert asked == ["127.0.0.1"]


async def test_an_error_with_one_connection_ends_no_other(identities, mesh_of, monkeypatch):
    a, b, c = identities[:3]

    class Fragile(Link):
        async def run(self, deliver):
            if self.peer == a.id and not self.dialled:
                raise KeyError("a bug")
            return await super().run(deliver)

    monkeypatch.setattr("p2p.net.dial.Link", Fragile)
    async with mesh_of(a) as one, mesh_of(b) as two, mesh_of(c) as three:
        await one.dial(two.addresses())
        assert isinstance((await next_event(two, Failed)).error, KeyError)
        assert await next_event(two, LinkDown) == LinkDown(a.id, LOST)
        await three.dial(two.addresses())
        assert (await next_event(two, LinkUp)).peer == c.id


async def test_an_error_with_a_stranger_ends_nothing(identities, mesh_of, monkeypatch):
    async def fails(*_, **__):
        raise KeyError("a bug")

    async with mesh_of(identities[0]) as mesh:
        monkeypatch.setattr("p2p.net.dial.secure", fails)
        stream = await trio.open_tcp_stream("127.0.0.1", mesh.port)
        assert isinstance((await next_event(mesh, Failed)).error, KeyError)
        assert await received(stream) == b""
        assert mesh.refused["Broken"] == 1
        await stream.aclose()
