"""The program on a pseudo-terminal of its own: its start-up time, and its cost.

Windows has none.
"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import tempfile
import termios
import time

from client.session.python_process import own_environment, own_program

assert sys.platform != "win32", "no caller imports this there"


def start() -> float:
    """Return the milliseconds from starting the program to its lobby on the screen."""
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        process, master = _open(home, ())
        shown = b""
        while b"Sobremesa" not in shown:
            shown += os.read(master, 65536)
        took = 1000 * (time.perf_counter() - began)
        _close(process, master)
        return took


def spent(seconds: float, words: tuple[str, ...]) -> float:
    """Return the processor seconds that the program uses in `seconds`."""
    with tempfile.TemporaryDirectory() as home:
        process, master = _open(home, words)
        os.set_blocking(master, False)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                os.read(master, 65536)
            except BlockingIOError:
                time.sleep(0.05)
        return _close(process, master)


def _open(home: str, words: tuple[str, ...]) -> tuple[subprocess.Popen[bytes], int]:
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    around = own_environment(SOBREMESA_HOME=home, TERM="xterm-256color")
    command = own_program(*words, "--interface", "127.0.0.1")
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=around)  # noqa: S603 - our own program
    os.close(slave)
    return process, master


def _close(process: subprocess.Popen[bytes], master: int) -> float:
    """End the program; return the seconds of a processor that it has had."""
    process.send_signal(signal.SIGTERM)
    os.set_blocking(master, False)
    while True:
        pid, _status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        try:
            os.read(master, 65536)
        except OSError:
            time.sleep(0.02)
    process.returncode = 0
    os.close(master)
    return usage.ru_utime + usage.ru_stime
