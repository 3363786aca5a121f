"""The classes of positions by which Truco for two is solved, and the table of their strategies.

A position is what a side knows of the tricks: its cards, those on the table, and the order of play.
Cards are strengths, side 0 is the mano. Positions that hardly differ are one class, so that all fit
into a small table: tests/bots/solve_truco.py computes it.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

Held = tuple[int, ...]
"""The strengths of a hand, the strongest first."""

GROUP = (0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8)
"""By strength: cards of a group are alike as long as they are in the hand."""
COARSE = (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2)
"""By strength, for cards of the other side."""
SIZES = (165, 165, 3960, 405, 405, 405, 297, 243, 378, 378, 54, 378)
"""The classes of each kind of place: before the first card (mano, other), after it (other, mano),
after the first trick (leader, other), after the third card (other, leader), and so on."""
PLACES = tuple(accumulate(SIZES, initial=0))
CLASSES = PLACES[-1]
BETS = 9
"""Stake and right as a side sees them: 0 to 5 on its turn, 6 to 8 a truco, retruco or vale cuatro
that waits."""
LEAST = (1, 2, 4)
"""The most points that a side needs in all classes of needs but the last."""
CODES = 16 * BETS
TURN = ((0, 0), (0, 0), (1, 2), (3, 4), (5, 5))
"""By stake, and whether the right is not the side's own."""
WAITS = 5
"""The number added to the stake where a call waits."""


def _pair(held: Held) -> int:
    one, other = GROUP[held[0]], GROUP[held[1]]
    return one * (one + 1) // 2 + other


def _hand(held: Held) -> int:
    one, two, three = GROUP[held[0]], GROUP[held[1]], GROUP[held[2]]
    return one * (one + 1) * (one + 2) // 6 + two * (two + 1) // 2 + three


def place(side: int, laid: Held, held: Held) -> int:
    """Return the class of a position: the cards laid in their order, and the cards in hand."""
    count = len(laid)
    if count == 0:
        return PLACES[side] + _hand(held)
    if count == 1:
        led = laid[0]
        if side == 0:
            return PLACES[3] + _pair(held) * 9 + GROUP[led]
        can = (held[-1] < led) + 2 * (led in held) + 4 * (held[0] > led)
        if can == 5 and held[1] > led:
            can = 0
        return PLACES[2] + (_hand(held) * 3 + COARSE[led]) * 8 + can
    mine, theirs = laid[side], laid[1 - side]
    first = COARSE[theirs]
    leader = 0 if laid[0] >= laid[1] else 1
    kind = 0 if mine == theirs else 1 + side
    if count == 2:
        return PLACES[4 + (side != leader)] + (_pair(held) * 3 + first) * 3 + kind
    if count == 3:
        led = laid[2]
        if side == leader:
            return PLACES[7] + ((GROUP[held[0]] * 3 + COARSE[led]) * 3 + kind) * 3 + first
        return PLACES[6] + ((_reply(held, led, kind) * 3 + COARSE[led]) * 3 + kind) * 3 + first
    second = laid[3] if side == leader else laid[2]
    last = leader if laid[2] > laid[3] else 0 if laid[2] == laid[3] else 1 - leader
    kind = 0 if laid[2] == laid[3] else 1 + side
    told = first * 3 + COARSE[second]
    if count == 4:
        return PLACES[8 + (side != last)] + ((held[0] - 1) * 9 + told) * 3 + kind
    led = laid[4]
    if side == last:
        return PLACES[11] + ((led - 1) * 9 + told) * 3 + kind
    wins = held[0] > led or (held[0] == led and side == 0)
    return PLACES[10] + (wins * 9 + GROUP[led]) * 3 + kind


def _reply(held: Held, led: int, kind: int) -> int:
    """Return what the second card of the second trick can do: nothing, win, or go on to a last."""
    high, low = held
    if kind == 0:
        return 1 if high > led else 2 + GROUP[low if high == led else high] if led in held else 0
    if high <= led:
        return 0
    return 2 + GROUP[high if low > led else low]


def cards(laid: Held, held: Held) -> Held:
    """Return the cards worth playing, in the order of the table."""
    count = len(laid)
    if count == 1:
        led = laid[0]
        won = [card for card in held if card > led]
        lost = held[-1:] if held[-1] < led else ()
        return (*lost, *((led,) if led in held else ()), *won[-1:])
    if count == 3:
        led = laid[2]
        won = [card for card in held if card > led]
        return (won[-1],) if won else (led,) if led in held and laid[0] == laid[1] else held[-1:]
    return held


