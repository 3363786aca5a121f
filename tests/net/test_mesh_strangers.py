"""Meshes and those who are not of the table: floods, blocked keys, and where somebody would send us."""

from __future__ import annotations

import pytest
import trio

from p2p.net import keep
from p2p.net.errors import LinkLost, PeerBlocked
from p2p.net.events import LinkDown, LinkUp, Received
from p2p.net.link import FLOOD
from p2p.net.pace import Limits, Pace
from p2p.net.tls import secure
from tests.net.test_mesh import next_event, until


async def test_who_proves_a_key_and_then_says_nothing_does_not_stay_in_the_door(identities, mesh_of, pem, skipping_clock):
    """TLS is done, WELCOME never comes: ten seconds after the connection its place is free again."""
    a, b = identities[:2]
    async with mesh_of(a) as one:
        stream = await trio.open_tcp_stream("127.0.0.1", one.port)
        secured = await secure(stream, b, server_side=False, pem_path=pem(b), expect=a.id)
        await trio.sleep(Pace().handshake / 2)
        assert one._door.pending == 1
        await trio.sleep(Pace().handshake / 2 + 1)
        assert one._door.pending == 0
        assert one.refused == {"TooSlow": 1}
        await trio.aclose_forcefully(secured.stream)


async def test_who_has_flooded_us_stays_outside_for_a_while(identities, mesh_of, skipping_clock):
    a, b, c = identities[:3]
    few = Limits(stranger_burst=20, stranger_rate=10, patience=2)
    async with mesh_of(a, limits=few) as one, mesh_of(b) as two, mesh_of(c) as three:
        await two.dial(one.addresses())
        for _ in range(200):
            two.send(a.id, [1])
        assert (await next_event(one, LinkDown)).reason == FLOOD
        await next_event(two, LinkDown)
        await two.dial(one.addresses())
        assert (await next_event(two, LinkDown)).reason == f"goodbye: {FLOOD}"
        assert one.links() == {}
        await three.dial(one.addresses())
        assert (await next_event(one, LinkUp)).peer == c.id
        await trio.sleep(Pace().penance)
        await two.dial(one.addresses())
        assert (await next_event(one, LinkUp)).peer == b.id


async def test_a_seated_flooder_is_slowed_down_then_left_and_the_others_go_on(identities, mesh_of, skipping_clock):
    a, b, c = identities[:3]
    few = Limits(rate=100, burst=200, patience=5)
    async with mesh_of(a, limits=few) as one, mesh_of(b) as two, mesh_of(c) as three:
        one.keep(b.id, two.addresses())
        one.keep(c.id, three.addresses())
        await until(lambda: len(one.links()) == 2)
        heard = []

        async def listen():
            async for event in one.events:
                heard.append(event)  # noqa: PERF401 -- what has come so far is looked at while more comes

        async def flood():
            while two.links():
                for _ in range(40):
                    two.send(a.id, [1])
                await trio.sleep(0.1)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen)
            await until(two.links)
            nursery.start_soon(flood)
            for number in range(20):
                await trio.sleep(0.5)
                three.send(a.id, [number])
            await trio.sleep(5)
            nursery.cancel_scope.cancel()
        downs = [event for event in heard if isinstance(event, LinkDown)]
        assert downs
        assert {(down.peer, down.reason) for down in downs} == {(b.id, FLOOD)}
        assert set(one.links()) == {c.id}  # though it is dialled again and again: it is a peer of ours
        honest = [event.value for event in heard if isinstance(event, Received) and event.peer == c.id]
        assert honest == [[number] for number in range(20)]
        taken = sum(isinstance(event, Received) and event.peer == b.id for event in heard)
        assert taken < 200 + 100 * 7


async def test_with_whom_we_want_nothing_to_do(identities, mesh_of):
    a, b, c = identities[:3]
    async with mesh_of(a, blocked=[b.id]) as one, mesh_of(b) as two, mesh_of(c) as three:
        with pytest.raises(PeerBlocked, match="You have blocked"):
            await one.dial(two.addresses())
        with pytest.raises(LinkLost):
            await two.dial(one.addresses())
        await until(lambda: one.refused == {"PeerBlocked": 1})
        await three.dial(one.addresses())
        assert (await next_event(one, LinkUp)).peer == c.id
        assert set(one.links()) == {c.id}


async def test_where_somebody_sends_us_we_do_not_go(identities, mesh_of, monkeypatch):
    asked = []

    async def note(addresses, *rest, **options):
        asked.extend(addresses)
        await trio.sleep_forever()

    monkeypatch.setattr(keep, "dial", note)
    far = [("203.0.113.9", 22), ("example.org", 47747), ("0.0.0.0", 1), ("224.0.0.251", 5353), ("::ffff:127.0.0.1", 22)]
    async with mesh_of(identities[0]) as one:
        one.keep(identities[1].id, [*far, ("127.0.0.1", 47999)])
        await until(lambda: asked)
        assert asked == [("127.0.0.1", 47999)]


async def test_where_a_link_led_it_is_dialled_again(identities, mesh_of, skipping_clock):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        await two.dial(one.addresses())
        await next_event(one, LinkUp)
        one.keep(b.id)  # nobody has told where it is
        one.drop(b.id, "by chance")
        await next_event(one, LinkDown)
        assert (await next_event(one, LinkUp)).peer == b.id


async def test_false_addresses_do_not_drive_out_the_true_one(identities, mesh_of, skipping_clock):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        one.keep(b.id, two.addresses())
        assert (await next_event(one, LinkUp)).peer == b.id
        for number in range(30):  # somebody says again and again that it is elsewhere
            one.keep(b.id, [("127.0.0.1", 20_000 + number)])
        one.drop(b.id, "by chance")
        await next_event(one, LinkDown)
        assert (await next_event(one, LinkUp)).peer == b.id
