"""The pages round the table: drawing and keys. The form of a new table has a file of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import FoundTable, Tables
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui.drawing.canvas import Canvas, as_ascii
from client.ui.screen import pages
from client.ui.screen.messages import (
    Join,
    Look,
    MatchHistory,
    Open,
    Resume,
    Save,
    Steps,
)
from client.ui.screen.state import Form, Page, ScreenState
from p2p.wire import PROTOCOL
from tests.screens.hand import MIREN, Hand, gathered
from tests.screens.stage import SIZES, Stage, check_rows

JON = FoundTable(
    b"\2" * 32, "Jon", "truco", "lemon-40", 4, 4, "playing", PROTOCOL, "192.168.1.31:47747"
)
OLD = replace(MIREN, id=b"\3" * 32, nick="Peru", protocol=PROTOCOL - 1)
NEW = replace(MIREN, id=b"\4" * 32, nick="Ane", protocol=PROTOCOL + 1)
WAITING = MatchSummary(
    "ab" * 16, "escoba", ("Ane", "Jon"), "2026-11-21", "/x/ab.sobremesa", unfinished=True
)
OVER = MatchSummary("cd" * 16, "truco", ("Ane", "Miren"), "2026-11-20", "/x/cd.sobremesa")


# The lobby.


@pytest.mark.parametrize("size", SIZES)
def test_the_lobby_shows_tables_games_and_actions(size):
    shown = Hand().tell(Tables((MIREN, JON, OLD, NEW)), MatchHistory((WAITING, OVER))).text(*size)
    for words in (
        "Back to Escoba",
        "Miren",
        "Truco  4/4",
        "5 Kínaskák",
        "o Open a table",
        "l Learn a game",
        "q quit",
        "Ane",
    ):
        assert words in shown
    assert "cd" * 4 not in shown


@pytest.mark.parametrize(
    "change",
    [
        {"state": "playing", "taken": 2},
        {"game": "truco", "table": "lemon-41"},
        {"table": "lemon-42"},
    ],
    ids=["it has begun", "another game", "another table"],
)
def test_where_the_chosen_table_of_a_host_is_another_one_by_now_enter_goes_nowhere(change):
    hand = (
        Hand()
        .tell(Tables((MIREN, JON)))
        .press("up", "up")
        .tell(Tables((replace(MIREN, **change), JON)))
    )
    assert hand.press("enter").commands == []
    assert "is gone. Choose again." in hand.foot()
    filling = replace(MIREN, seats=3, taken=2)
    assert Hand().tell(Tables((MIREN,))).press("up").tell(Tables((filling,))).press(
        "enter"
    ).commands == [Join(MIREN.id)]


def test_a_newcomer_plays_against_the_computer_with_two_keys():
    hand = Hand().press("enter", "enter")
    assert hand.commands == [Open(Form("escoba", 2))]


def test_an_unfinished_match_stands_first_in_the_lobby():
    assert Hand(ScreenState(history=(WAITING,))).press("enter").commands == [Resume(WAITING.match)]
    hand = Hand().tell(MatchHistory((WAITING,)), Tables((MIREN, JON)))
    assert "▶ Back to Escoba" in hand.text()
    assert hand.press("enter").commands == [Resume(WAITING.match)]


LONG = (
    "Somebody comes as Jon with the key K7QD-AAAA, but the Jon whom you trust has the key "
    "M2XD-BBBB. If it is not their new key, it is not them: ask them, not this table. If it is: "
    "sobremesa peers forget M2XD-BBBB"
)


@pytest.mark.parametrize(
    "page", [Page.LOBBY, Page.OPEN, Page.TABLE_SETUP, Page.HISTORY, Page.SETTINGS]
)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("notice", ["The table is full.", LONG])
def test_a_message_stands_above_the_keys_and_leaves_them_in_sight(page, size, notice):
    state = replace(gathered().state, page=page)
    keys = check_rows(state, *size).splitlines()[-1]
    *_above, message, below = check_rows(replace(state, notice=notice), *size).splitlines()
    assert below == keys
    assert message.split()[-1] == notice.split()[-1]


# Past matches.


def test_past_matches_are_stepped_through_or_gone_back_into():
    hand = Hand().tell(MatchHistory((WAITING, OVER))).press("p")
    assert "not finished" in hand.text()
    assert hand.press("enter").commands == [Resume(WAITING.match)]
    hand = Hand().tell(MatchHistory((WAITING, OVER))).press("p")
    assert hand.press("down", "enter").commands == [Look(OVER.path)]


def test_a_match_is_stepped_through():
    stage = Stage("escoba", 2)
    models = []
    for _step in range(15):
        stage.step()
        models.append((stage.state.match, ("a step",)))
    hand = Hand().tell(MatchHistory((OVER,))).press("p").tell(Steps(tuple(models)))
    assert "1 of 15" in hand.foot()
    assert "2 of 15" in hand.press("right").foot()
    assert "12 of 15" in hand.press("pagedown").foot()
    assert "15 of 15" in hand.press("end", "right").foot()
    assert "1 of 15" in hand.press("home", "left").foot()
    assert hand.press("escape").state.page is Page.HISTORY


# Settings.


@pytest.mark.parametrize("size", SIZES)
def test_settings_are_kept_as_they_are_changed(size):
    hand = Hand().press("s")
    hand.text(*size)
    hand.press("down", "down", "right")
    assert isinstance(hand.commands[-1], Save)
    assert hand.commands[-1].settings == hand.state.settings != Settings(nick="Ane")


# Any page.


@pytest.mark.parametrize(
    "page", [Page.LOBBY, Page.OPEN, Page.TABLE_SETUP, Page.HISTORY, Page.SETTINGS]
)
@pytest.mark.parametrize("size", [(59, 20), (60, 19), (10, 3), (1, 1)])
def test_a_window_too_small_says_so(page, size):
    shown = pages.draw(replace(gathered().state, page=page), *size).text()
    assert "60×20" in shown or size[0] < 5


def test_right_to_left_names_move_no_other_cell_of_their_row():
    canvas = Canvas(24, 1)
    canvas.write(0, 0, "│ 12 ")
    canvas.write(5, 0, [("bold", "אבג דה"), ("", " 3 ו│")])
    (row,) = canvas.rows()
    assert (
        "".join(part for _style, part in row)
        == "│ 12 \u2068אבג דה\u2069 3 \u2068ו\u2069│" + " " * 8
    )
    assert as_ascii(row[1][1]) == "??? ??"
    assert canvas.text() == "│ 12 אבג דה 3 ו│\n"
