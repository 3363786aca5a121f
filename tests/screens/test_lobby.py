"""What the lobby says where something cannot be, and what can be done while it waits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import FoundTable, Tables
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui.screen.lobby import people
from client.ui.screen.messages import Key, MatchHistory, Rise
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from crypto.identity import fingerprint
from p2p.wire import PROTOCOL
from tests.ring import identities
from tests.screens.stage import SIZES, check_rows

BLIND = "The program cannot find tables on this network: this machine is on no network. `j` still takes an address or an invite."
WAITING = MatchSummary("ab" * 16, "escoba", ("Ane", "Jon"), "2026-11-21", "/x/ab.sobremesa", unfinished=True)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("history", [(), (WAITING,)], ids=["nothing", "a match that waits"])
def test_why_no_table_is_seen_stands_where_tables_would(size, history):
    state = ScreenState(settings=Settings(nick="Ane"))
    for message in (MatchHistory(history), Tables((), BLIND)):
        state, _commands = react(state, message)
    shown = check_rows(state, *size)
    assert state.blind in " ".join(shown.replace("│", " ").split())
    assert "nobody yet" not in shown
    assert ("Back to Escoba" in shown) is bool(history)
    state, _commands = react(state, Tables(()))
    assert BLIND[:20] not in check_rows(state, *size)
    assert ("nobody yet" in check_rows(state, *size)) is not bool(history)


HOST, US, STRANGER = (one.id for one in identities(3))
PLAYED = FoundTable(HOST, "Ane", "escoba", "runway-39", 2, 2, "playing", PROTOCOL, "192.0.2.1:47747", "known")


def lobby_with(tables: tuple[FoundTable, ...], history: tuple[MatchSummary, ...] = ()) -> ScreenState:
    """Return a lobby that shows these."""
    state = ScreenState(settings=Settings(nick="Jon"))
    for message in (MatchHistory(history), Tables(tables)):
        state, _commands = react(state, message)
    return state


def test_the_running_table_of_our_own_match_is_only_the_way_back_into_it():
    waiting = replace(WAITING, keys=(HOST, US))
    shown = [item.id for item in people(lobby_with((PLAYED,), (waiting,)))]
    assert shown == [f"back:{waiting.match}"]
    assert "with Ane " in check_rows(replace(lobby_with((PLAYED,), (waiting,)), fingerprint=fingerprint(US)), 80, 24)
    others = (
        replace(PLAYED, state="open", taken=1),  # the next table of the same host
        replace(PLAYED, game="domino"),
        replace(PLAYED, seats=3, taken=3),
        replace(PLAYED, id=STRANGER),
    )
    for table in others:
        assert [item.id.split(":")[0] for item in people(lobby_with((table,), (waiting,)))] == ["back", "table"]
    finished = replace(waiting, unfinished=False)
    assert [item.id.split(":")[0] for item in people(lobby_with((PLAYED,), (finished,)))] == ["table"]


@pytest.mark.parametrize("page", [Page.LOBBY, Page.HISTORY])
def test_while_something_is_waited_for_only_esc_does_anything_and_stands_there(page):
    state = ScreenState(page=page, busy="Going to the table …", history=(WAITING,))
    assert "Going to the table …" in check_rows(state, 60, 20)
    assert "Esc back" in check_rows(state, 60, 20).splitlines()[-1]
    for key in ("o", "s", "p", "1", "enter", "down", "q"):
        assert react(state, Key(key, key)) == (state, ())
    assert react(state, Key("escape")) == (state, (Rise(),))
    assert react(replace(state, busy=""), Key("escape"))[1] == ()


def test_the_nick_of_this_session_stands_in_the_lobby_and_in_the_settings():
    state = ScreenState(settings=Settings(nick="Ane"), called="Zoe")
    assert "Zoe" in check_rows(state, 80, 24)
    shown = check_rows(replace(state, page=Page.SETTINGS), 80, 24)
    assert "Zoe" in shown
    assert "Ane" not in shown
