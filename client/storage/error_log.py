"""The log of unexpected errors: the tracebacks of errors that this program survived."""

from __future__ import annotations

import os
import time
import traceback
from contextlib import suppress
from pathlib import Path

from client.storage.version import version
from p2p.net.text import printable

NAME = "errors.log"
MOST_BYTES = 1 << 18
"""A longer file is not extended: an error that a peer can cause may come again and again."""
ENTRY_CHARACTERS = 20_000


def note(home: Path, error: BaseException) -> Path:
    """Append the traceback of an error to the log, and return its path.

    Only we may read it. An entry that cannot be written is lost.
    """
    path = home / NAME
    trace = printable("".join(traceback.format_exception(error)))[:ENTRY_CHARACTERS]
    entry = f"{time.strftime('%Y-%m-%d %H:%M:%S')}, Sobremesa {version()}\n{trace}\n"
    wanted = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
    with suppress(OSError), os.fdopen(os.open(path, wanted, 0o600), "a", encoding="utf-8") as file:
        if os.fstat(file.fileno()).st_size < MOST_BYTES:
            file.write(entry)
    return path
