"""Strangers do no harm: forged records, wrong clocks and other versions."""

from __future__ import annotations

import re
import time
from contextlib import asynccontextmanager

import pytest
import trio
import zeroconf

from p2p.net.discovery import open_discovery
from p2p.net.sighting import SERVICE, Advert, instance, txt_of
from p2p.wire import PROTOCOL
from tests.end_to_end.processes import (
    LOOPBACK,
    SHORT,
    address_of,
    id_of,
    key,
    same_logs,
)
from tests.end_to_end.stranger import ends, stranger, waited
from tests.sample import sample

# Forged records.


@asynccontextmanager
async def forger():
    async with open_discovery(LOOPBACK) as discovery:
        yield discovery.zeroconf


def goodbye(who: bytes) -> zeroconf.DNSOutgoing:
    out = zeroconf.DNSOutgoing(0x8400)
    name = f"{instance(who)}.{SERVICE}"
    out.add_answer_at_time(zeroconf.DNSPointer(SERVICE, 12, 1, 0, name), 0)
    out.add_answer_at_time(
        zeroconf.DNSService(name, 33, 0x8001, 0, 0, 0, 1, f"{instance(who)}.local."), 0
    )
    return out


def false_record(who: bytes, port: int, table: str) -> zeroconf.DNSOutgoing:
    """Say that a player's table has this name, is full, another game, and somewhere else. Tests
    beside this one hear it too."""
    name, server = f"{instance(who)}.{SERVICE}", "elsewhere.local."
    false = Advert(who, "Eve", "truco", table, 2, 2, "playing", port, 1, "en")
    txt = b"".join(
        bytes([len(item)]) + item
        for item in (f"{k}={v}".encode() for k, v in txt_of(false).items())
    )
    out = zeroconf.DNSOutgoing(0x8400)
    out.add_answer_at_time(zeroconf.DNSPointer(SERVICE, 12, 1, 4500, name), 0)
    out.add_answer_at_time(zeroconf.DNSService(name, 33, 0x8001, 120, 0, 0, port, server), 0)
    out.add_answer_at_time(zeroconf.DNSText(name, 16, 0x8001, 4500, txt), 0)
    out.add_answer_at_time(zeroconf.DNSAddress(server, 1, 0x8001, 120, bytes([127, 0, 0, 1])), 0)
    return out


@pytest.mark.slow
async def test_forged_goodbyes_and_records_do_not_hurt_a_match(machine, tmp_path, figure):
    host = await waited(lambda: machine.host("ane", "forged", "escoba", "--option", "target=5"))
    guest = await waited(lambda: machine.join("jon", "forged"))
    await waited(lambda: guest.says("The match begins"))
    async with stranger(tmp_path) as eve, forger() as sender:
        sent = 0
        while host.process.poll() is None and sent < 2000:
            for who in (id_of(machine, "ane"), id_of(machine, "jon")):
                for out in (goodbye(who), false_record(who, eve.mesh.port, "forged")):
                    await trio.to_thread.run_sync(sender.send, out)
                    sent += 1
            await trio.sleep(0.02)
    figure(f"{sent} forged records during the match")
    assert sent >= 20
    assert [await ends(player) for player in (host, guest)] == [0, 0]
    assert "away" not in host.out + guest.out
    same_logs(host, guest)


async def test_a_forged_record_never_becomes_a_seat(machine, tmp_path):
    """A stranger tells the guest that Ane has another table, at their own port. Another key answers
    there: the guest says nothing, and finds no such table."""
    host = await waited(lambda: machine.host("ane", "spoofed", "escoba", *SHORT))
    async with stranger(tmp_path) as eve, forger() as sender:
        async with trio.open_nursery() as nursery:

            async def forge() -> None:
                while True:
                    await trio.to_thread.run_sync(
                        sender.send, false_record(id_of(machine, "ane"), eve.mesh.port, "false")
                    )
                    await trio.sleep(0.05)

            nursery.start_soon(forge)
            player = machine.join("jon", "false", "--wait", "5")
            status = await ends(player)
            nursery.cancel_scope.cancel()
        assert eve.linked == []
        assert eve.heard == []
        assert status == 4
        assert player.sentence().startswith("no table called false was found")
        player = machine.join("jon", address_of(host))
    assert [await ends(one) for one in (player, host)] == [0, 0]


# Clocks.


@pytest.mark.parametrize("wrong", sample([("ane",), ("jon",), ("ane", "jon")], 1), ids="-".join)
def test_a_clock_of_1970_makes_nobody_an_impostor(machine, shim, monkeypatch, wrong):
    """A machine whose battery is flat, while the clocks of the others run ten years ahead. The
    certificates of all players begin in 2000, and nobody looks at that."""
    monkeypatch.setenv("LD_PRELOAD", str(shim))

    def with_clock_of(name: str) -> None:
        shift = 86400 - int(time.time()) if name in wrong else 3650 * 86400
        monkeypatch.setenv("SHIFT", str(shift))

    with_clock_of("ane")
    host = machine.host("ane", "flat-battery", "escoba", *SHORT)
    with_clock_of("jon")
    guest = machine.join("jon", "flat-battery")
    assert [guest.ends(), host.ends()] == [0, 0]
    same_logs(host, guest)


async def test_tables_says_which_side_is_to_update(machine):
    facts = {
        "nick": "Eve",
        "game": "escoba",
        "seats_taken": 1,
        "seats": 2,
        "state": "open",
        "port": 1,
    }
    newer = Advert(id=key("newer"), table="tables-newer", protocol=PROTOCOL + 1, **facts)
    older = Advert(id=key("older"), table="tables-older", protocol=PROTOCOL - 1, **facts)
    async with open_discovery(LOOPBACK) as one, open_discovery(LOOPBACK) as two:
        await one.advertise(newer)
        await two.advertise(older)
        said = await waited(lambda: machine.tables("tables-newer", "tables-older"))
    assert re.search(r"tables-newer .*newer version", said)
    assert re.search(r"tables-older .*older version", said)
