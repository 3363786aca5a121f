"""The end of a deal of Escoba between two seats, every card known: searched to its last play.

Once the stock is spent, the cards that a seat has not seen are those of the other's hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.bots.escoba_mind import CARD, Mind
from engine.core.moves import Face, Seat
from engine.games.escoba.rules import Escoba, Play
from engine.games.escoba.sums import WORTH, count_lines, groups, takers

T = TypeVar("T")

BUDGET = 1500
"""Ends of a deal looked at; beyond it the last hand is played like the others."""
LOST = 100
"""The cost of a deal without a card, in points: it loses the match."""


def searched(mind: Mind, options: Sequence[Play]) -> list[float] | None:
    """Return each play's outcome in points; None if cards are hidden or too many follow."""
    game, seat = mind.game, mind.seat
    if game.players != 2 or game.stock:
        return None
    hands = (mind.hand, mind.unseen) if seat == 0 else (mind.unseen, mind.hand)
    end = _End(
        (tuple(hands[0]), tuple(hands[1])),
        tuple(game.table()),
        (mind.piles[0], mind.piles[1]),
        (game.eskobas[0], game.eskobas[1]),
        game.last_capture,
        game.last_eskoba,
    )
    search = _Search(game)
    try:
        return [
            search.value(end.after(seat, mind.faces[play.card], mind.taken(play)), seat)
            for play in options
        ]
    except _TooMuch:
        return None


class _TooMuch(Exception):
    """The search has used up its budget."""


@dataclass(frozen=True)
class _End:
    """The last hand of two seats, all cards known. Pairs are per seat, which is also the side."""

    hands: tuple[tuple[Face, ...], tuple[Face, ...]]
    table: tuple[Face, ...]
    piles: tuple[tuple[Face, ...], tuple[Face, ...]]
    eskobas: tuple[int, int]
    last_capture: int | None
    last_eskoba: int | None

    def after(self, seat: Seat, card: Face, taken: tuple[Face, ...]) -> _End:
        """Return what holds after a play."""
        hands = _with(self.hands, seat, tuple(held for held in self.hands[seat] if held != card))
        if not taken:
            return replace(self, hands=hands, table=(*self.table, card))
        table = tuple(left for left in self.table if left not in taken)
        piles = _with(self.piles, seat, (*self.piles[seat], card, *taken))
        eskobas = self.eskobas if table else _with(self.eskobas, seat, self.eskobas[seat] + 1)
        return _End(hands, table, piles, eskobas, seat, self.last_eskoba if table else seat)


class _Search:
    """A minimax search over the last hand.

    Values are points of seat 0 over seat 1, turned for the seat that asks.
    """

    def __init__(self, game: Escoba) -> None:
        self.capture, self.leftovers = game.options["capture"], game.options["leftovers"]
        self.all_replaces = game.options["all_replaces"]
        self.looked_at = 0

    def value(self, end: _End, seat: Seat) -> float:
        """Return the outcome for a seat that has just played."""
        score = self._best(end, 1 - seat, -1000.0, 1000.0)
        return score if seat == 0 else -score

    def _best(self, end: _End, seat: Seat, low: float, high: float) -> float:
        if not end.hands[seat]:
            return self._points(end)
        for following in self._plays(end, seat):
            score = self._best(following, 1 - seat, low, high)
            low, high = (max(low, score), high) if seat == 0 else (low, min(high, score))
            if low >= high:
                break
        return low if seat == 0 else high

    def _plays(self, end: _End, seat: Seat) -> Iterator[_End]:
        table = [(card, WORTH[card]) for card in end.table]
        can_take = takers(worth for _, worth in table)
        must = self.capture == "hand" and any(WORTH[card] in can_take for card in end.hands[seat])
        for card in end.hands[seat]:
            takes = WORTH[card] in can_take
            if takes:
                yield from (
                    end.after(seat, card, group) for group in groups(table, 15 - WORTH[card])
                )
            if not must and not (takes and self.capture == "card"):
                yield end.after(seat, card, ())

    def _points(self, end: _End) -> float:
        self.looked_at += 1
        if self.looked_at > BUDGET:
            raise _TooMuch
        heir = (
            end.last_capture
            if self.leftovers == "capture" or end.last_eskoba is None
            else end.last_eskoba
        )
        piles = (
            end.piles if heir is None else _with(end.piles, heir, (*end.piles[heir], *end.table))
        )
        points = [
            sum(
                line.points
                for line in count_lines(side, piles, end.eskobas, all_replaces=self.all_replaces)
            )
            for side in (0, 1)
        ]
        if not piles[0] or not piles[1]:  # R13: the match is lost
            points[0 if piles[0] else 1] += LOST
        return float(points[0] - points[1]) + CARD * (len(piles[0]) - len(piles[1]))


def _with(pair: tuple[T, T], place: int, item: T) -> tuple[T, T]:
    return (item, pair[1]) if place == 0 else (pair[0], item)
