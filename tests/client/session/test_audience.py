"""Spectators hear all that every player is sent, say nothing, and are as many as may be and no
more."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from client.session.audience import MAX_SPECTATORS, PAUSE_S
from client.session.messages import Notice
from client.session.work import Behind
from crypto.identity import Identity, fingerprint
from p2p.net.events import LinkDown, LinkUp
from p2p.net.link import CLOSED
from p2p.table.need import Need
from p2p.table.spectating import WatchedMatch, WatchRequest
from tests.client.session.linked_player import Session, received

EYES = [Identity.from_seed(bytes([200 + number]) * 32).id for number in range(MAX_SPECTATORS + 2)]


@pytest.fixture
def session(tmp_path):
    made: list[Session] = []

    def make(**options: Any) -> Session:
        made.append(Session(tmp_path, **options))
        return made[-1]

    yield make
    for one in made:
        if one.local_seats is not None:
            one.local_seats.close()


async def test_where_the_terms_say_no_there_are_no_spectators(session):
    shut = session(spectators=False)
    shut.asks(EYES[0])
    await shut.follow()
    shut.open()
    shut.asks(EYES[1])
    await shut.follow()
    shut.begin()
    shut.asks(EYES[2])
    await shut.follow()
    assert [shut.refusals(eye) for eye in EYES[:3]] == [
        ["no-table"],
        ["no-spectators"],
        ["no-spectators"],
    ]
    shut.router.post(b"an entry")
    assert not any(isinstance(value, bytes) for _to, value in shut.network.sent)


async def test_spectators_are_shown_the_match_and_every_entry_and_no_message(session):
    shown = session()
    shown.begin()
    shown.network.bring(LinkUp(shown.other, b"", ("192.0.2.1", 4000)))
    shown.asks(EYES[0])
    await shown.follow()
    (match,) = (WatchedMatch.read(value) for value in shown.heard(EYES[0]))
    assert (match.terms, match.signatures) == (shown.terms, tuple(shown.signatures))
    assert shown.brought() == [Behind(EYES[0], Need())]
    assert [notice.id for notice in shown.told if isinstance(notice, Notice)] == ["looks-on"]
    before = len(shown.heard(EYES[0]))
    shown.router.post(b"an entry")
    shown.router.say("talk", phrase=False)
    shown.router.send_need()
    shown.router.send_sealed()
    assert shown.heard(EYES[0])[before:] == [b"an entry"]
    assert b"an entry" in shown.heard(shown.other)
    shown.network.bring(LinkUp(EYES[1], b"", ("192.0.2.1", 0)))  # one who has not asked
    await shown.follow()
    shown.router.post(b"another")
    assert shown.heard(EYES[1]) == []


def told_of(session: Session) -> list[str]:
    """Return the keys of the spectators of which our player was told."""
    return [
        notice.params["id"]
        for notice in session.told
        if isinstance(notice, Notice) and notice.id == "looks-on"
    ]


async def test_every_player_that_a_spectator_listens_to_is_told_of_it_once(session):
    shown = session()
    shown.begin()
    listen = {"t": "listen", "match": shown.terms.match}
    shown.network.bring(LinkUp(EYES[0], b"", ("192.0.2.1", 0)), received(EYES[0], listen))
    await shown.follow()
    assert told_of(shown) == [fingerprint(EYES[0])], "another player shows it the match"
    shown.asks(EYES[0])
    shown.network.bring(received(EYES[0], listen))
    await shown.follow()
    assert told_of(shown) == [fingerprint(EYES[0])]


async def test_a_player_that_comes_before_the_match_waits_for_it(session):
    early = session()
    early.open()
    early.asks(EYES[0])
    await early.follow()
    assert [value["t"] for value in early.heard(EYES[0])] == ["table"]
    early.begin()
    assert [value["t"] for value in early.heard(EYES[0])] == ["table", "match"]
    assert [item.peer for item in early.brought()] == [EYES[0]]
    early.router.post(b"an entry")
    assert early.heard(EYES[0])[-1] == b"an entry"


@pytest.mark.parametrize(
    "noise",
    [
        b"an entry",
        {"t": "say", "text": "hello", "phrase": False},
        {"t": "sit", "seats": [], "secret": b""},
        {"t": "look", "secret": b""},
        {"t": "listen", "match": b"short", "more": 1},
        {"t": "something"},
        [1, 2],
        {"t": "watch"},
        {"t": "watch", "match": b"", "steps": 0, "head": b"short"},
    ],
)
async def test_a_spectator_that_sends_anything_else_is_dropped_alone(session, noise):
    noisy = session()
    noisy.begin()
    noisy.network.bring(LinkUp(noisy.other, b"", ("192.0.2.1", 4000)))
    noisy.asks(EYES[0])
    noisy.network.bring(received(EYES[0], noise))
    await noisy.follow()
    assert set(noisy.network.dropped) == {EYES[0]}
    noisy.network.bring(LinkDown(EYES[0], CLOSED))
    await noisy.follow()
    noisy.router.post(b"an entry")
    assert b"an entry" not in noisy.heard(EYES[0])
    assert b"an entry" in noisy.heard(noisy.other)


def listens(session: Session, peer: bytes, match: bytes | None = None) -> None:
    """A peer links, and asks for talk only."""
    wanted = session.terms.match if match is None else match
    session.network.bring(
        LinkUp(peer, b"", ("192.0.2.9", 0)), received(peer, {"t": "listen", "match": wanted})
    )


def talk_to(session: Session, peer: bytes) -> list[str]:
    return [
        value["text"]
        for value in session.heard(peer)
        if isinstance(value, dict) and value["t"] == "say"
    ]


async def test_listening_spectators_hear_our_player_and_nobody_elses_words(session):
    shown = session()
    shown.begin()
    shown.network.bring(LinkUp(shown.other, b"", ("192.0.2.1", 4000)))
    listens(shown, EYES[0])
    listens(shown, EYES[1], bytes(32))  # of another match
    await shown.follow()
    shown.router.say("Kaixo!", phrase=False)
    shown.network.bring(received(shown.other, {"t": "say", "text": "hello", "phrase": False}))
    await shown.follow()
    assert talk_to(shown, EYES[0]) == ["Kaixo!"], "of other players it hears from themselves"
    assert talk_to(shown, EYES[1]) == []
    shown.router.post(b"an entry")
    assert b"an entry" not in shown.heard(EYES[0])
    shown.network.bring(LinkDown(EYES[0], CLOSED))
    await shown.follow()
    shown.router.say("more", phrase=False)
    assert talk_to(shown, EYES[0]) == ["Kaixo!"]


async def test_where_the_terms_say_no_nobody_listens(session):
    shut = session(spectators=False)
    shut.begin()
    listens(shut, EYES[0])
    await shut.follow()
    shut.router.say("Kaixo!", phrase=False)
    assert talk_to(shut, EYES[0]) == []


@pytest.mark.parametrize("allowed", [True, False])
async def test_spectators_are_taken_along_to_the_next_match(session, allowed):
    first, then = session(), session(spectators=allowed)
    first.begin()
    first.asks(EYES[0])
    listens(first, EYES[1])
    await first.follow()
    then.network.up |= set(EYES)
    then.router.spectators.follow_on(first.router.spectators)
    then.begin()
    for eye in EYES[:2]:
        assert [value["t"] for value in then.heard(eye)] == (["match"] if allowed else ["refuse"])
        assert then.refusals(eye) == ([] if allowed else ["no-spectators"])
    then.router.post(b"an entry")
    assert (b"an entry" in then.heard(EYES[0])) == allowed
    assert then.heard(EYES[2]) == []


async def test_spectators_are_limited_and_a_place_is_free_again_when_one_has_gone(
    session, autojump_clock
):
    full = session()
    full.begin()
    for eye in EYES[: MAX_SPECTATORS + 1]:
        full.asks(eye)
        await full.follow()
        await trio.sleep(PAUSE_S)
    assert [full.refusals(eye) for eye in EYES[: MAX_SPECTATORS + 1]] == [[]] * MAX_SPECTATORS + [
        ["too-many"]
    ]
    full.network.bring(LinkDown(EYES[0], "too slow"))
    full.asks(EYES[MAX_SPECTATORS + 1])
    await full.follow()
    assert full.refusals(EYES[MAX_SPECTATORS + 1]) == []
    full.router.post(b"an entry")
    assert b"an entry" not in full.heard(EYES[0])
    assert b"an entry" in full.heard(EYES[MAX_SPECTATORS + 1])


async def test_the_tables_are_asked_for_earlier_entries_once_a_second_at_most(
    session, autojump_clock
):
    crowded = session()
    crowded.begin()
    for eye in EYES[:3]:
        crowded.asks(eye)
    await crowded.follow()
    assert [crowded.refusals(eye) for eye in EYES[:3]] == [[], ["busy"], ["busy"]]
    assert len(crowded.brought()) == 1
    await trio.sleep(PAUSE_S)
    crowded.network.bring(received(EYES[1], WatchRequest().message()))
    await crowded.follow()
    assert [item.peer for item in crowded.brought()] == [EYES[1]]


async def test_a_flood_of_requests_is_dropped_though_none_of_them_is_served(
    session, autojump_clock
):
    crowded = session()
    crowded.begin()
    crowded.asks(EYES[0])
    crowded.asks(EYES[1])
    for _ask in range(20):
        await crowded.follow()
        await trio.sleep(PAUSE_S / 20)
        crowded.network.bring(received(EYES[1], WatchRequest().message()))
    assert "asks too often" in crowded.network.dropped[EYES[1]]
    assert [item.peer for item in crowded.brought()] == [EYES[0]]


async def test_a_player_that_lacks_some_of_another_match_is_told_so(session):
    other = session()
    other.begin()
    other.asks(EYES[0], WatchRequest(bytes(32), 5, bytes(32)))
    await other.follow()
    assert other.refusals(EYES[0]) == ["other-match"]


SECRET = b"invite"


async def test_a_private_table_shows_its_match_to_nobody_without_an_invite(session):
    shut = session()
    shut.open(SECRET, private=True)
    for eye, secret in zip(EYES[:4], (b"", b"guess", SECRET, b""), strict=True):
        shut.asks(eye, WatchRequest(secret=secret))
    await shut.follow()
    assert [shut.refusals(eye) for eye in EYES[:4]] == [
        ["not-invited"],
        ["not-invited"],
        [],
        ["not-invited"],
    ]
    assert [value["t"] for value in shut.heard(EYES[2])] == ["table"]
    shut.router.setup.host.secret = b"next"  # a guest has come with the invite
    shut.asks(EYES[2], WatchRequest())
    shut.asks(EYES[0], WatchRequest(secret=SECRET))
    await shut.follow()
    assert shut.refusals(EYES[2]) == [], "it has shown the invite"
    assert shut.refusals(EYES[0]) == ["not-invited"] * 2


async def test_a_guest_of_a_private_table_shows_the_match_to_spectators_that_know_it(session):
    shown = session()
    shown.begin(private=True)
    shown.asks(EYES[0], WatchRequest(secret=SECRET))
    shown.asks(EYES[1], WatchRequest(shown.terms.match))
    shown.asks(EYES[2], WatchRequest(bytes(32)))
    await shown.follow()
    assert [shown.refusals(eye) for eye in EYES[:3]] == [["not-invited"], [], ["not-invited"]]
    assert shown.router.spectators.following == {EYES[1]}
