"""A player that is killed at any moment comes back with `resume`: same seat, same hand, and the
match goes on."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

import pytest

from p2p.table.replay import verify_log
from tests import kills
from tests.end_to_end.processes import (
    LOOPBACK,
    address_of,
    eventually,
    port_of,
    same_logs,
)

BACK = ("--plain", "--interface", LOOPBACK)
DEALT = r"You are dealt: (.*)\n"
PLAY = r"(?s)(?: (?:plays|lays|takes) .*?){%d}"


@pytest.mark.soak
@pytest.mark.slow
def test_players_are_killed_and_come_back(tmp_path):
    table = kills.play("domino", 0, 4, 7, tmp_path / "match", "target=40")
    assert sum(table.kills.values()) >= 2
    assert max(table.pauses) < 30


@pytest.mark.slow
def test_a_person_comes_back_to_the_same_hand_and_the_same_question(machine):
    host = machine.host("ane", "same-hand", "escoba", "--option", "target=1")
    jon = machine.person("jon", "join", address_of(host), "--nick", "jon", *BACK)
    dealt = jon.reads(DEALT)[1]
    jon.reads("Your turn")
    jon.kill()
    (match,) = (path.stem for path in (machine.folder / "jon" / "logs").iterdir())
    again = machine.person("jon", "resume", match[:6], *BACK)
    again.reads(f"Back in match {match}")
    assert again.reads(DEALT)[1] == dealt
    again.reads("Your turn")
    second = machine.back("jon")
    assert second.ends() != 0
    assert "another Sobremesa is running with the folder" in second.sentence()
    again.kill()
    last = machine.back("jon")
    assert [player.ends() for player in (host, last)] == [0, 0]
    assert verify_log(same_logs(host, last)).complete


@pytest.mark.slow
def test_a_host_with_computer_players_and_its_guest_are_killed_and_its_old_port_is_taken(machine):
    words = ("--seats", "4", "--bots", "2", "--option", "target=1")
    host = machine.host("ane", "both", "escoba", *words)
    jon = machine.join("jon", address_of(host))
    jon.says(PLAY % 6)
    host.kill()
    jon.kill()
    assert len(list((machine.folder / "ane" / "journals").iterdir())) == 4
    with socket.socket() as other:
        with suppress(OSError):  # another test has been faster: then it is taken just as well
            other.bind((LOOPBACK, int(address_of(host).split(":")[1])))
            other.listen()
        players = [machine.back(name) for name in ("ane", "jon")]
        assert [player.ends() for player in players] == [0, 0]
    assert verify_log(same_logs(*players)).complete


@pytest.mark.slow
def test_a_host_that_comes_back_listens_on_its_old_port(machine):
    host = machine.host("ane", "port", "escoba", "--option", "target=1")
    at = LOOPBACK, port_of(host)
    machine.person("jon", "join", address_of(host), "--nick", "jon", *BACK).reads("Your turn")
    host.kill()
    machine.back("ane").says("Back in match")

    def answers() -> bool:
        with socket.socket() as asking:
            return asking.connect_ex(at) == 0

    eventually(answers, "the old port")


@pytest.mark.slow
def test_a_player_killed_before_its_files_are_gone_is_told_that_all_is_well(machine):
    """All seals are on disk, the journals not yet deleted: there is nothing more to say, and nobody
    to say it to."""
    host = machine.host("ane", "sealed", "escoba", "--option", "target=1")
    jon = machine.join("jon", address_of(host))
    # A file that is about to take the place of another stands there for a moment too, and is none
    # of these.
    endings = {".match", ".journal"}
    eventually(lambda: endings <= {path.suffix for path in jon.journals}, "the journals of jon")
    journals = [path for path in jon.journals if path.suffix in endings]
    kept = [(path, path.with_suffix(".kept")) for path in journals]
    for path, other_name in kept:
        other_name.hardlink_to(path)
    assert [player.ends() for player in (host, jon)] == [0, 0]
    for path, other_name in kept:
        other_name.rename(path)
    again = machine.back("jon")
    assert again.ends() == 0, again.story()
    assert "The match is over" in again.out
    same_logs(host, again)


@pytest.mark.slow
def test_without_its_key_a_home_with_matches_gets_no_new_one(machine):
    host = machine.host("ane", "keyless", "escoba", "--option", "target=11")
    jon = machine.join("jon", address_of(host))
    jon.says(PLAY % 6)
    jon.kill()
    (jon.home / "identity.key").unlink()
    before = content(jon.home)
    for player in (machine.back("jon"), machine.player("jon", "id")):
        assert player.ends() == 1
        assert player.sentence().startswith(
            f"{jon.home / 'identity.key'} is missing, and the matches in this folder belong to "
        )
    assert content(jon.home) == before


def content(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.rglob("*") if path.is_file()}
