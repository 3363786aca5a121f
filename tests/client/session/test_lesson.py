"""Lessons without any screen: their messages, their scripts, and a learner that goes another
way."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from client.session.lesson import PROVEN, Lesson
from client.session.messages import Message, MoveRefused, News, Seated
from client.ui.games import lesson_named
from client.ui.games import lessons as all_lessons
from engine.core.moves import Move
from engine.games.escoba.rules import Play
from p2p.table.events import Moved, Over
from tests.sample import sample


def begun(game: str, seed: int = 1) -> tuple[Lesson, list[Message]]:
    lesson = Lesson(lesson_named(game).course, "Ane", random.Random(seed).randrange)
    return lesson, lesson.begin()


def played(
    game: str, choose: Callable[[Lesson, list[Message]], Move], seed: int = 1
) -> list[Message]:
    """Return all messages of a lesson to its end; `choose` makes the learner's moves."""
    lesson, told = begun(game, seed)
    while not lesson.over:
        told += lesson.act(choose(lesson, told)) if lesson.asked else lesson.go_on()
    return told


def suggested(lesson: Lesson, _told: list[Message]) -> Move:
    assert lesson.advice is not None
    return lesson.advice


def moves_of(told: list[Message]) -> list[str]:
    """Return the moves that players chose, as in a script."""
    moved = [
        message.event
        for message in told
        if isinstance(message, News) and isinstance(message.event, Moved)
    ]
    return [f"p{event.seat + 1} {event.text}" for event in moved if not event.auto]


def unordered(move: str) -> list[str]:
    """Return the words of a move; cards that are taken have no order."""
    return sorted(move.split())


@pytest.mark.parametrize("game", all_lessons())
def test_following_the_suggestions_is_following_the_script(game):
    script = lesson_named(game).course.script
    made = moves_of(played(game, suggested))
    assert [unordered(move) for move in made[: len(script)]] == [unordered(move) for move in script]


@pytest.mark.parametrize("game", all_lessons())
@pytest.mark.parametrize("seed", sample(range(30), 2))
def test_a_random_legal_player_reaches_the_end(game, seed):
    chance = random.Random(seed)

    def anything(_lesson: Lesson, told: list[Message]) -> Move:
        view = [message.view for message in told if isinstance(message, News)][-1]
        assert view.options is not None
        return chance.choice(list(view.options))

    told = played(game, anything, seed)
    assert isinstance(told[-1], News)
    assert isinstance(told[-1].event, Over)


@pytest.mark.parametrize("game", all_lessons())
def test_a_lesson_tells_of_no_proofs_and_has_no_keys(game):
    told = played(game, suggested)
    seated = told[0]
    assert isinstance(seated, Seated)
    assert seated.lesson
    assert len({participant.public for participant in seated.terms.participants}) == len(
        seated.terms.participants
    )
    assert not [
        message
        for message in told
        if isinstance(message, News) and isinstance(message.event, PROVEN)
    ]


def test_an_illegal_move_is_refused_and_changes_nothing():
    lesson, _told = begun("escoba")
    before = lesson.advice
    assert before is not None
    laid = Play(before.shows[0])
    assert [type(message) for message in lesson.act(laid)] == [MoveRefused]
    assert lesson.advice == before
