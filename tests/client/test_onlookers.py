"""Who may look on, and that they hear what every player is sent, say nothing, and are as many as may be and no more."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
import trio

from client.gathering import Seating
from client.links import ASKS, Links
from client.messages import Message, Notice
from client.onlookers import MOST, PAUSE
from client.sitting import Sitting
from client.store import Home
from client.work import Behind, Input
from crypto.identity import Identity
from p2p.net.events import Event, LinkDown, LinkUp, Received
from p2p.net.link import CLOSED
from p2p.table.lobby import Agreement, Chair, Draft, Node
from p2p.table.onlooking import Ask, Shown
from tests.ring import identities, terms_for
from tests.standin import seeded, standin_group

EYES = [Identity.from_seed(bytes([200 + number]) * 32).id for number in range(MOST + 2)]


class Street:
    """Stands for a mesh: it notes what is sent, and brings what a test says."""

    def __init__(self) -> None:
        self.up: set[bytes] = set()
        self.sent: list[tuple[bytes, Any]] = []
        self.dropped: dict[bytes, str] = {}
        self._in, self.events = trio.open_memory_channel[Event](1000)

    def links(self) -> dict[bytes, Any]:
        return dict.fromkeys(self.up, type("Link", (), {"address": ("192.0.2.1", 4000)}))

    def send(self, peer: bytes, value: Any) -> bool:
        self.sent.append((peer, value))
        return True

    def broadcast(self, value: Any, skip: set[bytes]) -> None:
        self.sent += [(peer, value) for peer in sorted(self.up) if peer not in skip]

    def drop(self, peer: bytes, reason: str) -> None:
        self.dropped[peer] = reason

    def keep(self, peer: bytes, addresses: Any) -> None:
        pass

    def bring(self, *events: Event) -> None:
        for event in events:
            self.up |= {event.peer} if isinstance(event, LinkUp) else set()
            self.up -= {event.peer} if isinstance(event, LinkDown) else set()
            self._in.send_nowait(event)


class Evening:
    """A player's links in a match of two, and who comes over them."""

    def __init__(self, folder: Any, *, spectators: bool = True) -> None:
        self.street = Street()
        self.told: list[Message] = []
        self.who = identities(2)
        self.other = self.who[1].id
        random = Random(1)
        seatings = [Seating(Chair(self.who[0], "nick0", random.randbytes))]
        inputs, self.inputs = trio.open_memory_channel[Input](1000)
        self.links = Links(self.street, seatings, inputs, self.told.append)  # type: ignore[arg-type] # it stands for a mesh
        self.folder, self.spectators = folder, spectators
        self.terms = replace(terms_for("escoba", 2), spectators=spectators)
        self.signatures = [self.terms.sign(one) for one in self.who]
        self.sitting: Sitting | None = None

    def open(self) -> None:
        """Open the table; the other has not come yet."""
        facts = {"rules": self.terms.rules, "options": self.terms.options, "limit": 60, "spectators": self.spectators}
        self.links.gathering.open(Draft("mine", "escoba", seats=(None, None), **facts), b"")

    def begin(self) -> None:
        """Let the match begin."""
        agreement = Agreement.__new__(Agreement)
        agreement.terms, agreement.match = self.terms, self.terms.match
        agreement.signatures = dict(enumerate(self.signatures))
        self.links.gathering.return_to(agreement, [Node(self.other, 4000, ("192.0.2.1",))])
        seats = {0: self.who[0]}
        self.sitting = Sitting(
            self.terms, self.signatures, seats, {}, Home(self.folder), seeded(1), group=standin_group(), again=False
        )
        self.links.sit_down(self.sitting)

    def asks(self, peer: bytes, ask: Ask | None = None) -> None:
        self.street.bring(LinkUp(peer, b"", ("192.0.2.9", 0)), Received(peer, (ask or Ask()).message()))

    async def follow(self) -> None:
        """Take in all that was brought."""
        with trio.move_on_after(0.01):
            await self.links.follow(self.street)  # type: ignore[arg-type] # it stands for a mesh

    def heard(self, peer: bytes) -> list[Any]:
        return [value for to, value in self.street.sent if to == peer]

    def refusals(self, peer: bytes) -> list[str]:
        return [value["why"] for value in self.heard(peer) if isinstance(value, dict) and value["t"] == "refuse"]

    def brought(self) -> list[Behind]:
        found = []
        while self.inputs.statistics().current_buffer_used:
            found.append(self.inputs.receive_nowait())
        return [item for item in found if isinstance(item, Behind)]


@pytest.fixture
def evening(tmp_path, autojump_clock):
    made: list[Evening] = []

    def make(**options: Any) -> Evening:
        made.append(Evening(tmp_path, **options))
        return made[-1]

    yield make
    for one in made:
        if one.sitting is not None:
            one.sitting.close()


async def test_where_the_terms_say_no_nobody_looks_on(evening):
    shut = evening(spectators=False)
    shut.asks(EYES[0])
    await shut.follow()
    shut.open()
    shut.asks(EYES[1])
    await shut.follow()
    shut.begin()
    shut.asks(EYES[2])
    await shut.follow()
    assert [shut.refusals(eye) for eye in EYES[:3]] == [["no-table"], ["no-spectators"], ["no-spectators"]]
    shut.links.post(b"an entry")
    assert not any(isinstance(value, bytes) for _to, value in shut.street.sent)


