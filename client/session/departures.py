"""Show our leaves to players who return to a match, while our player is in the lobby.

If our player left while others were away, only this program can show them the leave. So as long as
a departure is recent, it listens in the lobby too, and can be found as a player who looks for the
others can.
"""

from __future__ import annotations

import time
from contextlib import suppress

import trio

from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message
from client.session.running import discovery_or_none
from client.session.seeking import be_found
from client.storage.departure import last_departure
from client.storage.home import StoreError
from p2p.net.errors import NetError

RECENT_S = 30 * 24 * 3600.0
"""Seconds for which a departure is shown in the lobby."""


async def show_departures(context: Context) -> None:
    """Show our player's leaves to players who ask for a match, until cancelled.

    Return at once if there is no recent one, or no network.
    """
    when = await trio.to_thread.run_sync(last_departure, context.home.logs)
    if time.time() - when > RECENT_S:
        return
    with suppress(NetError, StoreError):  # opening or joining a table reports the error
        async with (
            context.open_mesh(context.contacts.blocked()) as mesh,
            discovery_or_none(context, _ignore) as discovery,
        ):
            if discovery is not None:
                await be_found(discovery, context.identity.id, mesh.port)
            await MatchSession(context, mesh, (), _ignore).linger()


def _ignore(message: Message) -> None:
    """Ignore a message: the lobby is on the screen."""
