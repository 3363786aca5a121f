"""A session as a spectator: watch a match to its end, and later ones at the same table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import trio

from client.session.admission import online
from client.session.context import Context
from client.session.player import Player
from client.session.reaching import reach
from client.session.refusals import refusals_as_stops
from client.session.route import Route
from client.session.seeking import Seeker
from client.session.spectator.match import Shown, SpectatorSession
from client.session.status import Status
from p2p.net.tasks import background

LEAST_S = 5.0
"""The least seconds that a match is on the screen: a liar with all seats could play any number of
matches in that time."""


async def watch_match(
    context: Context, player: Player, find: Callable[[], Awaitable[Route]], *, auto: bool
) -> int:
    """Watch the match that is found, and later ones while our player stays.

    Return the exit status of the last match. Raises Stop, NetError or StoreError.
    """
    async with online(replace(context, port=0), player.tell) as admission:
        route, mesh = await find(), admission.mesh
        peer = await reach(context, mesh, route, player.tell)
        sealed, following = False, list[Shown | tuple[bytes, None]]([(peer, None)])
        with refusals_as_stops():
            while following:
                session = SpectatorSession(context, mesh, admission.tell, route.secret)
                until = trio.current_time() + LEAST_S
                peer, shown = following.pop()
                async with background() as nursery:
                    if not auto:
                        nursery.start_soon(player.read)
                    sealed = await session.run(peer, Seeker(None, context), shown)
                async with background() as nursery:
                    nursery.start_soon(_stay, player, nursery.cancel_scope)
                    following.append(await session.next_match())
                    await trio.sleep_until(until)
                session.release()
    return Status.OK if sealed else Status.FAILED


async def _stay(player: Player, session: trio.CancelScope) -> None:
    """Let our player look at the end until it goes."""
    await player.again()
    session.cancel()
