"""Lessons on the full screen: the situations that they promise, their keys and pages in every
language, the reasons that they give; the rules below F1."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

import pytest

from client.i18n.translation import keys_in_brackets, languages
from client.session.messages import Act, News, Quit, Taught
from client.ui.games import lesson_named, lesson_of, lessons, screen_of, words_of
from client.ui.games.lesson import keys_to, since_our_turn, spelled
from client.ui.games.options import rules_of
from client.ui.model import Model
from client.ui.screen import pages, reading
from client.ui.screen.messages import Ended, Key, Learn, Rise
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState
from client.ui.screen.table_words import scene_of
from client.ui.wrap import wrapped
from engine.core.cards import SPANISH_40
from engine.core.moves import IllegalMove, NotAMove
from engine.games import GAMES
from engine.games.escoba.sums import WORTH
from engine.games.truco import events as truco
from p2p.table.events import Moved
from tests.hints import keys_of
from tests.sample import pairs, sample
from tests.screens.learner import INSIDE, LINES, Learner
from tests.screens.situations import BEFORE, EVENTS
from tests.screens.stage import Stage, check_rows, golden


def turns(learner: Learner) -> Iterator[Model]:
    """Follow the suggestions by their keys to the end; give the model before each."""
    while not learner.lesson.over:
        learner.read_on()
        yield learner.model
        keys = pressed(learner)
        if keys[0] == "enter":
            # the page is put away; other keys do at once what they do at the table
            learner.press("enter")
        learner.press(*keys)
    learner.read_on()


def pressed(learner: Learner) -> tuple[str, ...]:
    """Return the keys that the page of this turn names."""
    advice = learner.model.advice
    assert advice is not None
    found = keys_to(scene_of(learner.state), advice, lesson_of(learner.model.game).keys(advice))
    assert found is not None
    page = learner.state.lesson[-1][-1]
    assert spelled(scene_of(learner.state), found) in page
    assert tuple(keys_of(page)) == found
    return found


@pytest.mark.parametrize("game", lessons())
def test_the_suggestions_lead_through_every_promised_situation_by_their_keys(game):
    learner, seen = Learner(game), set()
    for model in turns(learner):
        seen |= {name for name, holds in BEFORE[game].items() if holds(model)}
    assert seen == BEFORE[game].keys()
    news = [message.event for message in learner.heard if isinstance(message, News)]
    kinds = {type(event.event) for event in news if hasattr(event, "event")}
    assert not set(EVENTS[game]) - kinds
    if game == "truco":
        told = [getattr(event, "event", None) for event in news]
        assert {event.how for event in told if isinstance(event, truco.DealWon)} >= {
            "tricks",
            "refused",
            "mazo",
        }
    advised = [
        message.advice
        for message in learner.heard
        if isinstance(message, Taught) and message.advice is not None
    ]
    assert [command.move for command in learner.commands if isinstance(command, Act)] == advised


@pytest.mark.parametrize(("game", "seed"), sample(pairs(lessons(), range(6)), 12, rows=True))
@pytest.mark.slow
def test_every_kind_of_event_is_explained(game, seed):
    """By the page, by the count, or by the question; the learner goes any way, so that all kinds of
    events occur."""
    learner, chance, lesson = Learner(game, seed), random.Random(seed), lesson_named(game)
    unexplained = set()
    while not learner.lesson.over:
        at_held = [held.words for held in learner.state.held]
        learner.read_on()
        view, page = learner.model.view, " ".join([*at_held, *learner.state.lesson[-1]])
        assert view is not None
        for event in since_our_turn(learner.model):
            known = isinstance(
                event,
                (
                    Moved,
                    *screen_of(learner.model.game).count,
                    *lesson.told_elsewhere,
                    *lesson.last_only,
                ),
            )
            if not known and (
                not (said := lesson.explained(learner.model, event)) or said not in page
            ):
                unexplained.add(type(event).__name__)
        moves = list(islice(view.options or (), 200))
        learner.make(chance.choice(moves))
    assert not unexplained


@pytest.mark.parametrize("game", ["truco", "truco:flor", "siete-y-media"])
def test_the_end_of_a_deal_is_told_at_its_own_table_and_only_there(game):
    learner, tables = Learner(game), 0
    while not learner.lesson.over:
        if learner.state.held:
            held = learner.state.held[0]
            assert held.words
            assert " ".join(held.words.split()[:3]) in learner.text(120, 40)
            learner.press("enter")
            assert held.words[:30] not in " ".join(learner.state.lesson[-1])
            tables += 1
        learner.read_on()
        learner.press("enter")
        learner.make(learner.lesson.advice)
    assert tables > 1


@pytest.mark.parametrize("game", lessons())
@pytest.mark.slow
def test_every_page_fits_the_smallest_screen_in_every_language(game, language):
    learner = Learner(game)
    pages = list(learner.state.lesson)
    for _model in turns(learner):
        pages.append(learner.state.lesson[-1])
        for size in ((60, 20), (80, 24)) if language == "en" else ():
            check_rows(learner.state, *size)
    pages += learner.state.lesson
    assert len(pages) > 5
    for page in pages:
        assert sum(len(wrapped(paragraph, INSIDE)) for paragraph in page) <= LINES, (language, page)


@pytest.mark.parametrize("seed", sample([1, 2], 1))
@pytest.mark.parametrize(
    ("game", "language"), sample(pairs(lessons(), languages()), 6, rows=True), indirect=["language"]
)
@pytest.mark.slow
def test_every_page_of_a_learner_that_goes_other_ways_fits_in_every_language(game, seed, language):
    learner, chance = Learner(game, seed), random.Random(seed)
    while not learner.lesson.over:
        page, view, advice = learner.state.lesson[-1], learner.model.view, learner.model.advice
        assert view is not None
        assert advice is not None
        assert advice in (view.options or ())
        assert sum(len(wrapped(paragraph, INSIDE)) for paragraph in page) <= LINES, (language, page)
        moves = list(islice(view.options or (), 200))
        learner.make(chance.choice(moves) if chance.random() < 0.5 else advice)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
@pytest.mark.slow
def test_the_cards_that_a_page_speaks_of_stay_in_sight(size):
    """The table of Escoba, the best card of Truco and the line of dominoes, below the page of each
    turn."""
    for game in ("escoba", "truco", "domino"):
        learner = Learner(game)
        for model in turns(learner):
            screen = canvas_of(learner.state, *size)
            below = screen[
                screen.index(next(row for row in screen if "Enter: continue" in row)) + 1 :
            ]
            table = "\n".join(below[: next(at for at, row in enumerate(below) if "▶" in row) + 1])
            shown = re.findall(r"\d+", table)
            tiles = model.view.game.on_table if game == "escoba" else ()
            for face in model.view.game.faces_of(tiles) if game == "escoba" else ():
                assert face[:-1] in shown, (game, face, table)
            if game == "truco" and (led := _led(model)):
                assert led[:-1] in shown, (led, table)
            if game == "domino":
                assert all(str(end) in shown for end in model.view.game.ends or ()), table


def canvas_of(state: ScreenState, columns: int, rows: int) -> list[str]:
    """Return the rows that are to be seen, without calls across the table."""
    return pages.draw(replace(state, moment=None), columns, rows).text().splitlines()


def _led(model: Model) -> str:
    """Return the card that leads the trick of Truco in progress; nothing if there is none."""
    game = model.view.game
    played = game.tricks[-1] if len(game.tricks) > len(game.results) else []
    return game.faces[played[0][1]] if played else ""


@pytest.mark.parametrize("game", GAMES)
def test_a_page_of_the_lesson(game):
    """The page of the first turn."""
    learner = Learner(game)
    learner.read_on()
    golden(f"lesson-{game}", learner)


# Pages and keys.


def test_the_welcome_comes_first_and_each_key_puts_one_page_away():
    learner = Learner("truco")
    assert "two of three tricks" in learner.text()
    assert "envido, a bet on your best two cards of one suit" in " ".join(learner.state.lesson[0])
    learner.press("1")
    assert "Suggestion: lead 3c" in learner.text()
    assert not [command for command in learner.commands if isinstance(command, Act)]
    learner.press("enter")
    assert "Suggestion: lead 3c" not in learner.text().split("─ ▶ Your turn")[0]
    assert "Choose: play 3c (1, Enter)." in learner.text()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("again", [("?",), (":", *"lesson", "enter")])
def test_a_hint_is_the_page_of_this_turn_with_its_keys_once_more(game, again):
    learner = Learner(game)
    learner.read_on()
    page = learner.state.lesson
    learner.press("enter", *again)
    assert learner.state.lesson == page
    assert learner.state.overlay is None
    learner.press("enter")
    assert learner.state.log.count(page[0][-1]) == 1


# The way in, and out.


@pytest.mark.parametrize(("number", "game"), [*enumerate(lessons(), 1)])
def test_the_lobby_leads_to_each_lesson(number, game):
    state, _commands = react(ScreenState(), Key("l", "l"))
    assert react(state, Key(str(number), str(number)))[1] == (Learn(game),)


def test_leaving_a_lesson_asks_nothing():
    learner = Learner("truco")
    learner.press("enter", "enter", ":", *"leave", "enter")
    assert isinstance(learner.commands[-1], Rise)
    learner = Learner("truco")
    learner.press("enter", "enter", "escape", "up", "enter")
    assert isinstance(learner.commands[-1], Rise)
    learner.press("c-c")
    assert isinstance(learner.commands[-1], Quit)
    state, _commands = react(learner.state, Ended())
    assert state.page is Page.LOBBY
    assert not state.lesson


@pytest.mark.slow
def test_the_sweep_that_a_suggestion_leaves_is_told_until_all_cards_of_its_worth_are_gone():
    lesson, found = lesson_of("escoba"), set[tuple[bool, bool]]()
    for seed in range(6):
        learner, chance = Learner("escoba", seed), random.Random(seed)
        while not learner.lesson.over:
            learner.read_on()
            view = learner.model.view
            moves = list(islice(view.options or (), 200))
            for move in moves:
                left = {*view.game.on_table, move.card} - {*move.takes}
                if move.takes:
                    left.remove(move.card)
                said = " ".join(lesson.reason(learner.model.names, view, move))
                if not left:
                    assert "an escoba" in said
                    continue
                total = sum(WORTH[view.face(slot)] for slot in left)
                gone = {*view.game.faces.values(), view.face(move.card)}
                worth = [card for card in SPANISH_40 if WORTH[card] == 15 - total]
                open_to = any(card not in gone for card in worth)
                line = (
                    f"only a card worth {15 - total} sweeps it" if open_to else "no card sweeps it"
                )
                assert f"The table then makes {total}, and {line}." in said
                found.add((bool(move.takes), open_to or not worth))
            learner.make(chance.choice(moves))
    assert found == {(True, True), (True, False), (False, True), (False, False)}


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_begin_with_one_turn_key_by_key(game, language):
    overlay = reading.rules_sheet(game)
    steps = [keys_in_brackets(step) for step in lesson_of(game).one_turn()]
    assert [line.strip() for line in overlay.lines[1 : len(steps) + 1]] == steps
    assert overlay.lines[len(steps) + 1] == ""
    shown = "\n".join(
        part for line in overlay.lines[: len(steps) + 1] for part in wrapped(line, INSIDE)
    )
    assert shown.count("\n") < LINES, language
    stage = Stage(game, 3 if game == "kinaskak" else 2).press("f1")
    assert stage.state.overlay.lines[: len(steps) + 2] == overlay.lines[: len(steps) + 2]


def is_typed(game, line):
    """Whether a line is typed in the plain interface: moves of the game, separated by points."""
    players = min(GAMES[game].allowed_players)
    match = GAMES[game](players, GAMES[game].defaults(players))
    try:
        for move in line.split(" · "):
            match.read(words_of(game).in_notation(move), 0, {})
    except NotAMove:
        return False
    except IllegalMove:  # well formed: a card is not there
        return True
    return True


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_show_what_is_typed_only_where_moves_are_typed(game, language):
    assert [line for line in rules_of(game) if is_typed(game, line)]
    shown = [line for line in reading.rules_sheet(game).lines if line]
    assert not [line for line in shown if is_typed(game, line)]
    assert all(
        following.startswith("  ") for line, following in pairwise(shown) if line.endswith(":")
    )
