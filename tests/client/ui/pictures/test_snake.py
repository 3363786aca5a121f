"""The line of Dominoes: every tile touches the one before it, and lies on no other."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest

from client.ui.drawing.picture import Area
from client.ui.games.domino.picture import LEAST, MOST, Laid, largest
from client.ui.pictures.draw import picture_of
from tests.screens.stage import Stage


def a_line(chance: random.Random) -> list[Laid]:
    """Return a line of tiles; no double follows a double."""
    found, end = list[Laid](), chance.randrange(7)
    for slot in range(chance.randint(1, 28)):
        doubled = bool(found) and found[-1].along == 1
        others = [pips for pips in range(7) if pips != end]
        right = end if chance.random() < 0.25 and not doubled else chance.choice(others)
        found.append(Laid(slot, end, right))
        end = right
    return found


def common(one: Area, other: Area) -> tuple[int, int]:
    """Return how many pixels two areas have in common, across and along; less than 0 if apart."""
    across = min(one.right, other.right) - max(one.x, other.x)
    along = min(one.bottom, other.bottom) - max(one.y, other.y)
    return across, along


@pytest.mark.parametrize("seed", range(300))
def test_a_line_of_tiles_is_connected_and_lies_in_its_area(seed):
    chance = random.Random(seed)
    tiles = a_line(chance)
    area = Area(7, 11, chance.randint(200, 1000), chance.randint(170, 500))
    unit, laid = largest(tiles, area)
    assert LEAST <= unit <= MOST
    # in half short sides
    across = [(4, 2) if at.way in (1, -1) else (2, 4) for at in laid]
    places = [
        Area(at.x - wide // 2, at.y - high // 2, wide, high)
        for at, (wide, high) in zip(laid, across, strict=True)
    ]
    width = max(place.right for place in places) - min(place.x for place in places)
    height = max(place.bottom for place in places) - min(place.y for place in places)
    assert width * unit <= 2 * area.width
    assert height * unit <= 2 * area.height or unit == LEAST
    for one, other in combinations(places, 2):
        assert min(common(one, other)) <= 0
    for one, other in pairwise(places):
        assert min(common(one, other)) == 0 < max(common(one, other))


@pytest.mark.parametrize("size", [(360, 640), (1280, 800), (1920, 1080)], ids=str)
def test_the_line_of_a_match_is_connected(size):
    stage = Stage("domino", 2)
    for _move in range(30):
        if stage.over:
            break
        pieces = {piece.id: piece for piece in picture_of(stage.state, *size).pieces}
        line = [pieces[f"slot:{slot}"].area for slot in stage.game.line]
        for one, other in pairwise(line):
            assert min(common(one, other)) >= -4
            assert max(common(one, other)) > 0
        stage.step()
