"""Contacts in a session: admission to a table, words to compare, and trust."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from client.session.admission import Admission, online
from client.session.context import Context
from client.session.messages import Lobby, LobbySeat, Notice, Seated, Trusted, Words
from client.storage.contacts import Trust
from client.storage.home import Home, open_locked
from crypto.identity import Identity, fingerprint
from p2p.table.lobby import TableRefused
from p2p.table.terms import Participant
from tests.client.storage.acquaintances import ANE, EVE, HERE, JON, place


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


async def test_the_event_loop_does_not_wait_for_a_program_that_holds_the_contacts(
    tmp_path, admission
):
    """Not even when the session is cancelled is the player forgotten."""
    with open_locked(tmp_path / "peers.lock", wait=False) as held:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(admission.remember)
            with trio.fail_after(60):
                remembering(admission, Mesh(ANE))(seated(place(0, "Ane")))
                await trio.testing.wait_all_tasks_blocked()
            assert admission.contacts.all() == {}
            held.close()
            admission.close()
            nursery.cancel_scope.cancel()
    assert set(admission.contacts.all()) == {ANE}


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
    for number in range(50):
        seats = (
            Participant(
                Identity.from_seed(bytes([9]) * 31 + bytes([number])).public, "Ane", bytes(16)
            ),
        )
        with pytest.raises(TableRefused):
            admission.check_guests(seats)
    assert len({notice.about for notice in admission.told}) == 51, "each counts for itself"


ANES, EVES = LobbySeat("Ane", fingerprint(ANE)), LobbySeat("Eve", fingerprint(EVE))
FILLING = Lobby("escoba", {}, (ANES, None), (), 120)


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


def test_contacts_that_cannot_be_read_are_told_once_and_end_nothing(tmp_path, admission):
    tell = remembering(admission, Mesh(ANE))
    (tmp_path / "peers.json").write_text("damaged")
    tell(FILLING)
    tell(FILLING)
    admission.compare()
    assert [message.id for message in admission.told if isinstance(message, Notice)] == [
        "not-remembered"
    ]
    assert admission.told[-2:] == [FILLING, Words({ANES.fingerprint: "one two three"})]


async def test_damaged_contacts_keep_nobody_from_playing(tmp_path):
    """Their file is put aside as it is, and our player hears where."""
    told: list[Any] = []
    (tmp_path / "peers.json").write_bytes(b"{")
    async with online(Context(Home(tmp_path), interface="127.0.0.1", port=0), told.append):
        pass
    aside = tmp_path / "peers.json.damaged1"
    assert told == [Notice("contacts-damaged", {"path": str(aside)})]
    assert aside.read_bytes() == b"{"


async def hears(admission, kind: type) -> None:
    """Let everything be written until our player hears of something of this kind."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(admission.remember)
        with trio.fail_after(60):
            while not isinstance(admission.told[-1], kind):
                await trio.sleep(0.01)
        admission.close()


async def test_a_player_whose_words_were_read_is_trusted_while_a_table_fills(admission):
    """The table is checked again when that is written."""
    remembering(admission, Mesh(ANE, EVE))(FILLING)
    admission.compare()
    checked: list[Trust] = []
    admission.trust(ANES.fingerprint, lambda: checked.append(admission.contacts.all()[ANE].trust))
    await hears(admission, Trusted)
    assert admission.told[-1] == Trusted(ANES.fingerprint)
    assert checked == [Trust.TRUSTED]
    assert admission.contacts.all()[ANE].nick == "Ane"


def unexpected() -> None:
    raise AssertionError("there is no table to be checked")


async def test_nobody_is_trusted_whose_words_were_not_shown(admission):
    """Neither a player that came later, nor one over another link than that with these words."""
    mesh = Mesh(ANE)
    remembering(admission, mesh)(FILLING)
    for three in ("one two three", "four five six"):
        mesh.up[ANE].words = three
        admission.trust(ANES.fingerprint, unexpected)
        assert admission.told[-1] == Words({ANES.fingerprint: three})
    admission.trust(ANES.fingerprint, list)
    await hears(admission, Trusted)


async def test_words_that_come_later_join_those_that_were_shown_and_change_none_of_them(admission):
    """Words that changed meanwhile were not read: that player is not trusted by them."""
    mesh = Mesh(ANE)
    remembering(admission, mesh)(replace(FILLING, seats=(ANES, EVES)))
    admission.compare()
    before = len(admission.told)
    admission.compare(more=True)
    assert len(admission.told) == before, "nobody has come"
    mesh.up |= Mesh(EVE).up
    mesh.up[ANE].words = "four five six"
    admission.compare(more=True)
    both = {ANES.fingerprint: "one two three", EVES.fingerprint: "one two three"}
    assert admission.told[-1] == Words(both)
    admission.trust(ANES.fingerprint, unexpected)
    assert admission.told[-1] == Words(both | {ANES.fingerprint: "four five six"})


async def test_a_player_without_a_seat_or_a_link_is_not_trusted(admission):
    remembering(admission, Mesh(EVE))(FILLING)
    for who in (ANE, EVE):
        admission.trust(fingerprint(who), unexpected)
        assert admission.told[-1] == Notice("no-link", {"id": fingerprint(who)})
    await remembered(admission)
    assert admission.contacts.all() == {}


async def test_a_player_that_is_blocked_is_not_trusted_by_the_way(admission):
    admission.contacts.meet(ANE, "Ane", HERE, 1, Trust.BLOCKED)
    remembering(admission, Mesh(ANE))(FILLING)
    admission.compare()
    admission.trust(ANES.fingerprint, unexpected)
    await remembered(admission)
    assert admission.told[-1].id == "blocked"
    assert admission.contacts.all()[ANE].trust is Trust.BLOCKED
