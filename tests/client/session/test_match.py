"""`client.session.match` from the lobby into the match: a test moves the clock and brings what the
links receive."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from client.session.context import Context
from client.session.match import POLL_S, MatchSession
from client.session.messages import Away, Lobby, Message, News, Notice, Seated
from client.session.refusals import refusal
from client.session.setup_rules import LocalPlayer
from client.session.work import Result, SeatNews
from client.storage.home import Home
from client.storage.resume_record import ResumeRecord
from crypto.identity import Identity
from engine.games import complete_options, game_class
from p2p.net.events import LinkUp
from p2p.table.events import Shuffling
from p2p.table.lobby import Draft, Endpoint, SeatRequest, TableRefused, encode_endpoints
from p2p.table.table import Table
from p2p.table.terms import Participant, Terms
from p2p.wire import pack, unpack
from tests.client.session.linked_player import Network, received
from tests.ring import terms_for

JON = Identity.from_seed(bytes([2]) * 32)
EVE = Identity.from_seed(bytes([3]) * 32)


class Waiting:
    """Ane signed, lost her program and resumed; Jon's signature is missing. `told` holds the
    messages to her screen."""

    def __init__(self, folder: Any, *more: Identity, host: bytes = b"") -> None:
        """`more` have signed as well; the last of them is a computer player, without a link."""
        context = Context(Home(folder))
        own = context.identity
        places = (
            Participant(own.public, "Ane", bytes(16)),
            Participant(JON.public, "Jon", bytes([1]) * 16),
            *(Participant(one.public, f"p{seat}", bytes(16)) for seat, one in enumerate(more, 3)),
        )
        options = complete_options("escoba", len(places), {"target": 1})
        self.terms = Terms(
            "escoba",
            game_class("escoba").version,
            options,
            60,
            spectators=False,
            participants=places,
        )
        nodes = [Endpoint(one.id, 4000, ("192.0.2.1",)) for one in (JON, *more[:-1])]
        signatures = (self.terms.sign(own), b"", *map(self.terms.sign, more))
        self.resume_record = ResumeRecord(
            self.terms, signatures, {0: b""}, tuple(nodes), 4000, host=host
        )
        self.network = Network()
        self.told: list[Message] = []
        self._heard = trio.Event()
        local_players = [
            LocalPlayer(seat_request, computer)
            for seat_request, computer in self.resume_record.seat_requests(context.home, os.urandom)
        ]
        self.match_session = MatchSession(context, self.network, local_players, self._tell)  # type: ignore[arg-type] # it stands for a mesh

    def _tell(self, message: Message) -> None:
        self.told.append(message)
        self._heard.set()

    async def hears(self, kind: type[Message]) -> None:
        """Wait, while the clock stands still, until such a message was told."""
        while not any(isinstance(message, kind) for message in self.told):
            self._heard = trio.Event()
            await self._heard.wait()

    async def goes_on(self, clock: MockClock, looks: int) -> None:
        """Move the clock on by this many looks at the missing players."""
        for _ in range(looks):
            await wait_all_tasks_blocked()
            clock.jump(POLL_S)
            await wait_all_tasks_blocked()

    def jon_comes_and_signs(self) -> None:
        signature = {
            "t": "sign",
            "match": self.terms.match,
            "seat": 1,
            "signature": self.terms.sign(JON),
        }
        self.network.bring(LinkUp(JON.id, b"", ("192.0.2.1", 4000)), received(JON.id, signature))


async def test_resumed_player_gets_no_lobby_message_once_the_match_has_begun(tmp_path, mock_clock):
    ane = Waiting(tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ane.match_session.resume, ane.resume_record)
        await ane.goes_on(mock_clock, 2)
        (waits,) = ane.told
        assert isinstance(waits, Lobby)
        assert waits.away == {1}
        ane.jon_comes_and_signs()
        await ane.hears(Seated)
        begun = len(ane.told)
        await ane.goes_on(mock_clock, 8)
        assert [message for message in ane.told[begun:] if isinstance(message, Lobby)] == []
        nursery.cancel_scope.cancel()


async def test_after_a_resume_a_computer_player_is_away_with_the_program_of_the_host(
    tmp_path, mock_clock
):
    miren, computer = (Identity.from_seed(bytes([seed]) * 32) for seed in (21, 22))
    ane = Waiting(tmp_path, miren, computer, host=JON.id)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ane.match_session.resume, ane.resume_record)
        await ane.goes_on(mock_clock, 2)
        ane.jon_comes_and_signs()
        await ane.hears(Seated)
        away = ane.match_session.links.presence.down(JON.id)
        assert away == [Away(1), Away(3)]
        agreement = ane.match_session.setup.agreement
        assert agreement is not None
        assert ane.match_session._resume_point.of(agreement).host == JON.id, "for the next resume"
        nursery.cancel_scope.cancel()


async def test_the_clock_reads_no_table_that_may_be_at_work(tmp_path, mock_clock, monkeypatch):
    """Tables work in another thread, which goes back and wipes keys meanwhile."""
    threads: list[int] = []
    waiting = inspect.getattr_static(Table, "waiting").fget

    def read(table: Table) -> object:
        threads.append(threading.get_ident())
        return waiting(table)

    monkeypatch.setattr(Table, "waiting", property(read))
    ane = Waiting(tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ane.match_session.resume, ane.resume_record)
        await ane.goes_on(mock_clock, 1)
        ane.jon_comes_and_signs()
        await ane.hears(Seated)
        await ane.goes_on(mock_clock, 8)
        nursery.cancel_scope.cancel()
    assert threads
    assert threading.get_ident() not in threads


class Joining:
    """Ane is a guest at the table of Jon, with Eve; a test says what Jon and Eve send."""

    def __init__(self, folder: Any) -> None:
        self.home = Home(folder)
        context = Context(self.home)
        self.network = Network()
        local_players = [LocalPlayer(SeatRequest(context.identity, "Ane", os.urandom))]
        self.told: list[Message] = []
        self.match_session = MatchSession(context, self.network, local_players, self.told.append)  # type: ignore[arg-type] # it stands for a mesh
        known = terms_for("escoba", 3)
        places = tuple(
            Participant(who.public, nick, nick.encode().ljust(16))
            for who, nick in ((JON, "Jon"), (EVE, "Eve"))
        )
        self.draft = Draft(
            "table",
            "escoba",
            known.rules,
            known.options,
            60,
            spectators=False,
            seats=(*places, None),
        )
        self.own = context.identity.id
        self.terms = known

    @asynccontextmanager
    async def signed(self) -> AsyncIterator[None]:
        """Sit down at the table, and sign its terms."""
        async with self.signing():
            while "sign" not in [value["t"] for value in self.said()]:
                await trio.sleep(0.01)
            yield

    @asynccontextmanager
    async def signing(self) -> AsyncIterator[trio.CancelScope]:
        """Sit down at the table, and hear its terms; the scope ends Ane's session."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.match_session.join, JON.id)
            self.network.bring(LinkUp(JON.id, b"", ("192.0.2.1", 4000)))
            self.jon_says(self.draft.message())
            await wait_all_tasks_blocked()
            (sat,) = (value for value in self.said() if value["t"] == "sit")
            full = replace(
                self.draft, seats=(*self.draft.seats[:2], Participant(*sat["seats"][0][:6]))
            )
            self.terms = full.terms()
            ends = (
                Endpoint(EVE.id, 4001, ("192.0.2.2",)),
                Endpoint(self.own, 4002, ("192.0.2.3",)),
            )
            nodes = encode_endpoints(ends)
            self.jon_says(full.message())
            self.jon_says({"t": "terms", "terms": self.terms.encode(), "nodes": nodes})
            yield nursery.cancel_scope

    def said(self) -> list[dict[str, Any]]:
        """Return what Ane has sent besides entries."""
        return [value for _peer, value in self.network.sent if isinstance(value, dict)]

    def jon_says(self, message: dict[str, Any]) -> None:
        self.network.bring(received(JON.id, unpack(pack(message), 1 << 16)))

    async def begins(self) -> None:
        """Bring the signatures of the others, and wait for Ane's first entry."""
        for seat, who in enumerate((JON, EVE)):
            signature = self.terms.sign(who)
            match = self.terms.match
            self.jon_says({"t": "sign", "match": match, "seat": seat, "signature": signature})
        while not any(isinstance(value, bytes) for _peer, value in self.network.sent):
            await trio.sleep(0.01)

    @property
    def kept(self) -> list[str]:
        """The files that lead back into the match."""
        return sorted(path.name.split(".", 1)[1] for path in self.home.journals.iterdir())


