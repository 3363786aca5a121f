"""A seat alone against all others, with real processes: attacks A1, A2, A5 and A6 of the design of
membership, and B1 of that of protocol 3."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from client.storage import error_log
from p2p.table.log import read_log
from tests.end_to_end.processes import (
    SHORT,
    Machine,
    Player,
    address_of,
    common,
    port_of,
)
from tests.end_to_end.stranger import ends, stranger, waited

LIAR = "tests.end_to_end.liar"


def judged(machine: Machine, log: Path, status: int) -> dict:
    """Let a stranger verify a log, and return what it says."""
    judge = machine.player("judge", "verify", "--json", str(log))
    assert judge.ends() == status, judge.out
    return json.loads(judge.out)


def at_the_table(machine: Machine, lie: str) -> tuple[Player, Player, Player]:
    """Seat two honest players, and a liar as the third."""
    host = machine.host(
        "ane",
        f"lie-{lie}",
        "siete-y-media",
        "--seats",
        "3",
        "--option",
        "deals=2",
        "--limit",
        "3600",
    )
    jon = machine.join("jon", address_of(host))
    host.says("p2: jon")
    return host, jon, machine.join("mary", address_of(host), before=(lie,), program=LIAR)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lie", "gone"), [("votes", []), ("back", [(2, "convicted")]), ("deafen", [])]
)
def test_one_seat_removes_nobody_and_brings_nobody_back(
    machine: Machine, lie: str, gone: list[tuple[int, str]]
) -> None:
    host, jon, _mary = at_the_table(machine, lie)
    assert [player.ends() for player in (host, jon)] == [0, 0]
    for player in (host, jon):
        assert "have voted" not in player.out
        assert "does not stand" not in player.out
        assert len(player.logs) == 1, "no branch was left"
    judge = machine.player("judge", "verify", str(host.logs[0]), str(jon.logs[0]))
    assert judge.ends() == 0, judge.out
    assert "have the same records" in judge.out
    found = judged(machine, host.logs[0], 0)
    assert found["complete"]
    assert [(one["seat"], one["how"]) for one in found["gone"]] == gone


@pytest.mark.slow
def test_a_loser_that_does_not_seal_leaves_the_winner_its_own_seal(machine: Machine) -> None:
    host = machine.host("ane", "unsealed", "escoba", "--option", "target=1")
    machine.join("jon", address_of(host), before=("seal",), program=LIAR)
    assert host.ends() == 1
    name, seals = read_log(host.logs[0].read_bytes()).records[-1]
    assert (name, len(seals)) == ("seals", 1)
    judge = machine.player("judge", "verify", str(host.logs[0]))
    assert judge.ends() == 7
    assert "The match is finished, but not signed by p2." in judge.out
    assert judged(machine, host.logs[0], 7)["waiting"] == [1]


async def test_an_error_of_the_program_with_one_peer_costs_its_link_alone(
    machine: Machine, tmp_path: Path
) -> None:
    words = ("host", "escoba", *SHORT, "--table", "fragile", *common("ane", auto=True))
    host = machine.player("ane", *words, program="tests.end_to_end.fragile", before=("talk",))
    async with stranger(tmp_path) as eve:
        peer = await eve.dial(await waited(lambda: port_of(host)))
        eve.mesh.send(peer, {"t": "say", "text": "boo", "phrase": False})
        await eve.hears(lambda value: str(value).endswith("an error of this program"))
        jon = await waited(lambda: machine.join("jon", address_of(host)))
        assert [await ends(player) for player in (host, jon)] == [0, 0]
    assert host.out.count("This file has the details for a report: ") == 1
    errors = host.home / error_log.NAME
    assert "KeyError: 'a bug'" in errors.read_text(encoding="utf-8")
    errors.unlink()
