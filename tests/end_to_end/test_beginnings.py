"""Killed between signing the terms and the first word: the match begins all the same when the
killed player comes back."""

from __future__ import annotations

import signal
import time

import pytest

from p2p.table.admission import FIRST_WAIT_MS
from p2p.table.replay import verify_log
from tests.end_to_end.processes import (
    LOOPBACK,
    SHORT,
    Machine,
    Player,
    address_of,
    common,
    port_of,
    same_logs,
)
from tests.sample import sample

FRAGILE = "tests.end_to_end.fragile"


def fragile(machine: Machine, moment: str, home: str, *words: str) -> Player:
    return machine.player(home, moment, *words, *common(home, auto=True), program=FRAGILE)


def killed(player: Player) -> None:
    assert player.process.wait(60) == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["unheard", "seating"])
@pytest.mark.parametrize("seats", sample([3, 2], 1))
def test_a_guest_that_has_signed_comes_back_into_the_match(machine, moment, seats):
    host = machine.host("ane", f"signed-{moment}-{seats}", "escoba", "--seats", str(seats), *SHORT)
    others = [host]
    if seats == 3:
        others.append(machine.join("lola", address_of(host)))
        host.says("p2: lola")
    jon = fragile(machine, moment, "jon", "join", address_of(host))
    killed(jon)
    for other in others:
        other.says("The match begins")
    assert jon.logs == []
    players = [*others, machine.back("jon")]
    assert [player.ends() for player in players] == [0] * seats
    assert verify_log(same_logs(*players)).complete


@pytest.mark.slow
def test_a_host_that_has_signed_comes_back_into_the_match(machine):
    host = fragile(machine, "seating", "ane", "host", "escoba", *SHORT, "--table", "host-signed")
    port = port_of(host)
    jon = machine.join("jon", f"{LOOPBACK}:{port}")
    killed(host)
    jon.says("ane is away")
    players = [machine.back("ane"), jon]
    assert [player.ends() for player in players] == [0, 0]
    assert verify_log(same_logs(*players)).complete


@pytest.mark.slow
def test_a_match_that_not_all_have_signed_is_called_off_when_all_are_there_to_say_so(machine):
    """The guest's own disk may have all signatures, though nobody else has."""
    host = machine.host("ane", "not-signed", "escoba", *SHORT)
    jon = fragile(machine, "signed", "jon", "join", address_of(host))
    killed(jon)
    host.says("p2 is free again")
    freed = time.monotonic()
    again = machine.back("jon")
    assert again.ends() == 6
    assert again.sentence() == "that match never began: it was called off before all had signed"
    once_more = machine.back("jon")
    assert once_more.ends() == 2
    assert once_more.sentence() == "there is no unfinished match to resume"
    time.sleep(max(0.0, freed + FIRST_WAIT_MS / 1000 - time.monotonic()))
    jon = machine.join("jon", address_of(host))
    assert [player.ends() for player in (host, jon)] == [0, 0]
    assert verify_log(same_logs(host, jon)).complete


@pytest.mark.slow
def test_if_a_signer_never_comes_back_the_others_go_on_without(machine):
    host = machine.host(
        "ane", "never-back", "siete-y-media", "--seats", "3", "--option", "deals=2", "--limit", "3"
    )
    lola = machine.join("lola", address_of(host))
    host.says("p2: lola")
    killed(fragile(machine, "seating", "jon", "join", address_of(host)))
    assert [player.ends() for player in (host, lola)] == [0, 0]
    verdict = verify_log(same_logs(host, lola))
    assert not verdict.missing
    assert not verdict.complete  # that a majority went on is no proof
    assert [one.voters for one in verdict.voted_out] == [(0, 1)]
    for player in (host, lola):
        assert "have voted (2 of 3) to go on without jon" in player.out
