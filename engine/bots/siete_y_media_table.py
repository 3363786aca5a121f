"""The solved play of siete y media between a punto and a bank, by deals to come and lead.

tests/bots/solve_siete_y_media.py computes the table: both sides' strategies, and the chance of the
punto to win the match. The deck is endless, and the stake has three levels. Totals are half points,
a lead is that of the punto in chips.
"""

from __future__ import annotations

import zlib
from functools import cache, lru_cache
from importlib.resources import files
from math import sqrt
from typing import NamedTuple

from engine.games.siete_y_media.rules import SIETE_Y_MEDIA, WORTH

WORTHS = tuple(sorted(set(WORTH.values())))
"""The different values of cards, in half points."""
SHARE = {worth: list(WORTH.values()).count(worth) / len(WORTH) for worth in WORTHS}
"""The part of a fresh pack that has each value."""
MOST = 10
"""The highest stake of the solved game."""
LEVELS = range(3)
"""The levels of a stake: the least, a middling one and the most."""
WHOLE = 60
"""A share that is always."""
FINE = 60000
"""The chance to win for certain, as it is written."""
LONG = 12
"""The most deals that are looked ahead."""
FIRST_CARD, FRESH, KEPT = 0, 1, 2
"""The hidden card: the only one; one that came after another was shown; one that stayed hidden as a
card came face up."""
Line = tuple[int, int]
"""The sum of the open cards, and the kind of the hidden one."""
LINES: tuple[Line, ...] = (
    (0, FIRST_CARD),
    *((shown, kind) for shown in range(1, SIETE_Y_MEDIA - 1) for kind in (FRESH, KEPT)),
)
"""The cards of a punto, as a bank sees them."""
PAIRS = [(first, last) for first in LEVELS for last in LEVELS if first <= last]
"""The level of the first bet, and that of the stake at the end."""
RISKS_BELOW, SHOWS_TO = 13, 8
"""Nobody asks with more than six, but in the last deal, or shows a card above four."""


def grid(deals: int) -> list[int]:
    """Return the leads that are solved with `deals` to come, all even."""
    if deals == 1:
        return list(range(-40, 5, 2))
    return [*range(-100, -64, 4), *range(-64, 65, 2), *range(68, 101, 4)]


def kept(deals: int) -> list[int]:
    """Return the leads whose strategies are kept."""
    if deals == 0:
        return [0]
    return [
        lead
        for lead in grid(deals)
        if abs(lead) <= (20 if deals <= 3 else 24) or (abs(lead) <= 48 and lead % 8 == 0)
    ]


STATES = [(deals, lead) for deals in range(1, LONG + 1) for lead in grid(deals)]
"""All positions whose chance is known, in the order of the table."""
KEPT_DEALS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
"""The numbers of deals to come whose strategies are kept."""
CHIPS = 0
"""Instead of the deals to come: only the chips of this deal count, and the bank stays where it is.
Its strategies are kept too."""
PLAYED = [(deals, lead) for deals in (CHIPS, *KEPT_DEALS) for lead in kept(deals)]


def middle(deals: int, lead: float) -> int:
    """Return the middling stake of a deal.

    In the last deals it is what the punto lacks to win with the least stakes from then on.
    """
    return min(MOST - 1, max(2, int(deals - lead / 2))) if 0 < deals <= 4 else 4


def may(deals: int, first: int, shown: int, hidden: int) -> tuple[list[int], bool, bool]:
    """Return the levels at which a punto may stand, and whether he may ask up, and down."""
    asks = shown + hidden < RISKS_BELOW or deals == 1
    return [level for level in LEVELS if level >= first], asks, asks and hidden <= SHOWS_TO


def hidden_cards(line: Line) -> list[int]:
    """Return the worths that the hidden card may have."""
    return [worth for worth in WORTHS if line[0] + worth < SIETE_Y_MEDIA]