async def test_onlookers_are_shown_the_match_and_every_entry_and_no_message(evening):
    shown = evening()
    shown.begin()
    shown.street.bring(LinkUp(shown.other, b"", ("192.0.2.1", 4000)))
    shown.asks(EYES[0])
    await shown.follow()
    (match,) = (Shown.read(value) for value in shown.heard(EYES[0]))
    assert (match.terms, match.signatures) == (shown.terms, tuple(shown.signatures))
    assert shown.brought() == [Behind(EYES[0], 0, bytes(32))]
    assert [notice.id for notice in shown.told if isinstance(notice, Notice)] == ["looks-on"]
    before = len(shown.heard(EYES[0]))
    shown.links.post(b"an entry")
    shown.links.say("talk", phrase=False)
    shown.links.say_what_we_have()
    shown.links.say_sealed()
    assert shown.heard(EYES[0])[before:] == [b"an entry"]
    assert b"an entry" in shown.heard(shown.other)
    shown.street.bring(LinkUp(EYES[1], b"", ("192.0.2.1", 0)))  # one who has not asked
    await shown.follow()
    shown.links.post(b"another")
    assert shown.heard(EYES[1]) == []


async def test_who_comes_before_the_match_waits_for_it(evening):
    early = evening()
    early.open()
    early.asks(EYES[0])
    await early.follow()
    assert [value["t"] for value in early.heard(EYES[0])] == ["table"]
    early.begin()
    assert [value["t"] for value in early.heard(EYES[0])] == ["table", "match"]
    assert [item.peer for item in early.brought()] == [EYES[0]]
    early.links.post(b"an entry")
    assert early.heard(EYES[0])[-1] == b"an entry"


@pytest.mark.parametrize(
    "noise",
    [
        b"an entry",
        {"t": "say", "text": "hello", "phrase": False},
        {"t": "sit", "seats": [], "secret": b""},
        {"t": "look", "secret": b""},
        {"t": "something"},
        [1, 2],
        {"t": "watch"},
        {"t": "watch", "match": b"", "steps": 0, "head": b"short"},
    ],
)
async def test_who_looks_on_and_says_anything_else_is_dropped_alone(evening, noise):
    noisy = evening()
    noisy.begin()
    noisy.street.bring(LinkUp(noisy.other, b"", ("192.0.2.1", 4000)))
    noisy.asks(EYES[0])
    noisy.street.bring(Received(EYES[0], noise))
    await noisy.follow()
    assert set(noisy.street.dropped) == {EYES[0]}
    noisy.street.bring(LinkDown(EYES[0], CLOSED))
    await noisy.follow()
    noisy.links.post(b"an entry")
    assert b"an entry" not in noisy.heard(EYES[0])
    assert b"an entry" in noisy.heard(noisy.other)


async def test_so_many_look_on_and_no_more_and_a_place_is_free_again_when_one_has_gone(evening):
    full = evening()
    full.begin()
    for eye in EYES[: MOST + 1]:
        full.asks(eye)
        await full.follow()
        await trio.sleep(PAUSE)
    assert [full.refusals(eye) for eye in EYES[: MOST + 1]] == [[]] * MOST + [["too-many"]]
    full.street.bring(LinkDown(EYES[0], "too slow"))
    full.asks(EYES[MOST + 1])
    await full.follow()
    assert full.refusals(EYES[MOST + 1]) == []
    full.links.post(b"an entry")
    assert b"an entry" not in full.heard(EYES[0])
    assert b"an entry" in full.heard(EYES[MOST + 1])


async def test_the_tables_are_asked_for_what_there_was_once_a_second_at_most(evening):
    crowded = evening()
    crowded.begin()
    for eye in EYES[:3]:
        crowded.asks(eye)
    await crowded.follow()
    assert [crowded.refusals(eye) for eye in EYES[:3]] == [[], ["busy"], ["busy"]]
    assert len(crowded.brought()) == 1
    await trio.sleep(PAUSE)
    crowded.street.bring(Received(EYES[1], Ask().message()))
    await crowded.follow()
    assert [item.peer for item in crowded.brought()] == [EYES[1]]


async def test_who_asks_again_and_again_is_dropped(evening):
    greedy = evening()
    greedy.begin()
    greedy.asks(EYES[0])
    for _ in range(ASKS):
        await greedy.follow()
        await trio.sleep(PAUSE)
        assert greedy.street.dropped == {}
        greedy.street.bring(Received(EYES[0], Ask(greedy.terms.match).message()))
    await greedy.follow()
    assert "again and again" in greedy.street.dropped[EYES[0]]


async def test_who_lacks_some_of_another_match_is_told_so(evening):
    other = evening()
    other.begin()
    other.asks(EYES[0], Ask(bytes(32), 5, bytes(32)))
    await other.follow()
    assert other.refusals(EYES[0]) == ["other-match"]
