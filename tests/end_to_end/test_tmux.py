"""The program in tmux, as somebody would start it there: a shell before it, a shell after it, and a
terminal as it was."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest

from p2p.net.names import clean_name
from p2p.net.text import END, FIRST_STRONG, columns
from tests.end_to_end.processes import ROOT, eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here"),
]


class Pane:
    """A shell in a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        words = [
            "new-session",
            "-d",
            "-x",
            "80",
            "-y",
            "24",
            "env",
            "PS1=ready> ",
            "LC_ALL=C.UTF-8",
            "sh",
        ]
        subprocess.run([*self._tmux, *words], check=True, cwd=ROOT)

    def text(self) -> str:
        shown = subprocess.run([*self._tmux, "capture-pane", "-p"], check=True, capture_output=True)
        return shown.stdout.decode()

    def sees(self, pattern: str) -> re.Match[str]:
        return eventually(
            lambda: re.search(pattern, self.text(), re.MULTILINE), repr(pattern), story=self.text
        )

    def facts(self, form: str) -> str:
        """Return what tmux knows of the pane."""
        asked = [*self._tmux, "display-message", "-p", form]
        return subprocess.run(asked, check=True, capture_output=True).stdout.decode().strip()

    def press(self, *keys: str) -> None:
        subprocess.run([*self._tmux, "send-keys", *keys], check=True)

    def type(self, line: str) -> None:
        subprocess.run([*self._tmux, "send-keys", "-l", line], check=True)
        self.press("Enter")

    def resize(self, columns: int, rows: int) -> None:
        subprocess.run(
            [*self._tmux, "resize-window", "-x", str(columns), "-y", str(rows)], check=True
        )

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


def started(home: Path, *words: str) -> str:
    """Return the line by which a shell starts the program."""
    program = [sys.executable, "-m", "client", *words, "--lang", "en", "--interface", "127.0.0.1"]
    return f"SOBREMESA_HOME={shlex.quote(str(home))} {shlex.join(program)}"


def test_ctrl_z_leaves_the_full_screen_and_fg_comes_back_to_it(pane, tmp_path):
    pane.type("clear; echo a line of before; " + started(tmp_path / "home"))
    pane.sees("Play against the computer")
    pane.press("C-z")
    pane.sees("Stopped")
    assert "a line of before" in pane.text()
    assert "Play against the computer" not in pane.text()
    pane.type("fg")
    pane.sees(r"\A Sobremesa(.*\n)+.*Play against the computer")
    pane.press("1")
    pane.sees("A new table")


def test_from_a_shell_to_a_first_move_and_back(pane, tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    pane.type(f"stty -a > {before}")
    pane.type("echo what stood here before")
    home = shlex.quote(str(tmp_path / "home"))
    pane.type(
        f"clear; SOBREMESA_HOME={home} {sys.executable} -m client --lang en --interface 127.0.0.1; "
        f"echo status $?"
    )
    pane.sees("Play against the computer")
    pane.press("1")
    pane.sees("A new table")
    pane.press("Enter")
    pane.sees("Your name: \\S")  # the login name
    pane.press("Enter")
    pane.sees("▶ Your turn")
    for wide, high, words in (
        (50, 15, "60×20"),
        (120, 40, "▶ Your turn"),
        (60, 20, "▶ Your turn"),
        (80, 24, "▶ Your turn"),
    ):
        pane.resize(wide, high)
        pane.sees(words)
    pane.press("?")
    # all of them: tmux may show half a picture
    steps = pane.sees(r"Choose:\s+((?:[^()]+\([^()]+\),\s+)*[^()]+\([^()]+\))$")[1]
    for keys in re.findall(r"\(([^()]+)\)", steps):
        pane.press(*keys.split(", "))  # these two programs give keys the same names
    pane.sees(r"You (play|lay|sweep|take)")
    pane.press("C-c")
    pane.sees("Close Sobremesa\\?")
    pane.press("Enter")
    pane.sees("^status 0")
    pane.sees("^ready>")
    assert "Your turn" not in pane.text()  # the other screen is left
    pane.type(f"stty -a > {after}; echo done")
    pane.sees("^done")
    unsized = [re.sub(r"rows \d+; columns \d+;", "", path.read_text()) for path in (before, after)]
    assert unsized[0] == unsized[1]


NICKS = [
    "Ane",
    "I\u00f1aki \U0001f1ea\U0001f1f8",  # a flag
    "\U0001f1ea",
    "\U0001f44b\U0001f3fd Jon \U0001f919\U0001f3ff",  # skin tones
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  # joiners
    "\U0001f3f3\ufe0f\u200d\U0001f308 \u2764\ufe0f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "1\ufe0f\u20e3 #\u20e3",
    "e\u0323\u0301a n\u0303 x\u0301\u0302\u0303\u0304",  # combining marks
    "\u0905\u0928\u093f\u0924\u093e \u0915\u094d\u0937",
    "\u5e9c\u4e2d\u6f22\u5b57 \uff46\uff55 \uff76\uff9e",  # wide letters
    "\u1112\u1161\u11ab \u1112\u119e\u11ab",
    "\u200f\u05d0\u05e0\u05d4\u200e \u0645\u064f\u062d\u064e \u202eevil",  # right to left
    "\u2630\u4dc0\u3248\U0001d306 \u3030\u303d",
]


def test_a_nick_takes_as_many_columns_as_we_count_in_tmux_and_in_pyte(pane):
    terminal = Path(pane.facts("#{pane_tty}"))
    for number, nick in enumerate(NICKS):
        shown = clean_name(nick)
        screen = pyte.Screen(80, 2)
        pyte.Stream(screen).feed(shown.strip(FIRST_STRONG + END))  # pyte stops at an isolate
        assert screen.cursor.x == columns(shown)
        terminal.write_bytes(f"\r\x1b[K{shown}\x1b]2;drawn{number}\x07".encode())
        eventually(
            lambda number=number: pane.facts("#{pane_title}") == f"drawn{number}",
            "the nick",
            story=pane.text,
        )
        assert int(pane.facts("#{cursor_x}")) == columns(shown), ascii(nick)
