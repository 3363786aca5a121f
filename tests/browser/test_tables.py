"""Tables in a real Chromium, while a match or a lesson goes on: nothing is cut or covered, and the
table stays where it is."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from math import ceil

import pytest

from client.i18n.translation import languages
from client.session.computers import find_hint
from client.session.messages import Advised
from client.ui.screen.state import DealCount, ScreenState
from client.ui.view.views import view_of
from engine.games import GAMES
from tests.browser.chromium import needs_chromium
from tests.browser.viewed import LYING_PHONES, PHONES, Viewed, viewed
from tests.client.ui.view.acts import pressed
from tests.client.ui.view.cast import STATES
from tests.sample import pairs, sample
from tests.screens.learner import Learner
from tests.screens.stage import Stage

pytestmark = [needs_chromium, pytest.mark.slow]
__all__ = ["viewed"]

LOOKS = [((360, 640), "is"), ((1280, 800), "eu"), ((844, 390), "es"), ((1024, 600), "is")]
LOOKS += [((390, 844), lang) for lang in languages()]
LESSONS = sorted(LOOKS, key=[*LOOKS[:2], ((390, 844), "eu"), *LOOKS].index)
"""The same; where a suggestion has needed the room of something else comes sooner."""
FEWEST, MOST = (
    [(name, how(rules.allowed_players)) for name, rules in GAMES.items()] for how in (min, max)
)
ROW = 7
"""Cards of a hand that have room in a row."""
MOVES = 12
TABLES = pairs(LOOKS, [MOST, FEWEST])

PLACES = """() => [...document.querySelectorAll("#view :is(.seating, .middle, .hand, .actions)")]
    .map((node) => [node.classList[0], node.getBoundingClientRect()])
    .map(([name, { x, y, width, height }]) => [name, ...[x, y, width, height].map(Math.round)])"""


def states_of(game: str, players: int) -> Iterator[ScreenState]:
    """Give the states of a match, played well and by chance in turn: also as they are held at the
    end of a deal."""
    stage = Stage(game, players, hold=True)
    for move in range(MOVES):
        yield stage.state
        if stage.state.held:
            yield replace(stage.state, held=())
        stage.state = replace(stage.state, held=(), count=DealCount())
        if stage.state.match.asked:
            yield pressed(stage.state, ["?"])[0]
        if stage.over:
            break
        stage.step(by_chance=move % 3 == 0)


@pytest.mark.parametrize(
    ("viewed", "seats"), sample(TABLES, 2, rows=True), indirect=["viewed"], ids=str
)
def test_nothing_is_cut_or_covered_while_a_match_goes_on(viewed: Viewed, seats):
    for game, players in seats:
        assert viewed.faults(numbered(states_of(game, players))) == {}, (game, players)


def numbered(states: Iterable[ScreenState]) -> dict[str, ScreenState]:
    return {str(number): state for number, state in enumerate(states)}


POINTED = """() => {
    const arrows = [...document.querySelectorAll("#view .pointer")], [arrow] = arrows, found = [];
    if (arrows.length !== 1) return [`${arrows.length} arrows`];
    const own = arrow.parentElement, tip = arrow.getBoundingClientRect();
    const aim = own.getBoundingClientRect(), middle = tip.left + tip.width / 2;
    if (middle < aim.left || middle > aim.right) found.push("beside what it means");
    if (Math.abs(tip.bottom - aim.top) > 12) found.push("far from what it means");
    for (const node of document.querySelectorAll("#view :is(button, .slot, summary, .say, .tag)")) {
        if (own.contains(node) || node.contains(own) || !node.checkVisibility()) continue;
        const box = node.getBoundingClientRect();
        const across = Math.min(box.right, tip.right) - Math.max(box.left, tip.left);
        if (across > 1 && Math.min(box.bottom, tip.bottom) - Math.max(box.top, tip.top) > 14)
            found.push(`covers “${node.ariaLabel ?? node.textContent}”`);
    }
    const hint = document.querySelector(".coach > span:last-child")?.getBoundingClientRect();
    if (hint && Math.min(hint.right, tip.right) - Math.max(hint.left, tip.left) > 1
        && Math.min(hint.bottom, tip.bottom) - Math.max(hint.top, tip.top) >
        5) found.push("covers the hint");
    document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish());
    const lit = [...document.querySelectorAll(".mine .btn")].filter((node) =>
        getComputedStyle(node).backgroundColor === getComputedStyle(arrow).backgroundColor);
    if (own.matches(".slot") ? lit.length || !own.matches(".advised, [aria-pressed=true]")
        : lit.length !== 1 || lit[0] !== own) found.push("something else is lit");
    return found;
}"""
"""The faults of the arrow of a lesson, and of its lit button."""


@pytest.mark.parametrize("viewed", sample(LESSONS, 5), indirect=True, ids=str)
def test_a_lesson_points_at_the_card_or_the_button_of_which_it_speaks(viewed: Viewed):
    for game in GAMES:
        learner, states = Learner(game), []
        for _click in range(12):
            while learner.state.lesson or learner.state.held or learner.state.count.lines:
                learner.press("enter")
            if learner.lesson.over:
                break
            states.append(replace(learner.state, moment=None))
            aim = view_of(learner.state).table.prompt.aim
            learner.press(*view_of(learner.state).clicks()[aim][0])
        assert viewed.each(states, POINTED) == [[]] * len(states), game
        assert viewed.faults(numbered(states)) == {}, game


@pytest.mark.parametrize("viewed", sample(LESSONS, 3), indirect=True, ids=str)
def test_nothing_of_a_lesson_is_cut_or_covered(viewed: Viewed):
    for game in GAMES:
        learner, chance, states = Learner(game), random.Random(1), []
        for _key in range(20):
            states.append(learner.state)
            if learner.state.lesson or learner.state.held or learner.state.count.lines:
                learner.press("enter")
            elif moves := list(islice(learner.model.view.options or (), 50)):
                learner.make(chance.choice(moves))
        assert viewed.faults(numbered(states)) == {}, game


def deals(states: Iterable[ScreenState]) -> Iterator[tuple[object, ScreenState]]:
    """Give states, also with a notice, beside the deal to which each belongs: another row of
    cards makes another table of it, and so do the first melds and our own ones."""
    deal, most = (0, False, False), 0
    for state in states:
        table = view_of(state).table
        laid = {one.seats for one in table.zones if one.kind == "meld"}
        here = table.deal, bool(laid), (table.seats[0].number,) in laid
        most = max(len(table.hand), most if here == deal else 0)
        deal = here
        yield (deal, ceil(most / ROW)), state
        yield (
            (deal, ceil(most / ROW)),
            replace(state, notice="This card does not make 15 with those."),
        )


def lesson_of(game: str) -> Iterator[ScreenState]:
    """Give the states of a lesson in which something is to be clicked."""
    learner = Learner(game)
    while True:
        while learner.state.lesson or learner.state.held or learner.state.count.lines:
            learner.press("enter")
        if learner.lesson.over:
            break
        yield replace(learner.state, moment=None)
        aim = view_of(learner.state).table.prompt.aim
        learner.press(*view_of(learner.state).clicks()[aim][0])


@pytest.mark.parametrize(
    "viewed", sample(PHONES, 2) + sample(LYING_PHONES, 2), indirect=True, ids=str
)
def test_a_table_on_a_phone_stays_where_it_is_between_the_moves_of_a_deal(viewed: Viewed):
    for game, players in {*FEWEST, *MOST, *((name, 0) for name in GAMES)}:
        known: dict[object, object] = {}
        numbers, states = zip(
            *deals(states_of(game, players) if players else lesson_of(game)), strict=True
        )
        for deal, places in zip(numbers, viewed.each(states, PLACES), strict=True):
            # the buttons of Kínaskák stand in one row, which is as long as they are
            fixed = [one for one in places if (game, one[0]) != ("kinaskak", "actions")]
            assert fixed == known.setdefault(deal, fixed), (game, players)


BUTTONS = """() => Object.fromEntries([...document.querySelectorAll("#view .actions > *")]
    .map((node) => [node.dataset.id, node.getBoundingClientRect()])
    .map(([id, { x, y, width, height }]) => [id, [x, y, width, height].map(Math.round)]))"""


@pytest.mark.parametrize(
    "viewed", [((390, 844), "en"), ((1280, 800), "es")], indirect=True, ids=str
)
def test_no_button_goes_elsewhere_when_a_hint_comes(viewed: Viewed):
    for game, players in FEWEST:
        stage = Stage(game, players, hold=True)
        for _move in range(MOVES):
            if stage.state.match.asked and not stage.state.held and not stage.state.count.lines:
                viewed.show(stage.state)
                before = viewed.page.evaluate(BUTTONS)
                stage.tell(Advised(find_hint(game, stage.table.view(0))))
                viewed.show(stage.state)
                assert viewed.page.evaluate(BUTTONS) == before, game
            stage.state = replace(stage.state, held=(), count=DealCount())
            if stage.over:
                break
            stage.step()


TIGHT = """() => {
  const [capsule] = document.querySelectorAll(".coach > span:last-child"), range = new Range();
  range.selectNodeContents(capsule);
  const said = range.getBoundingClientRect(), box = capsule.getBoundingClientRect();
  const tip = document.querySelector(".pointer").getBoundingClientRect();
  const room = Math.min(said.left - box.left - 8, box.right - said.right - 8,
    said.top - box.top - 1, box.bottom - said.bottom - 1);
  const across = Math.min(said.right, tip.right) - Math.max(said.left, tip.left);
  const down = Math.min(said.bottom, tip.bottom) - Math.max(said.top, tip.top);
  return [room < 0 && `no padding (${room})`, Math.min(across, down) > 0 && `covered (${down})`]
    .filter(Boolean);
}"""
"""The faults of a suggestion in its capsule: words at its edge, or below the arrow."""


@pytest.mark.parametrize(
    "viewed",
    [(size, lang) for size in ((844, 390), (360, 640)) for lang in languages()],
    indirect=True,
    ids=str,
)
def test_a_suggestion_has_room_in_its_capsule(viewed):
    for game in ("escoba", "domino", "siete", "truco", "kinaskak"):
        viewed.show(STATES[f"{game}-taught"]())
        assert viewed.page.evaluate(TIGHT) == [], game
