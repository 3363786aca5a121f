"""`client.session.match` from the lobby into the match: a test moves the clock and brings what the
links receive."""

from __future__ import annotations

import os
import threading
from typing import Any

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from client.session.context import Context
from client.session.match import POLL_S, MatchSession
from client.session.messages import Lobby, Message, Seated
from client.session.setup_rules import LocalPlayer
from client.storage.home import Home
from client.storage.resume_record import ResumeRecord
from crypto.identity import Identity
from engine.games import complete_options, game_class
from p2p.net.events import LinkUp
from p2p.table.lobby import Endpoint
from p2p.table.table import Table
from p2p.table.terms import Participant, Terms
from tests.client.session.linked_player import Network, received

JON = Identity.from_seed(bytes([2]) * 32)


class Waiting:
    """Ane signed, lost her program and resumed; Jon's signature is missing. `told` holds the
    messages to her screen."""

    def __init__(self, folder: Any) -> None:
        context = Context(Home(folder))
        own = context.identity
        places = (
            Participant(own.public, "Ane", bytes(16)),
            Participant(JON.public, "Jon", bytes([1]) * 16),
        )
        options = complete_options("escoba", 2, {"target": 1})
        self.terms = Terms(
            "escoba",
            game_class("escoba").version,
            options,
            60,
            spectators=False,
            participants=places,
        )
        nodes = (Endpoint(JON.id, 4000, ("192.0.2.1",)),)
        self.resume_record = ResumeRecord(
            self.terms, (self.terms.sign(own), b""), {0: b""}, nodes, 4000
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


async def test_the_clock_reads_no_table_that_may_be_at_work(tmp_path, mock_clock, monkeypatch):
    """Tables work in another thread, which goes back and wipes keys meanwhile."""
    threads: list[int] = []
    waiting = Table.__dict__["waiting"].fget

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
