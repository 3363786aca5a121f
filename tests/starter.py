"""Starts the program in processes of its own that need not import it: each is a fork of a parent
that has imported everything.

A start by `python -m client` costs 0.4 s of processor time, nearly all of it for imports, and the
tests make some 700. A forked process has its own session, home, environment and descriptors, runs
`client.__main__` anew, and ends as Python ends. Facts that only a start from nothing shows (the
imports of each command, `-m`, LD_PRELOAD) have tests that start `python -m client`.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import fcntl
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import termios
import warnings
from collections.abc import Iterable, Mapping
from itertools import cycle
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

ROOT = Path(__file__).parent.parent
NOTHING = os.open(os.devnull, os.O_RDONLY)
_SETTINGS = {"PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
_parents: list[socket.socket] = []
_turn = cycle((0, 1))
_one_at_a_time = Lock()


class Started:
    """A process that was started here: the part of `subprocess.Popen` that the tests use."""

    stdout: Any = None
    returncode: int | None = None

    def __init__(
        self,
        words: Iterable[str],
        *,
        stdin: int,
        stdout: Any,
        stderr: Any,
        env: Mapping[str, str],
        terminal: bool = False,
        namespaces: Iterable[str] = (),
    ) -> None:
        if stdout == subprocess.PIPE:
            reader, stdout = os.pipe()
            self.stdout = os.fdopen(reader, "rb")
            stdout = os.fdopen(stdout, "wb")
        self._ends, theirs = socket.socketpair()
        task = {
            "words": list(words),
            "env": dict(env),
            "terminal": terminal,
            "namespaces": list(namespaces),
        }
        content = json.dumps(task).encode()
        given = [
            one if isinstance(one, int) else one.fileno()
            for one in (NOTHING if stdin == subprocess.DEVNULL else stdin, stdout, stderr)
        ]
        with _one_at_a_time:
            parent = _parent()
            socket.send_fds(parent, [len(content).to_bytes(4, "big")], [*given, theirs.fileno()])
            parent.sendall(content)
        theirs.close()
        if self.stdout is not None:
            stdout.close()
        self.pid = int.from_bytes(self._ends.recv(4), "big")

    def poll(self) -> int | None:
        return self._status(0)

    def wait(self, timeout: float | None = None) -> int:
        status = self._status(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("client", timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _status(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._ends], [], [], seconds)[0]:
            self.returncode = int.from_bytes(self._ends.recv(4), "big", signed=True)
            self._ends.close()
        return self.returncode


def _parent() -> socket.socket:
    """Return the way to one of two parents in turn: sets have another order in each, so players
    differ in theirs."""
    if not _parents:
        for _ in range(2):
            ours, theirs = socket.socketpair()
            around = {
                key: value
                for key, value in os.environ.items()
                if not key.startswith(("PYTEST", "PYTHONWARN"))
            }
            words = [sys.executable, "-m", "tests.starter", str(theirs.fileno())]
            kept = {"cwd": ROOT, "pass_fds": [theirs.fileno()], "start_new_session": True}
            process = subprocess.Popen(words, env={**around, **_SETTINGS}, **kept)
            theirs.close()
            atexit.register(process.wait)
            atexit.register(ours.close)
            _parents.append(ours)
    return _parents[next(_turn)]


def _next_task(way: socket.socket) -> dict[str, Any]:
    """Fork for every task: return it in the new process, which becomes what it asks for. The parent
    ends with its tests."""
    keepers: list[int] = []
    while True:
        head, given, *_ = socket.recv_fds(way, 4, 4)
        keepers = [pid for pid in keepers if not os.waitpid(pid, os.WNOHANG if head else 0)[0]]
        if not head:
            sys.exit()
        content = bytearray()
        while len(content) < int.from_bytes(head, "big"):
            content += way.recv(65536)
        if not (keeper := os.fork()):
            if pid := os.fork():
                _keep(pid, given)
            way.close()
            _take(given)
            return json.loads(content)
        keepers.append(keeper)
        for number in given:
            os.close(number)


def _keep(pid: int, given: list[int]) -> NoReturn:
    """Wait for a process, and tell how it ended."""
    for number in given[:3]:
        os.close(number)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with contextlib.suppress(BrokenPipeError), socket.socket(fileno=given[3]) as report:
        report.send(status.to_bytes(4, "big", signed=True))
    os._exit(0)


def _take(given: list[int]) -> None:
    """Lead a session of our own with the input and outputs that were given."""
    os.setsid()
    with socket.socket(fileno=given[3]) as report:
        report.send(os.getpid().to_bytes(4, "big"))
    for number, one in enumerate(given[:3]):
        os.dup2(one, number)
        os.close(one)
    sys.stdin = sys.__stdin__ = open(0, errors="surrogateescape", closefd=False)  # noqa: SIM115 - as Python does it
    for name, number, errors in (
        ("stdout", 1, "surrogateescape"),
        ("stderr", 2, "backslashreplace"),
    ):
        stream = io.TextIOWrapper(
            io.FileIO(number, "w", closefd=False), "utf-8", errors, write_through=True
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _become(task: dict[str, Any]) -> None:
    """Be the program, as `python -m client` is, until it ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    for path in task["namespaces"]:
        with Path(path).open() as namespace:
            if libc.setns(namespace.fileno(), 0):
                raise OSError(ctypes.get_errno(), path)
    if task["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(task["env"])
    if wanted := task["env"].get("PYTHONWARNINGS"):
        warnings.simplefilter(wanted)
    sys.argv = ["client", *task["words"]]
    runpy.run_module("client", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    import client.commands
    from client.storage.version import version
    from crypto import backend
    from crypto.identity import Identity

    for _, name, _ in pkgutil.iter_modules(client.commands.__path__, "client.commands."):
        importlib.import_module(name)
    importlib.import_module("client.ui.screen.application")
    backend.best()
    Identity.from_seed(bytes(32))  # loads cryptography
    version()
    gc.freeze()
    _become(_next_task(socket.socket(fileno=int(sys.argv[1]))))
