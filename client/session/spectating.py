"""A session as a spectator: watch a match of others to its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import trio

from client.session.admission import online
from client.session.context import Context
from client.session.joining import Route, first_refused
from client.session.player import Player
from client.session.refusals import refusal
from client.session.seeking import Seeker
from client.session.spectate import SpectatorSession
from client.session.status import Status
from p2p.table.lobby import TableRefused


async def watch_match(context: Context, player: Player, find: Callable[[], Awaitable[Route]], *, auto: bool) -> int:
    """Watch the match that is found until it is over; return the exit status. RefusedError, NetError, StoreError."""
    async with online(replace(context, port=0), player.tell) as admission:
        route, mesh = await find(), admission.mesh
        peer = await mesh.dial(list(route.addresses), route.expect)
        sealed = False
        try:
            async with trio.open_nursery() as nursery:
                if not auto:
                    nursery.start_soon(player.read)
                sealed = await SpectatorSession(context, mesh, player.tell).run(peer, Seeker(None, context.interface))
                nursery.cancel_scope.cancel()
            await player.again()  # there is no second match for a spectator, but the end stays on the screen
        except* TableRefused as group:
            raise refusal(first_refused(group)) from None
    return Status.OK if sealed else Status.FAILED
