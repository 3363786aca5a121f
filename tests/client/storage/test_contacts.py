"""Whom we know: what is remembered, whom a nick or an address belongs to, and the command that
shows and changes it."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from client.__main__ import main
from client.i18n.sentences import said
from client.session.admission import Admission
from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Compare, Lobby, LobbySeat, Notice, Seated, Trusted, Vouch, Words
from client.session.refusals import refusal
from client.session.setup_rules import LocalPlayer, SetupRules
from client.session.status import RefusedError, VersionError
from client.storage.contacts import MOST, MOST_ADDRESSES, Contacts, Trust, Unclear
from client.storage.home import Home, StoreError, lock_file
from client.ui.plain.console import Console
from crypto.identity import Identity, fingerprint, words
from p2p.table.lobby import SeatRequest, TableRefused
from p2p.table.terms import Participant

WHO = [Identity.from_seed(bytes([number]) * 32) for number in range(1, 7)]
ANE, JON, MARY, EVE = (identity.id for identity in WHO[:4])
HERE, THERE = ("192.168.1.7", 47747), ("192.168.1.8", 47750)


def place(number: int, nick: str) -> Participant:
    return Participant(WHO[number].public, nick, bytes(16))


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


def test_a_nick_is_cleaned_before_it_is_kept(contacts):
    contacts.meet(MARY, "\x1b[31mMa\u202ery\u200b" + "y" * 90, None, 1)
    assert contacts.all()[MARY].nick == "Maryyyyyyyyyyyyyyyyyyyy…"


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
    assert contacts.find("ane").id == ANE
    assert contacts.find(fingerprint(JON)).id == JON
    assert contacts.find(fingerprint(JON)[:4].lower()).id == JON
    contacts.meet(MARY, "ANE", None, 1)
    with pytest.raises(Unclear) as several:
        contacts.find("Ane")
    assert {contact.id for contact in several.value.found} == {ANE, MARY}
    for nobody in ("", "An", "ZZZZ", fingerprint(EVE)):
        with pytest.raises(Unclear) as none:
            contacts.find(nobody)
        assert none.value.found == ()


# Who answers to a name, and at an address.


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


def test_players_that_pass(contacts):
    contacts.check([place(0, "Ane"), place(1, "Jon"), place(2, "Mary"), None], MARY)
    contacts.check([place(0, "Jon")], MARY)  # names change, keys do not
    contacts.check([place(2, "Ane")], MARY)  # that is ourselves
    contacts.check([place(3, "Jon")], MARY)  # the name of one who is known and not trusted
    contacts.check([place(3, "")], MARY)
    contacts.trust(JON, Trust.TRUSTED)
    contacts.check([place(1, "Ane")], MARY)  # two that are trusted may be called alike


def test_it_passes_when_the_player_has_acted(contacts):
    with pytest.raises(TableRefused):
        contacts.check([place(3, "Ane")], MARY)
    contacts.forget(ANE)
    contacts.check([place(3, "Ane")], MARY)


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


def test_when_it_is_they_who_refuse_us():
    for why in ("changed-key", "blocked"):
        assert isinstance(refusal(TableRefused(why)), RefusedError)
        assert "{" not in str(refusal(TableRefused(why)))


@pytest.mark.parametrize(
    ("refused", "side"),
    [
        (TableRefused("other-rules", theirs=2, ours=1), "update Sobremesa here"),
        (TableRefused("other-rules", theirs=1, ours=2), "ask them to update"),
        (TableRefused("other-protocol", theirs=2, ours=1), "update Sobremesa here"),
        (TableRefused("other-protocol", theirs=1, ours=2), "ask them to update"),
        (TableRefused("unknown-game", game="mus"), "update Sobremesa here"),
        (TableRefused("bad-option", error="what"), "update Sobremesa here"),
    ],
)
def test_another_version_says_which_side_is_to_update(refused, side):
    stop = refusal(refused)
    assert isinstance(stop, VersionError)
    assert stop.status == 5
    assert str(stop).endswith(side)


# Admission to a table.


class Mesh:
    def __init__(self, *links: bytes) -> None:
        self.up = {
            peer: SimpleNamespace(address=(f"10.0.0.{peer[0]}", 5), words="one two three")
            for peer in links
        }

    def links(self):
        return self.up


@pytest.fixture
def admission(tmp_path):
    told = []
    mesh: Any = Mesh()
    made: Any = Admission(Context(Home(tmp_path)), mesh, told.append)
    made.told = told
    return made


def remembering(admission, mesh: Mesh):
    """Return the function through which messages pass while these links are open."""
    admission.mesh = mesh
    return admission.remembering()


def seated(*places: Participant) -> Seated:
    return Seated(SimpleNamespace(participants=places), 0, "00")


async def remembered(admission) -> None:
    """Wait until every player that was met is written."""
    admission.close()
    await admission.remember()


async def test_a_player_whom_there_is_a_link_to_is_remembered_as_soon_as_there_is_one(
    tmp_path, admission
):
    own = Participant(Home(tmp_path).identity.public, "me", bytes(16))
    mesh = Mesh(ANE)
    tell = remembering(admission, mesh)
    tell(seated(own, place(0, "Ane"), place(1, "Jon"), place(2, "Computer 1")))
    mesh.up.update(Mesh(JON).up)
    tell(Notice("shuffles"))
    await remembered(admission)
    known = admission.contacts.all()
    assert list(known) == [ANE, JON]  # and no computer player, whose key is for one match
    assert known[JON].addresses == ((f"10.0.0.{JON[0]}", 5),)
    assert len(admission.told) == 2


async def test_the_event_loop_does_not_wait_for_a_program_that_holds_the_contacts(admission):
    """Not even when the session is cancelled is the player forgotten."""
    with (admission.contacts._lock).open("a+b") as held:
        lock_file(held, wait=True)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(admission.remember)
            with trio.fail_after(5):
                remembering(admission, Mesh(ANE))(seated(place(0, "Ane")))
                await trio.testing.wait_all_tasks_blocked()
            assert admission.contacts.all() == {}
            held.close()
            admission.close()
            nursery.cancel_scope.cancel()
    assert set(admission.contacts.all()) == {ANE}


async def test_an_unwritable_contact_is_reported_and_ends_nothing(admission):
    (admission.contacts._path).write_text("damaged")
    remembering(admission, Mesh(ANE))(seated(place(0, "Ane")))
    await remembered(admission)
    assert [message.id for message in admission.told if isinstance(message, Notice)] == [
        "not-remembered"
    ]
    assert any(isinstance(message, Seated) for message in admission.told)


def test_a_host_hears_once_of_each_who_was_kept_out(admission):
    admission.contacts.meet(ANE, "Ane", None, 1)
    admission.contacts.trust(ANE, Trust.TRUSTED)
    for _ in range(5):
        with pytest.raises(TableRefused):
            admission.check_guests((place(3, "Ane"), None))
    (notice,) = admission.told
    assert notice.id == "turned-away"
    assert fingerprint(ANE) in notice.params["error"]
    assert fingerprint(EVE) in notice.params["error"]
    for number in range(100):
        seats = (
            Participant(
                Identity.from_seed(bytes([9]) * 31 + bytes([number])).public, "Ane", bytes(16)
            ),
        )
        with pytest.raises(TableRefused):
            admission.check_guests(seats)
    assert len(admission.told) == 20


ANES = LobbySeat("Ane", fingerprint(ANE))
FILLING = Lobby("escoba", {}, (ANES, None), (), 120)


def test_the_words_of_each_link(admission):
    mesh = Mesh(ANE, EVE)  # Eve is a stranger, who does not sit here
    remembering(admission, mesh)(FILLING)
    admission.compare()
    assert admission.told[-1] == Words({ANES.fingerprint: "one two three"})
    del mesh.up[ANE]
    admission.compare()
    assert admission.told[-1] == Words()


@pytest.mark.parametrize("trust", list(Trust))
def test_a_player_whom_we_know_is_marked_while_a_table_fills_and_when_the_match_begins(
    admission, trust
):
    tell = remembering(admission, Mesh(ANE))
    tell(FILLING)
    assert admission.told[-1].seats == (ANES, None)
    admission.contacts.meet(ANE, "Ane", HERE, 1, trust)
    tell(FILLING)
    assert admission.told[-1].seats == (replace(ANES, trust=str(trust)), None)
    tell(seated(place(0, "Ane"), place(1, "Jon")))
    assert admission.told[-1].trust == {ANES.fingerprint: str(trust)}


def test_contacts_that_cannot_be_read_are_told_once_and_end_nothing(admission):
    tell = remembering(admission, Mesh(ANE))
    admission.contacts._path.write_text("damaged")
    tell(FILLING)
    tell(FILLING)
    admission.compare()
    assert [message.id for message in admission.told if isinstance(message, Notice)] == [
        "not-remembered"
    ]
    assert admission.told[-2:] == [FILLING, Words({ANES.fingerprint: "one two three"})]


def test_a_player_whose_words_were_read_is_trusted_while_a_table_fills(admission):
    remembering(admission, Mesh(ANE, EVE))(FILLING)
    admission.compare()
    admission.trust(ANES.fingerprint)
    assert admission.told[-1] == Trusted(ANES.fingerprint)
    assert admission.contacts.all()[ANE].trust is Trust.TRUSTED
    assert admission.contacts.all()[ANE].nick == "Ane"


def test_nobody_is_trusted_whose_words_were_not_shown(admission):
    """Neither who came later, nor over another link than that whose words were read."""
    mesh = Mesh(ANE)
    remembering(admission, mesh)(FILLING)
    for three in ("one two three", "four five six"):
        mesh.up[ANE].words = three
        admission.trust(ANES.fingerprint)
        assert admission.told[-1] == Words({ANES.fingerprint: three})
        assert admission.contacts.all() == {}
    admission.trust(ANES.fingerprint)
    assert admission.told[-1] == Trusted(ANES.fingerprint)


def test_nobody_is_trusted_who_does_not_sit_here_or_to_whom_there_is_no_link(admission):
    remembering(admission, Mesh(EVE))(FILLING)
    for who in (ANE, EVE):
        admission.trust(fingerprint(who))
        assert admission.told[-1] == Notice("no-link", {"id": fingerprint(who)})
    assert admission.contacts.all() == {}


def test_a_player_that_is_blocked_is_not_trusted_by_the_way(admission):
    admission.contacts.meet(ANE, "Ane", HERE, 1, Trust.BLOCKED)
    remembering(admission, Mesh(ANE))(FILLING)
    admission.compare()
    admission.trust(ANES.fingerprint)
    assert admission.told[-1].id == "blocked"
    assert admission.contacts.all()[ANE].trust is Trust.BLOCKED


def test_trust_that_cannot_be_written_down_is_said_and_ends_nothing(admission, monkeypatch):
    def full(*_args):
        raise StoreError("no space")

    remembering(admission, Mesh(ANE))(FILLING)
    admission.compare()
    monkeypatch.setattr(admission.contacts, "meet", full)
    admission.trust(ANES.fingerprint)
    assert admission.told[-1] == Notice("not-remembered", {"error": "no space"})


def test_a_player_that_is_trusted_fits_among_many_who_are(contacts):
    for number in range(MOST):
        contacts.meet(
            bytes([9]) * 30 + number.to_bytes(2), f"n{number}", None, number, Trust.TRUSTED
        )
    contacts.meet(EVE, "Eve", None, 1, Trust.TRUSTED)
    assert contacts.all()[EVE].trust is Trust.TRUSTED


def test_kept_out_names_both_keys():
    text = said(TableRefused("changed-key", who="Ane", trusted="AAAA", present="BBBB"))
    assert "theirs was AAAA" in text
    assert "the key is BBBB" in text
    assert "sobremesa peers forget AAAA" in text


# The command.


@pytest.fixture
def peers(tmp_path, monkeypatch, capsys, contacts):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path))

    def call(*said: str):
        status = main(["peers", *said])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_the_list(peers):
    status, out, err = peers()
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == [fingerprint(JON), "Jon", "known", "1970-01-01", "[fe80::1%2]:5"]
    assert lines[1].strip() == words(JON)
    assert lines[2].split() == [
        fingerprint(ANE),
        "Ane",
        "trusted",
        "1970-01-01",
        "192.168.1.7:47747",
    ]
    assert peers("list")[1] == out
    assert peers("list", "ane")[1].splitlines() == lines[2:]


def test_the_list_as_json(peers):
    _status, out, _err = peers("list", "--json")
    jon, ane = map(json.loads, out.splitlines())
    assert jon["fingerprint"] == fingerprint(JON)
    assert ane == {
        "id": ANE.hex(),
        "fingerprint": fingerprint(ANE),
        "words": words(ANE).split(),
        "nick": "Ane",
        "trust": "trusted",
        "first": 100,
        "last": 100,
        "addresses": ["192.168.1.7:47747"],
    }


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


def test_two_of_one_name(peers, contacts):
    contacts.meet(MARY, "Jon", None, 1)
    status, _out, err = peers("trust", "jon")
    assert status == 2
    assert fingerprint(JON) in err
    assert fingerprint(MARY) in err


def test_nobody_yet(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "new"))
    assert main(["peers"]) == 0
    assert (
        capsys.readouterr().out
        == "Nobody yet. The program remembers players who sit at a table with you.\n"
    )


def test_a_damaged_file_is_a_sentence(peers, tmp_path):
    (tmp_path / "peers.json").write_text("{")
    status, out, err = peers()
    assert (status, out) == (1, "")
    assert (
        err
        == f"sobremesa: {tmp_path}/peers.json is damaged: repair it, or remove it to begin anew\n"
    )


def test_contacts_that_are_damaged_while_somebody_is_trusted_end_nothing(tmp_path, admission):
    told = []
    context = Context(Home(tmp_path))
    me = LocalPlayer(SeatRequest(context.identity, "me", os.urandom))
    match_session = MatchSession(
        context, None, [me], told.append, SetupRules(admission.check_table)
    )
    admission.contacts._path.write_text("damaged")
    match_session.check_again()
    assert [message.id for message in told] == ["not-remembered"]


def test_a_newly_trusted_player_makes_the_table_check_again():
    done = []
    console = Console()
    admission: Any = SimpleNamespace(trust=done.append, compare=lambda: done.append("words"))
    match_session: Any = SimpleNamespace(check_again=lambda: done.append("looked"))
    console.sit_down(match_session, admission)
    console.obey(Vouch("AAAA"))
    console.obey(Compare())
    assert done == ["AAAA", "looked", "words"]


def test_a_spectator_or_a_player_against_computers_is_told_that_there_is_nothing_to_compare(capsys):
    console = Console()
    for command in (Compare(), Vouch("AAAA")):
        console.obey(command)
        assert "no words to compare" in capsys.readouterr().out
