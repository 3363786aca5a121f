"""Looking on: a spectator sees a match through, learns no hidden card, and is heard by nobody."""

from __future__ import annotations

import re
import signal
from dataclasses import replace

import pytest

from client.__main__ import main
from p2p.table.replay import verify_log
from p2p.table.spectating import WatchedMatch
from tests.end_to_end.processes import (
    LOOPBACK,
    Machine,
    Player,
    address_of,
    same_logs,
)
from tests.end_to_end.stranger import kind, stranger, waited
from tests.ring import terms_for


def watch(machine: Machine, home: str, where: str, *words: str) -> Player:
    return machine.player(
        home, "watch", where, *words, "--auto", "--plain", "--interface", LOOPBACK
    )


@pytest.mark.slow
def test_a_match_is_seen_through_from_before_its_beginning_and_from_its_middle(machine):
    host = machine.host("ane", "looked-at", "escoba", "--option", "target=11", "--spectators")
    early = watch(machine, "eve", address_of(host))
    early.says("Spectators are allowed(.|\n)*The match has not begun")
    jon = machine.join("jon", address_of(host))
    jon.says("Spectators are allowed")  # before it sits down
    host.says("A spectator is watching, with the key")
    jon.says(r"jon, fingerprint|that is you|a computer player")
    host.says(r"(?s)(?: (?:plays|lays|takes) .*?){4}")
    jon.signal(signal.SIGSTOP)  # so that the match is not over before she has come
    late = watch(machine, "eva", "looked-at")
    late.says("The match begins")
    jon.signal(signal.SIGCONT)
    players = (host, jon, early, late)
    assert [player.ends() for player in players] == [0, 0, 0, 0]
    assert verify_log(same_logs(*players)).complete
    for spectator in (early, late):
        assert re.search("The match is over. Score: ane: [0-9]+, jon: [0-9]+", spectator.out)
        assert not re.search(r"You (are dealt|draw|play|lay|may)|Your turn|^you", spectator.out)
    assert main(["verify", str(early.logs[0])]) == 0


async def test_a_peer_that_shows_a_forged_match_is_left_with_a_sentence(machine, tmp_path):
    forged = WatchedMatch(replace(terms_for("escoba", 2), spectators=True), (bytes(64),) * 2, (), 0)

    def answer(host, peer, value):
        if kind("watch")(value):
            host.mesh.send(peer, forged.message())

    async with stranger(tmp_path, answer) as host:
        eve = await waited(lambda: watch(machine, "eve", f"{LOOPBACK}:{host.mesh.port}"))
        assert await waited(eve.ends) == 6
    assert eve.sentence() == (
        "the entries shown of that match were not signed by its players; you are no longer "
        "watching it"
    )
