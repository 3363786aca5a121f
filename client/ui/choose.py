"""The interface of a command: the full screen on a terminal, else plain lines."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Awaitable, Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from client.i18n.translation import _, set_language
from client.session.context import Context
from client.session.signals import run_trio
from client.session.status import UsageError
from client.storage.home import VISITORS, open_home
from client.storage.settings import with_nick
from client.ui.interactive import interactive, is_dumb
from client.ui.replay_page.sharing import page_to_share

if TYPE_CHECKING:  # half of the modules of a table, which a browser does not wait for
    import trio

    from client.session.messages import Message
    from client.session.player import Player
    from client.ui.screen.application import TuiApplication
    from client.ui.screen.messages import OfPhones

    Session = Callable[[Player], Awaitable[int]]


def full_screen(args: Namespace) -> bool:
    """Whether this command is for the full screen, which needs a terminal that moves its cursor.

    Its words may ask for less.
    """
    if in_browser(args):
        return True
    wants_less = args.plain or getattr(args, "auto", False) or getattr(args, "brief", False)
    return interactive() and not is_dumb() and not wants_less


def in_browser(args: Namespace) -> bool:
    """Whether a browser is to show this command. UsageError if the words want plain lines too."""
    if not getattr(args, "browser", False):
        return False
    if args.plain:
        raise UsageError(_("--browser and --plain cannot be used together"))
    return True


def run_session(args: Namespace, context: Context, session: Session) -> int:
    """Run a session in the interface that fits, and return the exit status."""
    if not full_screen(args):
        from client.ui.plain.console import Console  # noqa: PLC0415 - only for plain lines: start-up time

        return run_trio(Console(brief=args.brief).spend, session)
    return _open(args, context, session)


def open_context(args: Namespace) -> Context:
    """Open the home, and return the context of a command."""
    return Context(open_home(), args.interface, getattr(args, "port", None))


def show_lobby(args: Namespace) -> int:
    """Show the full screen, beginning with the lobby, until our player quits.

    Return the exit status.
    """
    context = open_context(args)
    with context.home.locked():
        return _open(args, context, None)


def _open(args: Namespace, context: Context, session: Session | None) -> int:
    """Show the full screen, or the same in a browser, in the language of our player."""
    saved = with_nick(context.home.path, getattr(args, "nick", None) or "")
    if args.lang is None and saved.language:
        set_language(saved.language)
    phones = partial(_keep_phones, context, getattr(args, "phone", None))
    if in_browser(args):
        from client.ui.browser.show import open_in_browser  # noqa: PLC0415 - only if a browser is asked for: start-up time

        return open_in_browser(args, context, saved, session, phones, page_to_share)
    from client.ui.screen.application import open_application  # noqa: PLC0415 - only for the full screen

    return open_application(
        args, context, saved, session, move=_move, phones=phones, make_page=page_to_share
    )


async def _keep_phones(
    context: Context,
    wanted: OfPhones | None,
    tell: Callable[[Message], None],
    commands: trio.MemoryReceiveChannel[OfPhones],
) -> None:
    """Let phones play through this program until cancelled.

    The modules for this are loaded when there are visitors, or one is wanted.
    """
    first = [] if wanted is None else [wanted]
    if not (first or (context.home.path / VISITORS).is_dir()):
        first.append(await commands.receive())
    import trio  # noqa: PLC0415 - a browser is pointed to the page before the event loop is loaded

    await trio.to_thread.run_sync(import_module, "client.ui.phone.keeper")
    from client.ui.phone.keeper import Keeper  # noqa: PLC0415 - the line above has loaded it in a thread

    await Keeper(context, tell).spend(commands, first)


async def _move(application: TuiApplication, is_elsewhere: Callable[[str], None]) -> None:
    """Show an application in a browser until cancelled."""
    from client.ui.browser.loop import move  # noqa: PLC0415 - only if a browser is opened: start-up time

    await move(application, is_elsewhere)
