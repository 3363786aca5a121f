"""A session as a spectator: watch a match of others to its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from client.session.admission import contacts_of
from client.session.joining import Route, first_refused
from client.session.player import Player
from client.session.refusals import refusal
from client.session.seeking import Seeker
from client.session.spectate import SpectatorSession
from client.session.status import Status
from client.storage.contacts import Contacts
from client.storage.home import Home
from client.storage.version import version
from p2p.net.mesh import open_mesh
from p2p.table.lobby import TableRefused


async def watch_match(
    home: Home, player: Player, find: Callable[[Contacts], Awaitable[Route]], *, interface: str | None, auto: bool
) -> int:
    """Watch the match that is found until it is over; return the exit status. RefusedError, NetError, StoreError."""
    contacts = contacts_of(home, player.tell)
    async with open_mesh(
        home.identity(), home.pem(), interface=interface, port=0, program=version(), blocked=contacts.blocked()
    ) as mesh:
        route = await find(contacts)
        peer = await mesh.dial(list(route.addresses), route.expect)
        sealed: bool | None = None
        try:
            async with trio.open_nursery() as nursery:
                player.stop = nursery.cancel_scope.cancel
                if not auto:
                    nursery.start_soon(player.read)
                sealed = await SpectatorSession(home, mesh, player.tell).run(peer, Seeker(None, interface))
                nursery.cancel_scope.cancel()
            await player.again()  # there is no second match for a spectator, but the end stays on the screen
        except* TableRefused as group:
            raise refusal(first_refused(group)) from None
    if sealed is None:
        return Status.OK if player.quit is None else player.quit
    return Status.OK if sealed else Status.FAILED
