"""How a table fills, from several machines, in any order; and strangers with no business at it."""

from __future__ import annotations

import json
import os
import re
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
from p2p.wire import PROTOCOL
from tests.end_to_end.processes import (
    LOOPBACK,
    SHORT,
    address_of,
    id_of,
    log_at_rest,
    port_of,
    same_logs,
)
from tests.end_to_end.stranger import Stranger, draft, kind, look, refusal, stranger, waited


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


@pytest.mark.slow
def test_a_guest_brings_computer_players_of_its_own(machine):
    host = machine.host("ane", "company", "escoba", "--seats", "4", "--guest-computers", *SHORT)
    jon = machine.join("jon", address_of(host), "--bots", "2")
    assert [player.ends() for player in (host, jon)] == [0, 0]
    places = read_log(same_logs(host, jon)).terms.participants
    assert (
        sorted(place.program == id_of(machine, "jon") for place in places) == [False] + [True] * 3
    )


async def test_strangers_hear_nothing_and_cannot_speak(machine, tmp_path):
    host = await waited(lambda: machine.host("ane", "strangers", "escoba", *SHORT, auto=False))
    guest = await waited(lambda: machine.join("jon", address_of(host), auto=False))
    await waited(lambda: guest.says("You are dealt"))
    log = read_log(await waited(lambda: log_at_rest(host)))
    async with stranger(tmp_path) as eve:
        peers = [await eve.dial(port_of(host))]
        playing = r'"strangers".*"state": "playing".*"real": true'
        await waited(lambda: machine.tables(playing, words=["--json"]))
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

    def shows_another(other: Stranger, peer: bytes, value: object) -> None:
        if kind("look")(value):
            other.mesh.send(peer, draft().message())

    async with stranger(tmp_path, shows_another) as honest_key:
        facts = {
            "nick": "Eve\x1b[31m",
            "game": "escoba",
            "seats_taken": 1,
            "seats": 2,
            "state": "open",
            "protocol": PROTOCOL,
        }
        # One names the port of somebody else's table, one a port where nobody is, one has a key and
        # shows another table.
        adverts = [
            Advert(id=liar.id, table="tables-borrowed", port=port_of(host), **facts),
            Advert(id=borrowed.id, table="tables-nobody", port=1, **facts),
            Advert(
                id=honest_key.identity.id,
                table="tables-another",
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
            false = ("tables-borrowed", "tables-nobody", "tables-another")
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
