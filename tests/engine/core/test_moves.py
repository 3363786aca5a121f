from dataclasses import dataclass

import pytest

from engine.core.moves import Move, NotAMove, read_move, spell_move
from engine.games.escoba.rules import Play


@dataclass(frozen=True)
class Odd(Move):
    word: str
    sure: bool
    maybe: int | None
    pairs: tuple[tuple[int, str], ...]


KINDS = (Play, Odd)


@pytest.mark.parametrize(
    "move",
    [
        Play(3),
        Play(3, (9, 4)),
        Odd("a", sure=True, maybe=None, pairs=()),
        Odd("a", sure=False, maybe=7, pairs=((1, "x"), (2, "y"))),
    ],
)
def test_a_move_and_its_spelling(move):
    assert read_move(KINDS, spell_move(move)) == move


def test_a_move_has_one_spelling():
    assert spell_move(Play(3, (9, 4))) == ["Play", 3, [4, 9]]
    with pytest.raises(NotAMove, match="another spelling"):
        read_move(KINDS, ["Play", 3, [9, 4]])


@pytest.mark.parametrize(
    "value",
    [
        None,
        "Play",
        (),
        [],
        ["Pray", 1, []],
        [1, 1, []],
        [["Play"], 1, []],
        ["Play"],
        ["Play", 1],
        ["Play", 1, [], 0],
        ["Play", True, []],
        ["Play", 1.0, []],
        ["Play", "1", []],
        ["Play", 1, [True]],
        ["Play", 1, [None]],
        ["Play", 1, 2],
        ["Play", 1, {}],
        ["Odd", "a", 1, None, []],
        ["Odd", "a", True, "x", []],
        ["Odd", "a", True, False, []],
        ["Odd", "a", True, None, [[1]]],
        ["Odd", "a", True, None, [[1, "x", 2]]],
        ["Odd", b"a", True, None, []],
    ],
)
def test_values_that_spell_no_move(value):
    with pytest.raises(NotAMove):
        read_move(KINDS, value)
