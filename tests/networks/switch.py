"""A switch in user space: some hosts, each a network namespace of its own on a tap, and the weather
between them.

    unshare --net python -m tests.networks.switch --hosts 4 --seed 1

It prints one line {"hosts": [process, ...]} with a process in each namespace, and then obeys lines
of JSON on its input, any fields of `Weather`; it answers each with {"at": seconds} of the monotonic
clock, when the new weather was there. It ends, and its namespaces with it, when its input does. The
kernel's own netem is missing on many machines; a tap is not.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import heapq
import json
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random

TUNSETIFF = 0x400454CA
TAP_WITHOUT_HEADER = 0x0002 | 0x1000
LONGEST = 65536
BATCH = 64
"""Frames taken from one host before the others have their turn."""


@dataclass(frozen=True)
class Weather:
    """The fate of frames. Hosts are numbered from 0."""

    cut: Sequence[int] = ()
    """Hosts that neither send nor hear; their interfaces stay up, as in a Wi-Fi hole."""
    deaf: Sequence[Sequence[int]] = ()
    """Pairs (from, to): no frame of the first reaches the second."""
    multicast: bool = True
    """Whether multicast passes (broadcast always does: ARP needs it)."""
    loss: float = 0.0
    delay: float = 0.0
    """Seconds on the way."""
    jitter: float = 0.0
    """So much more or less, for each frame by itself: they overtake one another."""

    def fate(self, source: int, sink: int, frame: bytes, chance: Random) -> float | None:
        """Return how long a frame is on its way, in seconds; None if it never arrives."""
        if (
            source in self.cut
            or sink in self.cut
            or [source, sink] in [list(pair) for pair in self.deaf]
        ):
            return None
        if not self.multicast and is_multicast(frame):
            return None
        if self.loss and chance.random() < self.loss:
            return None
        return (
            max(0.0, self.delay + self.jitter * chance.uniform(-1, 1))
            if self.delay or self.jitter
            else 0.0
        )


def address(host: int) -> str:
    """Return the IPv4 address of a host."""
    return f"10.99.0.{host + 1}"


def mac(host: int) -> bytes:
    """Return the hardware address of a host."""
    return bytes([2, 0, 0, 0, 0, host + 1])


def sinks(frame: bytes, source: int, hosts: int) -> list[int]:
    """Return which hosts a frame is for: one, or all others."""
    return [
        host for host in range(hosts) if host != source and (frame[0] & 1 or frame[:6] == mac(host))
    ]


def is_multicast(frame: bytes) -> bool:
    """Whether a frame is for many, but not for everybody."""
    return bool(frame[0] & 1) and frame[:6] != b"\xff" * 6


class Switch:
    """The taps, the frames on their way between them, and the weather."""

    def __init__(self, taps: list[int], seed: int) -> None:
        self.weather = Weather()
        self._taps = taps
        self._chance = Random(f"switch {seed}")
        self._underway: list[tuple[float, int, int, bytes]] = []
        self._turn = count()

    def run(self) -> None:
        """Pass frames on until the input ends."""
        poll = select.poll()
        for file in (0, *self._taps):
            poll.register(file, select.POLLIN)
        while True:
            wait = (
                max(0.0, self._underway[0][0] - time.monotonic()) * 1000 if self._underway else None
            )
            ready = [file for file, _event in poll.poll(wait)]
            for host, tap in enumerate(self._taps):
                if tap in ready:
                    self._take(host, tap)
            self._arrive()
            if 0 in ready and not self._obey():
                return

    def _obey(self) -> bool:
        line = sys.stdin.buffer.readline()
        if line:
            self.weather = replace(self.weather, **json.loads(line))
            send({"at": time.monotonic()})
        return bool(line)

    def _take(self, host: int, tap: int) -> None:
        with contextlib.suppress(BlockingIOError):
            for _ in range(BATCH):
                frame = os.read(tap, LONGEST)
                for sink in sinks(frame, host, len(self._taps)):
                    late = self.weather.fate(host, sink, frame, self._chance)
                    if late is not None:
                        heapq.heappush(
                            self._underway, (time.monotonic() + late, next(self._turn), sink, frame)
                        )

    def _arrive(self) -> None:
        now = time.monotonic()
        while self._underway and self._underway[0][0] <= now:
            _due, _turn, sink, frame = heapq.heappop(self._underway)
            try:
                os.write(self._taps[sink], frame)
            except OSError as error:
                # its queue is full, or it is down: lost, as on any switch
                if error.errno not in (errno.EAGAIN, errno.EIO):
                    raise


def plug_in(host: int, inside: int) -> int:
    """Make a tap, put its other end into the namespace of a process as `lan`, and return our
    end."""
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    name = f"port{host}"
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", name.encode(), TAP_WITHOUT_HEADER))
    ip(f"link set {name} netns {inside} name lan address {mac(host).hex(':')}")
    ip("link set lo up", inside)
    # Else its IPv6 address is tentative for two seconds, as it is nowhere that a machine has been
    # on for a while.
    run("sh", "-c", "echo 0 >/proc/sys/net/ipv6/conf/lan/accept_dad", inside=inside)
    ip(f"addr add {address(host)}/24 dev lan", inside)
    ip("link set lan up", inside)
    return tap


def ip(words: str, inside: int | None = None) -> None:
    """Run `ip`, here or in the namespace of a process."""
    run("ip", *words.split(), inside=inside)


def run(*words: str, inside: int | None) -> None:
    """Run a command, here or in the namespace of a process."""
    enter = [] if inside is None else ["nsenter", f"--net=/proc/{inside}/ns/net"]
    subprocess.run([*enter, *words], check=True)


def send(line: dict[str, object]) -> None:
    """Answer."""
    print(json.dumps(line), flush=True)


def namespace() -> subprocess.Popen[bytes]:
    """Start a process in a namespace of its own. It ends when we do, however we end: its input is
    ours to close."""
    inside = subprocess.Popen(
        ["unshare", "--net", "sh", "-c", "echo; exec cat >/dev/null"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert inside.stdout is not None
    inside.stdout.readline()
    return inside


def main() -> None:
    """Make the hosts, and be the switch between them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with contextlib.ExitStack() as stack:
        insides = [stack.enter_context(namespace()) for _ in range(args.hosts)]
        taps = [plug_in(host, inside.pid) for host, inside in enumerate(insides)]
        send({"hosts": [inside.pid for inside in insides]})
        Switch(taps, args.seed).run()


if __name__ == "__main__":
    main()
