"""Starting parts of this program in processes of their own."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
"""Where the packages of this program lie."""
_START = (
    "import runpy, sys; root, module = sys.argv[1:3]; del sys.argv[1:3]; root in sys.path or sys.path.insert(0, root); "
    "runpy.run_module(module, run_name='__main__', alter_sys=True)"
)


def command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of this program, and of this copy of it.

    With `-m` Python imports from the current folder first, where anybody's `client.py` may lie. `-P` keeps it from that.
    """
    return [sys.executable, "-P", "-c", _START, ROOT, module, *words]
