"""How a table fills, from several machines, in any order; and strangers with no business at it."""

from __future__ import annotations

import json
import os
import re
import signal
from dataclasses import replace

import pytest
import trio

from client.storage.home import Home
from crypto.identity import Identity
from p2p.net.discovery import open_discovery
from p2p.net.sighting import Advert
from p2p.table.admission import Visit
from p2p.table.lobby import SeatRequest, sit_message
from p2p.table.log import read_log
from p2p.table.need import Need
from p2p.wire import PROTOCOL, unpack
from tests.end_to_end.processes import (
    LOOPBACK,
    SHORT,
    address_of,
    invite_of,
    log_at_rest,
    port_of,
    same_logs,
)
from tests.end_to_end.stranger import kind, look, refusal, stranger, waited


@pytest.mark.slow
def test_a_table_of_four_fills_from_several_processes(machine):
    host = machine.host("ane", "four", "escoba", "--seats", "4", "--computers", "carmen", *SHORT)
    host.says(r"p2: Carmen, a computer player \(strong\)\. ")
    host.says("2 seats are free")
    lola = machine.join("lola", "four")
    lola.says("p3: lola, a computer player")  # for that is who sits on the seat
    host.says("p3: lola, fingerprint .*\n1 seat is free")
    mary = machine.join("mary", invite_of(host))
    assert [player.ends() for player in (host, lola, mary)] == [0, 0, 0]
    for player, seat in ((host, 1), (lola, 3), (mary, 4)):
        assert f"p{seat}: {player.home.name}, a computer player" in player.out
    same_logs(host, lola, mary)


@pytest.mark.slow
def test_six_seats_in_teams_with_computers(machine):
    host = machine.host("ane", "six", "escoba", "--seats", "6", "--bots", "3", *SHORT)
    guests = [machine.join(name, address_of(host)) for name in ("lola", "mary")]
    assert [player.ends() for player in (host, *guests)] == [0, 0, 0]
    assert "Partners: yes" in host.out
    assert re.search(
        r"The match is over. Score: ane, [\w ]+ and [\w ]+: \d+, [\w ]+, [\w ]+ and [\w ]+: \d+",
        host.out,
    )
    same_logs(host, *guests)


@pytest.mark.slow
def test_four_at_truco_play_with_the_partners_that_the_host_has_chosen(machine):
    """From one invite; a computer plays for each guest, and the host sits at its keyboard."""
    lines, pen = os.pipe()
    words = ("truco", "--private", "--seats", "4", "--option", "target=15")
    host = machine.host("ane", "partners", *words, auto=False, stdin=lines)
    invite = invite_of(host)
    guests = [machine.join("jon", invite)]
    host.says("p2: jon, ")
    os.write(pen, b"seats p2 p3\n")
    guests[0].says("p3: jon, a computer player")
    for nick, seat in (("mary", 2), ("peio", 4)):
        guests.append(machine.join(nick, invite))
        host.says(f"p{seat}: {nick}, ")
    for player in (host, *guests):
        player.says(
            "(ane and jon play against mary and peio|mary and peio play against ane and jon)"
        )
        player.says("The match begins")
    os.write(pen, b"seats lot\n")
    host.says("You arrange the seats of your own table only, and before the match")
    for player in (host, *guests):
        player.end()
    os.close(lines)
    os.close(pen)


@pytest.mark.slow
def test_a_player_that_goes_before_the_table_is_full_frees_a_seat(machine):
    host = machine.host("ane", "freed", "escoba", "--seats", "3", *SHORT)
    jon = machine.join("jon", address_of(host))
    host.says("p2: jon, fingerprint")
    jon.signal(signal.SIGKILL)
    host.says("p2 is free again")
    lola = machine.join("lola", address_of(host))
    host.says("p2: lola, fingerprint")
    jon = machine.join("jon", address_of(host))  # the same key, which may come back
    assert [player.ends() for player in (host, lola, jon)] == [0, 0, 0]
    same_logs(host, lola, jon)


