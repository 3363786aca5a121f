"""Looking on: a spectator sees a match through, learns no hidden card, and is heard by nobody."""

from __future__ import annotations

import os
import re
import signal
from dataclasses import replace

import pytest

from client.__main__ import main
from p2p.net.free import free_port
from p2p.table.lobby import Draft
from p2p.table.replay import verify_log
from p2p.table.spectating import WatchedMatch, WatchRequest
from tests.end_to_end.processes import (
    LOOPBACK,
    SHORT,
    Machine,
    Player,
    address_of,
    invite_of,
    port_of,
    same_logs,
)
from tests.end_to_end.stranger import kind, stranger, waited
from tests.ring import identities, terms_for


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


@pytest.mark.slow
def test_where_the_players_have_not_agreed_to_it_there_are_no_spectators(machine):
    host = machine.host("ane", "shut", "escoba", "--option", "target=1", auto=False)
    asked = [watch(machine, "eve", address_of(host))]
    assert asked[0].ends() == 6
    guest = machine.join("jon", address_of(host), auto=False)
    guest.says("You are dealt")
    asked.append(watch(machine, "eve", "shut"))
    assert asked[1].ends() == 6
    assert {player.sentence() for player in asked} == {
        "that match allows no spectators: its players have agreed on that"
    }
    assert asked[1].logs == []
    assert "Spectators are allowed" not in guest.out
    assert "spectator" not in host.out
    assert "watch" not in host.err


@pytest.mark.soak
async def test_a_spectator_that_sends_more_is_dropped_and_nobody_else_is(machine, tmp_path):
    host = await waited(
        lambda: machine.host("ane", "noisy", "escoba", "--option", "target=11", "--spectators")
    )
    async with stranger(tmp_path, name="noisy") as noisy:
        peer = await noisy.dial(port_of(host))
        noisy.mesh.keep(peer)
        noisy.mesh.send(peer, WatchRequest().message())
        Draft.read(await noisy.hears(kind("table")))
        quiet = await waited(lambda: watch(machine, "eve", address_of(host)))
        await waited(lambda: quiet.says("The match has not begun"))
        guest = await waited(lambda: machine.join("jon", address_of(host)))
        await noisy.hears(lambda value: isinstance(value, bytes))
        noisy.mesh.send(peer, os.urandom(200))
        assert "not at this table" in await noisy.hears(lambda value: isinstance(value, str))
        noisy.mesh.forget(peer)
    players = (host, guest, quiet)
    assert [await waited(player.ends) for player in players] == [0, 0, 0]
    assert (await waited(lambda: verify_log(same_logs(*players)))).complete


def match(*, spectators: bool = True) -> WatchedMatch:
    terms = replace(terms_for("escoba", 2), spectators=spectators)
    return WatchedMatch(terms, tuple(terms.sign(one) for one in identities(2)), (), 0)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        (
            [match(spectators=False).message()],
            "that match allows no spectators: its players have agreed on that",
        ),
        (
            [{**match().message(), "signatures": [bytes(64)] * 2}],
            "the entries shown of that match were not signed by its players; you are no longer "
            "watching it",
        ),
        ([{"t": "refuse", "why": "\x1b[31mred"}], "the table cannot be joined: red"),
        ([], "the host did not answer"),
    ],
)
async def test_a_peer_that_shows_no_match_is_left_with_a_sentence(
    machine, tmp_path, answers, sentence
):
    def answer(host, peer, value):
        if kind("watch")(value):
            for said in answers:
                host.mesh.send(peer, said)

    async with stranger(tmp_path, answer) as host:
        eve = await waited(lambda: watch(machine, "eve", f"{LOOPBACK}:{host.mesh.port}"))
        assert await waited(eve.ends) == 6
    assert eve.sentence() == sentence


@pytest.mark.slow
def test_a_private_table_shows_its_match_to_spectators_with_an_invite_only(machine):
    host = machine.host(
        "ane", "private-watched", "escoba", "--private", "--spectators", *SHORT, auto=False
    )
    port = str(free_port(LOOPBACK))
    guest = machine.join("jon", invite_of(host), "--port", port, auto=False)
    invite = host.says(r"Spectators watch with: sobremesa watch (\S+)")[1]
    guest.says("You are dealt")
    for number, where in enumerate((address_of(host), f"{LOOPBACK}:{port}")):
        eve = watch(machine, f"eve{number}", where)
        assert eve.ends() == 6
        assert eve.sentence() == "the table is private: ask for an invite"
        assert eve.logs == []
    friend = watch(machine, "mary", invite)
    friend.says("The match begins")
    friend.says("jon")
