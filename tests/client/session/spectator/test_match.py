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
from client.session.messages import Away, Back, News, Notice, Talked
from client.session.patience import REMARKS, TALK_CHARACTERS
from client.session.spectator import match as spectator_match
from client.session.spectator.match import FIRST_LINK_S, NO_LINK_TIMEOUT_S, SpectatorSession
from client.session.spectator.table import SpectatorTable
from client.session.status import NetworkError, leaves
from client.storage.home import Home
from client.storage.match_files import MatchFiles
from p2p.net.errors import Unreachable
from p2p.net.events import LinkDown, LinkUp, PeerAway
from p2p.net.link import CLOSED, DISPLACED, LOST, SILENT
from p2p.table.events import Moved
from p2p.table.faults import BadSignature
from p2p.table.lobby import TableRefused
from p2p.table.spectating import WatchedMatch
from p2p.table.table import Table
from tests.client.session.linked_player import Network, received
from tests.ring import Ring, identities, terms_for
from tests.standin import standin_group
from tests.table.lobbies import draft

WHO = identities(2)
ANE, JON = (one.id for one in WHO)
EVE = b"e" * 32
TERMS = replace(terms_for("escoba", 2), spectators=True)


@pytest.fixture(autouse=True)
def in_one_thread(monkeypatch):
    """Make the slow calls here: a clock that jumps does not wait for another thread."""

    async def here(call: Callable[..., Any], *args: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return call(*args)

    monkeypatch.setattr(trio.to_thread, "run_sync", here)


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
async def watched(watching):
    """A session whose match is over: nobody follows the links any more."""
    session, network, _told = watching
    over = SpectatorSession(session._context, network, session._tell)
    over.spectator_table = session.spectator_table
    for player in (ANE, JON):
        over._keep(player)
    network.events = (later := trio.open_memory_channel(100))[1]
    network._in = later[0]
    return over, network


def asked(network: Network, kind: str) -> list[bytes]:
    return [peer for peer, value in network.sent if isinstance(value, dict) and value["t"] == kind]


def say(text: str, **more: Any) -> dict[str, Any]:
    return {"t": "say", "text": text, "phrase": False, **more}


async def said(watching: Any, *messages: tuple[bytes, dict[str, Any]]) -> list[Talked]:
    _session, network, told = watching
    network.bring(*(received(peer, message) for peer, message in messages))
    await trio.testing.wait_all_tasks_blocked(0.05)
    return [message for message in told if isinstance(message, Talked)]


async def test_every_player_is_asked_for_its_own_talk(watching):
    assert sorted(set(asked(watching[1], "listen"))) == sorted([ANE, JON])


async def test_players_are_heard_in_their_own_name_only(watching):
    heard = await said(watching, (JON, say("Kaixo!")), (ANE, say("hello")), (EVE, say("I am Jon")))
    assert heard == [Talked(1, "Kaixo!", phrase=False), Talked(0, "hello", phrase=False)]


@pytest.mark.parametrize(
    "message",
    [say("x" * (TALK_CHARACTERS + 1)), say("x", seat=0), {"t": "say", "text": 1, "phrase": False}],
)
async def test_talk_in_another_form_ends_the_link(watching, message):
    assert await said(watching, (JON, message)) == []
    assert JON in watching[1].dropped


async def test_a_player_that_talks_on_and_on_is_heard_only_now_and_then(watching):
    assert len(await said(watching, *[(JON, say("ha"))] * 50)) == REMARKS


async def test_players_without_a_link_are_told_as_away_and_as_back(watching, autojump_clock):
    session, network, told = watching
    session._keep(ANE), session._keep(JON)

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


async def test_a_spectator_that_stood_still_tries_again_before_it_gives_up(
    watching, autojump_clock
):
    session, network, _told = watching
    session._keep(ANE), session._keep(JON)
    network.bring(LinkDown(ANE, "silent"), LinkDown(JON, "silent"))
    autojump_clock.jump(2 * NO_LINK_TIMEOUT_S)  # as when the program is suspended
    await trio.sleep(NO_LINK_TIMEOUT_S - 3)
    network.bring(LinkUp(JON, b"", ("192.0.2.2", 1)))
    await trio.sleep(2 * NO_LINK_TIMEOUT_S)


async def test_a_spectator_gives_up_when_no_player_can_be_reached(tmp_path, autojump_clock):
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
    tmp_path, autojump_clock, shown
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
    tmp_path, autojump_clock, events, why
):
    network = Network()
    network.bring(ASKED, *events)
    with trio.fail_after(HOST_LOST_S + 5), pytest.RaisesGroup(TableRefused) as refused:
        await before_the_match(tmp_path, network, [])
    assert [str(one) for one in leaves(refused.value)] == [why]