class Field(NamedTuple):
    """A choice in the table: the side, and its knowledge."""

    side: str
    """"bet", "punto" or "bank"."""
    pair: tuple[int, int]
    line: Line
    card: int
    """The punto's hidden card, or the total of the bank."""


def fields() -> list[tuple[Field, int]]:
    """Return every choice with the number of its options, as they are written."""
    found = [(Field("bet", (0, 0), LINES[0], worth), len(LEVELS)) for worth in WORTHS]
    for first in LEVELS:
        for line in LINES:
            found += [
                (Field("punto", (first, first), line, hidden), len(LEVELS) - first + 2)
                for hidden in hidden_cards(line)
            ]
    for pair in PAIRS:
        for line in LINES:
            found += [(Field("bank", pair, line, total), 2) for total in range(1, SIETE_Y_MEDIA)]
    return found


@cache
def places() -> dict[Field, tuple[int, int]]:
    """Return where the shares of a choice begin, and its number of options."""
    found, at = {}, 0
    for field, count in fields():
        found[field] = at, count
        at += count - 1
    return found


def width() -> int:
    """Return how many shares are written for a position."""
    return sum(count - 1 for _, count in fields())


@cache
def unpacked() -> bytes:
    """Return the table. It is loaded when it is first used."""
    return zlib.decompress((files(__package__) / "siete_y_media.table").read_bytes())


@cache
def values() -> dict[int, list[float]]:
    """Return the chances of the punto by deals to come, in the order of their leads."""
    table = unpacked()
    found: dict[int, list[float]] = {}
    numbers = [table[at] * 256 + table[at + len(STATES)] for at in range(len(STATES))]
    for (deals, _), number in zip(STATES, numbers, strict=True):
        found.setdefault(deals, []).append(number / FINE)
    return found


@lru_cache(maxsize=1 << 16)
def punto_wins(lead: float, deals: int) -> float:
    """Return the chance to win of the seat that will be punto; a draw counts half.

    With more deals than `LONG` to come a lead is worth less, by the square root of their number.
    """
    if deals > LONG:
        lead, deals = lead * sqrt(LONG / deals), LONG
    return between(values(), lead, deals)


def between(known: dict[int, list[float]], lead: float, deals: int) -> float:
    """Return the chance at any lead, in proportion between those that are known."""
    if deals <= 0:
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    leads, chances = grid(deals), known[deals]
    if lead < leads[0] or lead > leads[-1]:
        return 1.0 if lead > 0 else 0.0
    at = next(at for at, upper in enumerate(leads) if upper >= lead)
    if leads[at] == lead:
        return chances[at]
    part = (lead - leads[at - 1]) / (leads[at] - leads[at - 1])
    return chances[at - 1] + part * (chances[at] - chances[at - 1])


class Solution:
    """Both strategies of one position."""

    def __init__(self, table: bytes, at: int, count: int) -> None:
        """Read the strategies of position `at` of `count`."""
        self._table, self._at, self._count = table, at, count

    def shares(self, side: str, pair: tuple[int, int], line: Line, card: int) -> tuple[float, ...]:
        """Return how often a side does each of its options.

        A punto stands at each level from his first on, asks up or asks down; a bank stands or asks.
        """
        begin, options = places()[Field(side, pair, line, card)]
        known = [
            self._table[(begin + more) * self._count + self._at] for more in range(options - 1)
        ]
        return tuple([part / WHOLE for part in (*known, WHOLE - sum(known))])


@lru_cache(maxsize=64)
def solution(deals: int, lead: float) -> Solution:
    """Return the strategies of the position that is nearest, or those for `CHIPS`."""
    nearest = min((CHIPS, *KEPT_DEALS), key=lambda other: (abs(other - deals), other))
    lead = min(kept(nearest), key=lambda other: (abs(other - lead), abs(other)))
    return Solution(unpacked()[2 * len(STATES) :], PLAYED.index((nearest, lead)), len(PLAYED))
