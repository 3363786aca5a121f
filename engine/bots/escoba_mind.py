"""The knowledge of a seat of Escoba at its turn, and its judgement of plays by eye.

The judgement is the gain of a play, and the danger that it leaves.

Counted in points of R12.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from engine.core.cards import SPANISH_40, rank, suit
from engine.core.moves import Face
from engine.core.view import View
from engine.games.escoba.rules import Escoba, Play
from engine.games.escoba.sums import WORTH, groups, takers

ESKOBA, SEVEN_OF_GOLDS, SEVEN, GOLD, CARD = 1.0, 1.0, 0.35, 0.15, 0.04
SECURED = 0.6
"""The share of its value that a card of the hand gains by capturing: kept, it may capture later."""
EXPOSED = 0.5
"""The share of its worth that the best capture costs which is left to the next seat."""
OFTEN_ENOUGH = 200
"""Captures looked at where there are very many."""


class Mind:
    """The knowledge and judgement of a seat.

    A forgetful one knows only the cards in its hand and on the table.
    """

    def __init__(self, view: View, *, forgetful: bool = False) -> None:
        """Look at the table."""
        game, seat = view.game, view.seat
        assert isinstance(game, Escoba)
        assert seat is not None
        self.game, self.seat, self.side = game, seat, game.side(seat)
        self.faces = {**game.faces, **view.faces}
        self.hand = [self.faces[slot] for slot in game.hands[seat]]
        known = {*self.hand, *game.table()} if forgetful else set(self.faces.values())
        self.unseen = [card for card in SPANISH_40 if card not in known]
        self.next = game.seats_from(seat + 1)[0]
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
        """Return the worth of each card to my pile.

        It is more near a majority, and nothing once the majority is decided.
        """
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
        """Return the worth of one more of a kind: 0 if the majority is decided, 2 if it is near."""
        mine, best_other = (
            counts[self.side],
            max(count for side, count in enumerate(counts) if side != self.side),
        )
        left = total - sum(counts)
        if mine > best_other + left or best_other > mine + left:
            return 0.0
        missing = max(total // self.game.sides + 1 - max(mine, best_other), 1)
        return 1.0 + 1.0 / missing

    def taken(self, play: Play) -> tuple[Face, ...]:
        """Return the cards that a play takes from the table."""
        return tuple(self.faces[slot] for slot in play.takes)

    def sweeps(self, play: Play) -> bool:
        """Whether a play leaves no card on the table."""
        return bool(play.takes) and len(play.takes) == len(self.game.on_table)

    def gain(self, play: Play) -> float:
        """Return what a play brings at once."""
        if not play.takes:
            return 0.0
        taken = (
            sum(self.weights[card] for card in self.taken(play))
            + SECURED * self.weights[self.faces[play.card]]
        )
        return taken + (ESKOBA if self.sweeps(play) else 0.0) + self._last_word(play)

    def _last_word(self, play: Play) -> float:
        """Return the worth of being the last to capture (or to sweep).

        In the last hand, it is the worth of the cards on the table.
        """
        by_sweep = self.game.options["leftovers"] == "sweep" and self.game.last_eskoba is not None
        if not self.last_hand or (by_sweep and not self.sweeps(play)):
            return 0.0
        left = [self.faces[slot] for slot in self.game.on_table if slot not in play.takes]
        return 0.5 * (sum(self.weights[card] for card in left) + CARD * len(left))

    def danger(self, play: Play) -> float:
        """Return the worth of the table that a play leaves to the next seat.

        It is a sweep above all, then the best capture. A partner is no danger.
        """
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
                danger += chance * (EXPOSED * best + (ESKOBA if total == 15 - value else 0.0))
        return self.loss(play) + (
            danger if self.game.side(self.next) != self.side else -0.5 * danger
        )

    def loss(self, play: Play) -> float:
        """Return what a seat gives up by laying a card: sevens and golds are kept."""
        return 0.0 if play.takes else 0.1 * self.weights[self.faces[play.card]]


def _hope(counts: Sequence[int], total: int, *, points: int) -> float:
    """Return the value that the points for all of a kind add to one card.

    The value is 0 once no side can have all of the kind.
    """
    most = max(counts)
    return points * (most / total) ** 3 if most == sum(counts) else 0.0
