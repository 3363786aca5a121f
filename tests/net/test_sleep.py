"""A machine that sleeps for ten minutes, and its clock runs on: the link that it finds is dead, and
a new one is made."""

from __future__ import annotations

import trio

from p2p.net.events import LinkDown, LinkUp, Received
from p2p.net.link import LOST, SILENT
from tests.net.meshes import next_event, waiting

SLEPT = 600.0


async def test_both_notice_a_sleep_of_ten_minutes_and_make_the_link_anew(
    identities, mesh_of, skipping_clock
):
    a, b = identities[:2]
    async with mesh_of(a) as one, mesh_of(b) as two:
        one.keep(b.id, two.addresses())
        two.keep(a.id, one.addresses())
        for mesh in (one, two):
            await next_event(mesh, LinkUp)
        await trio.sleep(20)
        one.send(b.id, ["before"])
        assert (await next_event(two, Received)).value == ["before"]
        assert not waiting(one)
        old = one.links()[b.id]
        skipping_clock.jump(SLEPT)
        woke = trio.current_time()
        reasons = []
        for mesh in (one, two):
            reasons.append((await next_event(mesh, LinkDown)).reason)
            await next_event(mesh, LinkUp)
        assert SILENT in reasons  # the side that looks first; to the other the link is lost then
        assert set(reasons) <= {SILENT, LOST}
        assert trio.current_time() - woke < 2
        assert one.links()[b.id].nonces == two.links()[a.id].nonces[::-1] != old.nonces
        for mesh, peer, other in ((one, b, two), (two, a, one)):
            assert mesh.send(peer.id, ["after"])
            assert (await next_event(other, Received)).value == ["after"]