async def test_a_player_that_goes_between_the_terms_and_its_signature_costs_nobody_anything(
    machine, tmp_path
):
    host = await waited(lambda: machine.host("ane", "unsigned", "escoba", "--seats", "3", *SHORT))
    lola = await waited(lambda: machine.join("lola", address_of(host)))
    await waited(lambda: host.says("p2: lola, fingerprint"))
    async with stranger(tmp_path) as slow:
        peer = await slow.dial(port_of(host))
        await slow.sit(peer)
        first = await slow.hears(kind("terms"))
        # lola has signed
        assert await slow.hears(lambda value: kind("sign")(value) and value["seat"] == 1)
    await waited(lambda: host.says("p3 is free again"))
    mary = await waited(lambda: machine.join("mary", address_of(host)))
    players = (host, lola, mary)
    assert [await waited(player.ends) for player in players] == [0, 0, 0]
    log = same_logs(*players)
    used = [seat[2] for seat in unpack(first["terms"], 8192)["seats"]]
    assert not any(nonce in log for nonce in used), "somebody has signed twice with one nonce"


@pytest.mark.slow
async def test_a_player_that_does_not_sign_gives_its_seat_to_others(machine, tmp_path):
    host = await waited(lambda: machine.host("ane", "silent", "escoba", *SHORT))
    async with stranger(tmp_path) as slow:
        peer = await slow.dial(port_of(host))
        await slow.sit(peer)
        await slow.hears(refusal("not-signed"))
        await slow.sit(peer)
        await slow.hears(refusal("too-soon"))
        mary = await waited(lambda: machine.join("mary", address_of(host)))
        assert [await waited(player.ends) for player in (host, mary)] == [0, 0]
    same_logs(host, mary)


async def test_a_player_that_goes_between_its_signature_and_the_beginning_is_waited_for(
    machine, tmp_path
):
    host = await waited(lambda: machine.host("ane", "signed", "escoba"))

    async with stranger(tmp_path) as guest:
        from p2p.table.lobby import Draft, agree  # noqa: PLC0415 - the steps of an honest guest, by hand

        peer = await guest.dial(port_of(host))
        await guest.sit(peer)
        terms = await guest.hears(kind("terms"))
        shown = [value for _peer, value in guest.heard if kind("table")(value)][-1]
        agreement, _nodes = agree(Draft.read(shown), terms, [guest.seat_request])
        for message in agreement.messages():
            guest.mesh.send(peer, message)
        await waited(lambda: host.says("The match begins"))
    await waited(lambda: host.says("Stranger is away: gone for now, or cut off. The table waits"))
    host.interrupt()
    assert await waited(host.ends) == 130


async def test_strangers_hear_nothing_and_cannot_speak(machine, tmp_path):
    host = await waited(lambda: machine.host("ane", "strangers", "escoba", *SHORT, auto=False))
    guest = await waited(lambda: machine.join("jon", address_of(host), auto=False))
    await waited(lambda: guest.says("You are dealt"))
    log = read_log(await waited(lambda: log_at_rest(host)))
    async with stranger(tmp_path) as eve:
        peers = [await eve.dial(port_of(host))]
        eve.mesh.send(peers[0], look())
        await eve.hears(refusal("playing"))
        match = bytes.fromhex(host.logs[0].stem) + bytes(16)
        eve.mesh.send(peers[0], Need().message(match))
        visit = Visit(
            "strangers", peers[0], eve.identity.id, *eve.mesh.links()[peers[0]].nonces[::-1]
        )
        eve.mesh.send(peers[0], sit_message([eve.seat_request], b"", visit))
        eve.mesh.send(peers[0], {"t": "stand"})
        eve.mesh.send(
            peers[0], {"t": "sign", "match": bytes(32), "seat": 0, "signature": bytes(64)}
        )
        eve.mesh.send(peers[0], {"t": "terms", "terms": b"", "nodes": []})
        eve.mesh.send(peers[0], {"t": "something new", "x": [1, {"y": None}]})
        await trio.sleep(0.5)
        heard = [value for _peer, value in eve.heard]
        assert all(refusal("playing")(value) for value in heard), heard
        # An entry, also one that a seat has signed, is not for strangers to bring: the link is
        # closed.
        eve.mesh.send(peers[0], log.records[-1][1][-1])
        assert "not at this table" in await eve.hears(lambda value: isinstance(value, str))
        assert not any(isinstance(value, bytes) for _peer, value in eve.heard)
    assert "away" not in host.out
    assert host.process.poll() is None
    assert guest.process.poll() is None


