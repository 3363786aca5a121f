"""A disk that takes no more, or nothing at all: play stops before anything that is not stored is
acknowledged, and says so."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2p.table.replay import verify_log
from tests.end_to_end.processes import (
    LOOPBACK,
    Machine,
    Player,
    address_of,
    log_at_rest,
    same_logs,
)

BACK = ("--plain", "--interface", LOOPBACK, "--auto", "--at-once")


@pytest.fixture
def disk(machine: Machine) -> Iterator[Callable[..., Path]]:
    """Return what gives a player's home a disk of its own, or mounts that otherwise."""
    mounted: list[Path] = []

    def mount(home: str, options: str) -> Path:
        path = machine.folder / home
        again = "remount," if path in mounted else ""
        path.mkdir(exist_ok=True)
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", again + options, "tmpfs", path],
            capture_output=True,
            check=False,
        )
        if done.returncode and not again:
            pytest.skip(
                f"disks cannot be mounted here: {done.stderr.decode(errors='replace').strip()}"
            )
        assert done.returncode == 0, done.stderr
        mounted.append(path)
        return path

    yield mount
    machine.end()
    for path in set(mounted):
        subprocess.run(["umount", path], check=True)


def stopped(player: Player, why: str) -> None:
    assert player.ends() == 1
    assert why in player.sentence()


@pytest.mark.slow
def test_a_full_disk_stops_play_and_when_there_is_space_it_goes_on(machine, disk):
    disk("jon", "size=200k")
    host = machine.host("ane", "full-disk", "escoba", "--option", "target=21")
    jon = machine.join("jon", address_of(host))
    stopped(
        jon,
        "nothing more can be stored (No space left on device); play stops before anything is lost",
    )
    assert host.process.poll() is None
    stopped(machine.player("jon", "resume", *BACK), "No space left on device")
    disk("jon", "size=20m")
    again = machine.player("jon", "resume", *BACK)
    assert [player.ends() for player in (host, again)] == [0, 0]
    assert "STOP" not in host.out
    assert verify_log(same_logs(host, again)).complete


@pytest.mark.slow
def test_a_disk_that_cannot_be_written_stops_us_before_anything_is_said(machine, disk):
    home = disk("jon", "size=20m")
    host = machine.host("ane", "read-only", "escoba", "--option", "target=1")
    jon = machine.join("jon", address_of(host))
    jon.says(r"(?s)(?: (?:plays|lays|takes) .*?){6}")
    jon.signal(signal.SIGKILL)
    jon.process.wait()
    host.says("jon is away")
    disk("jon", "ro")
    before = log_at_rest(host)
    for words in (
        ("resume", *BACK),
        ("join", address_of(host), *BACK),
        ("host", "escoba", *BACK),
        ("id",),
    ):
        player = machine.player("jon", *words)
        if words[0] != "id":  # our identity can be read all the same
            stopped(player, f"{home}")
            assert "Read-only file system" in player.sentence()
        else:
            assert player.ends() == 0
    assert host.logs[0].read_bytes() == before
    assert host.out.count("jon is back") == 0
    disk("jon", "rw")
    again = machine.player("jon", "resume", *BACK)
    assert [player.ends() for player in (host, again)] == [0, 0]
    assert verify_log(same_logs(host, again)).complete