@pytest.mark.parametrize("own", ["reopened", "never-begun", "not-as-shown", "other-protocol"])
async def test_a_host_cannot_refuse_us_in_the_words_of_our_own_findings(tmp_path, own):
    ane = Joining(tmp_path)
    with pytest.RaisesGroup(TableRefused) as raised:
        async with ane.signed():
            ane.jon_says({"t": "refuse", "why": own})
    (refused,) = raised.value.exceptions
    assert refusal(refused).args == (f"the table cannot be joined: {own}",)
    assert ane.kept == ["match"]


async def test_a_host_that_shows_another_table_deletes_no_journal_of_a_signed_match(tmp_path):
    """Eve may wait for us in that match: only its players together can end it."""
    ane = Joining(tmp_path)
    with pytest.RaisesGroup(TableRefused):
        async with ane.signed():
            await ane.begins()
            ane.jon_says(ane.draft.message())
    assert ane.kept == ["match", "p3.journal"]
    assert ane.match_session.waits


class SlowDisk:
    """A disk on which a resume record is written only when `ready` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ready, self.threads = threading.Event(), list[int]()
        save = ResumeRecord.save

        def slowly(record: ResumeRecord, home: Home) -> None:
            self.threads.append(threading.get_ident())
            assert self.ready.wait(20)
            save(record, home)

        monkeypatch.setattr(ResumeRecord, "save", slowly)

    async def writes(self) -> None:
        """Wait until the disk is asked for the first write."""
        while not self.threads:
            await trio.sleep(0.01)


async def test_the_links_go_on_while_the_disk_takes_the_record_of_a_signed_match(
    tmp_path, monkeypatch
):
    ane, disk = Joining(tmp_path), SlowDisk(monkeypatch)
    async with ane.signing() as session:
        await disk.writes()
        ane.network.bring(LinkUp(EVE.id, b"", ("192.0.2.2", 4001)))
        await wait_all_tasks_blocked()
        assert EVE.id not in ane.match_session.links.presence.missing, "a link is noted meanwhile"
        assert "sign" not in [value["t"] for value in ane.said()], "nothing is signed before"
        disk.ready.set()
        await ane.begins()
        assert ane.kept == ["match", "p3.journal"]
        session.cancel()
    assert threading.get_ident() not in disk.threads


async def test_a_session_that_ends_before_the_record_is_on_disk_is_bound_to_nothing(
    tmp_path, monkeypatch
):
    ane, disk = Joining(tmp_path), SlowDisk(monkeypatch)
    async with ane.signing() as session:
        await disk.writes()
        session.cancel()
        disk.ready.set()
    assert "sign" not in [value["t"] for value in ane.said()]
    assert ane.kept == []
    assert not ane.match_session.waits


async def test_a_slow_shuffle_is_told_and_no_clock_runs_on(tmp_path, autojump_clock):
    ane = Joining(tmp_path)
    seats: Any = SimpleNamespace(terms=ane.terms)
    begins = SeatNews(0, Shuffling(1, (1, 0)), cast(Any, None), (), {})
    async with trio.open_nursery() as nursery:
        ane.match_session._report(seats, Result(news=[begins]), nursery)
    assert ane.told[-1] == Notice("shuffles", {"who": ane.terms.participants[1].nick})


@pytest.mark.parametrize(
    ("finished", "out", "gone", "how", "said"),
    [
        (True, True, (), "left", ["gone", "departure-kept"]),
        (True, True, (), "voted", ["gone"]),
        (True, True, (0,), "left", []),
        (True, False, (), "left", []),
        (False, True, (), "left", []),
    ],
)
async def test_at_the_end_a_leave_is_told_that_others_do_not_know_yet(
    tmp_path, finished, out, gone, how, said
):
    told: list[Message] = []
    session = MatchSession(Context(Home(tmp_path)), None, (), told.append)
    table = SimpleNamespace(out=out, seat=0, gone=gone, how=lambda _seat: how, waiting=())
    table.view = lambda: None
    seats = SimpleNamespace(table=table, seat=0, finished=finished, close=lambda: None)
    for _close in range(2):
        await session._close(cast("Any", seats))
    once = list(dict.fromkeys(one.id if isinstance(one, Notice) else "gone" for one in told))
    assert once == said
    assert len([one for one in told if isinstance(one, News)]) == said.count("gone")
