"""Show the session in a browser, in place of the terminal (`--browser`).

The system takes connections as soon as we listen. So the address is printed and a window is opened
first. The event loop and the screens are loaded while the browser starts.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from client.i18n.translation import _
from client.session.context import Context
from client.session.signals import exit_on_signals, late_signals, run_trio
from client.storage.settings import Settings
from client.ui.browser.access import Gate
from client.ui.browser.opening import has_windows, listen, open_window
from client.ui.plain.printing import say

if TYPE_CHECKING:  # all screens, which are loaded while a browser opens the page
    from client.ui.screen.application import KeepPhones, MakePage, Session


def open_in_browser(
    args: Namespace,
    context: Context,
    saved: Settings,
    first: Session | None = None,
    phones: KeepPhones | None = None,
    make_page: MakePage | None = None,
) -> int:
    """Show everything in a browser until our player quits; `first` is the session to begin with.

    Return the exit status.
    """
    with exit_on_signals(), late_signals():
        gate, listener = listen()
        opened = _point_to(gate, opens=not args.no_open)
        from client.ui.browser import loop  # noqa: PLC0415 - the browser starts meanwhile

    make = loop.maker(args, context, saved, first, phones, make_page)
    return run_trio(loop.spend, make, gate, listener, opened)


def _point_to(gate: Gate, *, opens: bool) -> Callable[[], bool]:
    """Print the address, and open another one that leads to the same place.

    Return a function that waits until a browser has taken it, and says whether there is one.
    """
    say(_("Sobremesa is here, in a browser on this machine:"), f"  {gate.address()}", flush=True)
    if not opens or not has_windows(os.environ):
        return lambda: False
    address, taken = gate.address(), list[bool]()
    thread = Thread(target=lambda: taken.append(open_window(gate, address)), daemon=True)
    thread.start()

    def opened() -> bool:
        thread.join()
        return any(taken)

    return opened
