"""The event loop of a browser window: from the start (`--browser`), or for a while (key `b`)."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from importlib import import_module
from socket import socket
from typing import TYPE_CHECKING

import trio

from client.i18n.translation import _
from client.session.context import Context
from client.session.signals import heed_signals
from client.storage.settings import Settings
from client.ui.browser.access import Gate
from client.ui.browser.opening import listen, open_window
from client.ui.browser.server import Server
from client.ui.plain.printing import say

if TYPE_CHECKING:  # all screens, which are loaded while a browser opens the page
    from client.ui.screen.application import KeepPhones, MakePage, Session, TuiApplication


def maker(
    args: Namespace,
    context: Context,
    saved: Settings,
    first: Session | None,
    phones: KeepPhones | None = None,
    make_page: MakePage | None = None,
) -> Callable[[], TuiApplication]:
    """Return a function that makes the application, when `spend` has loaded it."""

    def make() -> TuiApplication:
        from client.ui.screen.application import make_application  # noqa: PLC0415 - loaded by `spend`

        return make_application(
            args, context, saved, first, phones=phones, make_page=make_page, ascii_only=False
        )

    return make


async def spend(
    make: Callable[[], TuiApplication], gate: Gate, listener: socket, opened: Callable[[], bool]
) -> int:
    """Serve the page, and meanwhile load what it will show.

    `opened` waits until a browser has taken the address, and says whether there is one.
    """
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
        server = Server(gate)
        nursery.start_soon(server.spend, _listeners(listener))
        nursery.start_soon(_tell_whether, opened)
        nursery.start_soon(_renew, gate, _tell_again)
        await trio.to_thread.run_sync(load)
        application = make()
        server.show(application)
        status = await application.main()
        nursery.cancel_scope.cancel()
    return status


def load() -> None:
    """Load all that the first picture needs."""
    for name in ("client.ui.screen.application", "client.ui.browser.entrance"):
        import_module(name)


def _listeners(listener: socket) -> list[trio.SocketListener]:
    return [trio.SocketListener(trio.socket.from_stdlib_socket(listener))]


async def _renew(gate: Gate, tell: Callable[[str], None]) -> None:
    """Tell a new address whenever a browser was put out.

    The browser cannot come back by the address that it had.
    """
    while True:
        put_out = trio.Event()
        gate.on_putting_out(put_out.set)
        await put_out.wait()
        tell(gate.address())


def _tell_again(address: str) -> None:
    say(
        _(
            "The address was used a second time, so nobody is let in by it any more. The new "
            "address:"
        ),
        f"  {address}",
        flush=True,
    )


async def _tell_whether(opened: Callable[[], bool]) -> None:
    """Say whether a browser opens the address that was printed."""
    opens = await trio.to_thread.run_sync(opened, abandon_on_cancel=True)
    said = (
        (
            _("A browser window opens."),
            _("If it does not show Sobremesa, open the address above."),
        )
        if opens
        else (_("Open this address in a browser."),)
    )
    say(
        *said,
        _("The address lets in one browser, once. Ctrl-C ends the program."),
        flush=True,
    )


async def move(application: TuiApplication, is_elsewhere: Callable[[str], None]) -> None:
    """Show an application in a browser until cancelled, and give the address to a function."""
    async with trio.open_nursery() as nursery:
        gate, listener = listen()
        server = Server(gate)
        nursery.start_soon(server.spend, _listeners(listener))
        nursery.start_soon(_renew, gate, is_elsewhere)
        is_elsewhere(gate.address())
        await trio.to_thread.run_sync(load)
        server.show(application)
        await trio.to_thread.run_sync(open_window, gate, gate.address(), abandon_on_cancel=True)
