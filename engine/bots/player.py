"""The types of computer players: the bot, the rater and the character.

A bot chooses a move. A rater compares all moves. A character has a name and a strength.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice
from typing import TypeAlias, TypeVar

from engine.core.moves import Choose, Move
from engine.core.view import View

T = TypeVar("T")

Bot: TypeAlias = Callable[[View, Choose], Move]
"""Given a view whose seat may choose, and a source of numbers, a legal move."""


LISTED = 500
"""Every computer player looks at this many moves of a view at least."""
FINE = 1000
"""The number of equal parts from which lots are drawn."""


class Strength(IntEnum):
    """The strength of a computer player."""

    WEAK = 1
    MIDDLE = 2
    STRONG = 3


@dataclass(frozen=True)
class Character:
    """A named computer player of one game.

    The name is its id too; no two characters of the program share one.
    """

    name: str
    strength: Strength
    play: Bot


@dataclass(frozen=True)
class Rated:
    """A legal move, and its value to the seat that chooses: more is better."""

    move: Move
    value: float
    doubt: float = 0.0
    """How far its distance from the best may be off, where the value is estimated by chance."""


@dataclass(frozen=True)
class Ratings:
    """All moves of a choice, the best one first."""

    unit: str
    """The unit of the values: "win", a chance to win the match from 0 to 1 (a draw is half), or
    "points" of the game."""
    moves: tuple[Rated, ...]


Rater: TypeAlias = Callable[[View, Choose], Ratings]
"""Given a view whose seat may choose, the value of each listed move as the strongest player
estimates it."""


def by_lot(shares: Mapping[T, float], choose: Choose) -> T:
    """Return one by lot; the likeliest lies in the middle, where hints look."""
    kept = sorted(
        [(one, often) for one, often in shares.items() if often],
        key=lambda item: (-item[1], repr(item[0])),
    )
    others = sum(often for _, often in kept[1:])
    lot = (choose(FINE) + 0.5) / FINE * (kept[0][1] + others) - others / 2
    if 0.0 <= lot < kept[0][1]:
        return kept[0][0]
    lot += others / 2 - (0.0 if lot < 0.0 else kept[0][1])
    for one, often in kept[1:-1]:
        lot -= often
        if lot < 0.0:
            return one
    return kept[-1][0]


def usual(bound: int) -> int:
    """Choose the middle, as hints do: rare choices, such as bluffs, are at an end."""
    return bound // 2


def agreeing(ratings: Ratings, hint: Move) -> Ratings:
    """Return ratings in which the hinted move is the first, and no other is worth more.

    Estimates that are made by chance, and words that are mixed, may be worth a little more.
    """
    top = next(one for one in ratings.moves if one.move == hint)
    others = [
        replace(one, value=min(one.value, top.value)) for one in ratings.moves if one is not top
    ]
    return Ratings(ratings.unit, (top, *others))


def offering(view: View, move: Move) -> View:
    """Return a view that lists a legal move where all look: some look at some moves only.

    The order decides between equal moves, and stays as it is if it can.
    """
    if move in islice(view.options or (), LISTED):
        return view
    others = tuple(option for option in view.options or () if option != move)
    return replace(view, options=(move, *others))
