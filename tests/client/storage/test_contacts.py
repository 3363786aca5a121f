"""Contacts: which players are remembered, to whom a nick or an address belongs, and the command
`peers`."""

from __future__ import annotations

import json
import threading

import pytest

from client.__main__ import main
from client.session.refusals import refusal
from client.storage.contacts import MOST, MOST_ADDRESSES, Contacts, Trust
from client.storage.home import StoreError
from crypto.identity import fingerprint
from p2p.table.lobby import TableRefused
from tests.client.storage.acquaintances import ANE, EVE, HERE, JON, MARY, THERE, WHO, place


@pytest.fixture
def contacts(tmp_path) -> Contacts:
    made = Contacts(tmp_path)
    made.meet(ANE, "Ane", HERE, 100)
    made.meet(JON, "Jon", ("fe80::1%2", 5), 200)
    made.trust(ANE, Trust.TRUSTED)
    return made


def test_a_player_that_was_met_is_remembered(tmp_path, contacts):
    known = Contacts(tmp_path).all()
    assert list(known) == [ANE, JON]
    assert (known[ANE].nick, known[ANE].first, known[ANE].last) == ("Ane", 100, 100)
    assert known[ANE].addresses == (HERE,)
    assert known[JON].addresses == (("fe80::1%2", 5),)
    assert (known[ANE].trust, known[JON].trust) == (Trust.TRUSTED, Trust.KNOWN)
    assert (tmp_path / "peers.json").stat().st_mode & 0o777 == 0o600


def test_a_player_that_is_met_again_keeps_the_trust_and_shows_the_newest(contacts):
    contacts.meet(ANE, "Ane M.", THERE, 300)
    contacts.meet(ANE, "Ane M.", None, 400)
    # the clock was set back, and it listens nowhere
    contacts.meet(ANE, "Ane M.", ("192.168.1.9", 0), 50)
    ane = contacts.all()[ANE]
    assert (ane.nick, ane.first, ane.last, ane.trust) == ("Ane M.", 100, 100, Trust.TRUSTED)
    assert ane.addresses == (THERE, HERE)
    assert list(contacts.all()) == [JON, ANE]


def test_so_many_and_no_more(tmp_path, contacts):
    for number in range(10):
        contacts.meet(ANE, "Ane", (f"10.0.0.{number}", 1), number)
    assert len(contacts.all()[ANE].addresses) == MOST_ADDRESSES
    data = json.loads((tmp_path / "peers.json").read_text())
    more = [{**data["peers"][0], "id": f"{number:064x}"} for number in range(MOST)]
    (tmp_path / "peers.json").write_text(json.dumps({"peers": [*data["peers"], *more]}))
    contacts.meet(MARY, "Mary", None, 900)
    known = contacts.all()
    assert len(known) == MOST
    assert {ANE, MARY} <= set(known)  # the trusted one, and the newest
    assert JON not in known


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", '{"peers": [1]}', '{"peers": [{"id": "00"}]}', '{"peers": ' + "[" * 9999],
)
def test_a_damaged_file_is_said_to_be_so_and_left_alone(tmp_path, contacts, damage):
    (tmp_path / "peers.json").write_text(damage)
    for call in (
        contacts.all,
        lambda: contacts.meet(JON, "Jon", None, 1),
        lambda: contacts.forget(JON),
    ):
        with pytest.raises(StoreError, match=r"peers.json is damaged"):
            call()
    assert (tmp_path / "peers.json").read_text() == damage


