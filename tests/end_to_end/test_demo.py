"""`sobremesa demo`: a whole match between separate processes, on a machine with nothing but
itself."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.namespaces import empty_network
from tests.end_to_end.processes import ROOT, Machine, Player, environment, eventually
from tests.patience import PATIENCE
from tests.sample import sample

FIELDS = {
    "game",
    "players",
    "found_by",
    "score",
    "winners",
    "shared",
    "seconds",
    "steps",
    "logs",
    "verified",
    "identical",
}


def demonstrate(machine: Machine, *words: str, before: tuple[str, ...] | list[str] = ()) -> dict:
    """Run a demonstration to its end, and return what it printed."""
    done = subprocess.run(
        [*before, sys.executable, "-m", "client", "demo", *words, "--json"],
        env=environment(machine.folder / "own"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.count("\n") == 1
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("players", sample([2, 4], 1))
def test_a_demonstration_says_what_it_came_to(machine, players):
    kept = machine.folder / "kept"
    found = demonstrate(
        machine, "escoba", "--players", str(players), "--option", "target=1", "--keep", str(kept)
    )
    assert set(found) == FIELDS
    assert (found["game"], found["players"], found["found_by"]) == ("escoba", players, "zeroconf")
    assert (found["verified"], found["identical"]) == (True, True)
    assert len(found["score"]) == players
    assert max(found["score"]) >= 1
    assert found["winners"] == [f"p{found['score'].index(max(found['score'])) + 1}"]
    assert found["steps"] > 40
    # `sha256sum DIR/p*/logs/*.sobremesa` shows one sum.
    logs = sorted(kept.glob("p*/logs/*.sobremesa"))
    assert [str(path) for path in logs] == found["logs"]
    assert [path.parts[-3] for path in logs] == [f"p{number}" for number in range(1, players + 1)]
    assert len({hashlib.sha256(path.read_bytes()).hexdigest() for path in logs}) == 1
    for number in range(1, players + 1):
        home = kept / f"p{number}"
        assert list((home / "journals").iterdir()) == []
        assert (home / "errors.txt").read_text() == ""
    # A folder with matches in it is not written into again.
    again = machine.player("own", "demo", "escoba", "--keep", str(kept))
    assert again.ends() == 2
    assert again.sentence() == f"{kept} already has matches in it; name an empty folder"


@pytest.mark.slow
def test_a_demonstration_needs_no_network(machine):
    found = demonstrate(
        machine, "escoba", "--option", "target=1", before=empty_network(loopback=True)
    )
    assert (found["found_by"], found["verified"], found["identical"]) == ("zeroconf", True, True)


@pytest.mark.slow
def test_a_demonstration_without_zeroconf_says_so_and_goes_on(machine):
    holder = (
        "import os, socket, sys; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('', "
        "5353)); s.set_inheritable(True); os.execvp(sys.argv[1], sys.argv[1:])"
    )
    before = [*empty_network(loopback=True), sys.executable, "-c", holder]
    found = demonstrate(machine, "escoba", "--players", "3", "--option", "target=1", before=before)
    assert (found["found_by"], found["verified"], found["identical"]) == ("address", True, True)


def test_a_player_that_is_killed_ends_the_demonstration(machine):
    demo, players = in_mid_demo(machine)
    os.kill(players[2], signal.SIGKILL)
    assert demo.ends() == 1
    assert demo.sentence() == "player 2 was ended by signal 9"
    assert not any(map(running, players.values()))


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_player_that_ends_a_demonstration_ends_its_players(machine, number, status):
    demo, players = in_mid_demo(machine)
    demo.signal(number)
    assert demo.ends() == status
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
