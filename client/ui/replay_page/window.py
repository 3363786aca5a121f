"""Show a replay page in the browser of this machine.

The page is a file that only our user can read. It is removed afterwards.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from client.i18n.translation import _
from client.session.signals import exit_on_signals
from client.ui.browser.opening import folder_for_a_browser, open_address
from client.ui.plain.printing import say

NAME = "sobremesa.html"


def show_page(page: bytes, *, opens: bool = True) -> None:
    """Write a page to a folder of its own, open it, wait for our player, and remove both."""
    with exit_on_signals(), folder_for_a_browser() as folder:
        path = Path(folder) / NAME
        path.write_bytes(page)
        say(_("The match is a page in this file:"), f"  {path}", flush=True)
        say(
            _("A browser window opens.")
            if opens and open_address(path.as_uri())
            else _("Open it in a browser."),
            flush=True,
        )
        wait()


def wait() -> None:
    """Wait for Enter, or for an interruption if there is no terminal."""
    say(_("Enter or Ctrl-C removes the file, and ends."), flush=True)
    try:
        if sys.stdin.isatty():
            input()
        else:
            while True:
                time.sleep(3600)
    except (KeyboardInterrupt, EOFError):
        return
