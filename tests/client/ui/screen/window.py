"""A terminal of its own for a program: its screen, typed keys, and whether it is left as it was."""

from __future__ import annotations

import fcntl
import os
import pty
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyte

from tests.patience import PATIENCE
from tests.starter import ROOT, Started


def take_the_terminal() -> None:
    """Make standard input the controlling terminal: closing its window ends this program."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Terminal:
    """A terminal with one program on it, which is the leader of its session, as a shell would have
    it."""

    def __init__(self, *words: str, home: Path | None = None, **environment: str) -> None:
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (24, 80))
        self.before = self.settings()
        self.shown = b""
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self._drawn = (0, "")
        around = {
            **os.environ,
            "TERM": "xterm-256color",
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
        }
        around |= {"SOBREMESA_HOME": str(home), **environment} if home else environment
        streams = {"stdin": self.slave, "stdout": self.slave, "stderr": self.slave}
        self.process: Any
        if words[:2] == ("-m", "client") and not environment:
            self.process = Started(words[2:], **streams, env=around, terminal=True)
            return
        self.process = subprocess.Popen(
            [sys.executable, *words],
            **streams,
            env=around,
            cwd=ROOT,
            start_new_session=True,
            preexec_fn=take_the_terminal,  # noqa: PLW1509 - there are no threads here, and nothing else gives it a terminal
        )

    def settings(self) -> str:
        """Return what `stty -a` says."""
        return subprocess.run(
            ["stty", "-a"], stdin=self.slave, capture_output=True, text=True, check=True
        ).stdout

    def read(self) -> None:
        os.set_blocking(self.master, False)
        with suppress(BlockingIOError, OSError):
            while data := os.read(self.master, 65536):
                self.shown += data
                self._stream.feed(data)

    def wait_for(self, text: str) -> None:
        """Wait until something has been shown, in one piece or as a change of the text that stood
        there."""
        end = time.monotonic() + PATIENCE
        while text.encode() not in self.shown and text not in self.screen():
            assert time.monotonic() < end, f"{text!r} never came: {self.shown[-800:]!r}"
            self.read()
            time.sleep(0.02)

    def screen(self) -> str:
        """Return what is to be seen now."""
        self.read()
        if self._drawn[0] < len(self.shown):
            self._drawn = len(self.shown), "\n".join(self._screen.display)
        return self._drawn[1]

    def sees(self, text: str) -> None:
        """Wait until something is to be seen."""
        end = time.monotonic() + PATIENCE
        while text not in self.screen():
            assert time.monotonic() < end, f"{text!r} is not to be seen:\n{self.screen()}"
            time.sleep(0.02)

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def ends(self) -> int:
        """Wait for the end, and return the status."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it does not end: {self.shown[-800:]!r}"
            self.read()
            time.sleep(0.02)
        self.read()
        return self.process.returncode

    def check_clean(self) -> None:
        """The settings are those of before, the other screen is left, the cursor is shown."""
        assert self.settings() == self.before
        assert self.shown.rfind(b"\x1b[?1049l") > self.shown.rfind(b"\x1b[?1049h")
        assert self.shown.rfind(b"\x1b[?25h") >= self.shown.rfind(b"\x1b[?25l")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for descriptor in (self.master, self.slave):
            with suppress(OSError):
                os.close(descriptor)
