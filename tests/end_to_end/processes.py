"""The program as others meet it: processes with homes of their own, some of them at a terminal, all
ended by their makers."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyte

from client.storage import error_log
from client.storage.home import Home
from crypto.identity import Identity
from tests.client.ui.screen.window import take_the_terminal
from tests.patience import PATIENCE
from tests.starter import ROOT, Started

LOOPBACK = "127.0.0.1"
ROWS = 40
COLUMNS = 300
"""So wide that no line is broken."""

SHORT = ("--option", "target=1")
"""For a match that is soon over."""

SILENCE, _NEVER_WRITTEN = os.pipe()
"""An input on which nothing comes, and which does not end."""

_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>()][0B]?|\x07"
)


class Player:
    """One process of the program, with its own home and its own session: all that it starts can be
    told from the rest.

    `inside` are words before the command; `program` is another than ours, and takes the words
    `before` ours. `namespaces` are those of another network.
    """

    def __init__(
        self,
        folder: Path,
        words: Iterable[str],
        *,
        inside: Iterable[str] = (),
        program: str = "client",
        before: Iterable[str] = (),
        namespaces: Iterable[str] = (),
        terminal: bool = False,
        **more: object,
    ) -> None:
        self.home = folder
        self.words = tuple(words)
        self.folder = folder.parent
        self._out = self.folder / f"{folder.name}-{time.monotonic_ns()}.out"
        self._err = self._out.with_suffix(".err")
        with self._out.open("wb") as out, self._err.open("wb") as err:
            around = environment(folder)
            streams = {"stdin": SILENCE, "stdout": out, "stderr": err, **more}
            self.process: Any
            if (
                program == "client"
                and not inside
                and set(more) <= {"stdin", "stdout"}
                and "LD_PRELOAD" not in around
            ):
                self.process = Started(
                    self.words, env=around, terminal=terminal, namespaces=namespaces, **streams
                )
            else:
                command = [*inside, sys.executable, "-m", program, *before, *self.words]
                alone = {
                    "start_new_session": True,
                    **({"preexec_fn": take_the_terminal} if terminal else {}),
                }
                self.process = subprocess.Popen(command, env=around, cwd=ROOT, **alone, **streams)

    @property
    def out(self) -> str:
        return self._out.read_text(encoding="utf-8", errors="replace")

    @property
    def err(self) -> str:
        return self._err.read_text(encoding="utf-8", errors="replace")

    @property
    def logs(self) -> list[Path]:
        return sorted((self.home / "logs").glob("*.sobremesa"))

    @property
    def journals(self) -> list[Path]:
        return sorted((self.home / "journals").glob("*"))

    def says(self, pattern: str, *, seconds: float = PATIENCE) -> re.Match[str]:
        """Wait until it has said something."""
        return eventually(
            lambda: re.search(pattern, self.out),
            f"{pattern!r} from {self.words}",
            seconds,
            self.story,
        )

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kill it, and wait until it is dead."""
        self.signal(signal.SIGKILL)
        self.process.wait()

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.signal(signal.SIGINT)

    def ends(self, *, seconds: float = PATIENCE) -> int:
        """Wait for the end, and return the status. However it ends, there is no traceback, and
        nothing is left running."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.words} does not end: {self.story()}") from None
        assert "Traceback" not in self.err + self.out, self.story()
        assert "Fatal Python error" not in self.err, self.story()
        assert not alive(self.process.pid), f"{self.words} has left processes running"
        return status

    def sentence(self) -> str:
        """Return the one sentence it has ended with, or nothing."""
        lines = self.err.splitlines()
        assert len(lines) <= 1, self.story()
        return lines[0].removeprefix("sobremesa: ") if lines else ""

    def end(self) -> None:
        """End it and all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def story(self) -> str:
        return (
            f"status {self.process.poll()}\n--- out ---\n{self.out[-3000:]}\n--- err "
            f"---\n{self.err[-3000:]}"
        )


