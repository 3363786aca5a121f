"""Clicks on views reach every legal move, and each does what its words say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.session.messages import Act
from client.ui.screen.messages import Key
from client.ui.screen.react import react
from client.ui.view.views import view_of
from tests.client.ui.pictures.cast import pressed
from tests.client.ui.view.text import as_text
from tests.screens.stage import Stage


@pytest.mark.parametrize("game", ["escoba", "truco", "domino", "siete-y-media"])
def test_clicks_reach_every_legal_move(game):
    """From each question that our seat is asked, clicks that only pick, and then one that plays,
    give every legal line."""
    stage = Stage(game, 2)
    for _move in range(40):
        if stage.over:
            break
        if stage.state.match.asked and len(wanted := _legal(stage)) > 1:
            wanted = {line for line in wanted if not line.startswith(("bet ", "raise "))}
            assert _reached(stage) >= wanted, as_text(view_of(stage.state))
        stage.step()


def _legal(stage: Stage) -> set[str]:
    view = stage.table.view(0)
    faces = {**view.game.faces, **view.faces}
    return {stage.game.write(move, faces) for move in view.options or ()}


def _reached(stage: Stage) -> set[str]:
    """Return the lines that clicks lead to; none makes two moves."""
    view = stage.table.view(0)
    faces = {**view.game.faces, **view.faces}
    found: set[str] = set()
    known, waiting = set(), [stage.state]
    while waiting and len(known) < 400:
        state = waiting.pop(0)
        for keys, _said in view_of(state).clicks().values():
            if {"f1", "f2", "?"} & set(keys):
                continue
            after, lines = state, []
            for key in keys:
                after, commands = react(after, Key(key, key if len(key) == 1 else ""))
                acts = [command for command in commands if isinstance(command, Act)]
                lines += [stage.game.write(act.move, faces) for act in acts]
            assert len(lines) < 2, keys
            found |= {*lines}
            mark = repr((after.picked, after.proposed))
            if mark not in known and after.match.asked and after.overlay is None:
                known.add(mark)
                waiting.append(after)
    return found


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("escoba", "so you must take"),
        ("truco", "A call waits for your answer"),
        ("domino", "must be played now"),
    ],
)
def test_a_pale_card_that_is_clicked_says_why_it_cannot_be_played(game, why):
    stage = Stage(game, 2, seed=1)
    while not (pale := [one for one in view_of(stage.state).table.hand if one.state == "barred"]):
        stage.step()
    stage.press(*pale[0].keys)
    assert stage.state.match.asked
    assert why in as_text(view_of(stage.state))


@pytest.mark.parametrize("click", ["key:t", "stock:draw"])
def test_a_tile_is_drawn_by_one_click(click):
    """On the graveyard as well as on the button."""
    stage = Stage("domino", 2)
    stage.until(lambda now: "stock:draw" in view_of(now.state).clicks())
    before, keys = len(stage.game.hands[0]), view_of(stage.state).clicks()[click][0]
    stage.press(*keys)
    assert len(stage.game.hands[0]) == before + 1


def test_a_call_is_made_by_one_click_even_after_a_card_was_picked():
    stage = Stage("truco", 2).until(lambda now: "truco" in view_of(now.state).clicks())
    picked = pressed(stage.state, view_of(stage.state).table.hand[0].keys)[0]
    assert picked.proposed[0]
    acts = pressed(picked, view_of(picked).clicks()["truco"][0])[1]
    assert [type(one) for one in acts] == [Act]


def test_an_answer_to_one_call_is_none_to_a_higher_one():
    """The words of a button have its worth: a click on a button that was seen before is none."""
    stage = Stage("truco", 2, first=1)
    stage.do("p2 truco")
    before = view_of(stage.state).clicks()["quiero"]
    stage.do("p1 retruco", "p2 vale4")
    after = view_of(stage.state).clicks()["quiero"]
    assert before[0] == after[0]
    assert before != after


def test_giving_a_deal_up_is_asked_once_more():
    stage = Stage("truco", 2).until(lambda now: "mazo" in view_of(now.state).clicks())
    (mazo,) = [one for one in view_of(stage.state).table.actions if one.id == "mazo"]
    assert mazo.ask


def test_a_line_of_tiles_says_its_numbers_and_the_tile_with_which_it_began():
    stage = Stage("domino", 2)
    first = None
    for _move in range(30):
        if stage.over:
            break
        (line,) = [one for one in view_of(stage.state).table.zones if one.kind == "chain"]
        if len(line.cards) == 1:
            first = line.cards[0].id
        if line.cards:
            assert line.cards[line.start].id == first
        for card, numbers in zip(line.cards, line.row, strict=True):
            assert sorted(map(int, card.face.split("-"))) == sorted(numbers)
        assert all(one[1] == other[0] for one, other in zip(line.row, line.row[1:], strict=False))
        stage.step()
    assert first


def test_below_a_count_the_ends_of_a_line_cannot_be_clicked():
    stage = Stage("domino", 2, hold=True).until(lambda now: bool(now.state.count))
    view = view_of(replace(stage.state, moment=None))
    assert set(view.clicks()) == {"key:enter"}
