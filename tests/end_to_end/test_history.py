"""A match that has just been played stands in the history, with the result that verifying its log
gives."""

from __future__ import annotations

import json
import signal

from tests.end_to_end.processes import Player


def told(machine, home: str, *words: str) -> list[dict]:
    """Return what `history --json` says of a home: a match a line, and the totals."""
    player: Player = machine.player(home, "history", "--json", *words)
    assert player.ends() == 0, player.err
    return [json.loads(line) for line in player.out.splitlines()]


def test_a_match_against_the_computer_is_told_with_its_result(machine):
    match = machine.player(
        "ane", "play", "siete-y-media", "--option", "deals=2", "--auto", "--plain", "--nick", "Ane"
    )
    assert match.ends() == 0, match.err
    (log,) = match.logs
    found, last = told(machine, "ane")
    report = machine.player("stranger", "verify", "--json", str(log))
    assert report.ends() == 0
    verdict = json.loads(report.out)
    assert (found["score"], found["winners"], found["match"]) == (
        verdict["score"],
        verdict["winners"],
        verdict["match"],
    )
    assert found["ending"] == "complete"
    assert found["result"] == ("won" if found["seat"] in verdict["winners"] else "lost")
    assert [player["computer"] for player in found["players"]] == [True, True], (
        "Ane plays by --auto"
    )
    assert found["deals"] == len(found["scores"]) == 2
    assert last["totals"]["computers"]["matches"] == 1
    assert last["totals"]["people"]["matches"] == 0
    assert told(machine, "ane") == [found, last], "from the index it is the same"
    assert log.stat().st_mtime <= (machine.folder / "ane" / "history.index").stat().st_mtime


def test_a_match_that_was_killed_waits_in_the_history_of_a_home_that_is_being_used(machine):
    ane = machine.person("ane", "play", "escoba", "--option", "target=1", "--plain")
    ane.reads("Your move")
    found, last = told(machine, "ane")
    assert (found["ending"], found["result"], found["game"]) == ("waiting", None, "escoba")
    assert last["totals"]["games"] == []
    ane.signal(signal.SIGKILL)
    ane.process.wait()
    assert told(machine, "ane")[0]["ending"] == "waiting"
