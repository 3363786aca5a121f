"""The house rules of a table on the screen: hints, and the computer players of partners."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Advise, Advised, LobbySeat, Talked
from client.session.patience import TOOK_HINT
from client.ui.plain.filling import terms
from client.ui.screen import play, sheets
from client.ui.screen.opening import changed, items
from client.ui.screen.sessions import opening_of
from client.ui.screen.state import Form, Overlay
from client.ui.view.views import view_of
from p2p.table.house import HINTS, House
from tests.screens.hand import SEATS, gathered
from tests.screens.stage import Stage

JON = LobbySeat("Jon", "JJJJ")


def asked(hints: str) -> Stage:
    """Return a match of two people, with these house rules, in which we are asked."""
    stage = Stage("escoba", 2).until(lambda stage: stage.state.match.asked)
    stage.state = replace(stage.state, match=replace(stage.state.match, hints=hints))
    return stage


def test_where_there_are_no_hints_no_key_and_no_item_offers_one():
    stage = asked("none")
    assert "?" not in dict(play.keys(stage.state))
    menu = sheets.choices(stage.state, Overlay("menu"))
    assert "hint" not in [item.id for item in menu]
    assert "key:?" not in str(view_of(stage.state))
    stage.press("?")
    assert "programs give no hints" in stage.state.notice
    assert not any(isinstance(command, Advise) for command in stage.commands)
    for hints in ("told", "free"):
        assert "?" in dict(play.keys(asked(hints).state))


def test_a_hint_that_is_told_is_asked_for_once_a_turn():
    stage = asked("told")
    assert stage.state.match.view is not None
    stage.press("?")
    assert stage.commands[-1] == Advise(stage.state.match.view, told=True)
    assert not stage.state.match.reply, "first the others are told"
    move = next(iter(stage.state.match.view.options or ()))
    stage.tell(Advised(move))
    assert "Hint" in stage.state.notice
    before = len(stage.commands)
    stage.press("?")
    assert stage.commands[before:] == [], "the same hint again costs nothing"
    assert "Hint" in stage.state.notice


def test_all_read_that_a_hint_was_taken_also_of_a_player_that_they_do_not_hear():
    stage = asked("told")
    jon = stage.state.match.players[1]
    assert jon is not None
    muted = replace(stage.state.match, muted=frozenset({jon.fingerprint}))
    stage.state = replace(stage.state, match=muted)
    stage.tell(Talked(1, "Nice cards!", phrase=False))
    assert not stage.state.log or "Nice cards!" not in stage.state.log[-1]
    stage.tell(Talked(1, TOOK_HINT, phrase=True))
    assert "I have taken a hint." in stage.state.log[-1]


@pytest.mark.parametrize("hints", HINTS)
def test_all_read_the_house_rules_before_they_sit_down(hints):
    said = {
        "none": "Between people the programs give no hints.",
        "told": "The programs give hints, and tell all players of each.",
        "free": "The programs give hints.",
    }[hints]
    hand = gathered(seats=(JON, None), mine=(), hosting=False, house=House(hints))
    assert said in " ".join(hand.text().split())
    assert said in terms(hand.state.match)
    alone = gathered(seats=(SEATS[0], LobbySeat("Computer", "CCCC", bot=True)), house=House(hints))
    assert "give" not in alone.text()


def test_the_form_has_the_house_rules():
    form = Form("truco", 4, "network")
    fields = {item.id: item.about for item in items(form)}
    assert (fields["hints"], fields["partner"]) == ("none", "leave answers")
    form = changed(changed(form, "hints", 1), "partner", 1)
    assert opening_of(form).house == House("told", 3)
    assert {item.id: item.about for item in items(form)}["partner"] == "answer after 3 s"
    two = replace(form, seats=2)
    assert "partner" not in [item.id for item in items(two)]
    assert opening_of(two).house == House("told"), "of two players nobody has a partner"
    assert "hints" not in [item.id for item in items(replace(form, company="computer"))]