class Elsewhere:
    """A table at work: only the thread that works at it may read it."""

    def __init__(self, table: Table) -> None:
        self._table, self._reader = table, threading.get_ident()

    def __getattr__(self, name: str) -> Any:
        assert threading.get_ident() != self._reader, "the event loop reads a table"
        return getattr(self._table, name)


async def test_the_links_and_the_clock_read_no_table_that_may_be_at_work(watching):
    session, network, _told = watching
    shown, table = session.spectator_table, session.spectator_table.table
    asked_before = len(asked(network, "watch"))
    shown.table = Elsewhere(table)
    session._ask(ANE)
    session._keep(JON)
    session._tell_presence(trio.current_time() + 2 * FIRST_LINK_S)
    shown.table = table
    assert len(asked(network, "watch")) == asked_before + 1


async def test_a_player_that_was_away_before_we_came_is_told_as_away(watching, autojump_clock):
    session, network, told = watching
    network.bring(LinkDown(JON, "never here"))
    session._keep(JON)
    await trio.sleep(FIRST_LINK_S / 2)
    assert Away(1) not in told
    await trio.sleep(FIRST_LINK_S)
    assert told[-1] == Away(1)


def next_match(*, signed: bool = True, **changes: Any) -> dict[str, Any]:
    terms = replace(TERMS, limit=77, **changes)
    signatures = tuple(terms.sign(one) if signed else b"x" * 64 for one in WHO)
    return WatchedMatch(terms, signatures, (), 0).message()


NO_SPECTATORS = {"t": "refuse", "why": "no-spectators"}


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


@pytest.mark.parametrize(
    ("answer", "dropped"),
    [
        (NO_SPECTATORS, False),
        (next_match(spectators=False), False),
        (next_match(game="whist"), False),
        (next_match(signed=False), True),
        ({"t": "match"}, True),
    ],
)
async def test_one_player_alone_does_not_end_the_wait_for_the_next_match(watched, answer, dropped):
    session, network = watched
    network.bring(received(JON, answer), received(JON, answer), received(ANE, next_match()))
    with trio.fail_after(60):
        assert await session.next_match() == (ANE, next_match())
    assert (JON in network.dropped) == dropped


async def test_a_next_match_without_spectators_ends_with_that_reason(watched):
    session, network = watched
    for peer in (EVE, JON, ANE):
        network.bring(received(peer, NO_SPECTATORS))
    with trio.fail_after(60), pytest.raises(TableRefused) as caught:
        await session.next_match()
    assert caught.value.id == "no-spectators"


async def test_a_next_match_that_its_seats_have_not_signed_ends_with_a_reason(watched):
    session, _network = watched
    message = next_match(signed=False)
    again = SpectatorSession(session._context, session._mesh, session._tell)
    with trio.fail_after(60), pytest.raises(BaseExceptionGroup) as caught:
        await again.run(ANE, shown=message)
    assert [str(refused) for refused in leaves(caught.value)] == [str(TableRefused("spoiled"))]


# Shown entries.


async def until_asked(network: Network, peer: bytes) -> None:
    """Wait until the last player that was asked for entries is this one."""
    with trio.fail_after(60):
        while asked(network, "watch")[-1:] != [peer]:
            await trio.sleep(0.01)


async def test_a_player_is_blamed_for_its_own_entries_only(watching, monkeypatch):
    session, network, _told = watching

    def look(entries: list[bytes]) -> list[Any]:
        if b"forged" in entries:
            raise BadSignature("unsigned-entry", number=1)
        return []

    monkeypatch.setattr(session.spectator_table, "look", look)
    session._keep(JON)
    session._source = JON  # after Ane
    network.sent.clear()
    for item in ((ANE, b"good"), (JON, b"forged"), (JON, b"good")):
        session._entries_in.send_nowait(item)
    await until_asked(network, ANE)
    assert set(network.dropped) == {JON}


