"""Keeping a link to one peer, over real sockets on loopback."""

from __future__ import annotations

import trio

from p2p.net import keep
from p2p.net.errors import Unreachable
from p2p.net.events import LinkUp
from tests.net.meshes import next_event


async def test_a_new_address_is_tried_while_nobody_answers_at_the_old_one(identities, mesh_of):
    """All machines have moved: at the old address somebody else is, who takes connections and says
    nothing."""
    a, b = identities[:2]
    silent = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    async with mesh_of(a) as one, mesh_of(b) as two, silent:
        one.keep(b.id, [silent.socket.getsockname()])
        async with await silent.accept():  # the try has begun, and takes three seconds
            with trio.fail_after(1):
                one.keep(b.id, two.addresses())
                await next_event(one, LinkUp)


async def test_addresses_that_others_tell_are_dialled_only_so_often(
    identities, mesh_of, monkeypatch
):
    """A host could send its guests wherever it likes."""
    dialled = []

    async def dial(addresses, _me, *, expect):
        dialled.extend(addresses)
        raise Unreachable("there", "refused")

    monkeypatch.setattr(keep, "dial", dial)
    async with mesh_of(identities[0]) as mesh:
        for number in range(15):
            told = [("127.0.0.1", 1000 + 8 * number + place) for place in range(8)]
            mesh.keep(bytes([number]) * 32, told)
        await trio.sleep(2)
    assert keep.TOLD_BURST <= len(dialled) <= keep.TOLD_BURST + 3 * keep.TOLD_RATE
