"""The interface of a command: the full screen on a terminal, else plain lines."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Awaitable, Callable

import trio

from client.session.context import Context
from client.session.player import Player
from client.storage.home import open_home
from client.ui.plain.console import Console, interactive

Session = Callable[[Player], Awaitable[int]]


def full_screen(args: Namespace) -> bool:
    """Whether this command is for the full screen: on a terminal, unless its words ask for less."""
    wants_less = args.plain or getattr(args, "auto", False) or getattr(args, "brief", False)
    return interactive() and not wants_less


def run_session(args: Namespace, context: Context, session: Session) -> int:
    """Run a session in the interface that fits, and return the exit status."""
    if not full_screen(args):
        return trio.run(Console(brief=args.brief).spend, session)
    from client.ui.screen.application import open_application  # noqa: PLC0415 - only for the full screen: start-up time

    return open_application(args, context, session)


def open_context(args: Namespace) -> Context:
    """Open the home, and return the context of a command."""
    return Context(open_home(), args.interface, getattr(args, "port", None))


def show_lobby(args: Namespace) -> int:
    """Show the full screen, beginning with the lobby, until our player quits; return the exit status."""
    from client.ui.screen.application import open_application  # noqa: PLC0415 - the same

    context = open_context(args)
    with context.home.locked():
        return open_application(args, context)
