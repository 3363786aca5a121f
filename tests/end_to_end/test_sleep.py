"""A machine that sleeps in mid-match: after it wakes up it is back in its seat.

Nobody waits for ten minutes here: a process is stopped until it is missed, and then the clocks
leap.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.processes import Machine, address_of, eventually, same_logs
from tests.end_to_end.test_reconnect import LONG, in_mid_match
from tests.sample import sample

BACK = 30.0
"""Seconds until a machine that woke up is back; other work shares the machine."""


@pytest.fixture
def leaping(shim: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the clocks of those who are started from now on leap by so many seconds whenever they are
    told to go on."""

    def leaping(seconds: int) -> None:
        monkeypatch.setenv("LD_PRELOAD", str(shim))
        monkeypatch.setenv("SLEEP", str(seconds))

    return leaping


@pytest.mark.slow
@pytest.mark.parametrize(
    ("awake", "asleep"),
    sample([(600, 0), (60, 60), (600, 600)], 1, rows=True),
    ids=["ten-minutes-and-the-clock-too", "a-minute", "ten-minutes"],
)
def test_a_player_that_has_slept_is_back_in_its_seat(
    machine: Machine, leaping, figure, awake, asleep
):
    leaping(awake)
    host = machine.host("ane", "asleep", "escoba", *LONG, "--limit", "3600")
    leaping(asleep)
    guest = machine.join("jon", address_of(host))
    in_mid_match(host, guest)
    guest.signal(signal.SIGSTOP)
    host.says("jon is away: gone for now, or cut off. The table waits")
    host.signal(signal.SIGCONT)
    time.sleep(3)
    assert "jon is back" not in host.out
    guest.signal(signal.SIGCONT)
    woke = time.monotonic()
    host.says("jon is back", seconds=BACK)
    took = time.monotonic() - woke
    assert [player.ends() for player in (host, guest)] == [0, 0]
    same_logs(host, guest)
    figure(f"back in its seat {took:.2f} s after it woke up")


@pytest.mark.slow
def test_a_player_that_stands_still_for_five_seconds_plays_on(machine: Machine, figure):
    host = machine.host("ane", "still", "escoba", *LONG)
    guest = machine.join("jon", address_of(host))
    in_mid_match(host, guest)
    guest.signal(signal.SIGSTOP)
    time.sleep(5)
    told = host.out.count("ane plays")
    guest.signal(signal.SIGCONT)
    woke = time.monotonic()
    eventually(lambda: host.out.count("ane plays") > told, "a move of the other", BACK, host.story)
    figure(f"stood still for 5 s: the other moved again after {time.monotonic() - woke:.2f} s")
    assert [player.ends() for player in (host, guest)] == [0, 0]
    same_logs(host, guest)