def test_two_who_write_at_once_lose_nothing(tmp_path):
    def meet(number: int) -> None:
        Contacts(tmp_path).meet(WHO[number].id, f"nick{number}", None, number)

    threads = [threading.Thread(target=meet, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Contacts(tmp_path).all()) == 6


def test_players_named_by_a_word(contacts):
    def found(text: str) -> set[bytes]:
        return {contact.id for contact in contacts.find(text)}

    assert found("ane") == {ANE}
    assert found(fingerprint(JON)) == {JON}
    assert found(fingerprint(JON)[:4].lower()) == {JON}
    contacts.meet(MARY, "ANE", None, 1)
    assert found("Ane") == {ANE, MARY}
    for nobody in ("", "An", "ZZZZ", fingerprint(EVE)):
        assert found(nobody) == set()


# The keys behind a name, and at an address.


@pytest.mark.parametrize("nick", ["Ane", "ane", " ANE ", "Ａｎｅ", "A\u200bne", "\x1b[1mAne"])
def test_another_key_under_a_trusted_name_is_not_let_pass(contacts, nick):
    with pytest.raises(TableRefused) as caught:
        contacts.check([None, place(1, "Jon"), place(3, nick)], MARY)
    assert caught.value.id == "changed-key"
    assert caught.value.facts == {
        "who": "Ane",
        "trusted": fingerprint(ANE),
        "present": fingerprint(EVE),
    }
    text = str(refusal(caught.value))
    assert fingerprint(ANE) in text
    assert fingerprint(EVE) in text
    assert refusal(caught.value).status == 6


def test_a_player_that_was_met_under_another_name_may_not_take_a_trusted_one(contacts):
    contacts.meet(EVE, "Eve", None, 300)
    contacts.check([place(3, "Eve")], MARY)
    with pytest.raises(TableRefused) as caught:
        contacts.check([place(3, "Ane")], MARY)
    assert caught.value.id == "changed-key"


def test_an_address_that_was_typed(contacts):
    contacts.check_address([HERE], ANE)
    contacts.check_address([THERE], EVE)
    contacts.check_address([("fe80::1%2", 5)], EVE)  # Jon was there, whom we only know
    for stranger in (EVE, JON):
        with pytest.raises(TableRefused) as caught:
            contacts.check_address([HERE], stranger)
        assert caught.value.facts == {
            "who": "Ane",
            "trusted": fingerprint(ANE),
            "present": fingerprint(stranger),
        }
    contacts.trust(JON, Trust.TRUSTED)
    contacts.check_address([HERE], JON)  # another friend has that address now


def test_a_player_that_is_blocked_sits_nowhere(contacts):
    contacts.trust(JON, Trust.BLOCKED)
    assert contacts.blocked() == {JON}
    with pytest.raises(TableRefused) as caught:
        contacts.check([place(1, "somebody")], MARY)
    assert caught.value.id == "blocked"
    assert (
        str(refusal(caught.value))
        == f"somebody ({fingerprint(JON)}) sits there, and you have blocked that player"
    )


@pytest.mark.slow
def test_a_player_that_is_trusted_fits_among_many_who_are(contacts):
    for number in range(MOST):
        contacts.meet(
            bytes([9]) * 30 + number.to_bytes(2), f"n{number}", None, number, Trust.TRUSTED
        )
    contacts.meet(EVE, "Eve", None, 1, Trust.TRUSTED)
    assert contacts.all()[EVE].trust is Trust.TRUSTED


# The command.


@pytest.fixture
def peers(tmp_path, monkeypatch, capsys, contacts):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))

    def call(*said: str):
        status = main(["peers", *said])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_trust_block_and_forget(peers, contacts):
    assert peers("trust", "jon")[:2] == (
        0,
        f"Jon ({fingerprint(JON)}) is trusted. Another key under that name will not be accepted.\n",
    )
    assert contacts.all()[JON].trust is Trust.TRUSTED
    assert json.loads(peers("block", fingerprint(JON), "--json")[1])["trust"] == "blocked"
    assert contacts.blocked() == {JON}
    assert peers("forget", "jon")[:2] == (0, f"Jon ({fingerprint(JON)}) is forgotten.\n")
    assert list(contacts.all()) == [ANE]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (["trust"], "name a player"),
        (["trust", "mary"], "you have not played with anybody called 'mary'"),
        (["forget", "\x1b[31mx"], "you have not played with anybody called 'x'"),
        (["love", "jon"], "invalid choice: 'love'"),
    ],
)
def test_impossible_commands(peers, said, sentence):
    status, out, err = peers(*said)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
