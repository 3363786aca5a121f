"""Links to kept peers: dialled again, found later, and forgotten."""

from __future__ import annotations

import pytest
import trio

from p2p.net.errors import (
    Unreachable,
)
from p2p.net.events import LinkDown, LinkUp, PeerAway, Received
from p2p.net.link import LOST
from p2p.net.timeouts import Timeouts
from tests.net.meshes import next_event, waiting


async def kill(mesh, peer):
    """Break the connection under a link, as a cable does."""
    await trio.aclose_forcefully(mesh.links()[peer].stream.transport_stream)


@pytest.mark.parametrize("who_keeps", [(0,), (1,), (0, 1)])
async def test_a_killed_link_is_dialled_again_at_once(
    identities, mesh_of, skipping_clock, who_keeps
):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        meshes = (one, two)
        for side in who_keeps:
            meshes[side].keep(identities[1 - side].id, meshes[1 - side].addresses())
        await next_event(one, LinkUp)
        await next_event(two, LinkUp)
        await trio.sleep(20)
        before = trio.current_time()
        await kill(one, b.id)
        assert (await next_event(one, LinkDown)).reason == LOST
        await next_event(one, LinkUp)
        await next_event(two, LinkUp)
        assert trio.current_time() - before < 1
        one.send(b.id, ["again"])
        assert (await next_event(two, Received)).value == ["again"]
        assert not [event for event in waiting(one) if isinstance(event, PeerAway)]


async def test_a_peer_that_comes_later_is_found(identities, mesh_of, skipping_clock):
    a, b = identities[:2]
    async with mesh_of(b) as two:
        address = two.addresses()
    async with mesh_of(a) as one:
        one.keep(b.id, address)
        away = await next_event(one, PeerAway)
        assert away.peer == b.id
        assert isinstance(away.why, Unreachable)
        assert trio.current_time() == pytest.approx(6, abs=1)
        await trio.sleep(60)
        assert not waiting(one)  # told once
        async with mesh_of(b, port=address[0][1]) as two:
            before = trio.current_time()
            await next_event(one, LinkUp)
            assert trio.current_time() - before <= 3.5


async def test_forgotten_peers_are_not_dialled_again(identities, mesh_of, skipping_clock):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        one.keep(b.id, two.addresses())
        await next_event(one, LinkUp)
        one.forget(b.id)
        one.forget(b.id)
        assert list(one.links()) == [b.id]
        one.drop(b.id, "bad signatures")
        assert (await next_event(one, LinkDown)).reason == "bad signatures"
        assert (await next_event(two, LinkDown)).reason == "goodbye: bad signatures"
        await trio.sleep(30)
        assert one.links() == two.links() == {}
        assert waiting(one) == []


async def test_a_link_that_ends_at_once_is_not_dialled_in_a_tight_circle(
    identities, mesh_of, skipping_clock
):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        one.keep(b.id, two.addresses())
        ups = 0
        with trio.move_on_after(30):
            async for event in two.events:
                if isinstance(event, LinkUp):
                    ups += 1
                    two.drop(a.id, "go away")
        assert 8 < ups < 30 / Timeouts().redial_most_s + 6
