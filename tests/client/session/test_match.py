"""`client.session.match` from the lobby into the match: a test moves the clock and brings what the
links receive."""

from __future__ import annotations

import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message
from client.session.refusals import refusal
from client.session.setup_rules import LocalPlayer
from client.storage.home import Home
from client.storage.resume_record import ResumeRecord
from crypto.identity import Identity
from p2p.net.events import LinkUp
from p2p.table.lobby import Draft, Endpoint, SeatRequest, TableRefused, encode_endpoints
from p2p.table.terms import Participant
from p2p.wire import pack, unpack
from tests.client.session.linked_player import Network, received
from tests.ring import terms_for

JON = Identity.from_seed(bytes([2]) * 32)
EVE = Identity.from_seed(bytes([3]) * 32)


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
        assert EVE.id not in ane.match_session.router.presence.missing, "a link is noted meanwhile"
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
