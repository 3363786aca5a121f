"""Show the session in a browser, in place of the terminal (`--browser`) or a while (key `b`)."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from importlib import import_module

import trio

from client.i18n.translation import _
from client.session.context import Context
from client.session.signals import run_trio
from client.ui.browser.access import Gate
from client.ui.plain.printing import say
from client.ui.screen.application import Session, TuiApplication, make_application


def open_in_browser(args: Namespace, context: Context, first: Session | None = None) -> int:
    """Show everything in a browser until our player quits; `first` is the session to begin with.

    Return the exit status.
    """
    application = make_application(args, context, first, ascii_only=False)
    return run_trio(_spend, application, not args.no_open)


async def _spend(application: TuiApplication, opens: bool) -> int:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(application.heed_signals)
        gate, listeners = await _listen()
        nursery.start_soon(_point_to, gate, opens)
        nursery.start_soon(_renew, gate, _tell_again)
        nursery.start_soon(_serve, application, gate, listeners)
        status = await application.main()
        nursery.cancel_scope.cancel()
    return status


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


async def _serve(
    application: TuiApplication, gate: Gate, listeners: list[trio.SocketListener]
) -> None:
    """Serve the page.

    The address is known by then: a browser starts while the modules for its page are loaded.
    """
    server = await trio.to_thread.run_sync(import_module, "client.ui.browser.server")
    await server.serve(application, gate, listeners)


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
        nursery.start_soon(_serve, application, gate, listeners)
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
