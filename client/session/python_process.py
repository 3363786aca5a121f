"""A Python process of our own code, which we talk to over pipes (`client.session.pipes`)."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import trio


async def start_python(module: str, *words: str) -> trio.Process:
    """Start a process that calls `main` of a module with words, and ends with its status.

    It looks for modules where we do, and nowhere else: with `-P` not in the current folder, unless
    we do. Other users see the words. OSError if it cannot be started.
    """
    if getattr(sys, "frozen", False) or not sys.executable:
        raise OSError("this program cannot start Python")
    program = (
        f"import sys; words, sys.path[:] = sys.argv[1:{1 + len(words)}], "
        f"sys.argv[{1 + len(words)}:]; from {module} import main; sys.exit(main(*words))"
    )
    flags: dict[str, Any] = {}
    if sys.platform == "win32":
        flags["creationflags"] = subprocess.CREATE_NO_WINDOW
    return await trio.lowlevel.open_process(
        [sys.executable, "-P", "-c", program, *words, *sys.path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        **flags,
    )
