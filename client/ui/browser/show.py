"""Show the session in a browser, in place of the terminal (`--browser`) or a while (key `b`)."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import trio

from client.i18n.translation import _
from client.session.context import Context
from client.session.signals import heed_signals, run_trio
from client.storage.settings import Settings
from client.ui.browser.access import Gate
from client.ui.browser.server import Server, serve
from client.ui.plain.printing import say

if TYPE_CHECKING:  # all screens, which are loaded while a browser opens the page
    from client.ui.screen.application import Session, TuiApplication


def open_in_browser(
    args: Namespace, context: Context, saved: Settings, first: Session | None = None
) -> int:
    """Show everything in a browser until our player quits; `first` is the session to begin with.

    Return the exit status.
    """
    return run_trio(_spend, partial(_make, args, context, saved, first), not args.no_open)


def _make(
    args: Namespace, context: Context, saved: Settings, first: Session | None
) -> TuiApplication:
    from client.ui.screen.application import make_application  # noqa: PLC0415 - loaded by `_spend`

    return make_application(args, context, saved, first, ascii_only=False)


async def _spend(make: Callable[[], TuiApplication], opens: bool) -> int:
    """Serve the page, and meanwhile load what it will show."""
    application: TuiApplication | None = None
    status = 0

    def end(wanted: int) -> None:
        nonlocal status
        if application is None:
            status = wanted
            nursery.cancel_scope.cancel()
        else:
            application.end(wanted)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(heed_signals, end)
        gate, listeners = await _listen()
        server = Server(gate)
        nursery.start_soon(server.spend, listeners)
        nursery.start_soon(_point_to, gate, opens)
        nursery.start_soon(_renew, gate, _tell_again)
        await trio.to_thread.run_sync(_load)
        application = make()
        server.show(application)
        status = await application.main()
        nursery.cancel_scope.cancel()
    return status


def _load() -> None:
    for name in ("client.ui.screen.application", "client.ui.browser.tab"):
        import_module(name)


async def _listen() -> tuple[Gate, list[trio.SocketListener]]:
    """Listen on a random port of this machine's loopback interface."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    return Gate(listeners[0].socket.getsockname()[1]), listeners


async def _renew(gate: Gate, tell: Callable[[str], None]) -> None:
    """Tell a new address whenever a browser was put out.

    The browser cannot come back by the address that it had.
    """
    while True:
        tell(await gate.next_address())


def _tell_again(address: str) -> None:
    say(
        _(
            "The address was used a second time, so nobody is let in by it any more. The new "
            "address:"
        ),
        f"  {address}",
        flush=True,
    )


async def _point_to(gate: Gate, opens: bool) -> None:
    """Print the address, and open another one that leads to the same place.

    Other users of this machine may see the opened address in `ps`.
    """
    say(_("Sobremesa is here, in a browser on this machine:"), f"  {gate.address()}", flush=True)
    opened = opens and await open_window(gate.address())
    say(
        _("A browser window opens.") if opened else _("Open this address in a browser."),
        _("The address lets in one browser, once. Ctrl-C ends the program."),
        flush=True,
    )


async def move(application: TuiApplication, is_elsewhere: Callable[[str], None]) -> None:
    """Show an application in a browser until cancelled, and give the address to a function."""
    async with trio.open_nursery() as nursery:
        gate, listeners = await _listen()
        nursery.start_soon(serve, application, gate, listeners)
        nursery.start_soon(_renew, gate, is_elsewhere)
        is_elsewhere(gate.address())
        await open_window(gate.address())


async def open_window(address: str) -> bool:
    """Open an address in the browser of this desktop; return whether there is one."""
    return await trio.to_thread.run_sync(open_address, address, abandon_on_cancel=True)


def open_address(address: str) -> bool:
    """Open an address as `open_window` does, and wait until the browser has taken it."""
    if not has_windows(os.environ):
        return False
    import webbrowser  # noqa: PLC0415 - loads asyncio, which the first picture need not wait for

    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False


def has_windows(environment: Mapping[str, str]) -> bool:
    """Return whether a browser would open a window.

    A browser of the terminal would write over our lines.
    """
    if sys.platform in ("win32", "darwin"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
