"""`sobremesa demo`: a whole match between separate processes, on a machine with nothing but
itself."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from tests.end_to_end.processes import Machine, Player, eventually


def test_a_player_that_is_killed_ends_the_demonstration(machine):
    demo, players = in_mid_demo(machine)
    os.kill(players[2], signal.SIGKILL)
    assert demo.ends() == 1
    assert demo.sentence() == "player 2 was ended by signal 9"
    assert not any(map(running, players.values()))


def test_a_player_that_ends_a_demonstration_ends_its_players(machine):
    demo, players = in_mid_demo(machine)
    demo.signal(signal.SIGTERM)
    assert demo.ends() == 143
    assert demo.err == ""
    assert not any(map(running, players.values()))


def in_mid_demo(machine: Machine) -> tuple[Player, dict[int, int]]:
    """Begin a long demonstration, and return it and its players' processes once they play."""
    demo = machine.player(
        "own",
        "demo",
        "escoba",
        "--option",
        "target=101",
        "--keep",
        str(machine.folder / "kept"),
        "--json",
    )
    homes = {number: machine.folder / "kept" / f"p{number}" for number in (1, 2)}
    for home in homes.values():
        eventually(
            lambda home=home: any(path.stat().st_size > 5000 for path in home.glob("logs/*")),
            "play",
        )
    players = {number: player_of(home) for number, home in homes.items()}
    assert all(map(running, players.values()))
    return demo, players


def player_of(home: Path) -> int:
    """Return the process that plays with a home, by its environment."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"SOBREMESA_HOME={home}".encode() in variables:
            return int(folder.name)
    pytest.skip("this system does not say which process is whose")


def running(process: int) -> bool:
    """Whether a process still runs; one that has ended and was not yet waited for does not."""
    try:
        return not re.search(r"^State:\s*[ZX]", Path(f"/proc/{process}/status").read_text(), re.M)
    except OSError:
        return False
