"""A seat alone against all others, with real processes: attacks A1, A2, A5 and A6 of the design of membership."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from p2p.table.log import read_log
from tests.end_to_end.processes import ROOT, House, Player, address_of, environment

LIAR = "tests.end_to_end.liar"


def judged(house: House, log: Path, status: int) -> dict:
    """Let a stranger verify a log, and return what it says."""
    judge = house.player("judge", "verify", "--json", str(log))
    assert judge.ends() == status, judge.out
    return json.loads(judge.out)


def at_the_table(house: House, lie: str) -> tuple[Player, Player, Player]:
    """Seat two honest players, and a liar as the third."""
    host = house.host("ane", f"lie-{lie}", "siete-y-media", "--seats", "3", "--option", "deals=2", "--limit", "3600")
    jon = house.join("jon", address_of(host))
    host.says("p2: jon")
    return host, jon, house.join("mary", address_of(host), before=(lie,), program=LIAR)


@pytest.mark.slow
@pytest.mark.parametrize("lie", ["votes", "back"])
def test_one_seat_removes_nobody_and_brings_nobody_back(house: House, lie: str) -> None:
    host, jon, _mary = at_the_table(house, lie)
    assert [player.ends() for player in (host, jon)] == [0, 0]
    for player in (host, jon):
        assert "have voted" not in player.out
        assert "does not stand" not in player.out
        assert len(player.logs) == 1, "no branch was left"
    judge = house.player("judge", "verify", str(host.logs[0]), str(jon.logs[0]))
    assert judge.ends() == 0, judge.out
    assert "have the same records" in judge.out
    found = judged(house, host.logs[0], 0)
    assert found["complete"]
    assert [(gone["seat"], gone["how"]) for gone in found["gone"]] == [(2, "convicted")]


@pytest.mark.slow
def test_a_log_that_its_forger_alone_has_sealed_is_not_complete(house: House, tmp_path: Path) -> None:
    host = house.host("ane", "forged", "escoba", "--option", "target=1")
    jon = house.join("jon", address_of(host))
    assert [player.ends() for player in (host, jon)] == [0, 0]
    winner = judged(house, host.logs[0], 0)["winners"][0]
    loser, forged = (jon, host)[winner], tmp_path / "forged.sobremesa"
    words = ["-m", "tests.end_to_end.forger", str(loser.home), str(host.logs[0]), str(forged)]
    subprocess.run([sys.executable, *words], check=True, cwd=ROOT, env=environment(loser.home))
    names = [name for name, _entries in read_log(forged.read_bytes()).records]
    assert names[-1] == "seals"
    assert "view" in names
    found = judged(house, forged, 3)
    assert "does not show that these seats may go" in found["error"]


@pytest.mark.slow
def test_a_loser_that_does_not_seal_leaves_the_winner_its_own_seal(house: House) -> None:
    host = house.host("ane", "unsealed", "escoba", "--option", "target=1")
    house.join("jon", address_of(host), before=("seal",), program=LIAR)
    assert host.ends() == 1
    name, seals = read_log(host.logs[0].read_bytes()).records[-1]
    assert (name, len(seals)) == ("seals", 1)
    judge = house.player("judge", "verify", str(host.logs[0]))
    assert judge.ends() == 7
    assert "The match is finished, but not sealed by p2." in judge.out
    assert judged(house, host.logs[0], 7)["waiting"] == [1]
