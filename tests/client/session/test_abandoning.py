"""A match that nobody else comes back to is left for good, and the others learn it when they do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from client.session.abandoning import leave_for_good
from client.session.context import Context
from client.session.earlier_matches import ASKS_PER_LINK, MOST_WAITING, PAUSE_S, EarlierMatches
from client.session.seats import LocalSeats
from client.session.work import Chosen, EntryReceived
from client.storage.departure import BadDeparture, has_left, read_departure
from client.storage.earlier_match import entries_for
from client.storage.home import Home, StoreError, match_name
from client.storage.resume_record import ResumeRecord, look_through
from crypto.identity import Identity
from engine.games import complete_options, game_class
from p2p.table.events import Over
from p2p.table.log import LEAVE
from p2p.table.terms import Participant, Terms

STRANGER = Identity.from_seed(bytes([9]) * 32)
NOTHING = bytes(32)
PEER = b"the other one"


class Few:
    """Ane, Jon and others at a match; each has a home."""

    def __init__(self, folder: Path, names: tuple[str, ...] = ("Ane", "Jon")) -> None:
        self.contexts = [Context(Home(folder / name)) for name in names]
        places = tuple(
            Participant(context.identity.public, name, bytes([seat]) * 16)
            for seat, (context, name) in enumerate(zip(self.contexts, names, strict=True))
        )
        options = complete_options("escoba", len(names), {"target": 1})
        self.terms = Terms(
            *("escoba", game_class("escoba").version, options, 60),
            spectators=False,
            participants=places,
        )
        signatures = tuple(self.terms.sign(context.identity) for context in self.contexts)
        self.records = [
            ResumeRecord(self.terms, signatures, {seat: b""}, (), 4000)
            for seat in range(len(names))
        ]
        self.players = [self._sits(seat) for seat in range(len(names))]

    def _sits(self, seat: int) -> LocalSeats:
        context, signed = self.contexts[seat], self.records[seat]
        signed.save(context.home)
        return LocalSeats(context, signed, {seat: context.identity}, {})

    def go_on(self, rounds: int = 30) -> None:
        waiting = list[list[bytes]]([] for _player in self.players)
        for turn in range(rounds):
            seat = turn % len(self.players)
            inputs, waiting[seat] = [EntryReceived(PEER, data) for data in waiting[seat]], []

            def post(data: bytes, seat: int = seat, **_to: object) -> None:
                for other, entries in enumerate(waiting):
                    if other != seat:
                        entries.append(data)

            self.players[seat].work(inputs, post)

    def leaves(self, seat: int) -> None:
        """Let one leave while the other is away."""
        local_seats = self.players[seat]
        local_seats.work([Chosen(seat, None)], lambda _data, to=None, skip=None: None)
        assert local_seats.table.out
        assert seat not in local_seats.table.gone
        local_seats.close()

    def asks(self, seat: int, who: bytes | None = None, other: int = -1) -> list[bytes] | None:
        """Return what the last player's home, or that of an `other`, gives to a player that has
        come back to this seat."""
        table, home = self.players[seat].table, self.contexts[other].home
        peer = self.contexts[seat].identity.id if who is None else who
        given = entries_for(home, peer, self.terms.match, table.steps, table.head)
        return given.entries if given is not None else None


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Few]:
    made = Few(tmp_path)
    made.go_on()
    assert made.players[0].table.steps > 3
    yield made
    for local_seats in made.players:
        local_seats.files.close(finished=False)


def test_a_leave_while_the_other_is_away_is_kept_and_ends_the_match_when_it_is_shown(two):
    two.leaves(1)
    assert has_left(two.players[1].files.log, 1)
    assert not has_left(two.players[1].files.log, 0)
    given = two.asks(0)
    assert given is not None
    result = two.players[0].work(
        [EntryReceived(PEER, data) for data in given], lambda _data, to=None, skip=None: None
    )
    assert [news.event.winners for news in result.news if isinstance(news.event, Over)] == [(0,)]
    assert two.players[0].table.sealed


def test_only_the_entries_that_a_player_lacks_are_given(two):
    two.leaves(1)
    assert {read_departure(two.players[1].files.log, two.terms)[1][0].place[0]} == {LEAVE}
    rest = [entry.data for entry in read_departure(two.players[1].files.log, two.terms)[1]]
    assert two.asks(0) == rest
    home, ane = two.contexts[1].home, two.contexts[0].identity.id
    everything = entries_for(home, ane, two.terms.match, 0, NOTHING)
    assert everything is not None
    assert everything.complete
    assert len(everything.entries) > len(rest)
    assert entries_for(home, ane, two.terms.match, 10_000, NOTHING) == everything
    assert entries_for(home, ane, two.terms.match, -1, NOTHING) == everything
    steps = two.players[0].table.steps
    assert entries_for(home, ane, two.terms.match, steps, NOTHING) == everything


def test_a_stranger_gets_nothing_and_nobody_gets_another_match(two):
    two.leaves(1)
    assert two.asks(0, STRANGER.id) is None
    home, ane = two.contexts[1].home, two.contexts[0].identity.id
    assert entries_for(home, ane, NOTHING, 0, NOTHING) is None
    alike = two.terms.match[:16] + bytes(16)
    assert match_name(alike) == match_name(two.terms.match)
    assert entries_for(home, ane, alike, 0, NOTHING) is None


def test_nothing_is_given_of_a_match_that_our_player_has_only_watched(two, tmp_path):
    two.leaves(1)
    home = Home(tmp_path / "a spectator")
    home.logs.mkdir(parents=True, exist_ok=True)
    log = two.players[1].files.log
    assert home.identity, "the key is made before the first log"
    (home.logs / log.name).write_bytes(log.read_bytes())
    ane = two.contexts[0].identity.id
    assert entries_for(home, ane, two.terms.match, 0, NOTHING) is None


def test_nothing_is_given_of_a_match_that_waits_for_our_player(two):
    """Our log lacks words of our tables: with the log alone a peer might sign twice."""
    two.players[1].close()
    assert two.asks(0) == []


def test_a_damaged_departure_says_nothing(two):
    two.leaves(1)
    path = two.players[1].files.log.with_suffix(".left")
    whole = path.read_bytes()
    leave = read_departure(two.players[1].files.log, two.terms)[1][0].data
    assert leave in two.asks(0)
    for data in (b"", whole[:-1], whole[:40], b"\xff" * 100, whole + whole):
        path.write_bytes(data)
        with pytest.raises(BadDeparture):
            read_departure(two.players[1].files.log, two.terms)
        assert not has_left(two.players[1].files.log, 1)
        assert leave not in two.asks(0)


def test_an_unfinished_match_is_left_for_good_though_nobody_is_there(two):
    two.players[1].close()
    context = two.contexts[1]
    leave_for_good(context, two.records[1])
    assert look_through(context.home) == ([], [])
    assert list(context.home.journals.iterdir()) == []
    assert has_left(two.players[1].files.log, 1)
    result = two.players[0].work(
        [EntryReceived(PEER, data) for data in two.asks(0)],
        lambda _data, to=None, skip=None: None,
    )
    assert [news.event.winners for news in result.news if isinstance(news.event, Over)] == [(0,)]


def test_after_a_leave_that_the_disk_did_not_take_there_is_a_way_back(two, monkeypatch):
    seats = two.players[1]

    def full(*_words):
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(seats.files, "write_journal", full)
        with pytest.raises(StoreError):
            seats.work([Chosen(1, None)], lambda _data, **_to: None)
    seats.close()
    assert not seats.finished
    assert not has_left(seats.files.log, 1)
    assert look_through(two.contexts[1].home) != ([], [])


async def test_requests_are_answered_one_at_a_time_and_not_too_often(
    two, autojump_clock, monkeypatch
):
    async def at_once(call, *arguments):  # the clock of the test does not wait for a thread
        return call(*arguments)

    monkeypatch.setattr(trio.to_thread, "run_sync", at_once)
    two.leaves(1)
    ane, table = two.contexts[0].identity.id, two.players[0].table
    earlier, sent = EarlierMatches(two.contexts[1].home), list[tuple[bytes, object]]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(
            earlier.answer, lambda peer, value: sent.append((peer, value)), [].append
        )
        earlier.ask(STRANGER.id, two.terms.match, 0, NOTHING)
        earlier.ask(ane, two.terms.match, table.steps, table.head)
        await trio.sleep(PAUSE_S / 2)
        refused = {"t": "refuse", "why": "other-match"}
        assert [value for peer, value in sent if peer == STRANGER.id] == []
        assert ane in earlier
        assert STRANGER.id not in earlier
        mine = [value for peer, value in sent if peer == ane]
        assert mine[-2:] == [{"t": "shown", "match": two.terms.match}, refused]
        assert mine[:-2] == two.asks(0)
        sent.clear()
        earlier.ask(ane, two.terms.match, table.steps, table.head)
        await trio.sleep(PAUSE_S / 4)
        assert sent == []
        await trio.sleep(PAUSE_S)
        assert len(sent) == len(mine)
        sent.clear()
        for _ask in range(3 * ASKS_PER_LINK):
            earlier.ask(ane, two.terms.match, table.steps, table.head)
            await trio.sleep(2 * PAUSE_S)
        assert len(sent) == (ASKS_PER_LINK - 2) * len(mine)
        nursery.cancel_scope.cancel()


def test_few_peers_wait_for_an_answer(tmp_path):
    earlier = EarlierMatches(Home(tmp_path))
    for number in range(10 * MOST_WAITING):
        earlier.ask(number.to_bytes(32, "big"), NOTHING, 0, NOTHING)
    assert len(earlier.waiting) == MOST_WAITING
