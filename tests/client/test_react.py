"""What messages do to the desk: pages, moments, who is away, talk, what is over, and the page that accuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.desk import Desk, Ended, Found, Moment, Page, Past, Ring, Settings, Shelf, Steps, Tables, Tick
from client.messages import Away, Back, Late, Lobby, LobbySeat, News, Notice, Refused, Said, Stored, Without
from client.model import Model, Phase
from client.react import BANNER, react
from client.screens import pages
from p2p.table.events import Accused, Asked
from p2p.table.faults import BadProof
from tests.screens.stage import Stage, view_of


@pytest.fixture
def stage() -> Stage:
    """A match of Escoba in which we are asked; the bell for it has rung."""
    stage = Stage("escoba", 2, first=1).until(lambda stage: stage.desk.match.asked).tick(30)
    stage.commands.clear()
    return stage


def lobby(**how) -> Lobby:
    return Lobby("escoba", {}, (LobbySeat("Ane", "aa"), None), (0,), "table", hosting=True, held=True, **how)


# From page to page.


def test_a_table_that_fills_is_the_page():
    desk, commands = react(Desk(busy="Going to the table …"), lobby())
    assert desk.page is Page.GATHER
    assert desk.busy == ""
    assert commands == ()


def test_the_invite_is_kept_to_be_shown():
    desk, _commands = react(react(Desk(), lobby())[0], Notice("table-open", {"table": "t", "invite": "abc", "port": 4000}))
    assert desk.invite == "abc"
    assert "abc" in pages.draw(desk, 80, 24).text()


def test_a_match_begins_with_nothing_of_the_evening_before(stage):
    assert stage.desk.page is Page.PLAY
    assert stage.desk.invite == ""
    assert stage.desk.notice == ""


def test_what_ends_in_trouble_is_told_in_the_lobby_and_nothing_else_of_it_stays(stage):
    settings = replace(stage.desk.settings, nick="Ane")
    stage.desk = replace(stage.desk, settings=settings, muted=frozenset({1}), absent={1: 3.0}, invite="x", busy="y")
    stage.tell(Ended("the table is gone"))
    assert stage.desk == Desk(settings=settings, notice="the table is gone")
    assert "the table is gone" in stage.foot()


def test_who_reads_past_matches_is_not_called_away_when_something_ends():
    desk, _commands = react(Desk(page=Page.PAST, busy="Checking the log …"), Ended(""))
    assert (desk.page, desk.busy) == (Page.PAST, "")


def test_a_match_from_the_shelf_is_opened_at_its_first_step():
    desk, _commands = react(Desk(page=Page.PAST, busy="…"), Steps(((Model(game="escoba"), ("one",)),)))
    assert (desk.page, desk.step, desk.busy) == (Page.REPLAY, 0, "")


def test_tables_and_shelf_are_as_they_were_seen_last():
    found = Found(bytes(16), "Jon", "truco", "etxea", 1, 2, "open", 1, "192.0.2.1")
    past = Past("ab", "escoba", ("Ane",), "today", "x", unfinished=True)
    desk, _commands = react(react(Desk(), Tables((found,)))[0], Shelf((past,)))
    assert (desk.tables, desk.past) == ((found,), (past,))
    assert react(desk, Tables(()))[0].tables == ()


# Our turn.


def test_our_turn_rings_once_and_stands_in_the_title():
    stage = Stage("escoba", 2, first=1)
    stage.until(lambda stage: stage.desk.match.asked)
    assert Ring() in stage.commands
    assert "Your turn" in pages.title(stage.desk)
    stage.commands.clear()
    stage.tell(News(Asked(), view_of(stage.desk), (0,), last=True))
    assert stage.commands == []


def test_a_silent_table_never_rings():
    stage = Stage("truco", 2, settings=Settings(sound=False)).until(lambda stage: stage.over)
    assert Ring() not in stage.commands


def test_what_is_past_is_told_without_bell_and_banner(stage):
    desk = replace(stage.desk, match=replace(stage.desk.match, asked=False))
    desk, commands = react(desk, News(Asked(), view_of(desk), (0,), last=True, past=True))
    assert Ring() not in commands
    assert desk.moment is None


def test_our_turn_puts_back_what_was_picked_for_the_turn_before(stage):
    stage.press("1")
    assert stage.desk.picked.cards
    desk = replace(stage.desk, match=replace(stage.desk.match, asked=False))
    assert react(desk, News(Asked(), view_of(desk), (0,), last=True))[0].picked.cards == ()


# What moves.


def test_a_call_stays_for_its_time_and_then_goes(stage):
    stage.desk = replace(stage.desk, moment=Moment("¡Truco!"))
    stage.tell(Tick(BANNER - 0.1))
    assert stage.desk.moment is not None
    assert stage.tell(Tick(0.2)).desk.moment is None


def test_a_key_takes_a_call_away_and_does_what_it_always_does(stage):
    stage.desk = replace(stage.desk, moment=Moment("¡Truco!"))
    stage.press("?")
    assert stage.desk.moment is None
    assert "A computer player would" in stage.desk.notice


def test_time_alone_changes_nothing(stage):
    before = stage.desk
    assert stage.tick(50).desk == before


# Who is away.


def test_who_is_away_is_counted_down_until_they_are_back():
    stage = Stage("escoba", 2).until(lambda stage: stage.desk.match.turn == (1,)).tick(30)
    stage.tell(Away(1)).tick(25)
    assert stage.desk.absent[1] == pytest.approx(2.5)
    assert "Jon: away. In 58 s you may go on without." in stage.text()
    assert "Jon: away. In 48 s you may go on without." in stage.tick(100).text()
    assert stage.tell(Back(1)).desk.absent == {}
    assert "you may go on without" not in stage.text()


def test_two_who_are_away_come_back_one_by_one():
    stage = Stage("escoba", 3).tell(Away(1)).tick(10).tell(Away(2)).tick(10)
    assert stage.desk.absent == pytest.approx({1: 2.0, 2: 1.0})
    assert set(stage.tell(Back(1)).desk.absent) == {2}


def test_who_is_late_can_be_gone_on_without_and_not_before():
    stage = Stage("escoba", 2).until(lambda stage: stage.desk.match.turn == (1,)).tick(30).tell(Away(1))
    assert Without() not in stage.press("W").commands
    stage.tell(Late((1,), 60))
    assert "W: go on without" in stage.text()
    assert Without() in stage.press("W").commands


# Talk.


def test_what_others_say_is_read_in_our_language_and_kept(stage):
    stage.tell(Said(1, "good-luck", phrase=True))
    assert "Jon: “Good luck!”" in stage.desk.log
    assert "Good luck!" in stage.text()


def test_a_remark_stands_at_its_seat_for_a_while_and_in_the_log_for_good(stage):
    stage.tell(Said(1, "good-luck", phrase=True))
    assert "“Good luck!”" in stage.tick(190).text().split("─ ▶ Your turn")[0]
    assert "“Good luck!”" not in stage.tick(20).text().split("─ ▶ Your turn")[0]
    assert not stage.desk.timed
    assert "Jon: “Good luck!”" in stage.desk.log


def test_who_is_muted_is_not_heard(stage):
    stage.desk = replace(stage.desk, muted=frozenset({1}))
    before = stage.desk
    assert stage.tell(Said(1, "good-luck", phrase=True)).desk == before


def test_a_phrase_that_we_do_not_know_is_shown_as_it_came(stage):
    assert "Jon: “no-such”" in stage.tell(Said(1, "no-such", phrase=True)).desk.log


def test_talk_does_not_grow_without_bound(stage):
    for number in range(1000):
        stage.tell(Said(1, str(number), phrase=False))
    assert len(stage.desk.remarks) == 20
    assert len(stage.desk.log) == 400
    assert "999" in stage.desk.log[-1]


# What is answered.


def test_an_answer_is_read_whole_however_long(stage):
    sentence = "The first word, " + "and another one, " * 8 + "and the last one."
    stage.desk = replace(stage.desk, notice=sentence)
    assert " ".join(sentence.split()) in " ".join(stage.text().split())


def test_words_to_compare_are_a_sheet_with_those_of_everybody(stage):
    for who in ("Jon", "Miren"):
        stage.tell(Notice("words", {"who": who, "id": "K7QD", "words": f"apple river {who.lower()}"}))
    assert "apple river jon" in stage.text()
    assert "apple river miren" in stage.text()
    stage.press("escape")
    stage.tell(Notice("words", {"who": "Jon", "id": "K7QD", "words": "new words here"}))
    assert "apple river" not in stage.text()


def test_commands_of_the_plain_face_are_keys_here():
    stage = Stage("escoba", 2).until(lambda stage: stage.desk.match.turn == (1,)).tick(30)
    shown = stage.tell(Away(1)).tell(Late((1,), 60)).text(120, 40)
    assert "`W`" in shown
    assert "`quit`" not in shown
    assert "`without`" not in shown


# What goes wrong.


def test_a_move_that_the_table_refuses_says_why(stage):
    stage.tell(Refused(("not-in-hand", "7o")))
    assert "7o" in stage.desk.notice


def test_a_cheat_is_a_page_that_names_who_did_what_and_rings(stage):
    stage.tell(News(Accused(BadProof(1, "a shuffle that is none", (b"evidence",))), view_of(stage.desk), (), last=True))
    assert stage.desk.overlay.kind == "alarm"
    assert Ring() in stage.commands
    shown = stage.text()
    assert "This does not verify" in shown
    assert "Jon" in shown


def test_a_match_that_is_written_down_says_so_once():
    stage = Stage("escoba", 2, target=5).until(lambda stage: stage.over)
    assert stage.desk.match.phase is Phase.OVER
    assert stage.tell(Stored("/x/y.sobremesa")).desk.notice == ""