@pytest.mark.parametrize(
    "message", [next_match(), next_match(spectators=False), next_match(game="whist")]
)
async def test_another_match_that_the_source_shows_does_not_end_the_session(watching, message):
    _session, network, _told = watching
    watching[0]._keep(JON)
    network.bring(received(ANE, {"t": "refuse", "why": "too-many"}))
    await until_asked(network, JON)
    watching[0]._keep(EVE)
    network.bring(LinkUp(EVE, b"", ("192.0.2.3", 1)), received(JON, message))
    await until_asked(network, EVE)


async def test_without_entries_nothing_is_looked_at(watching, monkeypatch, autojump_clock):
    session, _network, _told = watching
    looked: list[list[bytes]] = []
    await trio.sleep(5)
    monkeypatch.setattr(
        session.spectator_table, "look", lambda entries: looked.append(entries) or []
    )
    await trio.sleep(30)
    assert looked == []


@pytest.fixture
def ring(monkeypatch):
    """A match for spectators after its first move, with fast arithmetic."""
    group = standin_group()
    monkeypatch.setattr(spectator_match, "SpectatorTable", partial(SpectatorTable, group=group))
    monkeypatch.setattr(
        "tests.ring.terms_for", lambda *args: replace(terms_for(*args), spectators=True)
    )
    made = Ring("escoba", 2, group=group)
    made.play(moves=1)
    return made


def moves(told: list[Any]) -> int:
    return sum(isinstance(message, News) and isinstance(message.event, Moved) for message in told)


async def test_a_spectator_that_lacks_nothing_is_told_of_the_deal(tmp_path, ring, autojump_clock):
    context, told = Context(Home(tmp_path)), []
    assert context.identity  # a home with a log has a key
    MatchFiles(context.home, ring.terms.match, ()).log.write_bytes(ring.logs[0])
    shown = WatchedMatch(ring.terms, tuple(ring.signatures), (), ring.tables[0].steps)
    session = SpectatorSession(context, Network(), told.append)  # type: ignore[arg-type] # it stands for a mesh
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(session.run, ANE, shown=shown.message()))
        await trio.sleep(3)
        nursery.cancel_scope.cancel()
    assert moves(told) == 1


async def test_good_entries_before_a_forged_one_are_told(tmp_path, ring, autojump_clock):
    network, told = Network(), []
    session = SpectatorSession(Context(Home(tmp_path)), network, told.append)  # type: ignore[arg-type] # it stands for a mesh
    network.bring(*(LinkUp(peer, b"", ("192.0.2.1", 1)) for peer in (ANE, JON)))
    shown = WatchedMatch(ring.terms, tuple(ring.signatures), (), 0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(session.run, ANE, shown=shown.message()))
        session._keep(JON)
        network.bring(*(received(ANE, data) for _seat, data in ring.sent))
        await trio.sleep(3)
        assert moves(told) == 1
        before = len(ring.sent)
        ring.play(moves=1)
        for data in [*(data for _seat, data in ring.sent[before:]), b"noise"]:
            session._entries_in.send_nowait((ANE, data))  # so that they are looked at together
        await trio.sleep(3)
        nursery.cancel_scope.cancel()
    assert moves(told) == 2
    assert set(network.dropped) == {ANE}


async def test_an_error_with_the_entries_of_a_player_turns_to_another(
    watching, tmp_path, monkeypatch, contained
):
    session, network, told = watching
    session._players[JON] = None

    def fails(*_: Any) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(SpectatorTable, "look", fails)
    network.bring(received(ANE, b"an entry"))
    await trio.testing.wait_all_tasks_blocked(0.05)
    assert network.dropped == {ANE: "an error of this program"}
    assert session._source == JON
    assert [message.id for message in told if isinstance(message, Notice)] == ["contained"]
    assert (tmp_path / "errors.log").exists()
    contained.clear()
