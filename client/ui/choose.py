"""The interface of a command: the full screen on a terminal, else plain lines."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Awaitable, Callable

import trio

from client.session.player import Player
from client.session.status import Status
from client.storage.home import Home, open_home
from client.ui.plain.console import Console, interactive

Session = Callable[[Player], Awaitable[int]]


def full_screen(args: Namespace) -> bool:
    """Whether this command is for the full screen: on a terminal, unless its words ask for less."""
    wants_less = args.plain or getattr(args, "auto", False) or getattr(args, "brief", False)
    return interactive() and not wants_less


def run_session(args: Namespace, home: Home, session: Session) -> int:
    """Run a session in the interface that fits, and return the exit status."""
    if not full_screen(args):
        return trio.run(_spend, session, Console(brief=args.brief))
    from client.ui.screen.application import open_application  # noqa: PLC0415 - only for the full screen: start-up time

    return open_application(args, home, session)


async def _spend(session: Session, player: Player) -> int:
    """Run a session in plain lines; a signal ends it and restores the terminal."""
    async with trio.open_nursery() as nursery:
        player.stop = nursery.cancel_scope.cancel  # until we sit at a table
        nursery.start_soon(player.heed_signals)
        status = await session(player)
        nursery.cancel_scope.cancel()
        return status
    return Status.OK if player.quit is None else player.quit


def show_lobby(args: Namespace) -> int:
    """Show the full screen, beginning with the lobby, until our player quits; return the exit status."""
    from client.ui.screen.application import open_application  # noqa: PLC0415 - the same

    home = open_home()
    with home.locked():
        return open_application(args, home)
