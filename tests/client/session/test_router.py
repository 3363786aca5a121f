"""When who comes back into a match may speak: those who have heard it have shown what they hold, and nobody else counts."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from client.session.messages import Away, Back, Parted, Said
from client.session.resume_gate import GRACE
from client.session.router import ASKS
from client.session.work import HeardOut
from p2p.net.events import LinkDown, LinkUp, PeerAway, Received
from p2p.net.link import CLOSED
from p2p.table.admission import Visit
from p2p.table.events import Gone
from p2p.table.lobby import SeatRequest, sit_message
from tests.client.session.linked_player import NONCES, Evening, received

STRANGER = bytes(range(32))


@pytest.fixture
def evening(tmp_path):
    made = Evening(tmp_path)
    yield made
    if made.sitting is not None:
        made.sitting.close()


def shown(evening: Evening, match: bytes | None = None) -> dict[str, Any]:
    return {"t": "shown", "match": evening.terms.match if match is None else match}


def comes(evening: Evening, peer: bytes, *messages: dict[str, Any]) -> None:
    evening.street.bring(LinkUp(peer, b"", ("192.0.2.1", 4000)), *(received(peer, message) for message in messages))


async def test_who_comes_back_asks_and_speaks_when_the_others_have_shown_what_they_hold(evening, autojump_clock):
    evening.come_back()
    comes(evening, evening.other)
    await evening.follow()
    assert "have" in [value["t"] for value in evening.heard(evening.other)]
    await trio.sleep(2 * GRACE)
    evening.links.look(trio.current_time())
    assert evening.brought(HeardOut) == []
    evening.street.bring(received(evening.other, shown(evening)))
    await evening.follow()
    assert evening.brought(HeardOut) == [HeardOut()]
    evening.street.bring(received(evening.other, shown(evening)))
    await evening.follow()
    evening.links.look(trio.current_time() + GRACE)
    assert evening.brought(HeardOut) == [], "it is told once"


async def test_what_strangers_say_or_what_is_said_of_another_match_does_not_count(evening):
    evening.come_back()
    comes(evening, STRANGER, shown(evening))
    comes(evening, evening.other, shown(evening, bytes(32)))
    await evening.follow()
    evening.links.look(trio.current_time() + 2 * GRACE)
    assert evening.brought(HeardOut) == []
    assert evening.street.dropped == {}


async def test_a_message_of_another_form_is_charged_to_its_link(evening):
    evening.come_back()
    comes(evening, evening.other, {"t": "shown"})
    await evening.follow()
    assert set(evening.street.dropped) == {evening.other}


async def test_who_has_not_been_away_speaks_at_once(evening):
    evening.begin()
    comes(evening, evening.other, shown(evening))
    await evening.follow()
    assert evening.brought(HeardOut) == []
    assert evening.sitting is not None
    assert not evening.sitting.listening


async def test_who_has_no_link_to_us_is_missing(evening):
    evening.begin()
    assert evening.links.missing == {evening.other}
    comes(evening, evening.other)
    await evening.follow()
    assert evening.links.missing == set()
    evening.street.bring(LinkDown(evening.other, "lost"))
    await evening.follow()
    assert evening.links.missing == {evening.other}


async def test_who_asks_too_often_is_not_answered_and_not_parted_with(evening):
    """Somebody else may crowd out what is said to it."""
    evening.begin()
    comes(evening, evening.other)
    have = {"t": "have", "match": evening.terms.match, "steps": 0, "head": bytes(32)}
    for _ask in range(20):
        evening.street.bring(received(evening.other, have))
    await evening.follow()
    assert len(evening.brought()) == ASKS
    assert evening.street.dropped == {}


async def test_who_comes_back_is_told_once_who_is_missing(evening):
    evening.come_back()
    evening.links.tell_who_is_missing()
    evening.links.tell_who_is_missing()
    assert evening.told == [Away(1)]
    comes(evening, evening.other)
    await evening.follow()
    assert evening.told[-1] == Back(1)
    evening.links.tell_who_is_missing()
    assert evening.told[-1] == Back(1)


async def test_who_has_gone_is_not_missed(evening):
    evening.begin()
    comes(evening, evening.other)
    await evening.follow()
    evening.sitting.table._held.views.gone[1] = Gone(1)
    evening.street.bring(LinkDown(evening.other, "lost"))
    await evening.follow()
    evening.links.tell_who_is_missing()
    assert Away(1) not in evening.told


# When the match is over.


def over(evening: Evening) -> None:
    evening.begin()
    evening.links.sealing = True
    comes(evening, evening.other)


@pytest.mark.parametrize("event", [LinkDown, PeerAway])
async def test_whose_link_was_lost_while_the_match_was_set_up_is_away_when_it_begins(evening, event):
    evening.agree()
    comes(evening, evening.other)
    evening.street.bring(event(evening.other, "reset by peer"))
    await evening.follow()
    assert evening.told == []
    evening.begin()
    assert evening.told == [Away(1)]
    comes(evening, evening.other)
    await evening.follow()
    assert evening.told == [Away(1), Back(1)]


async def test_who_is_not_linked_yet_when_a_match_begins_is_not_told_to_be_away(evening):
    evening.agree()
    comes(evening, STRANGER)
    evening.street.bring(LinkDown(STRANGER, "reset by peer"))
    comes(evening, evening.other)
    evening.street.bring(LinkDown(evening.other, "reset by peer"))
    comes(evening, evening.other)
    await evening.follow()
    evening.begin()
    assert evening.told == []


AGAIN = {"t": "say", "text": "again", "phrase": True}


async def test_after_the_match_who_speaks_is_heard_and_who_has_ended_its_evening_has_gone(evening):
    over(evening)
    evening.street.bring(received(evening.other, AGAIN), LinkDown(evening.other, CLOSED))
    await evening.follow()
    assert evening.told[-2:] == [Said(1, "again", phrase=True), Parted(1)]
    assert evening.links.parted == {evening.other}
    comes(evening, evening.other)
    await evening.follow()
    assert evening.links.parted == set()


async def test_whose_link_is_lost_after_the_match_may_come_back(evening):
    over(evening)
    evening.street.bring(LinkDown(evening.other, "nothing heard for long"))
    await evening.follow()
    assert evening.links.parted == set()
    assert not [message for message in evening.told if isinstance(message, Parted | Away)]


async def test_while_the_next_table_is_waited_for_the_last_one_is_heard_and_when_it_is_shown_no_more(evening, tmp_path):
    over(evening)
    waiting = Evening(tmp_path / "next")
    waiting.links.follow_on(evening.links)
    comes(waiting, waiting.other, AGAIN)
    await waiting.follow()
    assert waiting.told == [Said(1, "again", phrase=True)]
    waiting.open()  # its seats are others
    waiting.told.clear()
    waiting.street.bring(received(waiting.other, AGAIN), LinkDown(waiting.other, CLOSED))
    await waiting.follow()
    assert waiting.told == []
    assert evening.links.parted == {waiting.other}  # who goes meanwhile has gone from both


@pytest.mark.parametrize("heard_over", ["the link that signed it", "another link"])
async def test_a_seat_is_proven_over_the_link_that_brought_it_not_over_the_one_that_replaced_it(evening, heard_over):
    evening.open()
    older = (b"1" * 16, b"2" * 16)
    assert older != NONCES, "the link that is up when the message is looked at"
    guest = evening.who[1]
    visit = Visit("mine", evening.who[0].id, guest.id, *older)
    message = sit_message([SeatRequest(guest, "nick1", bytes)], b"", visit)
    signed = heard_over == "the link that signed it"
    evening.street.bring(LinkUp(guest.id, b"", ("192.0.2.1", 4000)), Received(guest.id, message, older if signed else NONCES))
    await evening.follow()
    assert (guest.id in evening.links.gathering.members) == signed
    assert (guest.id in evening.street.dropped) == (not signed)
