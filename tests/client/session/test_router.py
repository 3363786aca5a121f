"""The messages of links that a session takes: of players that come back, of strangers that ask, of
floods, talk and seals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest
import trio

from client.session.messages import Away, Back, Notice, Parted, Talked
from client.session.resume_gate import GRACE_S
from client.session.router import (
    ASKS_AT_ONCE,
    ASKS_PER_S,
    MAX_EARLY_INPUTS,
    REFUSALS,
    UNREAD,
)
from client.session.work import ListeningOver
from p2p.net.events import LinkDown, LinkUp, PeerAway, Received
from p2p.net.link import CLOSED
from p2p.table.admission import Visit
from p2p.table.lobby import Draft, SeatRequest, sit_message
from p2p.table.need import Need
from tests.client.session.linked_player import NONCES, Session, received

STRANGER = bytes(range(32))


@pytest.fixture
def session(tmp_path):
    made = Session(tmp_path)
    yield made
    if made.local_seats is not None:
        made.local_seats.close()


def shown(session: Session, match: bytes | None = None) -> dict[str, Any]:
    return {"t": "shown", "match": session.terms.match if match is None else match}


def need(session: Session, match: bytes | None = None) -> dict[str, Any]:
    return Need().message(session.terms.match if match is None else match)


def comes(session: Session, peer: bytes, *messages: dict[str, Any]) -> None:
    session.network.bring(
        LinkUp(peer, b"", ("192.0.2.1", 4000)), *(received(peer, message) for message in messages)
    )


async def test_a_resumed_player_asks_and_signs_when_the_others_have_shown_their_entries(
    session, autojump_clock
):
    session.come_back()
    comes(session, session.other)
    await session.follow()
    assert "need" in [value["t"] for value in session.heard(session.other)]
    await trio.sleep(2 * GRACE_S)
    session.router.try_gate(trio.current_time())
    assert session.brought(ListeningOver) == []
    session.network.bring(received(session.other, shown(session)))
    await session.follow()
    assert session.brought(ListeningOver) == [ListeningOver()]
    session.network.bring(received(session.other, shown(session)))
    await session.follow()
    session.router.try_gate(trio.current_time() + GRACE_S)
    assert session.brought(ListeningOver) == [], "it is told once"


async def test_messages_of_strangers_or_of_another_match_do_not_count(session):
    session.come_back()
    comes(session, STRANGER, shown(session))
    comes(session, session.other, shown(session, bytes(32)))
    await session.follow()
    session.router.try_gate(trio.current_time() + 2 * GRACE_S)
    assert session.brought(ListeningOver) == []
    assert session.network.dropped == {}


async def test_a_player_that_asks_too_often_is_not_answered_and_not_parted_with(
    session, autojump_clock
):
    """Somebody else may crowd out what is said to it."""
    session.begin()
    comes(session, session.other)
    for _ask in range(20):
        session.network.bring(received(session.other, need(session)))
    await session.follow()
    assert len(session.brought()) == ASKS_AT_ONCE
    await trio.sleep(2 / ASKS_PER_S)
    for _ask in range(20):
        session.network.bring(received(session.other, need(session)))
    await session.follow()
    assert len(session.brought()) == 2
    assert session.network.dropped == {}


@pytest.mark.parametrize("request_", ["look", "sit", "stand"])
async def test_a_player_at_play_answers_requests_for_a_table_only_now_and_then(session, request_):
    """The time to an answer would tell how busy we are."""
    session.begin()
    comes(session, session.other)
    await session.follow()
    before = len(session.network.sent)
    for _ask in range(5 * REFUSALS):
        session.network.bring(received(session.other, {"t": request_, "secret": b""}))
    await session.follow()
    refusal = (session.other, {"t": "refuse", "why": "no-table"})
    assert session.network.sent[before:] == [refusal] * REFUSALS
    assert session.network.dropped == {}


async def test_a_stranger_that_takes_no_answers_in_fills_no_memory(session):
    session.open()
    comes(session, STRANGER)
    await session.follow()
    look = received(STRANGER, {"t": "look", "secret": b""})
    for unread, answers in ((UNREAD, 1), (UNREAD + 1, 1), (0, 2)):
        session.network.unread[STRANGER] = unread
        session.network.bring(look)
        await session.follow()
        assert [value["t"] for value in session.heard(STRANGER)] == ["table"] * answers
    assert session.network.dropped == {}


async def test_an_entry_of_our_match_shows_that_a_player_is_back(session):
    session.come_back()
    session.router.presence.give_up()
    comes(session, session.other)
    session.network.bring(received(session.other, b"\x97\xc4\x20" + bytes(32)))
    await session.follow()
    assert Back(1, anew=True) not in session.told
    session.network.bring(received(session.other, b"\x97\xc4\x20" + session.terms.match))
    await session.follow()
    assert session.told[-1] == Back(1, anew=True)


async def test_a_player_that_refuses_our_match_is_said_to_be_at_another_table(session):
    session.come_back()
    session.router.presence.give_up()
    comes(session, session.other, {"t": "refuse", "why": "other-match"})
    await session.follow()
    assert session.told[-1] == Away(1, elsewhere=True)
    session.network.sent.clear()
    session.router.post(b"an entry")
    assert session.network.sent == [], "it is sent no entries there"


async def test_a_request_about_another_match_is_handed_on_and_costs_no_link(session):
    session.begin()
    comes(session, STRANGER, need(session, bytes(32)))
    session.network.bring(received(STRANGER, b"an entry of that match"))
    await session.follow()
    assert STRANGER in session.earlier
    assert session.network.dropped == {}
    session.network.bring(LinkDown(STRANGER, "lost"))
    comes(session, STRANGER)
    session.network.bring(received(STRANGER, b"an entry of that match"))
    await session.follow()
    assert session.network.dropped == {STRANGER: "not at this table"}


async def test_a_table_that_a_host_shows_in_the_middle_of_our_match_costs_us_nothing(
    session, monkeypatch
):
    session.begin()
    session.router.setup.host_peer = session.other
    session.local_seats.wait = replace(session.local_seats.wait, begun=True)
    monkeypatch.setattr(Draft, "read", Mock(side_effect=AssertionError("read")))
    comes(session, session.other, *[{"t": "table"}] * 100)
    await session.follow()
    assert session.network.dropped == {}
    assert session.told == []


async def test_few_entries_wait_for_a_match_that_has_not_begun(session):
    session.agree()
    comes(session, session.other)
    for number in range(MAX_EARLY_INPUTS + 5):
        session.network.bring(received(session.other, number.to_bytes(2, "big")))
        await session.follow()
    assert len(session.inputs) == MAX_EARLY_INPUTS


async def test_a_player_has_all_seals_if_it_says_so_of_our_match(session):
    session.begin()
    session.router.send_sealed()
    for match, content in ((bytes(32), False), (session.terms.match, True)):
        comes(session, session.other, {"t": "sealed", "match": match})
        await session.follow()
        assert session.router.all_content == content


# When the match is over.


def over(session: Session) -> None:
    session.begin()
    session.router.presence.end()
    comes(session, session.other)


@pytest.mark.parametrize("event", [LinkDown, PeerAway])
async def test_a_player_whose_link_was_lost_while_the_match_was_set_up_is_away_when_it_begins(
    session, event
):
    session.agree()
    comes(session, session.other)
    session.network.bring(event(session.other, "reset by peer"))
    await session.follow()
    assert session.told == []
    session.begin()
    assert session.told == [Away(1)]
    comes(session, session.other, need(session))
    await session.follow()
    assert session.told == [Away(1), Back(1, anew=True)]


AGAIN = {"t": "say", "text": "again", "phrase": True}


async def test_after_the_match_talk_is_shown_and_parted_players_are_gone(session):
    over(session)
    session.network.bring(received(session.other, AGAIN), LinkDown(session.other, CLOSED))
    await session.follow()
    assert session.told[-2:] == [Talked(1, "again", phrase=True), Parted(1)]
    assert session.router.presence.parted == {session.other}
    comes(session, session.other)
    await session.follow()
    assert session.router.presence.parted == set()


async def test_the_last_table_is_heard_until_the_next_one_is_shown(session, tmp_path):
    over(session)
    waiting = Session(tmp_path / "next")
    waiting.router.presence.follow_on(session.router.presence)
    comes(waiting, waiting.other, AGAIN)
    await waiting.follow()
    assert waiting.told == [Talked(1, "again", phrase=True)]
    waiting.open()  # its seats are others
    waiting.told.clear()
    gone = LinkDown(waiting.other, CLOSED)
    waiting.network.bring(received(waiting.other, AGAIN), gone, gone)
    await waiting.follow()
    nick = waiting.terms.participants[1].nick
    assert waiting.told == [Notice("parted", {"who": nick})], "by the name, for it has no seat here"
    assert session.router.presence.parted == {
        waiting.other
    }  # a peer that goes meanwhile has gone from both


@pytest.mark.parametrize("heard_over", ["the link that signed it", "another link"])
async def test_a_seat_is_proven_over_the_link_that_brought_it_not_over_the_one_that_replaced_it(
    session, heard_over
):
    session.open()
    older = (b"1" * 16, b"2" * 16)
    assert older != NONCES, "the link that is up when the message is looked at"
    guest = session.who[1]
    visit = Visit("mine", session.who[0].id, guest.id, *older)
    message = sit_message([SeatRequest(guest, "nick1", bytes)], b"", visit)
    signed = heard_over == "the link that signed it"
    session.network.bring(
        LinkUp(guest.id, b"", ("192.0.2.1", 4000)),
        Received(guest.id, message, older if signed else NONCES),
    )
    await session.follow()
    assert (guest.id in session.router.setup.members) == signed
    assert (guest.id in session.network.dropped) == (not signed)
