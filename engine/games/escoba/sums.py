"""The arithmetic of Escoba: the values of cards, sums of fifteen, and the lines of the count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from engine.core.cards import SPANISH_40, rank
from engine.core.moves import Face

C = TypeVar("C")

WORTH = {
    card: int(rank(card)) if int(rank(card)) <= 7 else int(rank(card)) - 2 for card in SPANISH_40
}
"""R1. A figure is worth two less than its rank: sota 8, caballo 9, rey 10."""


class Line(NamedTuple):
    """R12. A line of the count: its letter, its figure, and its points."""

    letter: str
    figure: int
    points: int


def count_lines(
    side: int, piles: Sequence[Sequence[Face]], eskobas: Sequence[int], *, all_replaces: bool
) -> list[Line]:
    """R12. The lines a to h for one side, given every side's pile and eskobas."""
    golds = [sum([card[-1] == "o" for card in pile]) for pile in piles]
    sevens = [sum([card[0] == "7" for card in pile]) for pile in piles]
    cards = [len(pile) for pile in piles]
    richest_other = max(cards[:side] + cards[side + 1 :])
    all_golds, all_sevens = golds[side] == 10, sevens[side] == 4
    seven_of_golds = int("7o" in piles[side])
    return [
        Line("a", eskobas[side], eskobas[side]),
        Line("b", golds[side], int(_most(golds, side) and not (all_replaces and all_golds))),
        Line("c", golds[side], 2 * all_golds),
        Line("d", seven_of_golds, seven_of_golds),
        Line("e", sevens[side], int(_most(sevens, side) and not (all_replaces and all_sevens))),
        Line("f", sevens[side], 3 * all_sevens),
        Line("g", cards[side], int(_most(cards, side))),
        Line("h", richest_other, int(cards[side] > 0 and richest_other < 10)),
    ]


def takers(worths: Iterable[int]) -> frozenset[int]:
    """R2. K(T): the values v for which some of these sum to 15 - v.

    Bit n of `sums` means that n is a sum.
    """
    sums = 1
    for worth in worths:
        sums |= (sums << worth) & 0x7FFF
    return frozenset([value for value in range(1, 11) if sums >> (15 - value) & 1])


def groups(cards: Sequence[tuple[C, int]], total: int) -> Iterator[tuple[C, ...]]:
    """R7. Yield every set of these cards (or slots), given with their worths, with this sum."""
    for place, (card, worth) in enumerate(cards):
        if worth == total:
            yield (card,)
        elif worth < total:
            for rest in groups(cards[place + 1 :], total - worth):
                yield (card, *rest)


def _most(figures: list[int], side: int) -> bool:
    return all(figure < figures[side] for other, figure in enumerate(figures) if other != side)
