"""Hints on the full screen, in the reader's language; the house rules of a table, which may forbid
them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from client.i18n.translation import _, languages
from client.session.messages import Act, Advise, Advised, LobbySeat
from client.ui.plain.filling import terms
from client.ui.screen import menu, play
from client.ui.screen.messages import Key
from client.ui.screen.react import react
from client.ui.screen.state import DealCount
from client.ui.view.views import view_of
from engine.games import GAMES
from p2p.table.house import HINTS, House
from tests.hints import keys_of
from tests.sample import pairs, sample
from tests.screens.hand import SEATS, gathered
from tests.screens.stage import Stage

VERBS = re.compile(r"\b(play|take|draw|pass|bet|hit|stand|lay|meld|swap|discard|decline|buy|say)\b")
"""The notation's verbs."""


@pytest.mark.parametrize(
    ("game", "language"), sample(pairs(GAMES, languages()), 5, rows=True), indirect=["language"]
)
@pytest.mark.slow
def test_the_keys_of_a_hint_make_its_move_which_it_says_in_the_readers_language(game, language):
    stage = Stage(game, 3 if game == "kinaskak" else 2, seed=5)
    sentence = (
        re.escape(_("Hint: {reason} Choose: {steps}"))
        .replace(r"\{steps\}", "(?P<steps>.+)")
        .replace(r"\{reason\}", "(?P<said>.+)")
    )
    hints = 0
    while not stage.over and hints < 12:
        stage.state = replace(stage.state, held=(), count=DealCount(), moment=None)
        if stage.state.match.asked:
            hints += 1
            hinted, commands = react(stage.state, Key("?", "?"))
            assert not commands
            found = re.fullmatch(sentence, hinted.notice)
            assert found is not None, hinted.notice
            assert found["said"].split()[0] != "Computer"
            if language != "en":
                assert not VERBS.search(found["said"]), hinted.notice
            state, acts = hinted, ()
            for key in keys_of(found["steps"]):
                assert not acts, hinted.notice
                state, acts = react(state, Key(key, key if len(key) == 1 else ""))
            assert [type(act) for act in acts] == [Act], hinted.notice
        stage.step(by_chance=hints % 3 == 0)
    assert hints > 5


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("words", [8, 24, 48])
def test_a_long_hint_hides_nothing_of_our_hand_on_the_smallest_screen(game, words):
    stage = Stage(game, 3 if game == "kinaskak" else 2).until(lambda one: one.state.match.asked)
    before = stage.text(60, 20).splitlines()
    stage.state = replace(stage.state, notice="hint " * words)
    after = stage.text(60, 20).splitlines()
    (turn,) = (row for row, line in enumerate(before) if "▶ Your turn" in line)
    hand = "\n".join(before[turn:-3])  # the latest two lines and the keys stand below it
    assert hand in "\n".join(after)
    assert sum(line.count("hint ") + line.endswith("hint") for line in after) >= words


JON = LobbySeat("Jon", "JJJJ")


def asked(hints: str) -> Stage:
    """Return a match of two people, with these house rules, in which we are asked."""
    stage = Stage("escoba", 2).until(lambda stage: stage.state.match.asked)
    stage.state = replace(stage.state, match=replace(stage.state.match, hints=hints))
    return stage


def test_where_there_are_no_hints_no_key_and_no_item_offers_one():
    stage = asked("none")
    assert "?" not in dict(play.keys(stage.state))
    assert "hint" not in [item.id for item in menu.sheet().items(stage.state)]
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


def test_a_hint_of_many_lines_hides_nobody_where_the_table_has_rows_to_spare(language):
    """The others at the table, the cards on it and our hand stay to be seen."""
    stage = Stage("truco", 4, seed=5)
    hint = ""
    while len(hint) <= 2 * 78:
        stage.step()
        stage.state = replace(stage.state, held=(), count=DealCount(), moment=None, notice="")
        if stage.state.match.asked:
            before = stage.text(80, 24).splitlines()
            stage.press("?")
            hint = " ".join(stage.state.notice.split())
    after = stage.text(80, 24).splitlines()
    assert hint in " ".join(" ".join(after).split())
    boxes = next(row for row, line in enumerate(before) if "╰" in line) + 1
    assert after[:boxes] == before[:boxes]
    hand = [line for line in before if "││" in line][-1:]
    assert hand
    assert hand[0] in after


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_all_of_the_menu_stands_inside_its_frame(language, size):
    stage = Stage("escoba", 2).until(lambda stage: stage.state.match.asked)
    items = menu.sheet().items(stage.state)
    lines = stage.press("escape").text(*size).splitlines()
    for item in items:
        found = [line for line in lines if item.text in line]
        assert found, (item.text, lines)
        assert re.search(rf"│[▶ ]+{re.escape(item.text)} .*│", found[0]), found[0]
