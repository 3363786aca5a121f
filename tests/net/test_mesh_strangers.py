"""Meshes and those who are not of the table: floods, blocked keys, and where somebody would send
us."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import trio

from p2p.net import keep
from p2p.net.dial import Me, dial, greet
from p2p.net.errors import LinkLost, PeerBlocked
from p2p.net.events import LinkDown, LinkUp, Received
from p2p.net.link import FLOOD, FULL
from p2p.net.timeouts import Limits, Timeouts
from p2p.net.tls import secure
from tests.net.flooder import fresh
from tests.net.meshes import next_event, until, waiting

EIGHT = [f"127.0.0.{number}" for number in range(2, 10)]
"""Eight more addresses of this machine, for a peer that counts by address."""

many_addresses = pytest.mark.skipif(
    sys.platform == "darwin", reason="loopback has one address here"
)


async def test_a_silent_peer_that_has_proved_its_key_does_not_stay_pending(
    identities, mesh_of, pem, skipping_clock
):
    """TLS is done, WELCOME never comes: ten seconds after the connection its place is free
    again."""
    a, b = identities[:2]
    async with mesh_of(a) as one:
        stream = await trio.open_tcp_stream("127.0.0.1", one.port)
        secured = await secure(stream, b, server_side=False, pem_path=pem(b), expect=a.id)
        await trio.sleep(Timeouts().handshake_s / 2)
        assert one.pending.pending == 1
        await trio.sleep(Timeouts().handshake_s / 2 + 1)
        assert one.pending.pending == 0
        assert one.refused == {"TooSlow": 1}
        await trio.aclose_forcefully(secured.stream)


async def test_a_peer_that_flooded_us_stays_outside_for_a_while(
    identities, mesh_of, skipping_clock
):
    a, b, c = identities[:3]
    few = Limits(stranger_burst=20, stranger_rate=10, patience_s=2)
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
        await trio.sleep(Timeouts().ban_s)
        await two.dial(one.addresses())
        assert (await next_event(one, LinkUp)).peer == b.id


@pytest.mark.slow
async def test_a_seated_flooder_is_slowed_down_then_left_and_the_others_go_on(
    identities, mesh_of, skipping_clock
):
    a, b, c = identities[:3]
    few = Limits(rate=100, burst=200, patience_s=5)
    async with mesh_of(a, limits=few) as one, mesh_of(b) as two, mesh_of(c) as three:
        one.keep(b.id, two.addresses())
        one.keep(c.id, three.addresses())
        await until(lambda: len(one.links()) == 2)
        heard = []

        async def listen():
            async for event in one.events:
                heard.append(event)  # noqa: PERF401 -- earlier events are looked at while more come

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
        # though it is dialled again and again: it is a peer of ours
        assert set(one.links()) == {c.id}
        honest = [
            event.value for event in heard if isinstance(event, Received) and event.peer == c.id
        ]
        assert honest == [[number] for number in range(20)]
        taken = sum(isinstance(event, Received) and event.peer == b.id for event in heard)
        assert taken < 200 + 100 * 7


async def test_a_blocked_peer_gets_no_link_either_way(identities, mesh_of):
    a, b, c = identities[:3]
    async with mesh_of(a, blocked=[b.id]) as one, mesh_of(b) as two, mesh_of(c) as three:
        with pytest.raises(PeerBlocked):
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
    far = [
        ("203.0.113.9", 22),
        ("example.org", 47747),
        ("0.0.0.0", 1),
        ("224.0.0.251", 5353),
        ("::ffff:127.0.0.1", 22),
    ]
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


# How many strangers there are at a time.


@asynccontextmanager
async def strangers_of(folder, mesh):
    """Yield a function by which somebody new comes to a mesh, from an address of this machine, and
    stays; it returns the link."""

    async def ignore(value):
        """The words do not matter here."""

    async def come(own="127.0.0.1", me=None):
        stream = await trio.open_tcp_stream("127.0.0.1", mesh.port, local_address=own)
        link = await greet(
            stream, me or await fresh(folder), dialled=True, address=("127.0.0.1", mesh.port)
        )
        nursery.start_soon(link.run, ignore)
        return link

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take_away, mesh)
        yield come
        nursery.cancel_scope.cancel()


async def take_away(mesh):
    async for _event in mesh.events:
        pass


async def has_gone(link):
    await until(lambda: link.ended)
    return link.ended


async def test_strangers_of_one_address_do_not_shut_the_table_for_somebody_honest_from_there(
    identities, mesh_of, tmp_path
):
    """They have proven a key each, and only look on; a newcomer is let in, and the oldest goes."""
    async with (
        mesh_of(identities[0], limits=Limits(links=8)) as one,
        strangers_of(tmp_path, one) as come,
    ):
        strangers = [await come() for _ in range(8)]
        honest = await come()
        assert await has_gone(strangers[0]) == f"goodbye: {FULL}"
        await trio.sleep(0.1)
        assert honest.ended is None
        assert [link.ended for link in strangers[1:]] == [None] * 7
        assert len(one.links()) == 8


@many_addresses
async def test_the_address_with_most_links_makes_room_and_not_the_oldest_link(
    identities, mesh_of, tmp_path
):
    async with (
        mesh_of(identities[0], limits=Limits(links=4)) as one,
        strangers_of(tmp_path, one) as come,
    ):
        honest = [await come(EIGHT[0])]
        strangers = [await come(EIGHT[1]) for _ in range(3)]
        honest.append(await come(EIGHT[2]))
        for _ in range(3):
            strangers.append(await come(EIGHT[1]))
            await has_gone(strangers[len(strangers) - 3])
        await trio.sleep(0.1)
        assert [link.ended for link in honest] == [None, None]
        assert [link.ended for link in strangers[-2:]] == [None, None]


@many_addresses
@pytest.mark.parametrize("ours", ["kept before", "kept after", "dialled"])
async def test_a_peer_of_ours_never_makes_room_for_a_stranger(identities, mesh_of, tmp_path, ours):
    a, b = identities[:2]
    few = Limits(links=2)
    async with (
        mesh_of(a, limits=few) as one,
        mesh_of(b) as two,
        strangers_of(tmp_path, one) as come,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(take_away, two)
        if ours == "kept before":
            one.keep(b.id)
        await (one.dial(two.addresses()) if ours == "dialled" else two.dial(one.addresses()))
        await until(lambda: b.id in one.links())
        if ours == "kept after":
            one.keep(b.id)
        link = one.links()[b.id]
        strangers = [await come(own) for own in EIGHT]
        await until(lambda: [link.ended for link in strangers[:-2]] == [f"goodbye: {FULL}"] * 6)
        await trio.sleep(0.1)
        assert one.links()[b.id] is link
        assert len(one.links()) == 3
        nursery.cancel_scope.cancel()


@many_addresses
async def test_idle_connections_from_eight_addresses_do_not_keep_anybody_out(
    identities, mesh_of, tmp_path, skipping_clock
):
    async with (
        mesh_of(identities[0]) as one,
        strangers_of(tmp_path, one) as come,
        AsyncExitStack() as stack,
    ):
        for own in EIGHT * 10:
            await stack.enter_async_context(
                await trio.open_tcp_stream("127.0.0.1", one.port, local_address=own)
            )
        await trio.sleep(0.5)
        assert one.pending.pending == Limits().handshakes
        began = trio.current_time()
        honest = await come()
        assert trio.current_time() - began < 1
        await until(one.links)
        assert honest.ended is None


async def test_links_that_are_closed_are_few_though_their_peer_keeps_them_open(
    identities, mesh_of, pem, monkeypatch
):
    monkeypatch.setattr("p2p.net.mesh.CLOSING", 4)
    stranger = Me(identities[1], pem(identities[1]))
    async with mesh_of(identities[0]) as mesh:
        kept = [await dial(mesh.addresses(), stranger) for _ in range(20)]
        await until(lambda: len(mesh.running) <= 1 + 4)
        assert set(mesh.links()) == {identities[1].id}
        assert [type(event) for event in waiting(mesh)].count(LinkUp) == 20
        for link in kept:
            await link.abort()
