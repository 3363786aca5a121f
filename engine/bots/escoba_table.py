"""Escoba in bits, for players that try plays out hundreds of times.

A set of cards is the bits of an int.

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
PRICE = tuple(
    0.06 + 0.2 * (suit(face) == "o") + 0.4 * (rank(face) == "7") + 1.0 * (face == "7o")
    for face in SPANISH_40
)
"""The price of a card at a glance, to the seat that captures it."""
HELD = 0.27
"""How often the next seat holds a card of a given value, at a glance."""
WAYS = 40
"""Captures with one card that are looked at; only a long table of low cards has more."""
TOGETHER = 3
"""Cards that change hands together, more or less: the step in which the count of cards changes."""
FEW = 10
"""R12, line h: a side with fewer cards gives a point away."""
LOST = 30
"""The price of R13 in points: a deal in which only one side has cards wins it the match."""


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


@lru_cache(maxsize=1 << 15)
def danger(cards: int) -> float:
    """Return the price of the cards on a table that the next seat may be expected to take."""
    return table(cards).danger


@lru_cache(maxsize=256)  # one of many cards takes 40 kB
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
    prices = {
        group: price(group) + (group == cards) for found in captures.values() for group in found
    }
    expected = HELD * sum([max([prices[group] for group in found]) for found in captures.values()])
    return Table(captures, prices, expected)


@lru_cache(maxsize=1 << 14)
def price(cards: int) -> float:
    """Return what these cards are worth at a glance."""
    worth = 0.0
    while cards:
        card = cards & -cards
        cards ^= card
        worth += PRICE[card.bit_length() - 1]
    return worth


# The count to come.


def prospect(
    piles: Sequence[int], eskobas: Sequence[int], side: int, *, over: bool, all_replaces: bool
) -> float:
    """Return the points that a side can expect over the others', on average.

    Once the deal is over, return the points that it has.
    """
    taken = 0
    for pile in piles:
        taken |= pile
    rest = 0 if over else PACK & ~taken
    found = _over(eskobas, side) + _over([bool(pile & SEVEN_OF_GOLDS) for pile in piles], side)
    for kind, for_all in ((GOLDS, 2), (SEVENS, 3)):
        counts = [(pile & kind).bit_count() for pile in piles]
        by_count = _of_a_kind(
            tuple(sorted(counts)), (rest & kind).bit_count(), for_all - all_replaces
        )
        found += _over([by_count[count] for count in counts], side)
    counts = [pile.bit_count() for pile in piles]
    by_count = _of_cards(tuple(sorted(counts)), rest.bit_count())
    return found + _over([by_count[count] for count in counts], side)


def _over(points: Sequence[float], side: int) -> float:
    """Return the points of a side over those of the others, on average."""
    return points[side] - (sum(points) - points[side]) / (len(points) - 1)


@lru_cache(maxsize=1 << 12)
def _of_a_kind(counts: tuple[int, ...], left: int, for_all: int) -> dict[int, float]:
    """Return the expected points for each count of a kind (R12, b, c, e, f)."""
    found = dict.fromkeys(counts, 0.0)
    total = sum(counts) + left
    for shares, chance in _ways(left, len(counts)):
        ends = [count + share for count, share in zip(counts, shares, strict=True)]
        most = max(ends)
        if ends.count(most) == 1:
            found[counts[ends.index(most)]] += chance * (1 + for_all * (most == total))
    return {count: points / counts.count(count) for count, points in found.items()}


@lru_cache(maxsize=1 << 12)
def _of_cards(counts: tuple[int, ...], left: int) -> dict[int, float]:
    """Return the expected points for each number of cards (R12, lines g and h, and R13)."""
    found = dict.fromkeys(counts, 0.0)
    groups = left // TOGETHER
    size = left / groups if groups else 0.0
    for shares, chance in _ways(groups, len(counts)):
        ends = [count + size * share for count, share in zip(counts, shares, strict=True)]
        *_, second, first = sorted(ends)
        if first > second:
            found[counts[ends.index(first)]] += chance * (
                1 + (second < FEW) + (0 if second else LOST)
            )
    return {count: points / counts.count(count) for count, points in found.items()}


@cache
def _ways(cards: int, sides: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return every way to share the cards among the sides, and the chance of each way.

    The chance is that of cards that may each go to any side.
    """
    if sides == 1:
        return (((cards,), 1.0),)
    return tuple(
        [
            (
                (got, *others),
                comb(cards, got) * (sides - 1) ** (cards - got) / sides**cards * chance,
            )
            for got in range(cards + 1)
            for others, chance in _ways(cards - got, sides - 1)
        ]
    )
