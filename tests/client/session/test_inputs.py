"""The queue of our tables: links wait for space in it, and our own players never do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from client.session.inputs import MAX_INPUTS, Inputs
from client.session.match import MatchSession
from client.session.setup_rules import LocalPlayer
from client.session.work import Chosen, EntryReceived
from crypto.identity import Identity
from p2p.table.lobby import SeatRequest
from tests.client.session.linked_player import Session, received

JON = Identity.from_seed(bytes([2]) * 32)


def entry(number: int) -> EntryReceived:
    return EntryReceived(JON.id, number.to_bytes(2, "big"))


@pytest.fixture
def full():
    inputs = Inputs()
    for number in range(MAX_INPUTS):
        inputs.put(entry(number))
    return inputs


async def test_a_link_waits_while_the_queue_is_full_and_our_player_does_not(full):
    async with trio.open_nursery() as nursery:
        nursery.start_soon(full.put_from_peer, entry(MAX_INPUTS))
        await wait_all_tasks_blocked()
        assert len(full) == MAX_INPUTS
        full.put(Chosen(0, None))
        assert (await full.take())[-1] == Chosen(0, None)
        await wait_all_tasks_blocked()
        assert full.take_waiting() == [entry(MAX_INPUTS)]


async def test_entries_beyond_the_limit_stay_in_their_link(tmp_path, monkeypatch):
    monkeypatch.setattr("client.session.inputs.MAX_INPUTS", 2)
    session = Session(tmp_path)
    session.begin()
    session.network.bring(*(received(session.other, bytes([number])) for number in range(5)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(session.router.follow, session.network)
        for left in (2, 0):
            await wait_all_tasks_blocked()
            assert len(session.inputs) == 2
            assert session.network.events.statistics().current_buffer_used == left
            session.inputs.take_waiting()
        await wait_all_tasks_blocked()
        assert len(session.brought(EntryReceived)) == 1
        nursery.cancel_scope.cancel()
    assert session.local_seats is not None
    session.local_seats.close()


async def test_after_the_match_no_link_waits_for_ever(full, monkeypatch):
    monkeypatch.setattr("client.session.match.Inputs", lambda: full)
    one = LocalPlayer(SeatRequest(JON, "Jon", bytes))
    context: Any = SimpleNamespace(home=None)  # nobody asks for an earlier match
    match_session = MatchSession(context, None, [one], lambda _message: None)
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(match_session.linger)
            await full.put_from_peer(entry(MAX_INPUTS))
            nursery.cancel_scope.cancel()
