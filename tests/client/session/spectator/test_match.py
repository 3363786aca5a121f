"""A spectator's session: it shows talk of players alone, and follows them to their next match."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import trio

from client.session.context import Context
from client.session.host_link import HOST_LOST_S
from client.session.messages import Away, Back, Notice, Talked
from client.session.spectator import match
from client.session.spectator.match import FIRST_LINK_S, NO_LINK_TIMEOUT_S, SpectatorSession
from client.session.spectator.table import SpectatorTable
from client.session.status import NetworkError, leaves
from client.session.talk import REMARKS
from client.storage.home import Home
from client.storage.match_files import MatchFiles
from p2p.net.errors import Unreachable
from p2p.net.events import LinkDown, LinkUp, PeerAway
from p2p.net.link import CLOSED, DISPLACED, LOST, SILENT
from p2p.table.faults import BadSignature
from p2p.table.lobby import TableRefused
from p2p.table.spectating import WatchedMatch
from tests.client.session.linked_player import Network, received
from tests.ring import identities, terms_for
from tests.table.lobbies import draft

WHO = identities(2)
ANE, JON = (one.id for one in WHO)
EVE = b"e" * 32
TERMS = replace(terms_for("escoba", 2), spectators=True)


@pytest.fixture
def jumping_clock(monkeypatch, autojump_clock):
    """Make the slow calls here, for a clock that jumps does not wait for another thread."""

    async def here(call: Callable[..., Any], *args: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return call(*args)

    monkeypatch.setattr(trio.to_thread, "run_sync", here)
    return autojump_clock


@pytest.fixture
async def watching(tmp_path):
    network, told = Network(), []
    session = SpectatorSession(Context(Home(tmp_path)), network, told.append)  # type: ignore[arg-type] # it stands for a mesh
    shown = WatchedMatch(TERMS, tuple(TERMS.sign(one) for one in WHO), (), 0)
    network.bring(
        LinkUp(ANE, b"", ("192.0.2.1", 1)),
        received(ANE, shown.message()),
        LinkUp(JON, b"", ("192.0.2.2", 1)),
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(session.run, ANE)
        with trio.fail_after(60):
            while JON not in asked(network, "listen"):
                await trio.sleep(0.01)
        yield session, network, told
        nursery.cancel_scope.cancel()


@pytest.fixture
async def watched(watching, tmp_path):
    """A session whose match is over: nobody follows the links any more."""
    session, _network, told = watching
    over = SpectatorSession(Context(Home(tmp_path)), later := Network(), told.append)  # type: ignore[arg-type] # as above
    over.spectator_table = session.spectator_table
    for player in (ANE, JON):
        over.keep(player)
    return over, later


def asked(network: Network, kind: str) -> list[bytes]:
    return [peer for peer, value in network.sent if isinstance(value, dict) and value["t"] == kind]


def say(text: str, **more: Any) -> dict[str, Any]:
    return {"t": "say", "text": text, "phrase": False, **more}


async def said(watching: Any, *messages: tuple[bytes, dict[str, Any]]) -> list[Talked]:
    _session, network, told = watching
    network.bring(*(received(peer, message) for peer, message in messages))
    await trio.testing.wait_all_tasks_blocked(0.05)
    return [message for message in told if isinstance(message, Talked)]


async def test_players_are_heard_in_their_own_name_only(watching):
    heard = await said(watching, (JON, say("Kaixo!")), (ANE, say("hello")), (EVE, say("I am Jon")))
    assert heard == [Talked(1, "Kaixo!", phrase=False), Talked(0, "hello", phrase=False)]


async def test_a_player_that_talks_on_and_on_is_heard_only_now_and_then(watching):
    assert len(await said(watching, *[(JON, say("ha"))] * 50)) == REMARKS


async def test_players_without_a_link_are_told_as_away_and_as_back(jumping_clock, watching):
    session, network, told = watching
    session.keep(ANE), session.keep(JON)

    def presence() -> list[Any]:
        return [message for message in told if isinstance(message, Away | Back)]

    await trio.sleep(2 * FIRST_LINK_S)
    assert presence() == []
    network.bring(LinkDown(JON, "lost"))
    await trio.sleep(2.5)
    assert presence() == [Away(1)]
    network.bring(LinkUp(JON, b"", ("192.0.2.2", 1)))
    await trio.sleep(2.5)
    assert presence() == [Away(1), Back(1)]


async def test_a_spectator_gives_up_when_no_player_can_be_reached(tmp_path, jumping_clock):
    session = SpectatorSession(Context(Home(tmp_path)), Network(), [].append)  # type: ignore[arg-type] # as above
    shown = WatchedMatch(TERMS, tuple(TERMS.sign(one) for one in WHO), (), 0)
    began = trio.current_time()
    with pytest.RaisesGroup(NetworkError):
        await session.run(ANE, None, shown.message())
    assert NO_LINK_TIMEOUT_S <= trio.current_time() - began <= NO_LINK_TIMEOUT_S + 5


ASKED = LinkUp(ANE, b"", ("192.0.2.1", 1))
SHOWN = received(ANE, draft(2, spectators=True).message())


async def before_the_match(tmp_path: Any, network: Network, told: list[Any]) -> None:
    """Watch at a table whose match has not begun."""
    session = SpectatorSession(Context(Home(tmp_path)), network, told.append)  # type: ignore[arg-type] # as above
    await session.run(ANE)


@pytest.mark.parametrize("shown", [(), (SHOWN,)])
async def test_a_spectator_whose_link_breaks_before_the_match_asks_again(
    tmp_path, jumping_clock, shown
):
    network, told = Network(), list[Any]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(before_the_match, tmp_path, network, told)
        network.bring(ASKED, *shown, LinkDown(ANE, SILENT))
        await trio.sleep(HOST_LOST_S - 2)
        assert asked(network, "watch") == [ANE]
        network.bring(ASKED, SHOWN)
        await trio.sleep(3 * HOST_LOST_S)
        assert asked(network, "watch") == [ANE, ANE]
        nursery.cancel_scope.cancel()
    notices = [one.id for one in told if isinstance(one, Notice)]
    assert notices == [*["watch-waits"] * len(shown), "host-lost", "host-back", "watch-waits"]


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([LinkDown(ANE, LOST)], "host-lost"),
        ([LinkDown(ANE, LOST), PeerAway(ANE, Unreachable("192.0.2.1:1", "refused"))], "host-gone"),
        ([LinkDown(ANE, CLOSED)], "host-gone"),
        ([LinkDown(ANE, DISPLACED)], "displaced"),
        ([], "no-answer"),
    ],
)
async def test_a_spectator_gives_up_before_the_match_with_a_reason(
    tmp_path, jumping_clock, events, why
):
    network = Network()
    network.bring(ASKED, *events)
    with trio.fail_after(HOST_LOST_S + 5), pytest.RaisesGroup(TableRefused) as refused:
        await before_the_match(tmp_path, network, [])
    assert [str(one) for one in leaves(refused.value)] == [why]


def next_match(*, signed: bool = True, **changes: Any) -> dict[str, Any]:
    terms = replace(TERMS, limit=77, **changes)
    signatures = tuple(terms.sign(one) if signed else b"x" * 64 for one in WHO)
    return WatchedMatch(terms, signatures, (), 0).message()


async def test_the_next_match_is_that_which_a_player_of_the_last_one_shows(watched):
    session, network = watched
    last = WatchedMatch(TERMS, tuple(TERMS.sign(one) for one in WHO), (), 0).message()
    network.bring(
        received(EVE, next_match()),
        received(JON, {"t": "refuse", "why": "busy"}),
        received(JON, last),
        received(ANE, next_match()),
    )
    with trio.fail_after(60):
        assert await session.next_match() == (ANE, next_match())


async def test_a_next_match_that_its_seats_have_not_signed_ends_with_a_reason(tmp_path):
    again = SpectatorSession(Context(Home(tmp_path)), Network(), [].append)  # type: ignore[arg-type] # as above
    with trio.fail_after(60), pytest.raises(TableRefused, match="spoiled"):
        await again.run(ANE, shown=next_match(signed=False))


# Shown entries.


async def test_only_a_worker_thread_reads_and_writes_files(monkeypatch, tmp_path):
    used: dict[str, int] = {}

    def note(owner: Any, name: str) -> None:
        call = getattr(owner, name)

        def noted(*args: Any, **more: Any) -> Any:
            used[name] = threading.get_ident()
            return call(*args, **more)

        monkeypatch.setattr(owner, name, noted)

    note(match, "look_through")
    note(MatchFiles, "take_up")
    note(MatchFiles, "close")
    session = SpectatorSession(Context(Home(tmp_path)), Network(), [].append)  # type: ignore[arg-type] # as above
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(session.run, ANE, shown=next_match()))
        with trio.fail_after(60):
            while session.spectator_table is None:
                await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert used.keys() == {"look_through", "take_up", "close"}
    assert threading.get_ident() not in used.values()


async def test_a_player_is_blamed_for_its_own_entries_only(watching, monkeypatch):
    session, network, _told = watching

    def verify(entries: list[bytes]) -> list[Any]:
        if b"forged" in entries:
            raise BadSignature("unsigned-entry", number=1)
        return []

    monkeypatch.setattr(session.spectator_table, "verify", verify)
    session.keep(JON)
    network.sent.clear()
    good = [received(ANE, b"good")] * 3  # the last ones wait while the first is judged
    network.bring(*good, LinkDown(ANE, "lost"), LinkUp(ANE, b"", ("192.0.2.1", 1)))
    network.bring(received(JON, b"forged"), received(JON, b"good"))
    with trio.fail_after(60):
        while asked(network, "watch") != [JON, ANE]:
            await trio.sleep(0.01)
    assert set(network.dropped) == {JON}


async def test_an_error_with_the_entries_of_a_player_turns_to_another(
    watching, tmp_path, monkeypatch, contained
):
    session, network, told = watching
    session.keep(JON)

    def fails(*_: Any) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(SpectatorTable, "verify", fails)
    network.bring(received(ANE, b"an entry"))
    await trio.testing.wait_all_tasks_blocked(0.05)
    assert network.dropped == {ANE: "an error of this program"}
    assert asked(network, "watch")[-1] == JON
    assert [message.id for message in told if isinstance(message, Notice)] == ["contained"]
    assert (tmp_path / "errors.log").exists()
    contained.clear()