class Person(Player):
    """A person at a terminal, who reads what is printed, and types."""

    def __init__(self, folder: Path, words: Iterable[str]) -> None:
        self.master, self.slave = pty.openpty()
        self._open = contextlib.ExitStack()
        self._open.callback(os.close, self.master)
        self._open.callback(os.close, self.slave)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.set_blocking(self.master, False)
        self.before = termios.tcgetattr(self.slave)
        self._raw = b""
        self._read = 0
        self._text = (0, "")
        super().__init__(folder, words, stdin=self.slave, stdout=self.slave, terminal=True)

    @property
    def out(self) -> str:
        """Return all that was printed, without moves of the cursor."""
        size = len(self.raw)
        if self._text[0] < size:
            text = _CONTROL.sub("", self._raw.decode(errors="replace"))
            self._text = (
                size,
                text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n"),
            )
        return self._text[1]

    def sees(self, text: str) -> None:
        """Wait until a text stands on the screen, wherever, as a terminal draws it."""

        def drawn() -> bool:
            screen = pyte.Screen(COLUMNS, ROWS)
            pyte.Stream(screen).feed(self.raw.decode(errors="replace"))
            return any(text in line for line in screen.display)

        eventually(drawn, f"{text!r} on the screen of {self.words}", story=self.story)

    @property
    def raw(self) -> bytes:
        self.listen()
        return self._raw

    def listen(self) -> None:
        """Take in all that has been printed."""
        with contextlib.suppress(BlockingIOError, OSError):
            while data := os.read(self.master, 65536):
                self._raw += data

    def reads(self, pattern: str, *, seconds: float = PATIENCE) -> re.Match[str]:
        """Wait for something that was printed after the part that was read before."""

        def look() -> re.Match[str] | None:
            return re.compile(pattern).search(self.out, self._read)

        found = eventually(look, f"{pattern!r} from {self.words}", seconds, self.story)
        self._read = found.end()
        return found

    def glances(self, pattern: str) -> re.Match[str] | None:
        """Read something if it has been printed already."""
        found = re.compile(pattern).search(self.out, self._read)
        if found:
            self._read = found.end()
        return found

    def type(self, text: str, *, enter: bool = True) -> None:
        os.write(self.master, text.encode() + (b"\r" if enter else b""))

    def press(self, key: bytes) -> None:
        os.write(self.master, key)

    def ends(self, *, seconds: float = PATIENCE) -> int:
        until = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < until:
            self.listen()  # a reader that does not read stops the printer
            time.sleep(0.01)
        status = super().ends(seconds=1)
        assert termios.tcgetattr(self.slave) == self.before, "the terminal is not as it was"
        shown = self.raw
        for on, off in (
            (b"\x1b[?1049h", b"\x1b[?1049l"),
            (b"\x1b[?2004h", b"\x1b[?2004l"),
            (b"\x1b[?25l", b"\x1b[?25h"),
        ):
            assert shown.rfind(on) <= shown.rfind(off), f"{on!r} is still on"
        return status

    def end(self) -> None:
        super().end()
        self._open.close()


