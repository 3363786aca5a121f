"""Escoba in bits, for players that try plays out hundreds of times: a set of cards is the bits of an int.

Card n of the pack is bit n. All values are in points of R12.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

from engine.core.cards import SPANISH_40, rank, suit
from engine.core.moves import Face
from engine.games.escoba.sums import WORTH

PACK = (1 << 40) - 1
NUMBER = {face: number for number, face in enumerate(SPANISH_40)}
VALUE = tuple(WORTH[face] for face in SPANISH_40)
GOLDS = sum(1 << number for number, face in enumerate(SPANISH_40) if suit(face) == "o")
SEVENS = sum(1 << number for number, face in enumerate(SPANISH_40) if rank(face) == "7")
SEVEN_OF_GOLDS = 1 << NUMBER["7o"]
PRICE = tuple(0.06 + 0.2 * (suit(face) == "o") + 0.4 * (rank(face) == "7") + 1.0 * (face == "7o") for face in SPANISH_40)
"""The price of a card at a glance, to the seat that captures it."""
HELD = 0.27
"""How often the next seat holds a card of a given value, at a glance."""
WAYS = 40
"""Captures with one card that are looked at; only a long table of low cards has more."""
TOGETHER = 3
"""Cards that change hands together, more or less: the count of cards swings by so many."""
FEW = 10
"""R12, line h: a side with fewer cards gives a point away."""
LOST = 30
"""The price of a deal without a card between two sides, in points: it loses the match."""


class Table(NamedTuple):
    """The chances that the cards on a table give to any seat."""

    captures: dict[int, tuple[int, ...]]
    """By the value of a card, the sets of cards that it can take."""
    prices: dict[int, float]
    """The price of each of those sets, and the eskoba if it leaves nothing."""
    danger: float
    """The price of the cards that the next seat may be expected to take."""


def bits_of(faces: Iterable[Face]) -> int:
    """Return cards as the bits of an int."""
    return sum([1 << NUMBER[face] for face in faces])


@lru_cache(maxsize=50000)
def table(cards: int) -> Table:
    """Look at the cards on a table."""
    groups: dict[int, list[int]] = {0: [0]}  # by sum
    left = cards
    while left:
        card = left & -left
        left ^= card
        worth = VALUE[card.bit_length() - 1]
        for total in sorted(groups, reverse=True):
            if total + worth <= 14:
                more = groups.setdefault(total + worth, [])
                more.extend([group | card for group in groups[total][: WAYS - len(more)]])
    captures = {15 - total: tuple(found) for total, found in groups.items() if total >= 5}
    prices = {group: price(group) + (group == cards) for found in captures.values() for group in found}
    danger = HELD * sum([max([prices[group] for group in found]) for found in captures.values()])
    return Table(captures, prices, danger)


@lru_cache(maxsize=50000)
def price(cards: int) -> float:
    """Return what these cards are worth at a glance."""
    worth = 0.0
    while cards:
        card = cards & -cards
        cards ^= card
        worth += PRICE[card.bit_length() - 1]
    return worth


# The count to come.


def prospect(piles: Sequence[int], eskobas: Sequence[int], side: int, *, over: bool, all_replaces: bool) -> float:
    """Return the points that a side can expect over each of the others, on average; once the deal is over, those it has."""
    taken = 0
    for pile in piles:
        taken |= pile
    rest = 0 if over else PACK & ~taken
    others = [other for other in range(len(piles)) if other != side]
    lost = 0 if len(others) > 1 else LOST  # among more sides, a single one with cards is too rare to matter
    points = 0.0
    for other in others:
        points += eskobas[side] - eskobas[other]
        points += _line(piles[side] & GOLDS, piles[other] & GOLDS, rest & GOLDS, len(piles), 2 - all_replaces)
        points += _line(piles[side] & SEVENS, piles[other] & SEVENS, rest & SEVENS, len(piles), 3 - all_replaces)
        points += bool(piles[side] & SEVEN_OF_GOLDS) - bool(piles[other] & SEVEN_OF_GOLDS)
        points += _cards(piles[side].bit_count(), piles[other].bit_count(), rest.bit_count() * 2 // len(piles), lost)
    return points / len(others)


def _line(mine: int, other: int, rest: int, sides: int, for_all: int) -> float:
    """Return the points for most cards of a kind and for all of them, over another side."""
    left = rest.bit_count()
    points = ahead(mine.bit_count(), other.bit_count(), left * 2 // sides)
    if not other:
        points += for_all / sides**left
    return points - (for_all / sides**left if not mine else 0.0)


@cache
def ahead(mine: int, other: int, left: int) -> float:
    """Return the chance to end with more than another side, less its chance, if each card left may go to either."""
    if abs(mine - other) > left:
        return 1.0 if mine > other else -1.0
    signs = [(mine + got > other + left - got) - (mine + got < other + left - got) for got in range(left + 1)]
    return sum([comb(left, got) * sign for got, sign in enumerate(signs)]) / float(2**left)


@cache
def _cards(mine: int, other: int, left: int, lost: int) -> float:
    """Return the points for most cards, and for an opponent with fewer than ten, over another side."""
    groups = left // TOGETHER
    points, size = 0.0, left / groups if groups else 0.0
    for got in range(groups + 1):
        ours, its = mine + size * got, other + size * (groups - got)
        line = (ours > its) - (ours < its) + (its < FEW) - (ours < FEW) + lost * ((not its) - (not ours))
        points += comb(groups, got) / 2**groups * line
    return points
