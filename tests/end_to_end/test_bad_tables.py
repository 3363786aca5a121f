"""Tables that cannot be joined, invites, and hosts that lie: each with its status and its
sentence."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from p2p.net.invite import parse_invite
from p2p.table.terms import read_participant
from tests.end_to_end.processes import (
    LOOPBACK,
    address_of,
    invite_of,
    port_of,
)
from tests.end_to_end.stranger import Stranger, draft, ends, kind, stranger, waited


async def test_a_full_table(machine, tmp_path):
    host = await waited(
        lambda: machine.host("ane", "full", "escoba", "--seats", "3", "--bots", "1")
    )
    async with stranger(tmp_path) as slow:
        peer = await slow.dial(port_of(host))
        await slow.sit(peer)  # and does not sign
        await slow.hears(kind("terms"))
        third = machine.join("jon", address_of(host))
        assert await ends(third) == 6
        assert third.sentence() == "the table is full"
    # It has gone: its seat is free for somebody else, and the match begins.
    await waited(lambda: host.says("p3 is free again"))
    fourth = machine.join("mary", address_of(host))
    await waited(lambda: fourth.says("The match begins"))
    late = machine.join("jon", address_of(host))
    assert await ends(late) == 6
    assert late.sentence() == "they play already; the table is closed"


def test_a_private_table(machine):
    host = machine.host("ane", "private", "escoba", "--private", "--option", "target=1")
    stranger_ = machine.join("mary", address_of(host))
    assert stranger_.ends() == 6
    assert stranger_.sentence() == "the table is private: ask for an invite"
    assert "Ane" not in stranger_.out
    assert "escoba" not in stranger_.out.lower()
    by_name = machine.join("mary", "private", "--wait", "1")
    assert by_name.ends() == 4  # it is not announced
    guest = machine.join("jon", invite_of(host))
    assert (guest.ends(), host.ends()) == (0, 0)


def test_an_invite_of_an_earlier_table_does_not_lead_to_the_next_one_of_its_host(machine):
    host = machine.host("ane", "another", "escoba")
    earlier = replace(parse_invite(invite_of(host)), secret=b"other")
    late = machine.join("jon", str(earlier))
    assert late.ends() == 6
    assert late.sentence().startswith("the invite is for an earlier table of this host")


def test_one_invite_lets_all_in_until_it_is_renewed(machine):
    lines, pen = os.pipe()
    words = ("escoba", "--private", "--seats", "4", "--option", "target=1")
    host = machine.host("ane", "private-four", *words, auto=False, stdin=lines)
    invite = invite_of(host)
    guests = [machine.join(nick, invite) for nick in ("jon", "mary")]
    for guest in guests:
        guest.says("1 seat is free")
    for nick in ("jon", "mary"):
        host.says(rf"{nick} \(\S+\) has come with your invite\.")
    os.write(pen, b"renew\n")
    renewed = host.says(
        r"The earlier one admits nobody else\.\s+Others join with: sobremesa join (\S+)"
    )[1]
    late = machine.join("peio", invite)
    assert late.ends() == 6
    old = "this invite is not valid any more, or is for another table: ask for a new one"
    assert late.sentence() == old
    last = machine.join("peio", renewed)
    last.says("The match begins")
    for player in (host, *guests, last):
        player.end()
    os.close(lines)
    os.close(pen)


def shows(**changes: object):
    return lambda other, peer, value: other.mesh.send(
        peer, draft(**changes).message() if value["t"] == "look" else {"t": "?"}
    )


def refuses(why: object):
    return lambda other, peer, value: other.mesh.send(peer, {"t": "refuse", "why": why})


def says(message: object):
    return lambda other, peer, value: other.mesh.send(peer, message)


def cheats_with(**changes: object):
    """Show one table, and propose the terms of another."""

    def answer(other: Stranger, peer: bytes, value: dict) -> None:
        if value["t"] == "look":
            other.mesh.send(peer, draft().message())
        elif value["t"] == "sit":
            seats = (other.seat_request.participant(), read_participant(value["seats"][0][:6]))
            shown = draft(seats=seats)
            other.mesh.send(peer, shown.message())
            proposed = draft(**{"seats": seats, **changes})
            if changes.get("seats") == "turned":
                proposed = draft(seats=seats[::-1])
            other.mesh.send(peer, {"t": "terms", "terms": proposed.terms().encode(), "nodes": []})

    return answer


OTHER = "the host proposed other terms than it had shown; nothing was signed"
BAD_HOSTS = [
    ("unknown reason", refuses("be\x1b[31mcause"), "the table cannot be joined: because"),
    (
        "other rules",
        shows(rules=99),
        "they play by another version of the rules; update Sobremesa here",
    ),
    (
        "unknown option",
        shows(options={"target": 7777}),
        "they play with options that this version does not know",
    ),
    ("other order", cheats_with(seats="turned"), OTHER),
    ("longer limit", cheats_with(limit=3600), OTHER),
    ("no table at all", says({"t": "table", "seats": 7}), "the host has gone"),
]


@pytest.mark.parametrize(
    ("answer", "sentence"), [pytest.param(*row[1:], id=row[0]) for row in BAD_HOSTS]
)
async def test_a_host_that_is_none(machine, tmp_path, answer, sentence):
    async with stranger(tmp_path, answer) as other:
        player = machine.join("jon", f"{LOOPBACK}:{other.mesh.port}")
        assert await ends(player) == (5 if "version" in sentence else 6)
        assert player.sentence().startswith(sentence)
        assert not any(kind("sign")(value) for _peer, value in other.heard)
