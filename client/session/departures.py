"""While our player sits at no table, tell players who come back to a match that ours has left it.

A player who left while others were away is the only one who can show them the leave. So the program
listens in the lobby too, as long as one of its departures is recent, and can be found as a player
who looks for the others can.
"""

from __future__ import annotations

from contextlib import suppress

import trio

from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message
from client.session.running import discovery_or_none
from client.storage.departure import last_departure
from client.storage.home import StoreError
from p2p.net.discovery import Discovery
from p2p.net.errors import NetError, NoDiscovery
from p2p.net.sighting import seat_advert
from p2p.wire import PROTOCOL

RECENT_S = 30 * 24 * 3600.0
"""Seconds for which a departure is shown in the lobby."""


async def show_departures(context: Context) -> None:
    """Show the leaves of our player to players who ask for a match, until cancelled.

    Return at once if there is no recent one, or no network.
    """
    when = await trio.to_thread.run_sync(last_departure, context.home.logs)
    if context.clock() - when > RECENT_S:
        return
    with suppress(NetError, StoreError):  # a table that is opened or joined says what is wrong
        async with (
            context.open_mesh(context.contacts.blocked()) as mesh,
            discovery_or_none(context, _ignore) as discovery,
        ):
            if discovery is not None:
                await _be_found(discovery, context, mesh.port)
            await MatchSession(context, mesh, (), _ignore).linger()


async def _be_found(discovery: Discovery, context: Context, port: int) -> None:
    with suppress(NoDiscovery):  # a player can still dial the address of before
        await discovery.advertise(seat_advert(context.identity.id, port, PROTOCOL))


def _ignore(message: Message) -> None:
    """Nobody reads what happens: the lobby is on the screen."""
