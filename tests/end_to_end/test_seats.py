"""How a table fills, from several machines, in any order; and strangers with no business at it."""

from __future__ import annotations

import json
import os
import re

import pytest

from crypto.identity import Identity
from p2p.net.discovery import open_discovery
from p2p.net.sighting import Advert
from p2p.table.log import read_log
from p2p.wire import PROTOCOL
from tests.end_to_end.processes import (
    LOOPBACK,
    SHORT,
    address_of,
    id_of,
    port_of,
    same_logs,
)
from tests.end_to_end.stranger import Stranger, draft, kind, stranger, waited


@pytest.mark.slow
def test_a_guest_brings_computer_players_of_its_own(machine):
    host = machine.host("ane", "company", "escoba", "--seats", "4", "--guest-computers", *SHORT)
    jon = machine.join("jon", address_of(host), "--bots", "2")
    assert [player.ends() for player in (host, jon)] == [0, 0]
    places = read_log(same_logs(host, jon)).terms.participants
    assert (
        sorted(place.program == id_of(machine, "jon") for place in places) == [False] + [True] * 3
    )


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
