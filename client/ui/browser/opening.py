"""Listen for a browser of this machine, and open an address in it. No event loop is needed."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from client.ui.browser.access import Gate
from client.ui.browser.shell import leading_to

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

SNAPS = Path("/snap")
"""This folder is there where programs may be snaps, as the browsers of Ubuntu are."""


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


def open_window(gate: Gate, address: str) -> bool:
    """Open an address of a gate in the browser of this desktop; return whether there is one.

    Every user of this machine sees the words with which a browser is started. So these name a file
    that only our user can read, and that leads to the address. It is deleted when the address has
    let a browser in, or when this program ends. If the file cannot be written nothing is opened.
    """
    if not has_windows(os.environ):
        return False
    try:
        folder = folder_for_a_browser()
        gate.on_use(address, folder.cleanup)
        page = Path(folder.name) / "sobremesa.html"
        descriptor = os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(leading_to(gate.by_file(address)))
    except OSError:
        return False
    return open_address(page.as_uri())


def folder_for_a_browser() -> TemporaryDirectory[str]:
    """Make a folder for a file that a browser will open, and that no other user can read.

    Raises OSError.
    A browser that is a snap can read neither the system's temporary files nor hidden folders, so
    where there are snaps the folder is in our user's own one.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - the first picture need not wait for it

    parent = os.environ.get("HOME") if SNAPS.is_dir() else None
    # its mode is 0700
    return TemporaryDirectory(prefix="sobremesa-", dir=parent, ignore_cleanup_errors=True)


def has_windows(environment: Mapping[str, str]) -> bool:
    """Return whether a browser would open a window.

    A browser of the terminal would write over our lines.
    """
    if sys.platform in ("win32", "darwin"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
