"""Four peers, each a process with a mesh, and a stranger that floods all of them: honest messages
still come through in time.

pytest tests/net/test_flood.py prints the figures at its end
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import pytest
import trio

from tests.net.newcomer import slowest
from tests.net.peer import LOOPBACK
from tests.patience import PATIENCE
from tests.sample import sample

ROOT = Path(__file__).parents[2]
MOVES = 12
EVERY = 0.15
"""Seconds between two moves."""
WITHIN = 1.0
"""Seconds in which a move must reach everyone."""
ADMITTED = 5.0
"""Seconds until somebody honest who comes now has a link."""
MEMORY = 150 * 1024
"""KiB that a peer may use."""


class Process:
    """A process whose lines are taken in as they come."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        self.lines.extend(line.strip() for line in self.process.stdout)

    def says(self, beginning: str) -> str:
        until = time.monotonic() + PATIENCE
        while not (found := [line for line in self.lines if line.startswith(beginning)]):
            assert time.monotonic() < until, (
                f"{self.process.args} does not say {beginning!r}: {self.lines[-5:]}"
            )
            time.sleep(0.01)
        return found[0]

    def tell(self, line: str) -> None:
        self.process.stdin.write(line + "\n")

    def finish(self) -> str:
        """End its input; return its last line."""
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0
        self._reader.join()
        return self.lines[-1]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()


@contextmanager
def processes() -> Iterator[list[Process]]:
    made: list[Process] = []
    try:
        yield made
    finally:
        for process in made:
            process.end()


@pytest.mark.slow
@pytest.mark.parametrize("what", sample(["messages", "idle", "links"], 1))
def test_honest_messages_come_through_a_flood(what, tmp_path, figure):
    with processes() as running:
        peers = [Process("tests.net.peer", str(number)) for number in range(4)]
        running.extend(peers)
        ports = [peer.says("") for peer in peers]
        for peer in peers:
            peer.tell(" ".join(ports))
        for peer in peers:
            peer.says("up")
        flooder = Process("tests.net.flooder", what, *ports)
        running.append(flooder)
        time.sleep(1.5)
        came = trio.run(slowest, tmp_path, [(LOOPBACK, int(port)) for port in ports])
        for number in range(MOVES):
            peers[number % 4].tell(str(number))
            time.sleep(EVERY)
        time.sleep(WITHIN)
        for peer in peers:
            peer.tell("")
        links = [peer.says("links") for peer in peers]
        flood = flooder.finish()
        last = [peer.finish().split() for peer in peers]
    said = {number: at for peer in peers for number, at in times(peer, "said")}
    late = [[at - said[number] for number, at in times(peer, "heard")] for peer in peers]
    most = max(int(words[1]) for words in last)
    every = [seconds for of_peer in late for seconds in of_peer]
    figure(
        f"{what}: {len(every)} arrivals of {MOVES} moves, median {1000 * median(every):.0f} ms, "
        f"worst {1000 * max(every):.0f} ms; memory {most / 1024:.0f} MB a peer; a newcomer got in "
        f"after {came:.1f} s; flood: {flood}"
    )
    assert len(every) == 3 * MOVES
    assert links == ["links 3"] * 4  # nobody honest was left
    assert max(every) < WITHIN
    assert came < ADMITTED
    assert most < MEMORY


def times(peer: Process, what: str) -> list[tuple[int, float]]:
    return [
        (int(words[1]), float(words[2])) for words in map(str.split, peer.lines) if words[0] == what
    ]
