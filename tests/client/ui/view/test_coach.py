"""The coach of a lesson: clicks on the things at which it points make each suggested move."""

from __future__ import annotations

import pytest

from client.session.messages import Act
from client.ui.games.words import as_drawn
from client.ui.view.sentences import aloud
from client.ui.view.views import view_of
from engine.games import GAMES
from tests.screens.learner import Learner
from tests.screens.stage import Stage


def coached(learner: Learner) -> tuple[str, str]:
    """Return the thing at which the page points, and its words beside the question."""
    prompt = view_of(learner.state).table.prompt
    return prompt.aim, aloud(prompt.more)


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_read_beside_the_hand_in_short_parts(game):
    """By the button alone; only with its last part, the suggestion, a move can be made."""
    learner, read = Learner(game), []
    pages = [line for page in learner.state.lesson for line in page if as_drawn(line)]
    while learner.state.lesson:
        view = view_of(learner.state)
        assert view.sheet is None
        assert view.table.hand
        read.append(aloud(view.table.prompt.more))
        clicks = view.clicks()
        if view.table.prompt.aim:
            assert view.table.prompt.aim in clicks
            break
        assert {*clicks} <= {"menu", "key:enter", "step-back"}
        learner.press(*clicks["key:enter"][0])
    assert len(read) >= len(pages) - sum(line.endswith(":") for line in pages)
    assert not [part for part in read if part.endswith(":")]
    assert max(map(len, read)) < 200
    assert read[-1].startswith("Suggestion:")


def test_a_part_of_a_lesson_can_be_read_once_more():
    learner = Learner("escoba")
    first = coached(learner)
    learner.press(*view_of(learner.state).clicks()["key:enter"][0])
    assert coached(learner) != first
    learner.press(*view_of(learner.state).clicks()["step-back"][0])
    assert coached(learner) == first


def test_the_last_trick_is_told_at_its_table_before_the_count_and_the_next_deal():
    learner = Learner("truco")
    while not learner.state.held:
        learner.read_on()
        learner.press("enter")
        learner.make(learner.lesson.advice)
    read, rounds, sheets = [], [], []
    while learner.state.held or learner.state.count.lines:
        view = view_of(learner.state)
        clicks = {**view.clicks()} if view.sheet is None else {}
        (go_on,) = view.sheet.actions if view.sheet else [None]
        read.append(aloud(view.table.prompt.more))
        rounds.append(view.table.deal)
        sheets.append(view.sheet.id if view.sheet else "")
        assert "menu" not in clicks
        learner.press(*(go_on.keys if go_on else clicks["key:enter"][0]))
    assert sheets == ["", "count"]
    assert rounds == [1, 1]
    assert read[0].startswith("Trick 3 is yours: ")
    assert "Trick 3" not in coached(learner)[1]
    assert coached(learner)[1].startswith("A new deal.")
    assert view_of(learner.state).table.deal == 2


@pytest.mark.parametrize("parts", [2, 5])
def test_a_lesson_goes_on_where_it_was_once_the_menu_is_closed(parts):
    learner = Learner("truco")
    for _part in range(parts - 1):
        learner.press(*view_of(learner.state).clicks()["key:enter"][0])
    before = view_of(learner.state)
    assert before.table.prompt.words.startswith(f"{parts}/")
    learner.press(*before.clicks()["menu"][0])
    assert view_of(learner.state).sheet.id == "menu"
    learner.press("escape")
    assert view_of(learner.state) == before


@pytest.mark.parametrize("game", GAMES)
def test_clicks_where_it_points_lead_through_a_whole_lesson(game):
    learner, clicks = Learner(game), 0
    while not learner.lesson.over:
        if (
            (learner.state.lesson and not coached(learner)[0])
            or learner.state.held
            or learner.state.count.lines
        ):
            learner.press("enter")
            continue
        aim, said = coached(learner)
        assert said
        move, before = learner.model.advice, len(learner.commands)
        learner.press(*view_of(learner.state).clicks()[aim][0])
        made = [one.move for one in learner.commands[before:] if isinstance(one, Act)]
        assert made in ([], [move])
        clicks += 1
    assert clicks > 10


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_stands_beside_the_question_and_points_without_keys(game):
    stage = Stage(game, min(GAMES[game].allowed_players))
    stage.until(lambda now: now.state.match.asked).press("?")
    view = view_of(stage.state)
    assert view.notice == ""
    assert aloud(view.table.prompt.more).startswith("Hint: ")
    assert "\u00a0(" not in aloud(view.table.prompt.more)
    assert view.table.prompt.aim in view.clicks()
    assert "Enter" in stage.text() or "(" in stage.state.notice


@pytest.mark.parametrize("game", GAMES)
def test_once_its_page_is_read_a_suggestion_stays_with_one_reason(game):
    learner = Learner(game)
    learner.read_on()
    learner.press("enter")
    aim, said = coached(learner)
    assert aim in view_of(learner.state).clicks()
    assert said.startswith("Suggestion:")
    assert 40 < len(said) < 150