def follows(laid: Held, *, first_decides: bool = False) -> tuple[int, int | None]:
    """Return the side to play, and the side that has won the deal by its tricks if one has."""
    count = len(laid)
    if count < 2:
        return count, None
    leader = 0 if laid[0] >= laid[1] else 1
    if count < 4:
        return leader if count == 2 else 1 - leader, None
    tied = laid[0] == laid[1]
    if laid[2] == laid[3]:
        if not tied:
            return 0, leader
        last = 0
    else:
        last = leader if laid[2] > laid[3] else 1 - leader
        if tied or last == leader:
            return 0, last
    if count < 6:
        return last if count == 4 else 1 - last, None
    if laid[4] == laid[5]:
        return 0, leader if first_decides and not tied else 0
    return 0, last if laid[4] > laid[5] else 1 - last


def situation(mine: int, theirs: int) -> int:
    """Return the class of a score, by the points that a side and the other need."""
    return 4 * bisect_left(LEAST, mine) + bisect_left(LEAST, theirs)


def read(table: bytes, key: int, count: int) -> tuple[float, ...]:
    """Return how often a side does each of `count` acts.

    The table has the first three; the last one is the rest.
    """
    at = key % CODES * CLASSES + key // CODES
    pair = table[at]
    known = (pair & 15, pair >> 4, table[at + CODES * CLASSES])[: count - 1]
    return tuple([part / 15 for part in (*known, 15 - sum(known))])


@cache
def unpacked() -> bytes:
    """Return the table. It is loaded when it is first used."""
    return zlib.decompress((files(__package__) / "truco.table").read_bytes())


@lru_cache(maxsize=1 << 16)
def mix(key: int, count: int) -> tuple[float, ...]:
    """Return how often a side does each of `count` acts by the table."""
    return read(unpacked(), key, count) if count > 1 else (1.0,)


Hands = tuple[Held, Held]
Act = tuple[Any, ...]
"""A function that returns a worth, and its arguments."""


class Rest:
    """The rest of a deal, all cards known, and its worth as both sides go on by the table."""

    def __init__(
        self,
        worths: tuple[Sequence[float], Sequence[float]],
        codes: tuple[int, int],
        *,
        first_decides: bool = False,
    ) -> None:
        """`worths` by the side that wins the deal and its points; `codes` by the score."""
        self.worths, self.first_decides = worths, first_decides
        self.codes = codes
        self.places = (place, place)

    def at(self, laid: Held, hands: Hands, stake: int, right: int | None) -> float:
        """Return the worth when the next card is to be played."""
        side, winner = follows(laid, first_decides=self.first_decides)
        if winner is not None:
            return self.worths[winner][stake]
        return self.turn(laid, hands, side, self.seen(laid, hands), stake, right)

    def seen(self, laid: Held, hands: Hands) -> tuple[int, int]:
        """Return the classes of this position for both sides."""
        return self.places[0](0, laid, hands[0]), self.places[1](1, laid, hands[1])

    def turn(
        self,
        laid: Held,
        hands: Hands,
        side: int,
        seen: tuple[int, int],
        stake: int,
        right: int | None,
    ) -> float:
        """Return the worth when a side may sing, or plays."""
        acts: list[Act] = [
            (self.play, laid, hands, side, card, stake, right) for card in cards(laid, hands[side])
        ]
        if stake < 4 and right != 1 - side:
            acts.insert(0, (self.answer, laid, hands, side, 1 - side, seen, stake))
        elif len(acts) == 1:
            return self.play(laid, hands, side, acts[0][4], stake, right)
        return self.meet(
            side, seen[side] * CODES + self.codes[side] + TURN[stake][right != side], acts
        )

    def play(
        self, laid: Held, hands: Hands, side: int, card: int, stake: int, right: int | None
    ) -> float:
        """Return the worth when a card is played."""
        held = hands[side]
        at = held.index(card)
        held = held[:at] + held[at + 1 :]
        return self.at((*laid, card), (hands[0], held) if side else (held, hands[1]), stake, right)

    def answer(
        self, laid: Held, hands: Hands, turn: int, side: int, seen: tuple[int, int], stake: int
    ) -> float:
        """Return the worth when a side answers a call, in the turn of one of them."""
        acts: list[Act] = [
            (self.worths[1 - side].__getitem__, stake),
            (self.turn, laid, hands, turn, seen, stake + 1, side),
        ]
        if stake < 3:
            acts.append((self.answer, laid, hands, turn, 1 - side, seen, stake + 1))
        return self.meet(side, seen[side] * CODES + self.codes[side] + WAITS + stake, acts)

    def meet(self, side: int, key: int, acts: Sequence[Act]) -> float:  # noqa: ARG002 - the solver learns for a side
        """Return the worth of a choice."""
        worth = 0.0
        for often, act in zip(mix(key, len(acts)), acts, strict=True):
            if often:
                worth += often * act[0](*act[1:])
        return worth
