import enum
from dataclasses import dataclass

import pytest

from engine.canonical import canonical, fingerprint
from engine.games import new_game
from engine.open_deck import OpenDeck
from engine.run import copy_of


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


@dataclass(frozen=True)
class Pair:
    left: int
    right: tuple[int, ...]


VALUES = [
    None,
    True,
    0,
    -1,
    2**64 - 1,
    "",
    "ñ",
    b"\x00",
    (),
    (1, "a"),
    [[1], [2]],
    {1: 2},
    {"a": [1]},
    {(1, 2): 3},
    {3, 1, 2},
    Colour.RED,
    Pair(1, (2,)),
]


def test_different_values_have_different_spellings():
    spelled = [canonical(value) for value in (*VALUES, False, 1, "1", b"1", (1,), {2: 1}, {1, 2}, Pair(2, (2,)), Pair(1, ()))]
    assert len(set(spelled)) == len(spelled)


def test_order_of_insertion_does_not_count():
    assert canonical({"a": 1, "b": 2}) == canonical({"b": 2, "a": 1})
    assert canonical({2: {"x", "y"}, 1: frozenset({(1, 2), (0, 3)})}) == canonical({1: {(0, 3), (1, 2)}, 2: {"y", "x"}})
    assert canonical({(2, "b"): 1, (1, "a"): 2}) == canonical({(1, "a"): 2, (2, "b"): 1})


@pytest.mark.parametrize(
    "value",
    [1.0, [1.5], {1: 0.5}, {0.5: 1}, 1j, object(), Level, print, 2**64, "\ud800", bytearray(b""), range(3), Pair(1.0, ())],
)
def test_what_has_no_spelling(value):
    with pytest.raises(TypeError):
        canonical(value)


def test_an_enumeration_of_numbers_is_no_number():
    assert canonical(Level.LOW) != canonical(1)


def test_every_public_value_counts():
    play = OpenDeck(new_game("escoba", 2))
    before = fingerprint(play.game, play.run.request)
    assert len(before) == 32
    for name, value in vars(play.game).items():
        twin = copy_of(play.game)
        setattr(twin, name, [value, "else"])
        assert fingerprint(twin, play.run.request) != before, name


def test_the_question_counts():
    play = OpenDeck(new_game("escoba", 2))
    assert fingerprint(play.game, None) != fingerprint(play.game, play.run.request)
