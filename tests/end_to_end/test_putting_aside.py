"""Two players cannot vote: when one disappears the other puts the match aside, and it goes on when
both are back."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from client.storage.home import Home
from client.storage.resume_record import look_through
from tests.end_to_end.processes import LOOPBACK, Machine, address_of, same_logs

HOUR = 3600


@pytest.mark.slow
def test_a_match_of_two_is_put_aside_and_played_to_its_end_an_hour_later(
    machine: Machine, shim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--plain", "--interface", LOOPBACK]
    table = ["--option", "target=1", "--limit", "3", "--table", "aside"]
    ane = machine.person("ane", "host", "escoba", *table, *words, "--nick", "ane")
    ane.reads("is open on port")
    jon = machine.join("jon", address_of(ane))
    ane.reads("Your move")
    jon.signal(signal.SIGKILL)
    jon.process.wait()
    ane.reads(
        "jon is away: gone for now, or cut off. The table waits; `aside` puts the match aside"
    )
    ane.type("without")
    ane.reads("Two players cannot vote")
    ane.type("hint")
    move = ane.reads(r"\sType\s+(play [^\r\n]+)")[1]
    ane.type(move)
    ane.reads("The table has waited for jon for 3 seconds")
    ane.reads("`aside`: put the match aside; it goes on when all are back")
    ane.type("without")
    ane.reads("Two players cannot vote")
    ane.type("aside")
    ane.reads("The match is not finished, and waits for you")
    assert ane.ends() == 0
    (saved,), _damaged = look_through(Home(ane.home))
    assert saved.broken_off_by == Home(jon.home).identity.id, "Jon went first"
    judge = machine.player("judge", "verify", str(ane.logs[0]))
    assert judge.ends() == 7
    assert "The match is not finished: it waits for the" in judge.out
    monkeypatch.setenv("LD_PRELOAD", str(shim))
    monkeypatch.setenv("SHIFT", str(HOUR))
    back = [
        machine.player(name, "resume", *words, "--auto", "--at-once") for name in ("ane", "jon")
    ]
    assert [player.ends() for player in back] == [0, 0]
    same_logs(*back)
    judge = machine.player("judge", "verify", str(ane.logs[0]))
    assert judge.ends() == 0, judge.out