class Machine:
    """Makes players, each with a home of its own, and ends those that are still running."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.players: list[Player] = []

    def player(self, home: str, *words: str, **more: object) -> Player:
        return self._made(Player(self._home(home), words, **more))

    def person(self, home: str, *words: str) -> Person:
        made = Person(self._home(home), words)
        self.players.append(made)
        return made

    def host(self, home: str, table: str, *words: str, auto: bool = True, **more: object) -> Player:
        """Open a table on loopback, and wait until it is open."""
        words = ("host", *words, "--table", table, *common(home, auto=auto))
        player = self.player(home, *words, **more)
        player.says("is open on port")
        return player

    def join(self, home: str, where: str, *words: str, auto: bool = True, **more: object) -> Player:
        return self.player(home, "join", where, *words, *common(home, auto=auto), **more)

    def back(self, home: str, *words: str, auto: bool = True) -> Player:
        """Resume the match of a home."""
        played = ["--auto", "--at-once"] if auto else []
        return self.player(home, "resume", "--plain", "--interface", LOOPBACK, *played, *words)

    def tables(self, *patterns: str, words: Iterable[str] = ()) -> str:
        """Look for tables on loopback until one look finds all of these; return what it printed.

        One look is not enough: the question or the answer may be lost, and mDNS may keep an answer
        back for a second and a half.
        """

        def look() -> str:
            looking = self.player("looking", "tables", "--interface", LOOPBACK, *words)
            assert looking.ends() == 0
            found.append(looking.out)
            return looking.out if all(re.search(one, looking.out) for one in patterns) else ""

        found: list[str] = []
        return eventually(look, f"{patterns}", story=lambda: "\n".join(found))

    def end(self) -> None:
        """End all. None has written down an unexpected error: a test that wants one takes the file
        away."""
        for player in self.players:
            player.end()
        for player in self.players:
            require_no_errors(player.home)

    def _home(self, name: str) -> Path:
        return self.folder / name

    def _made(self, player: Player) -> Player:
        self.players.append(player)
        return player


def require_no_errors(home: Path) -> None:
    """Require that the program of a home has contained no unexpected error."""
    errors = home / error_log.NAME
    assert not errors.exists(), errors.read_text(encoding="utf-8")


def common(nick: str, *, auto: bool) -> list[str]:
    """Return the options that keep a player on this machine."""
    return [
        "--nick",
        nick,
        "--plain",
        "--interface",
        LOOPBACK,
        *(["--auto", "--at-once"] if auto else []),
    ]


def environment(home: Path, *, warnings: bool = True) -> dict[str, str]:
    """Return what a player's environment is. Warnings are shown, so that nothing is left open
    unnoticed."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("LC_", "LANG", "PYTEST", "COLUMNS", "LINES"))
    }
    # Nobody answers here when a terminal is asked where its cursor is.
    own = {
        "SOBREMESA_HOME": str(home),
        "PYTHONUNBUFFERED": "1",
        "TERM": "xterm",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    return {**kept, **own, "PYTHONWARNINGS": "default" if warnings else "ignore", "PYTHONUTF8": "1"}


def port_of(host: Player) -> int:
    """Return the port on which a table is open."""
    return int(host.says(r"is open on port (\d+)")[1])


def invite_of(host: Player) -> str:
    """Return the invite that a host has shown."""
    return host.says(r"Others join with: sobremesa join (\S+)")[1]


def address_of(host: Player) -> str:
    """Return where a table can be joined."""
    return f"{LOOPBACK}:{port_of(host)}"


def eventually(
    check: Callable[[], object],
    what: str,
    seconds: float = PATIENCE,
    story: Callable[[], str] = str,
):
    """Wait until a check gives something true, and return that."""
    until = time.monotonic() + seconds
    while not (found := check()):
        assert time.monotonic() < until, f"{what} does not come\n{story()}"
        time.sleep(0.02)
    return found


def log_at_rest(player: Player, seconds: float = 1.0) -> bytes:
    """Return a player's log when nothing has been added to it for a while: everything heard before
    is judged."""
    log, since = player.logs[0].read_bytes(), time.monotonic()
    while time.monotonic() - since < seconds:
        time.sleep(0.1)
        if (now := player.logs[0].read_bytes()) != log:
            log, since = now, time.monotonic()
    return log


def alive(group: int) -> list[int]:
    """Return the processes of a session that still run."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, 0)
        return [group]
    return []


def same_logs(*players: Player) -> bytes:
    """Require that each of these players has one log, the same for all, without journals left;
    return it."""
    logs = [path for player in players for path in player.logs]
    assert len(logs) == len(players)
    assert len({path.name for path in logs}) == 1
    contents = {path.read_bytes() for path in logs}
    assert len(contents) == 1
    assert [path for player in players for path in player.journals] == []
    return contents.pop()


def key(name: str) -> bytes:
    """Return the key of a stranger of this name."""
    return Identity.from_seed(name.encode().ljust(32)[:32]).id


def id_of(machine: Machine, home: str) -> bytes:
    """Return the key of a player of ours."""
    return Home(machine.folder / home).identity.id
