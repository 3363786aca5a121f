"""Parts of this program in processes of their own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from client.i18n.translation import _
from client.session.python_process import INNER, RUN, is_one_file
from client.session.status import Stop

ROOT = str(Path(__file__).parents[2])
"""Where the packages of this program lie."""
_START = (
    "import runpy, sys; root, module = sys.argv[1:3]; del sys.argv[1:3]; root in sys.path or "
    "sys.path.insert(0, root); runpy.run_module(module, run_name='__main__', alter_sys=True)"
)


def command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of this program, and of this copy of it.

    With `-m` Python imports from the current folder first, where anybody's `client.py` may lie.
    `-P` keeps it from that.
    """
    if is_one_file():
        return [sys.executable, *([] if module == "client" else [INNER, RUN, module]), *words]
    return [sys.executable, "-P", "-c", _START, ROOT, module, *words]


def wait_for_players(
    players: Mapping[int, subprocess.Popen[Any]],
    limit_s: float,
    pause_s: float,
    failure: Callable[[int, int], str],
) -> None:
    """Wait for all to end well.

    Stop if one does not: `failure` gives the sentence, for its number and status.
    """
    until, waiting = time.monotonic() + limit_s, dict(players)
    while waiting:
        for number, process in list(waiting.items()):
            if status := process.poll():
                raise Stop(failure(number, status))
            if status == 0:
                del waiting[number]
        if time.monotonic() > until:
            raise Stop(
                _("the players are not done after {seconds} seconds").format(seconds=int(limit_s))
            )
        time.sleep(pause_s)
