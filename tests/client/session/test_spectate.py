"""A spectator's session: it shows talk of players alone, and follows them to their next match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import trio

from client.session.context import Context
from client.session.messages import Away, Back, Talked
from client.session.patience import REMARKS, TALK_CHARACTERS
from client.session.spectate import FIRST_LINK_S, SpectatorSession
from client.session.status import leaves
from client.storage.home import Home
from p2p.net.events import LinkDown, LinkUp
from p2p.table.lobby import TableRefused
from p2p.table.spectating import WatchedMatch
from tests.client.session.linked_player import Network, received
from tests.ring import identities, terms_for

WHO = identities(2)
ANE, JON = (one.id for one in WHO)
EVE = b"e" * 32
TERMS = replace(terms_for("escoba", 2), spectators=True)


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
        with trio.fail_after(20):
            while JON not in asked(network, "listen"):
                await trio.sleep(0.01)  # the table is made in a thread
        yield session, network, told
        nursery.cancel_scope.cancel()


@pytest.fixture
async def watched(watching):
    """A session whose match is over: nobody follows the links any more."""
    session, network, _told = watching
    over = SpectatorSession(session._context, network, session._tell)
    over.spectator_table = session.spectator_table
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


async def test_a_player_that_was_away_before_we_came_is_told_as_away(watching, autojump_clock):
    session, network, told = watching
    network.bring(LinkDown(JON, "never here"))
    session._keep(JON)
    await trio.sleep(FIRST_LINK_S / 2)
    assert Away(1) not in told
    await trio.sleep(FIRST_LINK_S)
    assert told[-1] == Away(1)


async def test_the_next_match_is_that_which_a_player_of_the_last_one_shows(watched):
    session, network = watched
    message = WatchedMatch(replace(TERMS, limit=77), (b"x" * 64,) * 2, (), 0).message()
    network.bring(
        received(EVE, message),
        received(JON, {"t": "refuse", "why": "busy"}),
        received(ANE, message),
    )
    with trio.fail_after(5):
        assert await session.next_match() == (ANE, message)


async def test_a_next_match_without_spectators_ends_with_that_reason(watched):
    session, network = watched
    network.bring(received(EVE, {"t": "refuse", "why": "no-spectators"}))
    network.bring(received(ANE, {"t": "refuse", "why": "no-spectators"}))
    with trio.fail_after(5), pytest.raises(TableRefused) as caught:
        await session.next_match()
    assert caught.value.id == "no-spectators"


async def test_a_next_match_that_its_seats_have_not_signed_ends_with_a_reason(watched):
    session, _network = watched
    message = WatchedMatch(replace(TERMS, limit=77), (b"x" * 64,) * 2, (), 0).message()
    again = SpectatorSession(session._context, session._mesh, session._tell)
    with trio.fail_after(5), pytest.raises(BaseExceptionGroup) as caught:
        await again.run(ANE, shown=message)
    assert [str(refused) for refused in leaves(caught.value)] == [str(TableRefused("spoiled"))]
