"""Dominoes on the full screen: docs/rules/domino.md, “On the screen”."""

from __future__ import annotations

import re

import pytest

from client.ui.drawing.canvas import Canvas
from client.ui.games.domino.tiles import draw_line
from engine.core.cards import DOMINOES
from engine.games.domino.moves import Draw, Pass, Place
from tests.hints import keys_of
from tests.screens.stage import SIZES, Stage, done, golden

ANE = ["6-6", "6-4", "5-3", "4-1", "2-0", "1-0", "0-0"]
JON = ["6-5", "5-5", "5-2", "4-4", "3-3", "2-2", "3-1"]
STUCK = ["5-5", "5-2", "4-4", "3-3", "2-2", "3-1", "5-1"]


def deck(*hands: list[str]) -> list[str]:
    tiles = [tile for hand in hands for tile in hand]
    return [*tiles, *(tile for tile in DOMINOES if tile not in tiles)]


def stage(seat: int = 0, hands=(ANE, JON), **how) -> Stage:
    return Stage("domino", len(hands), seat, decks=[deck(*hands)], **how).tick(30)


def test_a_tile_is_chosen_by_its_number_and_laid_with_enter():
    table = stage()
    assert "6-6" in table.press("1").text()
    (move,) = done(table.press("enter"))
    assert isinstance(move, Place)


def test_both_places_are_shown_and_enter_asks_which():
    hands = (
        ["6-6", "5-1", "5-3", "4-1", "2-0", "1-0", "0-0"],
        ["6-5", "6-1", "5-2", "4-4", "3-3", "2-2", "3-1"],
    )
    table = (
        stage(seat=1, hands=hands)
        .do("p1 play 6-6", "p2 play 6-5 right", "p1 play 5-1 right")
        .tick(30)
        .press("1")
    )
    assert "← 6 / 1 →" in table.text()
    assert len(done(table.press("enter"))) == 0
    assert "fits both ends" in table.foot()
    assert table.press("right").game.ends == (6, 6)


def nine(players: int = 4, **how) -> Stage:
    """Return a table of the double-nine set at which we are asked with a whole hand."""
    how = {"seed": 3, "set": "double-nine", **how}
    table = Stage("domino", players, **how)
    return table.until(lambda table: table.state.match.asked, by_chance=True).tick(30)


@pytest.mark.parametrize("size", SIZES)
def test_ten_tiles_stand_in_one_row_with_a_key_each(size):
    table = nine()
    rows = table.text(*size).splitlines()
    (keys,) = [row for row in rows if re.search(" +".join("1234567890"), row)]
    tiles = rows[rows.index(keys) + (1 if size[1] < 22 else 2)]
    highest = [tiles[keys.index(key) - 1] for key in "1234567890"]
    assert highest == ["9", "9", "8", "8", "7", "7", "6", "5", "1", "0"]
    assert "Esc menu" in table.foot(*size)


@pytest.mark.parametrize("key", ["t", " "])
def test_a_player_that_cannot_play_is_told_to_take_a_tile(key):
    table = stage(seat=1, hands=(ANE, STUCK)).do("p1 play 6-6").tick(30)
    assert "You have no 6: take a tile." in table.text()
    assert "t take a tile" in table.foot()
    assert done(table.press(key, "enter")) == [Draw()]


@pytest.mark.parametrize("key", ["p", " "])
def test_with_four_one_knocks_and_passes(key):
    others = (
        ["6-5", "6-3", "6-2", "6-1", "6-0", "3-2", "2-1"],
        ["4-3", "4-2", "4-0", "5-4", "5-0", "3-0", "4-4"],
    )
    table = (
        stage(seat=1, hands=(ANE, ["5-5", "5-2", "1-1", "3-3", "2-2", "3-1", "5-1"], *others))
        .do("p1 play 6-6")
        .tick(30)
    )
    assert "p knock and pass" in table.foot()
    assert keys_of(table.press("?").state.notice) == ["p", "enter"]
    assert done(table.press(key, key)) == [Pass()]


@pytest.mark.parametrize("count", range(1, 41))
@pytest.mark.parametrize(("columns", "rows"), [(60, 6), (40, 9), (78, 12), (120, 20), (60, 4)])
def test_every_line_of_tiles_fits(count, columns, rows):
    line = [
        (number % 10, (number + 1) % 10) if number % 4 else (number % 10, number % 10)
        for number in range(count)
    ]
    canvas = Canvas(columns, rows)
    draw_line(canvas, canvas.rect, line)
    shown = canvas.text()
    assert "←" in shown
    assert "→" in shown


@pytest.mark.parametrize(("columns", "rows"), [(40, 9), (60, 15), (60, 3)])
def test_the_line_reads_from_left_to_right_and_its_ends_are_marked(columns, rows):
    line = [(number % 7, (number + 1) % 7) for number in range(20)]
    canvas = Canvas(columns, rows)
    draw_line(canvas, canvas.rect, line)
    read = [row for row in canvas.text().splitlines() if re.search(r"\d", row)]
    assert len(read) > 1
    joined = " ".join(read)
    assert re.findall(r"(\d)[|│](\d)", joined) == [(str(a), str(b)) for a, b in line]
    assert joined.split()[0] == f"←{line[0][0]}"
    assert joined.split()[-1] == f"{line[-1][1]}→"
    assert all(row.endswith(" …") for row in read[:-1])
    assert all(row.lstrip().startswith("…") for row in read[1:])


@pytest.mark.slow
def test_the_screens():
    golden("domino-opening", stage().press("1"))
    golden(
        "domino-line",
        Stage("domino", 2, seed=5)
        .until(lambda table: len(table.game.line) > 8 and table.state.match.asked)
        .tick(30),
    )
    golden("domino-take", stage(seat=1, hands=(ANE, STUCK)).do("p1 play 6-6").tick(30))
    golden(
        "domino-four",
        Stage("domino", 4, seed=5)
        .until(lambda table: len(table.game.line) > 18 and table.state.match.asked)
        .tick(30),
    )
    golden(
        "domino-end",
        Stage("domino", 4, seed=5, target=5).until(lambda table: table.over).tick(30).press("x"),
    )
