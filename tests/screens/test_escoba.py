"""Escoba on the full screen: docs/rules/escoba.md, “On the screen”."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.i18n.translation import languages, set_language
from client.session.messages import Act
from client.ui.games import lesson_of, screen_of
from client.ui.games.lesson import keys_to
from client.ui.screen.table_words import scene_of
from engine.core.cards import SPANISH_40
from tests.screens.stage import Stage, done, golden

DECK = ["7o", "3c", "2e", "4b", "1e", "6b", "5c", "3b", "10e", "2o"]
"""Ane has 7o 2e 1e or so, Jon the others; then four on the table: 5c 3b 10e 2o."""


def stage(seat: int = 0, **how) -> Stage:
    cards = [*DECK, *(card for card in SPANISH_40 if card not in DECK)]
    return Stage("escoba", 2, seat, decks=[cards], **how).tick(30)


def written(table: Stage) -> list[str]:
    """Return the moves that came of the pressed keys, as they are typed."""
    return [table.game.write(move, table.table.faces) for move in done(table)]


def test_a_card_is_chosen_by_its_number_and_its_captures_are_shown():
    table = stage().press("1")
    assert "= 15" in table.text()
    assert written(table.press("enter")) == ["play 7o take 5c 3b"] or written(table)[0].startswith(
        "play 7o take"
    )


def test_letters_switch_table_cards_and_the_sum_is_shown():
    table = stage().press("1")
    for letter in "abcd":
        if table.game.on_table["abcd".index(letter)] in table.state.picked.marked:
            table.press(letter)
    assert table.state.picked.marked == ()
    table.press("a")
    assert "7 + 5 = 12" in table.text()
    table.press("e", "z")
    assert "7 + 5 = 12" in table.text(), "no card has these letters"


def test_cards_that_do_not_make_fifteen_are_refused_with_the_sum():
    table = stage().press("1")
    for slot in table.state.picked.marked:
        table.press("abcd"[table.game.on_table.index(slot)])
    table.press("a", "enter")
    assert written(table) == []
    assert "12" in table.foot()


def test_the_count_has_a_column_for_each_side_until_it_is_put_away():
    table = Stage("escoba", 2, seed=3).until(lambda table: bool(table.state.count.lines))
    shown = table.text(60, 20)
    inside = [line.split("│")[1].strip() for line in shown.splitlines() if line.count("│") >= 2]
    cells = {line.split("  ")[0]: line.split("  ", 1)[-1].split() for line in inside}
    assert cells["escobas"] == ["0", "2", "+2"]
    assert cells["all four sevens"] == ["+3"]
    assert cells["cards"] == ["13", "27", "+1"]
    assert cells["this deal"] == ["1", "8"]
    assert "in all, to 21        1      8" in shown
    assert "in all" not in table.press("enter").text(60, 20)


def test_the_screens():
    golden("escoba-turn", stage())
    golden("escoba-picked", stage().press("1"))
    golden(
        "escoba-count",
        Stage("escoba", 2, seed=3).until(lambda table: bool(table.state.count.lines)).tick(30),
    )
    golden(
        "escoba-six",
        Stage("escoba", 6, seed=3, seat=2).until(lambda table: table.state.match.asked).tick(30),
    )
    golden(
        "escoba-end",
        Stage("escoba", 3, seed=3, target=1).until(lambda table: table.over).tick(30).press("x"),
    )


@pytest.mark.parametrize("language", languages())
@pytest.mark.slow
def test_the_reason_against_a_card_stands_whole_in_the_line_of_the_turn(language):
    set_language(language)
    try:
        found = 0
        for seed in range(40):
            stage = Stage("escoba", 2, seed=seed).until(lambda stage: stage.state.match.asked)
            stage.state = replace(stage.state, moment=None)
            for key in "123":
                status = screen_of("escoba").status(scene_of(stage.press(key).state))
                if [style for style, _text in status] == ["bad"]:
                    found += 1
                    assert f" {status[0][1]} ─" in stage.text(60, 20), status
                stage.press("escape")
    finally:
        set_language("en")
    assert found > 5


@pytest.mark.parametrize("marked", ["", "a", "b", "ab"])
@pytest.mark.parametrize("card", ["1", "2", "3"])
def test_a_hint_names_keys_that_lead_from_the_marked_cards(card, marked):
    """A key that chooses the chosen card again plays it with the marked ones."""
    table = stage()
    move = next(move for move in table.table.view(0).options if len(move.takes) > 1)
    table.press(card, *marked)
    keys = keys_to(scene_of(table.state), move, lesson_of("escoba").keys(move))
    assert keys is not None
    table.press(*keys)
    assert table.commands[-1] == Act(move)
