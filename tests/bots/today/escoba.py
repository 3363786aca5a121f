"""A decent player of Escoba: the gain of a play less the danger it leaves; the last hand of two is
searched to its end.

Counted in points of R12. Every card that was ever shown is known, and so is what a lay has denied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from engine.core.cards import SPANISH_40, rank, suit
from engine.core.moves import Face, Move, Seat
from engine.core.view import View
from engine.games.escoba.rules import Escoba, Play
from engine.games.escoba.sums import WORTH, count_lines, groups, takers

T = TypeVar("T")

ESKOBA, SEVEN_OF_GOLDS, SEVEN, GOLD, CARD = 1.0, 1.0, 0.35, 0.15, 0.04
OFTEN_ENOUGH = 200  # captures looked at where there are very many
BUDGET = 1500  # ends of the last hand looked at; beyond it the last hand is played like the others
CLOSE = 1e-9


def play(view: View, choose: Callable[[int], int]) -> Move:
    """Return the play with the most gain less danger; of equal ones any."""
    game, seat = view.game, view.seat
    assert isinstance(game, Escoba)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    options = [move for move in islice(view.options, 10 * OFTEN_ENOUGH) if isinstance(move, Play)]
    if len(options) == 1:
        return options[0]
    mind = _Mind(view, game, seat)
    scores = mind.searched(options) or [
        mind.gain(option) - mind.danger(option) for option in options
    ]
    best = [
        option for option, score in zip(options, scores, strict=True) if score > max(scores) - CLOSE
    ]
    return best[choose(len(best))]


class _Mind:
    """The knowledge and plans of a seat at its turn."""

    def __init__(self, view: View, game: Escoba, seat: Seat) -> None:
        self.game, self.seat, self.side = game, seat, game.side(seat)
        self.faces = {**game.faces, **view.faces}
        self.hand = [self.faces[slot] for slot in game.hands[seat]]
        known = set(self.faces.values())
        self.unseen = [card for card in SPANISH_40 if card not in known]
        self.next = game.seats_from((seat + 1) % game.players)[0]
        self.piles = [game.faces_of(pile) for pile in game.piles]
        self.last_hand = not game.stock
        self.chances = [self._chance(value) for value in range(11)]
        self.weights = self._weights()

    def _chance(self, value: int) -> float:
        """Return how likely the next seat holds a card of this value."""
        lacks = self.game.lacks[self.next]
        possible = [card for card in self.unseen if WORTH[card] not in lacks]
        if value in lacks or not possible:
            return 0.0
        share = sum(WORTH[card] == value for card in possible) / len(possible)
        return 1.0 - (1.0 - share) ** len(self.game.hands[self.next])

    def _weights(self) -> dict[Face, float]:
        """Return what each card is worth to my pile: more near a majority, nothing once it is
        decided."""
        cards = [len(pile) for pile in self.piles]
        golds = [sum(suit(card) == "o" for card in pile) for pile in self.piles]
        sevens = [sum(rank(card) == "7" for card in pile) for pile in self.piles]
        a_card = CARD * self._pull(cards, 40)
        a_gold = GOLD * self._pull(golds, 10) + _hope(golds, 10, points=2)
        a_seven = SEVEN * self._pull(sevens, 4) + _hope(sevens, 4, points=3)
        return {
            card: a_card
            + (a_gold if suit(card) == "o" else 0.0)
            + (a_seven if rank(card) == "7" else 0.0)
            + (SEVEN_OF_GOLDS if card == "7o" else 0.0)
            for card in SPANISH_40
        }

    def _pull(self, counts: Sequence[int], total: int) -> float:
        """Return how much one more of a kind matters: 0 when the majority is decided, up to 2 when
        it is near."""
        mine, best_other = (
            counts[self.side],
            max(count for side, count in enumerate(counts) if side != self.side),
        )
        left = total - sum(counts)
        if mine > best_other + left or best_other > mine + left:
            return 0.0
        missing = max(total // self.game.sides + 1 - max(mine, best_other), 1)
        return 1.0 + 1.0 / missing

    def gain(self, play: Play) -> float:
        """Return what a play brings at once."""
        if not play.takes:
            return 0.0
        cards = [self.faces[slot] for slot in (play.card, *play.takes)]
        swept = len(play.takes) == len(self.game.on_table)
        return (
            sum(self.weights[card] for card in cards)
            + (ESKOBA if swept else 0.0)
            + self._last_word(play, swept=swept)
        )

    def _last_word(self, play: Play, *, swept: bool) -> float:
        """Return what being the last to capture (or to sweep) is worth: in the last hand, the cards
        on the table."""
        if not self.last_hand or (
            self.game.options["leftovers"] == "sweep"
            and self.game.last_eskoba is not None
            and not swept
        ):
            return 0.0
        left = [self.faces[slot] for slot in self.game.on_table if slot not in play.takes]
        return 0.5 * (sum(self.weights[card] for card in left) + CARD * len(left))

    def danger(self, play: Play) -> float:
        """Return what a play leaves to the next seat: a sweep above all, then its best capture; a
        partner is no danger."""
        left = [self.faces[slot] for slot in self.game.on_table if slot not in play.takes]
        if not play.takes:
            left.append(self.faces[play.card])
        worths = [(card, WORTH[card]) for card in left]
        total = sum(worth for _, worth in worths)
        danger = 0.0
        for value in takers(worth for _, worth in worths):
            if chance := self.chances[value]:
                found = islice(groups(worths, 15 - value), OFTEN_ENOUGH)
                best = max(sum(self.weights[card] for card in group) for group in found)
                danger += chance * (0.5 * best + (ESKOBA if total == 15 - value else 0.0))
        # keep sevens and golds
        loss = 0.0 if play.takes else 0.1 * self.weights[self.faces[play.card]]
        return loss + (danger if self.game.side(self.next) != self.side else -0.5 * danger)

    def searched(self, options: Sequence[Play]) -> list[float] | None:
        """Return each play's outcome when the other's cards are known, or None if they are not or
        there is too much to see."""
        if self.game.players != 2 or not self.last_hand:
            return None
        hands = (self.hand, self.unseen) if self.seat == 0 else (self.unseen, self.hand)
        end = _End(
            (tuple(hands[0]), tuple(hands[1])),
            tuple(self.faces[slot] for slot in self.game.on_table),
            (self.piles[0], self.piles[1]),
            (self.game.eskobas[0], self.game.eskobas[1]),
            self.game.last_capture,
            self.game.last_eskoba,
        )
        search = _Search(self.game)
        try:
            return [
                search.value(
                    end.after(
                        self.seat,
                        self.faces[play.card],
                        tuple(self.faces[slot] for slot in play.takes),
                    ),
                    self.seat,
                )
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
    """Minimax over the last hand; values are points of seat 0 over seat 1, turned for the seat that
    asks."""

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
            points[0 if piles[0] else 1] += 100
        return float(points[0] - points[1]) + CARD * (len(piles[0]) - len(piles[1]))


def _hope(counts: Sequence[int], total: int, *, points: int) -> float:
    """Return what the points for all of a kind add to one card, while one side may still have them
    all."""
    most = max(counts)
    return points * (most / total) ** 3 if most == sum(counts) else 0.0


def _with(pair: tuple[T, T], place: int, item: T) -> tuple[T, T]:
    return (item, pair[1]) if place == 0 else (pair[0], item)
