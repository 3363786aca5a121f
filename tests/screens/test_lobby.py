"""What the lobby says where something cannot be, and what can be done while it waits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Tables
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui.screen.messages import Key, MatchHistory, Rise
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from tests.screens.stage import SIZES, check_rows

BLIND = "Nobody can be found by name here: this machine is on no network. `j` takes an address or an invite all the same."
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
