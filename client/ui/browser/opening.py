"""Listen for a browser of this machine, and open an address in it. No event loop is needed."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping

from client.ui.browser.access import Gate


def listen() -> tuple[Gate, socket.socket]:
    """Listen on a random port of this machine's loopback interface."""
    listener = socket.socket()
    if sys.platform == "win32":  # else another program could take over the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    return Gate(listener.getsockname()[1]), listener


def open_address(address: str) -> bool:
    """Open an address in the browser of this desktop, and wait until the browser has taken it.

    Return whether there is one.
    """
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