async def test_a_player_that_sits_down_with_anothers_key_is_dropped_and_its_owner_is_seated(
    machine, tmp_path
):
    host = await waited(lambda: machine.host("ane", "stolen", "escoba", *SHORT))
    jon = Home(machine.folder / "jon").identity
    async with stranger(tmp_path) as eve:
        peer = await eve.dial(port_of(host))
        await eve.sit(peer, SeatRequest(replace(jon, seed=eve.identity.seed), "jon", os.urandom))
        assert "has not proven" in await eve.hears(lambda value: isinstance(value, str))
        guest = await waited(lambda: machine.join("jon", address_of(host)))
        assert [await waited(player.ends) for player in (host, guest)] == [0, 0]
    assert host.out.count("p2: ") == 1


async def test_tables_believes_nobody_without_an_answer(machine, tmp_path):
    host = await waited(lambda: machine.host("ane", "tables-real", "escoba", "--seats", "3"))
    liar, borrowed = (Identity.from_seed(os.urandom(32)) for _ in range(2))
    async with stranger(tmp_path) as honest_key:
        facts = {
            "nick": "Eve\x1b[31m",
            "game": "escoba",
            "seats_taken": 1,
            "seats": 2,
            "state": "open",
            "protocol": PROTOCOL,
        }
        # One names the port of somebody else's table, one a port where nobody is, one has a key and
        # shows no table.
        adverts = [
            Advert(id=liar.id, table="tables-borrowed", port=port_of(host), **facts),
            Advert(id=borrowed.id, table="tables-nobody", port=1, **facts),
            Advert(
                id=honest_key.identity.id,
                table="tables-silent",
                port=honest_key.mesh.port,
                **{**facts, "state": "playing"},
            ),
        ]
        async with (
            open_discovery(LOOPBACK) as one,
            open_discovery(LOOPBACK) as two,
            open_discovery(LOOPBACK) as three,
        ):
            for discovery, advert in zip((one, two, three), adverts, strict=True):
                await discovery.advertise(advert)
            false = ("tables-borrowed", "tables-nobody", "tables-silent")
            # the words of a real table, which on a busy machine may answer too late
            real_said = r"tables-real +escoba +1/3 +open +ane \("
            said = await waited(lambda: machine.tables(*false, real_said))
            real_shown = r'tables-real.*"real": true'
            shown = await waited(lambda: machine.tables(*false, real_shown, words=["--json"]))
    found = {table["table"]: table for table in map(json.loads, shown.splitlines())}
    real = found["tables-real"]
    assert (real["real"], real["taken"], real["seats"], real["state"], real["nick"]) == (
        True,
        1,
        3,
        "open",
        "ane",
    )
    assert real["addresses"] == [address_of(host)]
    for name in false:
        assert found[name]["real"] is False, name
        assert re.search(rf"{name} .*does not answer for itself", said)
    assert "\x1b" not in said


def test_tables_shows_a_table_where_they_play(machine):
    host = machine.host("ane", "tables-playing", "escoba", "--option", "target=101")
    machine.join("jon", address_of(host))
    host.says("The match begins")
    machine.tables(r'"tables-playing".*"state": "playing".*"real": true', words=["--json"])
