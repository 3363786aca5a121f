"""Hosts are asked for their tables without learning who asks: they may be somebody else, or a
stranger that announces a table to hear who is there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from client.commands import tables
from client.session.context import Context
from client.session.finding import table_of_known
from client.storage.home import Home
from p2p.net.events import LinkUp, Received
from p2p.net.mesh import Mesh, open_mesh
from p2p.net.probe import open_prober
from p2p.net.sighting import Sighting
from tests.table.lobbies import IDENTITIES, draft

HOME = "127.0.0.1"
HOST = IDENTITIES[0]


@asynccontextmanager
async def host(folder: Path, seen: list[bytes], *, playing: bool = False) -> AsyncIterator[Mesh]:
    """Show a table to all that look, unless it is `playing`; `seen` takes their ids."""
    pem = folder / "host.pem"
    pem.write_bytes(HOST.pem())

    async def answer(mesh: Mesh) -> None:
        async for event in mesh.events:
            if isinstance(event, LinkUp):
                seen.append(event.peer)
            elif isinstance(event, Received):
                refusal = {"t": "refuse", "why": "playing"}
                mesh.send(event.peer, refusal if playing else draft(2).message())

    async with (
        open_mesh(HOST, pem, interface=HOME, port=0) as mesh,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(answer, mesh)
        yield mesh
        nursery.cancel_scope.cancel()


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context(Home(tmp_path / "home"), HOME, 0)


async def test_contacts_at_earlier_addresses_do_not_learn_who_asks(tmp_path, context) -> None:
    seen: list[bytes] = []
    async with host(tmp_path, seen) as mesh:
        at = (HOME, mesh.port)
        context.contacts.meet(HOST.id, "Ane", at, 1)
        found = await table_of_known(context, draft(2).table)
        assert await table_of_known(context, "another") is None
    assert found is not None
    assert (found.contact.nick, found.addresses) == ("Ane", (at,))
    assert len(set(seen)) == 2
    assert context.identity.id not in seen


async def test_hosts_of_announced_tables_do_not_learn_who_asks(tmp_path, context) -> None:
    seen: list[bytes] = []
    async with host(tmp_path, seen) as mesh, open_prober() as prober:
        shown = draft(2)
        facts = (HOST.id, "Ane", shown.game, shown.table, 0, 2, "open", mesh.port, 3)
        true = Sighting(*facts, addresses=((HOME, mesh.port),))
        assert await tables.confirmed(prober, [true]) == {HOST.id}
        other = Sighting(IDENTITIES[1].id, *facts[1:], addresses=((HOME, mesh.port),))
        assert await tables.confirmed(prober, [other]) == set()
    assert context.identity.id not in seen
    assert len(seen) == 1


async def test_a_host_that_plays_confirms_a_table_that_plays_and_no_open_one(tmp_path) -> None:
    async with host(tmp_path, [], playing=True) as mesh, open_prober() as prober:
        for state, real in (("playing", {HOST.id}), ("open", set()), ("full", set())):
            facts = (HOST.id, "Ane", "escoba", "oak", 2, 2, state, mesh.port, 3)
            seen = Sighting(*facts, addresses=((HOME, mesh.port),))
            assert await tables.confirmed(prober, [seen]) == real, state
