"""The pages round the table: drawing and keys. The form of a new table has a file of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import FoundTable, Quit, Tables
from client.storage.history import MatchSummary
from client.storage.settings import Settings
from client.ui.drawing.canvas import Canvas, as_ascii
from client.ui.screen import pages
from client.ui.screen.messages import (
    Ended,
    Join,
    Key,
    Look,
    MatchHistory,
    Open,
    Resume,
    Save,
    Steps,
)
from client.ui.screen.state import Form, Page, ScreenState
from engine.games import GAMES
from p2p.net.invite import Invite
from p2p.wire import PROTOCOL
from tests.screens.hand import MIREN, Hand, gathered
from tests.screens.stage import SIZES, Stage, check_rows

OTHER = FoundTable(
    b"\3" * 32, "Nerea", "escoba", "pear-7", 1, 2, "open", PROTOCOL, "192.168.1.24:47747"
)
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


def test_tables_of_other_versions_say_who_must_update():
    shown = Hand().tell(Tables((OLD, NEW))).text()
    assert "older version" in shown
    assert "newer version" in shown


def test_the_choice_stays_on_its_item_when_another_comes_above_it():
    hand = Hand()
    for message in (Tables((MIREN,)), MatchHistory((WAITING,)), Tables((JON, MIREN))):
        assert "▶ 1 Escoba" in hand.tell(message).text()
    assert hand.press("enter").state.page is Page.OPEN
    hand = (
        Hand()
        .tell(Tables((MIREN,)))
        .press("up")
        .tell(Tables((JON, MIREN)), MatchHistory((WAITING,)))
    )
    assert "▶ Escoba  1/2  Miren" in hand.text()
    assert hand.press("enter").commands == [Join(MIREN.id)]


@pytest.mark.parametrize("size", SIZES)
def test_where_the_chosen_table_is_gone_enter_goes_nowhere(size):
    hand = Hand().tell(Tables((MIREN, JON))).press("up")
    assert "▶ Truco" in hand.text(*size)
    assert "▶ 1 Escoba" in hand.tell(Tables((MIREN,))).text(*size)
    assert hand.press("enter").commands == []
    assert "is gone. Choose again." in hand.foot()
    assert "▶ Escoba  1/2  Miren" in hand.press("up").text(*size)
    assert "▶ Truco" in Hand().tell(Tables((MIREN, JON))).press("up").tell(
        Tables(()), Tables((MIREN, JON))
    ).text(*size)


def test_a_table_that_appears_and_vanishes_between_two_keys_leaves_the_choice_where_it_was():
    hand = Hand().tell(Tables((MIREN, JON))).press("up", "up")
    assert "▶ Escoba  1/2  Miren" in hand.text()
    for tables in ((OTHER, MIREN, JON), (MIREN, JON), (JON, MIREN), (JON,), (OTHER, JON, MIREN)):
        hand.tell(Tables(tables))
    assert hand.press("enter").commands == [Join(MIREN.id)]


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


@pytest.mark.parametrize("size", SIZES)
def test_tables_of_hosts_with_like_names_are_told_apart_by_the_tables_names(size):
    shown = Hand().tell(Tables((MIREN, replace(OTHER, nick="Miren")))).text(*size)
    assert "Escoba  1/2  Miren  apple-" in shown
    assert "Escoba  1/2  Miren  pear-7" in shown
    assert shown.count("a seat is free") == 2


def test_a_newcomer_plays_against_the_computer_with_two_keys():
    hand = Hand().press("enter", "enter")
    assert hand.commands == [Open(Form("escoba", 2))]


@pytest.mark.parametrize(("number", "game"), list(enumerate(GAMES, 1)))
def test_a_digit_leads_to_a_game(number, game):
    hand = Hand().press(str(number))
    assert (hand.state.page, hand.state.form.game) == (Page.OPEN, game)


def test_a_table_is_reached_with_enter():
    hand = Hand().tell(Tables((MIREN,))).press("up", "enter")
    assert hand.commands == [Join(MIREN.id)]
    assert "Going to the table" in hand.foot()


def test_an_unfinished_match_stands_first_in_the_lobby():
    assert Hand(ScreenState(history=(WAITING,))).press("enter").commands == [Resume(WAITING.match)]
    hand = Hand().tell(MatchHistory((WAITING,)), Tables((MIREN, JON)))
    assert "▶ Back to Escoba" in hand.text()
    assert hand.press("enter").commands == [Resume(WAITING.match)]


def test_an_address_is_typed():
    assert Hand().press("j", *"192.168.1.23", "enter").commands == [Join("192.168.1.23")]


def test_an_invite_is_pasted():
    invite = str(Invite(("192.0.2.1",), 47747, bytes(10), bytes(5)))
    hand = Hand().press("j").tell(Key("paste", f"{invite}\n"))
    assert hand.press("enter").commands == [Join(invite)]


def test_an_error_stands_in_the_lobby_until_the_next_key():
    hand = Hand().tell(Ended("the table is full"))
    assert "the table is full" in hand.foot()
    assert "the table is full" not in hand.press("down").foot()


LONG = (
    "Somebody comes as Jon with the key K7QD-AAAA, but the Jon whom you trust has the key "
    "M2XD-BBBB. If it is not their new key, it is not them: ask them, not this table. If it is: "
    "sobremesa peers forget M2XD-BBBB"
)


@pytest.mark.parametrize(
    "page", [Page.LOBBY, Page.OPEN, Page.TABLE_SETUP, Page.HISTORY, Page.SETTINGS]
)
@pytest.mark.parametrize("size", SIZES)
def test_a_refusal_is_read_whole_however_long(page, size):
    state = replace(gathered().state, page=page, notice=LONG)
    assert LONG in " ".join(check_rows(state, *size).split())


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


@pytest.mark.parametrize("key", ["q", "c-c"])
def test_the_lobby_is_left_at_once(key):
    assert isinstance(Hand().press(key).commands[0], Quit)


def test_f1_says_what_this_is():
    assert "nobody deals" in Hand().press("f1").text()


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


def test_the_keys_of_a_step_take_no_line_of_its_log_in_a_narrow_window():
    model = replace(Stage("escoba", 2).state.match, asked=False)  # its own keys need one line
    steps = Steps(((model, ("the step before", "a step")),))
    shown = Hand().tell(MatchHistory((OVER,))).press("p").tell(steps).text(60, 20).splitlines()
    assert [line.strip() for line in shown[-3:-2]] == ["a step"]
    assert "1 of 1" in shown[-2]
    assert "Esc back" in shown[-1]


def test_without_past_matches_it_says_so():
    hand = Hand().press("p")
    assert "No matches yet." in hand.text()
    assert "totals" not in hand.foot()
    assert hand.press("t").state.overlay is None


# Settings.


@pytest.mark.parametrize("size", SIZES)
def test_settings_are_kept_as_they_are_changed(size):
    hand = Hand().press("s")
    hand.text(*size)
    hand.press("down", "down", "right")
    assert isinstance(hand.commands[-1], Save)
    assert hand.commands[-1].settings == hand.state.settings != Settings(nick="Ane")


def test_another_name_is_typed():
    hand = Hand().press("s", "enter", "backspace", "backspace", "backspace", *"Jone", "enter")
    assert hand.state.settings.nick == "Jone"


def test_a_typed_name_replaces_the_name_that_stands_there():
    hand = Hand().press("s", "enter")
    assert "Your name: Ane" in hand.text()
    assert hand.press(*"Jone", "enter").state.settings.nick == "Jone"
    assert hand.press("enter", "enter").state.settings.nick == "Jone"
    assert hand.press("enter", "backspace", "a", "enter").state.settings.nick == "Jona"
    assert hand.press("enter", "end", "x", "enter").state.settings.nick == "Jonax"
    assert hand.press("enter", "escape", "enter", "P", "enter").state.settings.nick == "P"


def test_a_typed_name_replaces_the_name_of_a_table():
    hand = Hand().press("o", *["down"] * 6)
    hand.press(*"patio", "enter", "right")
    assert "Name of the table: patio" in hand.text()
    assert hand.press(*"sala", "enter").state.form.name == "sala"
    assert hand.press("right", "enter").state.form.name == "sala"


# Any page.


@pytest.mark.parametrize(
    "page", [Page.LOBBY, Page.OPEN, Page.TABLE_SETUP, Page.HISTORY, Page.SETTINGS]
)
@pytest.mark.parametrize("size", [(59, 20), (60, 19), (10, 3), (1, 1)])
def test_a_window_too_small_says_so(page, size):
    shown = pages.draw(replace(gathered().state, page=page), *size).text()
    assert "60×20" in shown or size[0] < 5


@pytest.mark.parametrize(
    "page", [Page.LOBBY, Page.OPEN, Page.TABLE_SETUP, Page.HISTORY, Page.SETTINGS]
)
def test_keys_that_mean_nothing_do_nothing(page):
    state = replace(gathered().state, page=page)
    assert Hand(state).press("z", "c-l", "delete", "f9", "ñ").state == state


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
