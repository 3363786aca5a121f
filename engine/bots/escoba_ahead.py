"""Plays of Escoba tried out: the hand, or the deal, is played to its end.

Hidden cards are laid as they may lie.

Each seat then plays by eye: the price of its captures, less the danger it leaves. Every play is
tried with the same hidden cards.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots.escoba_mind import Mind
from engine.bots.escoba_table import NUMBER, PRICE, VALUE, bits_of, danger, prospect, table
from engine.bots.small_change import Dice
from engine.core.moves import Choose, Face, Seat
from engine.games.escoba.rules import Play
from engine.games.escoba.sums import WORTH

PLIES = 16000
"""Plays made in all when plays are tried out, so that every decision takes about as long."""
LEAST, MOST = 12, 800
"""Ways to lay the hidden cards that are tried."""
TRIES = 5
"""How often hidden cards are laid at random before they are laid against the values that seats have
denied."""
LAST_SWEEP = 0.25
"""The value of the last eskoba, which brings the cards left over, with each further hand less."""


def tried_out(mind: Mind, options: Sequence[Play], choose: Choose) -> list[float]:
    """Return the points of the deal over the others' that each play brings on average."""
    dice = Dice(choose)
    game = mind.game
    plies = len(options) * sum(len(hand) for hand in game.hands)
    samples = max(LEAST, min(MOST, PLIES // plies))
    values = [0.0] * len(options)
    pack: list[Face] = []
    for _ in range(samples):
        hands = _dealt(mind, dice, pack)
        for place, option in enumerate(options):
            trial = _Trial(mind, hands)
            trial.make(NUMBER[mind.faces[option.card]], bits_of(mind.taken(option)))
            values[place] += trial.played_out(mind.side)
    return [value / samples for value in values]


def _dealt(mind: Mind, dice: Dice, pack: list[Face]) -> list[list[int]]:
    """Lay the hidden cards as they may lie.

    The cards come from a pack that is shuffled again once it is spent, so that each card lies in
    each hand about as often as the others. If possible, a seat gets no card that it has denied to
    hold; cards that some of several seats have denied would be left over, so each laying has a pack
    then.
    """
    game = mind.game
    if game.players > 2 and any(game.lacks):
        pack.clear()
    needed = sum(len(hand) for hand in game.hands) - len(mind.hand)
    for _ in range(TRIES):
        if len(pack) < needed:
            pack[:] = dice.shuffled(mind.unseen)
        hands: list[list[int]] = []
        for seat, hand in enumerate(game.hands):
            if seat == mind.seat:
                hands.append([NUMBER[card] for card in mind.hand])
                continue
            lacks = game.lacks[seat]
            fitting = [card for card in pack if WORTH[card] not in lacks][: len(hand)]
            pack[:] = [card for card in pack if card not in fitting]
            hands.append([NUMBER[card] for card in fitting])
        if all(len(mine) == len(hand) for mine, hand in zip(hands, game.hands, strict=True)):
            return hands
        pack.clear()
    order = dice.shuffled(mind.unseen)
    return [
        [NUMBER[card] for card in mind.hand]
        if seat == mind.seat
        else [NUMBER[order.pop()] for _ in hand]
        for seat, hand in enumerate(game.hands)
    ]


class _Trial:
    """A deal as it may be, played on from here."""

    def __init__(self, mind: Mind, hands: Sequence[Sequence[int]]) -> None:
        game = mind.game
        self.seat: Seat = mind.seat
        self.sides = game.sides
        self.next = [game.seats_from(seat + 1)[0] for seat in range(game.players)]
        self.hands = [list(hand) for hand in hands]
        self.table = bits_of(game.table())
        self.piles = [bits_of(pile) for pile in mind.piles]
        self.eskobas = list(game.eskobas)
        self.last_capture, self.last_eskoba = game.last_capture, game.last_eskoba
        self.capture, self.by_sweep = game.options["capture"], game.options["leftovers"] == "sweep"
        self.all_replaces: bool = game.options["all_replaces"]
        self.to_come = game.hands_to_come()

    def make(self, card: int, takes: int) -> None:
        """Play a card for the seat whose turn it is."""
        self.hands[self.seat].remove(card)
        side = self.seat % self.sides
        if takes:
            self.table &= ~takes
            self.piles[side] |= takes | 1 << card
            self.last_capture = side
            if not self.table:
                self.eskobas[side] += 1
                self.last_eskoba = side
        else:
            self.table |= 1 << card
        self.seat = self.next[self.seat]

    def played_out(self, side: int) -> float:
        """Play the hand out and return what a side can expect then."""
        while self.hands[self.seat]:
            self.make(*self._by_eye(self.hands[self.seat]))
        heir = (
            self.last_eskoba
            if self.by_sweep and self.last_eskoba is not None
            else self.last_capture
        )
        if not self.to_come:
            if heir is not None:
                self.piles[heir] |= self.table
            return prospect(
                self.piles, self.eskobas, side, over=True, all_replaces=self.all_replaces
            )
        left = danger(self.table)
        value = prospect(self.piles, self.eskobas, side, over=False, all_replaces=self.all_replaces)
        value += left if self.seat % self.sides == side else -left / (self.sides - 1)
        if heir is not None:
            value += LAST_SWEEP / self.to_come * (1.0 if heir == side else -1.0 / (self.sides - 1))
        return value

    def _by_eye(self, hand: Sequence[int]) -> tuple[int, int]:
        """Return the play, a card and the cards it takes, with the most gain less danger."""
        cards = self.table
        here = table(cards)
        best, found = -1e9, (hand[0], 0)
        any_takes = False
        for card in hand:
            captures = here.captures.get(VALUE[card])
            if captures:
                any_takes = True
                for group in captures:
                    value = here.prices[group] + 0.6 * PRICE[card] - danger(cards & ~group)
                    if value > best:
                        best, found = value, (card, group)
        if any_takes and self.capture == "hand":
            return found
        for card in hand:
            if self.capture == "free" or VALUE[card] not in here.captures:
                value = -danger(cards | 1 << card) - 0.1 * PRICE[card]
                if value > best:
                    best, found = value, (card, 0)
        return found
