"""Lessons without any screen: their messages, their scripts, and a learner that goes another
way."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest
import trio

from client.session import lesson as lessons
from client.session.lesson import LEARNER, PROVEN, Lesson, teach
from client.session.messages import Act, Message, MoveRefused, News, Seated, Taught
from client.session.player import Player
from client.ui.games import lesson_named, lesson_of
from client.ui.games import lessons as all_lessons
from engine.core.moves import Move
from engine.games.escoba.rules import Play
from p2p.table.events import Asked, Moved, Over
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


@pytest.mark.parametrize("game", all_lessons())
def test_the_suggestion_and_the_open_hands_come_before_the_question(game):
    told = played(game, suggested)
    for place, message in enumerate(told):
        if isinstance(message, News) and isinstance(message.event, Asked):
            taught = [earlier for earlier in told[:place] if isinstance(earlier, Taught)][-1]
            assert taught.advice in message.view.options
            assert taught.hands.keys() == {
                slot for hand in message.view.game.hands for slot in hand
            }


def test_an_illegal_move_is_refused_and_changes_nothing():
    lesson, _told = begun("escoba")
    before = lesson.advice
    assert before is not None
    laid = Play(before.shows[0])
    assert [type(message) for message in lesson.act(laid)] == [MoveRefused]
    assert lesson.advice == before


def test_after_another_move_the_lesson_goes_on_from_there():
    lesson, told = begun("escoba")
    view = [message.view for message in told if isinstance(message, News)][-1]
    other = next(move for move in view.options or () if move != lesson.advice)
    told = lesson.act(other)
    while not lesson.asked:
        told += lesson.go_on()
    assert moves_of(told)[0].startswith(f"p{LEARNER + 1} play")
    assert lesson.advice in (told[-1].view.options if isinstance(told[-1], News) else ())


class Pupil(Player):
    """A player that makes each suggested move, and wants so many lessons more."""

    def __init__(self, more: int) -> None:
        super().__init__()
        self.told: list[Message] = []
        self.session = trio.CancelScope()
        self._more = more
        self._advice: Move | None = None

    @property
    def seat(self) -> int | None:
        return LEARNER

    def tell(self, message: Message) -> None:
        self.told.append(message)
        if isinstance(message, Taught):
            self._advice = message.advice
        if isinstance(message, News) and isinstance(message.event, Asked):
            assert self._advice is not None
            self.obey(Act(self._advice))

    async def read(self) -> None:
        await trio.sleep_forever()

    def end(self, status: int) -> None:
        self.quit = status
        self.session.cancel()

    async def again(self) -> bool:
        self._more -= 1
        return self._more >= 0


def test_a_lesson_can_be_had_again():
    pupil = Pupil(more=1)
    assert trio.run(lambda: teach(pupil, lesson_of("domino").course, "Ane", pause_s=0)) == 0
    assert sum(isinstance(message, Seated) for message in pupil.told) == 2


def test_a_player_that_quits_ends_the_lesson():
    pupil = Pupil(more=0)

    async def quits() -> None:
        with pupil.session:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(
                    partial(
                        teach, pupil, lesson_of("escoba").course, "Ane", pause_s=lessons.PAUSE_S
                    )
                )
                await trio.testing.wait_all_tasks_blocked()
                pupil.end(3)

    trio.run(quits)
    assert pupil.quit == 3
    assert not any(
        isinstance(message, News) and isinstance(message.event, Over) for message in pupil.told
    )
