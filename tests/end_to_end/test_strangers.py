"""Strangers do no harm: texts that bite, forged records, other clocks and floods."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
import unicodedata
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import zeroconf

from client.__main__ import main
from crypto.identity import fingerprint
from p2p.net.discovery import open_discovery
from p2p.net.free import free_port
from p2p.net.sighting import SERVICE, Advert, instance, txt_of
from p2p.table.lobby import SeatRequest
from p2p.table.terms import Participant, Terms
from p2p.wire import PROTOCOL
from tests import ring
from tests.end_to_end.processes import (
    LOOPBACK,
    ROOT,
    SHORT,
    Player,
    address_of,
    common,
    id_of,
    key,
    port_of,
    same_logs,
)
from tests.end_to_end.stranger import Stranger, draft, ends, kind, stranger, waited
from tests.patience import PATIENCE
from tests.sample import sample

# Texts of strangers.

NASTY = [
    "\x1b]0;owned\x07\x1b[2J\x1b[31mEve\x9b5A",
    "\u202eevE\u202c\u2066\u2067",
    "E\u200bv\u200de\ufeff\U000e0041",
    "E\u0301\u0302\u0303\u0304\u0305ve\r\nsobremesa: ok",
    "\u2800\u3164",
]


def bites(text: str) -> list[str]:
    """The characters of a text that no stranger may bring to a terminal."""
    return [
        char
        for char in text
        if char != "\n" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    ]


@pytest.mark.parametrize("nick", NASTY)
async def test_a_guests_nick_does_not_reach_the_terminal_raw(machine, tmp_path, nick):
    host = await waited(lambda: machine.host("ane", "nasty-guest", "escoba", "--seats", "3"))
    async with stranger(tmp_path) as eve:
        peer = await eve.dial(port_of(host))
        await eve.sit(peer, SeatRequest(eve.identity, nick, os.urandom))
        await waited(lambda: host.says(f"p2: .*{fingerprint(eve.identity.id)}"))
    await waited(lambda: host.says("p2 is free again"))
    assert not bites(host.out + host.err)
    assert "\nsobremesa: ok" not in host.out


@pytest.mark.parametrize("text", NASTY)
async def test_text_of_a_host_does_not_reach_the_terminal_raw(machine, tmp_path, text):
    def shows(other: Stranger, peer: bytes, value: dict) -> None:
        if kind("look")(value):
            seat = Participant(other.identity.public, text, bytes(16))
            other.mesh.send(
                peer, draft(table=text, seats=(seat, None, None), options=draft().options).message()
            )
        elif kind("sit")(value):
            other.mesh.send(peer, {"t": "refuse", "why": text})

    async with stranger(tmp_path, shows) as other:
        player = machine.join("jon", f"{LOOPBACK}:{other.mesh.port}", "-vv")
        assert await ends(player) == 6
        assert "p1: " in player.out
        assert not bites(player.out + player.err)


def test_our_own_nick_is_cleaned_too(machine):
    player = machine.player(
        "ane", "host", "escoba", "--table", "own-nick", *common(NASTY[0] + NASTY[1], auto=True)
    )
    player.says("is open on port")
    player.says("p1: Eve")
    assert not bites(player.out + player.err)


# Forged records.


@asynccontextmanager
async def forger():
    async with open_discovery(LOOPBACK) as discovery:
        yield discovery._zeroconf


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


def test_clocks_that_are_years_apart(machine, shim, monkeypatch):
    years = 365 * 86400

    def with_clock(shift: int) -> None:
        monkeypatch.setenv("LD_PRELOAD", str(shim))
        monkeypatch.setenv("SHIFT", str(shift))

    with_clock(10 * years)
    shown = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"],
        capture_output=True,
        text=True,
        check=True,
    )
    true = float(
        subprocess.run(
            ["date", "+%s"],
            capture_output=True,
            text=True,
            check=True,
            env={"PATH": os.environ["PATH"]},
        ).stdout
    )
    assert 9 * years < float(shown.stdout) - true < 11 * years  # the clock is wrong indeed
    host = machine.host("ane", "clocks", "escoba", *SHORT)
    with_clock(-10 * years)
    guest = machine.join("jon", "clocks")
    assert [guest.ends(), host.ends()] == [0, 0]
    same_logs(host, guest)


@pytest.mark.parametrize("wrong", sample([("ane",), ("jon",), ("ane", "jon")], 1), ids="-".join)
def test_a_clock_of_1970_makes_nobody_an_impostor(machine, shim, monkeypatch, wrong):
    """A machine whose battery is flat. The certificates of all players begin in 2000, and nobody
    looks at that."""

    def with_clock_of(name: str) -> None:
        monkeypatch.delenv("LD_PRELOAD", raising=False)
        if name in wrong:
            monkeypatch.setenv("LD_PRELOAD", str(shim))
            monkeypatch.setenv("SHIFT", str(86400 - int(time.time())))

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


@pytest.mark.parametrize("nick", [NASTY[0], NASTY[1] + NASTY[2]])
def test_nicks_in_a_log_do_not_reach_the_terminal_raw(tmp_path, monkeypatch, capsys, nick):
    honest = ring.terms_for

    def nasty(*game: object, **options: object) -> Terms:
        terms = honest(*game, **options)
        return replace(
            terms, participants=(replace(terms.participants[0], nick=nick), *terms.participants[1:])
        )

    monkeypatch.setattr(ring, "terms_for", nasty)
    match = ring.Ring("escoba", 2, seed="nasty", target=1)
    match.play()
    whole, cut = tmp_path / "match.sobremesa", tmp_path / "cut.sobremesa"
    whole.write_bytes(match.logs[0])
    cut.write_bytes(match.logs[0][:-40])
    for words in (
        ["verify"],
        ["verify", "--json"],
        ["replay"],
        ["export", "--to", "json"],
        ["export", "--to", "scenario"],
    ):
        for log in (whole, cut):
            main([*words, str(log)])
            out, err = capsys.readouterr()
            assert out + err
            assert not bites(out + err), words


# Floods.


def most_memory(player: Player) -> int:
    """The most memory that a running process has used, in KiB."""
    return int(
        re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{player.process.pid}/status").read_text())[1]
    )


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
@pytest.mark.parametrize("what", sample(["messages", "idle"], 1))
def test_a_match_of_four_is_played_through_a_flood(machine, what, figure):
    """Whole programs: a stranger looks at each table ten thousand times a second, or opens 300
    connections to each."""
    ports = [free_port(LOOPBACK) for _ in range(4)]
    long = ("--seats", "4", "--option", "target=5")
    host = machine.host("ane", f"flood-{what}", "escoba", "--port", str(ports[0]), *long)
    names = ("jon", "mary", "leire")
    guests = [
        machine.join(name, address_of(host), "--port", str(port))
        for name, port in zip(names, ports[1:], strict=True)
    ]
    players = [host, *guests]
    for player in players:
        player.says("The match begins")
    flooder = subprocess.Popen(
        [sys.executable, "-m", "tests.net.flooder", what, *map(str, ports)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        began, memory = time.monotonic(), 0
        while host.process.poll() is None:
            assert time.monotonic() - began < 3 * PATIENCE, host.out[-2000:]
            # one that has just ended
            with contextlib.suppress(FileNotFoundError, TypeError, ProcessLookupError):
                memory = max(memory, *map(most_memory, players))
            time.sleep(0.2)
        took = time.monotonic() - began
        done, _nothing = flooder.communicate("\n", timeout=PATIENCE)
    finally:
        flooder.kill()
        flooder.communicate()
    assert [player.ends() for player in players] == [0] * 4
    figure(
        f"{what}: the match took {took:.1f} s, memory {memory / 1024:.0f} MB a player; flood: "
        f"{done.strip()}"
    )
    same_logs(*players)
    assert "away" not in "".join(player.out for player in players)
    assert 0 < memory < 150 * 1024
