"""A Python process of our own code, with pipes to it (`client.session.pipes`).

The one-file program has no `python` beside it. It starts itself again, with `INNER` as its first
argument (decision 0039).
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from client.i18n.translation import PROGRAM

if TYPE_CHECKING:
    import trio

INNER = "--inner-process"
"""The first argument of a process that the one-file program starts; the second names a module."""
ROOT = str(Path(__file__).parents[2])
"""The folder of this program's packages."""
_START = (
    "import runpy, sys; root = sys.argv.pop(1); root in sys.path or sys.path.insert(0, root); "
    "runpy.run_module('client', run_name='__main__', alter_sys=True)"
)
_LIBRARIES = "LD_LIBRARY_PATH"
_BEFORE = f"{_LIBRARIES}_ORIG"
own_libraries: dict[str, str] = {}
"""The one-file program's own settings: the folder in which libraries are looked for first."""


def keep_libraries() -> None:
    """Keep other programs, such as a browser, from using the libraries of the one-file program.

    Our own processes need them (`own_environment`).
    """
    for name in (_LIBRARIES, _BEFORE):
        if (value := os.environ.pop(name, None)) is not None:
            own_libraries[name] = value
    if _BEFORE in own_libraries:
        os.environ[_LIBRARIES] = own_libraries[_BEFORE]


def own_environment(**more: str) -> dict[str, str]:
    """Return the environment of a process of our own."""
    return {**os.environ, **own_libraries, **more}


def is_one_file() -> bool:
    """Whether this program is one file, with Python and all modules inside."""
    return bool(getattr(sys, "frozen", False))


def own_command() -> str:
    """Return the word that starts this program in a terminal.

    One file is named as it was called, unless it can be called by the usual name.
    """
    if not is_one_file() or {"{", "}", "%"} & {*sys.argv[0]}:  # they begin variable parts
        return PROGRAM
    import shutil  # noqa: PLC0415 - only there

    found = shutil.which(PROGRAM)
    if found is not None and Path(found).resolve() == Path(sys.executable).resolve():
        return PROGRAM
    if sys.platform == "win32":
        return subprocess.list2cmdline(sys.argv[:1])
    return shlex.quote(sys.argv[0])


def own_program(*words: str) -> list[str]:
    """Return the command that runs this copy of the program with these arguments.

    With `-m` Python would import from the current folder first, where a stranger's `client.py` may
    lie. `-P` prevents that.
    """
    if is_one_file():
        return [sys.executable, *words]
    return [sys.executable, "-P", "-c", _START, ROOT, *words]


async def start_python(module: str, *words: str) -> trio.Process:
    """Start a process that calls `main` of a module with `words`, and ends with its status.

    It looks for modules where we do, and nowhere else: with `-P`, not in the current folder, unless
    we do. Other users can see the words. OSError if it cannot be started.
    """
    import trio  # noqa: PLC0415 - a process that has been started may not need it

    if not sys.executable:
        raise OSError("this program cannot start Python")
    flags: dict[str, Any] = {}
    if sys.platform == "win32":
        flags["creationflags"] = subprocess.CREATE_NO_WINDOW
    return await trio.lowlevel.open_process(
        command_for(module, *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=own_environment(),
        **flags,
    )


def command_for(module: str, *words: str) -> list[str]:
    """Return the command that runs one of our modules in a process of its own."""
    if is_one_file():
        return [sys.executable, INNER, module, *words]
    program = (
        f"import sys; words, sys.path[:] = sys.argv[1:{1 + len(words)}], "
        f"sys.argv[{1 + len(words)}:]; from {module} import main; sys.exit(main(*words))"
    )
    return [sys.executable, "-P", "-c", program, *words, *sys.path]


def run_inner(module: str, *words: str) -> int | None:
    """Be the process that the one-file program started, and return its exit status.

    ValueError for a module that is not of the program.
    """
    if not module.startswith("client."):
        raise ValueError(f"{module} is no module of the program")
    status: int | None = import_module(module).main(*words)
    return status
