"""A LAN of a test's own: hosts in network namespaces, a switch that obeys, and players whose every
line has its time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.end_to_end.namespaces import allowed
from tests.end_to_end.processes import ROOT, Player, eventually, require_no_errors
from tests.networks.switch import address
from tests.patience import PATIENCE

NAMES = ("ane", "jon", "mary", "peio")
LONG = ("--option", "target=101")
"""For a match that goes on for as long as a test needs it."""
MOVE = r"^\S+ (?:plays?|lays?) "


class Line(NamedTuple):
    """The lines that a player printed, and when by the monotonic clock."""

    at: float
    text: str


class Guest(Player):
    """A player on one of the hosts."""

    def __init__(
        self, folder: Path, *words: str, namespaces: list[str], typed: bool = False
    ) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        self.lines: list[Line] = []
        ours, theirs = os.pipe()
        streams = {"stdin": ours} if typed else {}
        super().__init__(
            folder, (*words, "--plain"), namespaces=namespaces, stdout=subprocess.PIPE, **streams
        )
        os.close(ours)
        self._keyboard = os.fdopen(theirs, "wb", buffering=0)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    @property
    def nick(self) -> str:
        return self.words[self.words.index("--nick") + 1]

    @property
    def out(self) -> str:
        return "".join(line.text for line in self.lines)

    @property
    def megabytes(self) -> float:
        """The most memory it has had so far (VmHWM)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024

    def types(self, line: str) -> None:
        """Type a line."""
        self._keyboard.write(f"{line}\n".encode())

    def sees(self, pattern: str, *, after: float = 0.0, seconds: float = PATIENCE) -> Line:
        """Wait for a line printed after a moment."""

        def look() -> Line | None:
            return next(
                (line for line in self.lines if line.at > after and re.search(pattern, line.text)),
                None,
            )

        return eventually(look, f"{pattern!r} from {self.words}", seconds, self.story)

    def moves(self) -> list[Line]:
        """Return every move of anybody that it has told of."""
        return [line for line in self.lines if re.search(MOVE, line.text)]

    def end(self) -> None:
        super().end()
        self._reader.join()
        self.process.stdout.close()
        self._keyboard.close()

    def _read(self) -> None:
        for text in self.process.stdout:
            self.lines.append(Line(time.monotonic(), text.decode(errors="replace")))


def stories(guests: Iterable[Guest]) -> str:
    """Return all that these players have said, for a test that fails."""
    return "\n".join(f"{guest.nick}: {guest.story()}" for guest in guests)


class Lan:
    """Some hosts on a switch."""

    def __init__(self, folder: Path, switch: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.guests: list[Guest] = []
        self._switch = switch
        self._hosts: list[int] = self._answer()["hosts"]

    def weather(self, **changes: Any) -> float:
        """Change the weather (fields of `switch.Weather`); return since when it is so."""
        self._switch.stdin.write(json.dumps(changes).encode() + b"\n")
        self._switch.stdin.flush()
        return self._answer()["at"]

    def inside(self, host: int) -> list[str]:
        """Return the words before a command that runs on a host."""
        user = ["--preserve-credentials"] if "--user" in allowed() else []
        return [
            "nsenter",
            *user,
            *(f"--{Path(one).name}={one}" for one in self.namespaces(host)),
            "--",
        ]

    def namespaces(self, host: int) -> list[str]:
        """Return the namespaces of a host."""
        return [
            f"/proc/{self._hosts[host]}/ns/{kind}"
            for kind in (["user", "net"] if "--user" in allowed() else ["net"])
        ]

    def run(self, host: int, *words: str) -> None:
        """Run a command on a host."""
        subprocess.run([*self.inside(host), *words], check=True)

    @contextmanager
    def stranger(self, host: int, *words: str) -> Iterator[list[str]]:
        """Run a Python module on a host until the body ends; its words at the end of its input are
        then in the list."""
        said: list[str] = []
        command = [*self.inside(host), sys.executable, "-m", *words]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                yield said
                said.append(process.communicate(timeout=PATIENCE)[0].strip())
            finally:
                process.kill()

    def guest(self, host: int, *words: str, home: str = "") -> Guest:
        """Start the program on a host."""
        guest = Guest(self.folder / (home or NAMES[host]), *words, namespaces=self.namespaces(host))
        self.guests.append(guest)
        return guest

    def table(self, game: str, *words: str, host: int = 0, name: str = "lan") -> Guest:
        """Open a table on a host, and wait until it is open."""
        opened = self.guest(
            host,
            "host",
            game,
            "--table",
            name,
            "--nick",
            NAMES[host],
            "--auto",
            "--at-once",
            *words,
        )
        opened.says("is open on port")
        return opened

    def join(self, host: int, where: str, *words: str) -> Guest:
        return self.guest(host, "join", where, "--nick", NAMES[host], "--auto", "--at-once", *words)

    def four(self, *words: str) -> list[Guest]:
        """Let four play escoba; they have been told the address."""
        table = self.table("escoba", "--seats", "4", *words)
        return [table, *(self.join(host, address_of(table)) for host in (1, 2, 3))]

    def end(self) -> None:
        for guest in self.guests:
            guest.end()
        for guest in self.guests:
            require_no_errors(guest.home)

    def _answer(self) -> dict[str, Any]:
        line = self._switch.stdout.readline()
        assert line, "the switch has ended"
        return json.loads(line)


@contextmanager
def lan(folder: Path, hosts: int = 4, seed: int = 1) -> Iterator[Lan]:
    """Make a LAN; all of it is gone when the body ends."""
    words = [
        *allowed(),
        sys.executable,
        "-m",
        "tests.networks.switch",
        "--hosts",
        str(hosts),
        "--seed",
        str(seed),
    ]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as switch:
        made: Lan | None = None
        try:
            made = Lan(folder, switch)
            yield made
        finally:
            if made is not None:
                made.end()
            switch.stdin.close()


def port_of(table: Player) -> int:
    return int(table.says(r"is open on port (\d+)")[1])


def address_of(table: Player, host: int = 0) -> str:
    return f"{address(host)}:{port_of(table)}"


def latencies(guests: list[Guest], after: float = 0.0) -> list[float]:
    """Return, for every move after a moment that all have told of, the seconds from its mover's
    telling to the last one's."""
    found = []
    for told in zip(*(guest.moves() for guest in guests), strict=False):
        (moved,) = (
            line.at
            for guest, line in zip(guests, told, strict=True)
            if line.text.startswith(f"{guest.nick} ")
        )
        if moved > after:
            found.append(max(line.at for line in told) - moved)
    return found


def in_mid_match(guests: list[Guest], moves: int = 6) -> None:
    """Wait until some of a match has been played, and make sure that it is not over."""
    for guest in guests:
        eventually(
            lambda guest=guest: len(guest.moves()) >= moves,
            f"{moves} moves at {guest.words}",
            story=guest.story,
        )
    assert all(guest.process.poll() is None for guest in guests)
