"""A player leaves in the middle of a deal: where the rules let the others go on they do, and all
have one sealed log."""

from __future__ import annotations

import json
import signal

import pytest

from tests.end_to_end.processes import LOOPBACK, Player, address_of, same_logs
from tests.sample import sample


def verified(player: Player, machine, status: int = 0) -> dict:
    """Let a stranger verify a player's log, and return what it says."""
    report = machine.player("stranger", "verify", "--json", str(player.logs[0]))
    assert report.ends() == status, report.out
    return json.loads(report.out)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "option", "void"),
    sample(
        [
            ("siete-y-media", "deals=4", "The deal is broken off."),
            ("escoba", "target=5", "The cards are gathered: the others play on without jon."),
            ("domino", "target=8", "The tiles are gathered: the others play on without jon."),
            (
                "kinaskak",
                "last_contract=1",
                "The cards are gathered: the others play on without jon.",
            ),
        ],
        1,
        rows=True,
    ),
)
def test_a_match_is_played_to_its_end_without_a_leaver(machine, game, option, void):
    host = machine.host("ane", "parting", game, "--seats", "4", "--option", option)
    lola, mary = (machine.join(name, address_of(host)) for name in ("lola", "mary"))
    jon = machine.person(
        "jon", "join", address_of(host), "--plain", "--nick", "jon", "--interface", "127.0.0.1"
    )
    jon.reads(r"Your move")
    jon.type("leave")
    jon.reads("leave yes")
    jon.type("leave yes")
    jon.reads("You have left the match")
    assert jon.ends() == 0
    others = (host, lola, mary)
    assert [player.ends() for player in others] == [0, 0, 0]
    for player in others:
        assert "jon has left the match" in player.out
        assert void in " ".join(player.out.split())
        assert "The match is over" in player.out
    log = same_logs(*others)
    report = verified(host, machine)
    assert report["complete"]
    assert [(gone["seat"], gone["how"]) for gone in report["gone"]] == [(jon_seat(report), "left")]
    assert log.startswith(jon.logs[0].read_bytes()[:1000])


def jon_seat(report: dict) -> int:
    return next(player["seat"] for player in report["players"] if player["nick"] == "jon")


def told_by_history(player: Player, machine) -> dict:
    """Return what the home of a player tells of its only match."""
    report = machine.player(player.home.name, "history", "--json")
    assert report.ends() == 0, report.out
    match, _totals = map(json.loads, report.out.splitlines())
    return match


@pytest.mark.slow
def test_one_who_was_away_learns_of_a_leave_from_the_others_and_all_tell_the_same_end(machine):
    """The program of the player who left has ended by then."""
    host = machine.host(
        "ane", "absent", "domino", "--seats", "4", "--option", "target=6", "--limit", "3600"
    )
    lola, mary = (machine.join(name, address_of(host)) for name in ("lola", "mary"))
    words = ("--plain", "--nick", "jon", "--interface", LOOPBACK)
    jon = machine.person("jon", "join", address_of(host), *words)
    jon.reads(r"Your move")
    mary.signal(signal.SIGKILL)
    mary.process.wait()
    jon.reads("mary is away")
    jon.type("leave")
    jon.reads("leave yes")
    jon.type("leave yes")
    jon.reads("You have left the match, and lost it.")
    assert jon.ends() == 0
    for player in (host, lola):
        player.says("jon has left the match for good. Those who are away learn it when they come")
        assert "jon is away" not in player.out
    again = machine.player(
        "mary", "resume", "--plain", "--interface", LOOPBACK, "--auto", "--at-once"
    )
    stayed = (host, lola, again)
    assert [player.ends() for player in stayed] == [0, 0, 0]
    for player in stayed:
        assert "jon has left the match" in player.out
        assert "The tiles are gathered: the others play on without jon." in player.out
    same_logs(*stayed)
    found = verified(again, machine)
    left = jon_seat(found)
    assert [(gone["seat"], gone["how"]) for gone in found["gone"]] == [(left, "left")]
    assert left not in found["winners"]
    for player in (*stayed, jon):
        match = told_by_history(player, machine)
        assert match["gone"] == [{"seat": left, "how": "left"}]
        assert match["match"] == found["match"]
        if player is jon:
            assert (match["ending"], match["result"]) == ("left", "lost")
            continue
        assert (match["winners"], match["score"]) == (found["winners"], found["score"])
        won = match["seat"] in found["winners"]
        assert match["result"] == ("won" if won else "lost")
        assert match["ending"] == "player-left"
