"""The program in tmux, as somebody would start it there: a shell before it, a shell after it, and a terminal as it was."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.processes import ROOT, eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here"),
]


class Pane:
    """A shell in a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        words = ["new-session", "-d", "-x", "80", "-y", "24", "env", "PS1=ready> ", "LC_ALL=C.UTF-8", "sh"]
        subprocess.run([*self._tmux, *words], check=True, cwd=ROOT)

    def text(self) -> str:
        shown = subprocess.run([*self._tmux, "capture-pane", "-p"], check=True, capture_output=True)
        return shown.stdout.decode()

    def sees(self, pattern: str) -> re.Match[str]:
        return eventually(lambda: re.search(pattern, self.text(), re.MULTILINE), repr(pattern), story=self.text)

    def press(self, *keys: str) -> None:
        subprocess.run([*self._tmux, "send-keys", *keys], check=True)

    def type(self, line: str) -> None:
        subprocess.run([*self._tmux, "send-keys", "-l", line], check=True)
        self.press("Enter")

    def foot(self) -> str:
        """Return the last line: the keys."""
        return self.text().rstrip("\n").split("\n")[-1]

    def resize(self, columns: int, rows: int) -> None:
        subprocess.run([*self._tmux, "resize-window", "-x", str(columns), "-y", str(rows)], check=True)

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=True)


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    made = Pane(tmp_path)
    try:
        made.sees("^ready>")
        yield made
    finally:
        made.close()


def test_from_a_shell_to_a_first_move_and_back(pane, tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    pane.type(f"stty -a > {before}")
    pane.type("echo what stood here before")
    home = shlex.quote(str(tmp_path / "home"))
    pane.type(f"clear; SOBREMESA_HOME={home} {sys.executable} -m client --lang en --interface 127.0.0.1; echo status $?")
    pane.sees("Play against the computer")
    pane.press("1")
    pane.sees("A new table")
    pane.press("Enter")
    pane.sees("Your name: \\S")  # the login name
    pane.press("Enter")
    pane.sees("▶ Your turn")
    for columns, rows, words in ((50, 15, "60×20"), (120, 40, "▶ Your turn"), (60, 20, "▶ Your turn"), (80, 24, "▶ Your turn")):
        pane.resize(columns, rows)
        pane.sees(words)
    pane.press("?")
    move = pane.sees(r"A computer player would: (play .+?)(?:\s+“|\s*$)")[1]
    pane.press(":")
    pane.type(move)
    pane.sees(r"You (play|lay|sweep|take)")
    pane.press("C-c")
    pane.sees("Close\\?")
    pane.press("Enter")
    pane.sees("^status 0")
    pane.sees("^ready>")
    assert "Your turn" not in pane.text()  # the other screen is left
    pane.type(f"stty -a > {after}; echo done")
    pane.sees("^done")
    unsized = [re.sub(r"rows \d+; columns \d+;", "", path.read_text()) for path in (before, after)]
    assert unsized[0] == unsized[1]
