"""Find the peers of our match by mDNS after machines have moved to other addresses.

A player who looks for the others announces a key and addresses, but nothing of the match, which may
be private. Lists of tables do not show it. A player whose table is announced already announces
nothing more.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress

import trio

from client.session.context import Context
from client.session.presence import Presence
from p2p.net.discovery import Discovery, open_discovery
from p2p.net.errors import NoDiscovery
from p2p.net.mesh import Mesh
from p2p.net.sighting import Sighting, seat_advert
from p2p.net.tasks import background
from p2p.wire import PROTOCOL

AWAY_AFTER_S = 0.5
"""Seconds that a peer must be away: most lost links are restored by then."""
RETRY_S = 2.0
"""Seconds until zeroconf is tried again after a failure."""


class Seeker:
    """Looks for absent peers.

    `own` is our id if we are to announce our addresses; it is None for an announced table and for a
    spectator. `discovery` is used if given.
    """

    def __init__(
        self, own: bytes | None, context: Context, discovery: Discovery | None = None
    ) -> None:
        self._own, self._context, self._discovery = own, context, discovery

    async def run(self, presence: Presence, mesh: Mesh) -> None:
        """Look for peers whenever some are away, until cancelled."""
        context = self._context
        while True:
            await _until(presence, away=True)
            with trio.move_on_after(AWAY_AFTER_S):
                await _until(presence, away=False)
                continue
            try:
                async with (
                    open_discovery(context.interface, failed=context.note_error)
                    if self._discovery is None
                    else nullcontext(self._discovery)
                ) as discovery:
                    await self._seek(discovery, presence, mesh)
            except* (NoDiscovery, OSError):
                # no network, or no free file descriptors: this may change
                await trio.sleep(RETRY_S)

    async def _seek(self, discovery: Discovery, presence: Presence, mesh: Mesh) -> None:
        """Announce our addresses, and dial absent peers at theirs until all are back."""
        async with background() as nursery:
            nursery.start_soon(_follow, discovery, presence, mesh)
            discovery.seek(presence.others)
            try:
                if self._own is not None:
                    nursery.start_soon(be_found, discovery, self._own, mesh.port)
                await _until(presence, away=False)
            finally:
                discovery.seek(())
        if self._own is not None:
            with suppress(NoDiscovery):
                await discovery.withdraw()


async def _until(presence: Presence, *, away: bool) -> None:
    """Wait until a peer is away, or none."""
    while bool(presence.sought) != away:
        await presence.moved.wait()


async def be_found(discovery: Discovery, own: bytes, port: int) -> None:
    """Announce our key and addresses: not without a network, but as soon as there is one."""
    with suppress(NoDiscovery):
        await discovery.advertise(seat_advert(own, port, PROTOCOL))


async def _follow(discovery: Discovery, presence: Presence, mesh: Mesh) -> None:
    async for news in discovery.sightings(seats=True):
        if isinstance(news, Sighting) and news.id in presence.sought:
            mesh.keep(news.id, news.addresses)
