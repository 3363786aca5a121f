"""Players that we know, by their names, keys and addresses, and the words that two people
compare."""

from __future__ import annotations

import json

import pytest

from client.__main__ import main
from client.storage.contacts import Contacts, Trust
from client.storage.home import Home
from crypto.identity import fingerprint
from tests.end_to_end.processes import (
    LOOPBACK,
    SHORT,
    Machine,
    address_of,
    id_of,
    key,
    same_logs,
)
from tests.end_to_end.stranger import Stranger, draft, ends, kind, stranger, waited

ANE = "the key under which Ane was here before"


def known(
    machine: Machine,
    home: str,
    nick: str,
    key: bytes,
    *,
    trust: Trust,
    at: tuple[str, int] | None = None,
) -> None:
    """Let a player know somebody already."""
    contacts = Contacts(Home(machine.folder / home).path)
    contacts.meet(key, nick, at, 1)
    contacts.trust(key, trust)


def test_another_key_under_a_trusted_name_stops_us_until_we_act(machine, monkeypatch, capsys):
    known(machine, "jon", "ane", key(ANE), trust=Trust.TRUSTED)
    host = machine.host("ane", "not-her", "escoba", *SHORT)
    guest = machine.join("jon", address_of(host))
    assert guest.ends() == 6
    assert "This is not the ane whom you trust: the key is" in guest.sentence()
    assert fingerprint(key(ANE)) in guest.sentence()
    assert fingerprint(id_of(machine, "ane")) in guest.sentence()
    assert "The match begins" not in host.out
    monkeypatch.setenv("SOBREMESA_HOME", str(machine.folder / "jon"))
    assert main(["peers", "forget", fingerprint(key(ANE))]) == 0
    capsys.readouterr()
    guest = machine.join("jon", address_of(host))
    assert [guest.ends(), host.ends()] == [0, 0]
    same_logs(host, guest)
    assert main(["peers", "list", "--json"]) == 0
    contact = json.loads(capsys.readouterr().out)  # players of a match know each other afterwards
    assert (contact["nick"], contact["trust"]) == ("ane", "known")
    assert contact["fingerprint"] == fingerprint(id_of(machine, "ane"))
    assert contact["addresses"][0].startswith(f"{LOOPBACK}:")


async def test_another_key_at_a_trusted_address_stops_us(machine, tmp_path):
    async with stranger(tmp_path) as other:
        known(machine, "jon", "Ane", key(ANE), trust=Trust.TRUSTED, at=(LOOPBACK, other.mesh.port))
        player = machine.join("jon", f"{LOOPBACK}:{other.mesh.port}")
        assert await ends(player) == 6
        assert fingerprint(key(ANE)) in player.sentence()
        assert fingerprint(other.identity.id) in player.sentence()
        # nothing was said to them
        assert not [value for _peer, value in other.heard if not isinstance(value, str)]


def test_a_blocked_key_gets_no_link(machine):
    known(machine, "ane", "Jon", id_of(machine, "jon"), trust=Trust.BLOCKED)
    host = machine.host("ane", "blocked", "escoba", *SHORT)
    guest = machine.join("jon", address_of(host))
    assert guest.ends() == 4
    assert "The link to" in guest.sentence()
    assert "p2" not in host.out
    known(machine, "mary", "Ane", id_of(machine, "ane"), trust=Trust.BLOCKED)
    guest = machine.join("mary", address_of(host))
    assert guest.ends() == 6
    assert guest.sentence().startswith(f"You have blocked {fingerprint(id_of(machine, 'ane'))}.")


async def test_tables_of_people_we_know_are_found_without_multicast(machine, tmp_path):
    def shows(other: Stranger, peer: bytes, value: object) -> None:
        if kind("look")(value):
            other.mesh.send(peer, draft(table="unheard").message())

    async with stranger(tmp_path, shows) as other:
        known(
            machine,
            "jon",
            "Old \x1b[31mfriend",
            other.identity.id,
            trust=Trust.KNOWN,
            at=(LOOPBACK, other.mesh.port),
        )
        known(machine, "jon", "Gone", key("gone"), trust=Trust.KNOWN, at=(LOOPBACK, 1))
        player = machine.join("jon", "unheard", "--wait", "20")
        await waited(
            lambda: player.says(
                "Your contact Old friend has opened table unheard at an earlier address"
            )
        )
        assert (await other.hears(kind("sit")))["seats"][0][1] == "jon"
        player.interrupt()
        assert await ends(player) == 130


@pytest.mark.slow
def test_two_people_see_the_same_words(machine):
    ane = machine.person(
        "ane",
        "host",
        "escoba",
        "--nick",
        "Ane",
        "--table",
        "words",
        "--interface",
        LOOPBACK,
        "--plain",
    )
    port = ane.says(r"is open on port (\d+)")[1]
    jon = machine.person(
        "jon", "join", f"{LOOPBACK}:{port}", "--nick", "Jon", "--interface", LOOPBACK, "--plain"
    )
    seen = {}
    for person, other in ((ane, "Jon"), (jon, "Ane")):
        person.says("The match begins")
        person.type("words")
        seen[other] = person.says(
            rf"{other} \(([0-9A-Z-]+)\) must see the same with `words`: (\w+ \w+ \w+)"
        ).groups()
    assert seen["Jon"][1] == seen["Ane"][1]
    assert seen["Jon"][0] == fingerprint(id_of(machine, "jon"))
    assert seen["Ane"][0] == fingerprint(id_of(machine, "ane"))
    jon.type(
        jon.says(r"If you have compared the words by voice and they are the same: (trust p\d)")[1]
    )
    jon.says(rf"Ane \({seen['Ane'][0]}\) is trusted")
    listed = machine.player("jon", "peers", "--json")
    assert listed.ends() == 0
    assert [(peer["nick"], peer["trust"]) for peer in map(json.loads, listed.out.splitlines())] == [
        ("Ane", "trusted")
    ]
    ane.type("trust p9")
    ane.says("Name another player at this table")
