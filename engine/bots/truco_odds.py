"""The chances in a deal of Truco as one seat sees it, and the value of points.

Hidden hands are sampled and tricks are played out.

In a sample all cards are known and both teams play their best; a chance is the share of samples
that come out well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

from engine.bots.small_change import Dice
from engine.core.cards import SPANISH_40
from engine.core.moves import Choose, Face, Seat, Slot
from engine.games.truco.rules import Truco
from engine.games.truco.worth import (
    STRENGTH,
    deal_winner,
    envido_points,
    flor_points,
    is_flor,
)

Likely: TypeAlias = Callable[[Sequence[Sequence[Face]]], float]
"""How likely the seats, dealt these hands, have said what they said, in comparison."""

CANDIDATES = 160
"""Deals that are drawn, and weighed by the words said."""
SAMPLES = 60
"""Deals that are kept of these."""
FEWEST_SAMPLES = 8
BUDGET = 4000
"""Plays looked at for one decision; beyond it no more samples are tried than the fewest."""

STEPS = ((1, 0.40), (2, 0.35), (3, 0.15), (4, 0.10))
"""How many points a deal brings, roughly, and how often."""

TRIES = 20


@lru_cache(maxsize=4096)
def standing(mine: int, theirs: int) -> float:
    """Return the chance to win the match if we still need `mine` points and they `theirs`."""
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    return sum(
        0.5 * often * (standing(mine - step, theirs) + standing(mine, theirs - step))
        for step, often in STEPS
    )


class Odds:
    """The estimates of a seat at its decision."""

    def __init__(
        self,
        game: Truco,
        seat: Seat,
        faces: dict[Slot, Face],
        choose: Choose,
        likely: Likely,
    ) -> None:
        """Sample the hidden hands; `faces` are known to the seat, `likely` weighs a deal."""
        self.game, self.seat, self.side = game, seat, game.side(seat)
        self.played: list[list[Face]] = [game.played_by(other) for other in range(game.players)]
        self.own = [faces[slot] for slot in game.hands[seat]]
        known = set(faces.values())
        self.unseen = [card for card in SPANISH_40 if card not in known]
        self.dice = Dice.at(choose(1 << 30) + 1)
        stated: dict[Seat, int | None] = dict.fromkeys(game.flor_seats())
        stated |= {by: number for by, number in game.said if number is not None}
        self._fitting = {
            by: self._hands_with(by, number) for by, number in stated.items() if by != seat
        }
        drawn = [self._sample() for _ in range(CANDIDATES)]
        self.samples = self._kept(
            drawn, [likely([*map(list.__add__, self.played, hands)]) for hands in drawn]
        )
        self.tricks = _Tricks(game)

    def _hands_with(self, seat: Seat, number: int | None) -> list[tuple[Face, ...]]:
        """Return what a seat that has stated a number, or sung a flor, can still hold."""
        hidden = len(self.game.hands[seat])
        hands = [(more, (*self.played[seat], *more)) for more in combinations(self.unseen, hidden)]
        if self.game.flors:
            return [
                more
                for more, cards in hands
                if is_flor(cards) and number in (None, flor_points(cards))
            ]
        return [more for more, cards in hands if envido_points(cards) == number]

    def _sample(self) -> list[list[Face]]:
        """Return a hand for every seat that agrees with the known cards."""
        rest = list(self.unseen)
        hands: list[list[Face]] = [[] for _ in range(self.game.players)]
        hands[self.seat] = self.own
        for seat, fitting in self._fitting.items():
            for _ in range(TRIES if fitting else 0):
                more = fitting[self.dice.below(len(fitting))]
                if all(card in rest for card in more):
                    hands[seat] = list(more)
                    rest = [card for card in rest if card not in more]
                    break
        for seat in range(self.game.players):
            count = len(self.game.hands[seat])
            if seat == self.seat or len(hands[seat]) == count:
                continue
            hands[seat] = self.dice.take(rest, count)
        return hands

    def _kept(self, drawn: list[list[list[Face]]], weights: list[float]) -> list[list[list[Face]]]:
        """Return deals as often as their weights say, in an order by chance."""
        step = sum(weights) / SAMPLES
        kept: list[list[list[Face]]] = []
        reached, upto = 0.5 * step, 0.0
        for hands, weight in zip(drawn, weights, strict=True):
            upto += weight
            while reached < upto and len(kept) < SAMPLES:
                kept.append(hands)
                reached += step
        return self.dice.take(kept, len(kept))

    def cards(self) -> dict[Face, float]:
        """Return how likely our team wins the deal with each card of our hand worth playing now."""
        cards = self.tricks.worth_playing(self.own, self.side)
        return dict(zip(cards, self._shares([(self.seat, card) for card in cards]), strict=True))

    def _shares(self, plays: Sequence[tuple[Seat, Face] | None]) -> list[float]:
        """Return the share of the samples that our side wins with each of these plays.

        It tries as many samples as the budget allows.
        """
        self.tricks.looked_at = tried = 0
        won = [0] * len(plays)
        for hands in self.samples:
            for number, first in enumerate(plays):
                won[number] += self.tricks.winner(hands, first) == self.side
            tried += 1
            if tried >= FEWEST_SAMPLES and self.tricks.looked_at > BUDGET:
                break
        return [wins / tried for wins in won]

    def is_lost(self) -> bool:
        """Return whether any card that we can play loses the deal for all to see."""
        trick = self.tricks
        return all(trick.certain((self.seat, card)) == 1 - self.side for card in self.own)


Hands = tuple[tuple[int, ...], ...]
Trick = tuple[tuple[Seat, int], ...]


class _Tricks:
    """The rest of a deal, all cards known: the winner when both teams play their best.

    Cards are their strengths.
    """

    def __init__(self, game: Truco) -> None:
        self.game = game
        self.awake = [seat for seat in range(game.players) if seat not in game.folded]
        self.mano = game.mano
        self.first_decides = game.options["third_tie"] == "first"
        self.won = tuple([None if seat is None else game.side(seat) for seat in game.results])
        last = game.results[-1] if game.results else None
        self.trick: Trick = tuple(
            [(seat, STRENGTH[game.faces[slot]]) for seat, slot in game.tricks[-1]]
        )
        done = game.played()
        leader = done[0] if done else game.mano if last is None else last
        self.to_play = tuple([seat for seat in self._from(leader) if seat not in done])
        self.narrow = game.players > 4
        self.looked_at = 0

    def winner(
        self, hands: Sequence[Sequence[Face]], first: tuple[Seat, Face] | None = None
    ) -> int:
        """Return the side that wins; `first` is played first if it is given."""
        strengths: Hands = tuple([tuple(sorted(STRENGTH[card] for card in hand)) for hand in hands])
        if first is None:
            return self._best(strengths, self.trick, self.to_play, self.won)
        seat, card = first
        return self._after(strengths, self.trick, self.to_play, self.won, seat, STRENGTH[card])

    def worth_playing(self, hand: Sequence[Face], side: int) -> list[Face]:
        """Return the cards of the seat on turn that do better in this trick than any weaker one.

        Of the cards that cannot win, the weakest is enough. The last to play also needs only the
        weakest of those that win.
        """
        theirs, ours = self.best_of(1 - side), self.best_of(side)
        weakest_first = sorted(hand, key=STRENGTH.__getitem__)
        last = len(self.to_play) == 1
        if last and ours > theirs:
            return weakest_first[:1]
        lost = [card for card in weakest_first if STRENGTH[card] < theirs]
        tied = [card for card in weakest_first if STRENGTH[card] == theirs]
        won = [card for card in weakest_first if STRENGTH[card] > theirs]
        return [*lost[:1], *tied[:1], *(won[:1] if last else won)]

    def best_of(self, side: int) -> int:
        """Return the strength of a side's best card in the trick so far, 0 if it has none."""
        return max((strength for by, strength in self.trick if by % 2 == side), default=0)

    def takes(self, strength: int, side: int) -> bool:
        """Return whether a card takes over the trick from the others for this side."""
        theirs = self.best_of(1 - side)
        return self.best_of(side) <= theirs < strength

    def certain(self, first: tuple[Seat, Face]) -> int | None:
        """Return the side that wins at once if this card is played, None if the deal goes on."""
        seat, card = first
        if self.to_play != (seat,):
            return None
        return self._decided((*self.won, self._result((*self.trick, (seat, STRENGTH[card])))[0]))

    def _from(self, first: Seat) -> list[Seat]:
        return sorted(self.awake, key=lambda seat: (seat - first) % self.game.players)

    def _decided(self, won: tuple[int | None, ...]) -> int | None:
        return deal_winner(won, self.mano % 2, first_decides=self.first_decides)

    def _result(self, trick: Trick) -> tuple[int | None, Seat]:
        """Return the side that wins a trick, None if it is tied, and who leads the next."""
        best = max(strength for _, strength in trick)
        tops = [seat for seat, strength in trick if strength == best]
        if any((seat - tops[0]) % 2 for seat in tops):
            return None, self.mano
        return tops[0] % 2, tops[0]

    def _best(
        self, hands: Hands, trick: Trick, to_play: tuple[Seat, ...], won: tuple[int | None, ...]
    ) -> int:
        """Return the side that wins when it is the turn of the first of `to_play`."""
        self.looked_at += 1
        if not to_play:
            side, leader = self._result(trick)
            won = (*won, side)
            decided = self._decided(won)
            return (
                decided
                if decided is not None
                else self._best(hands, (), tuple(self._from(leader)), won)
            )
        seat = to_play[0]
        side = seat % 2
        for strength in self._choices(hands[seat], trick, side):
            if self._after(hands, trick, to_play, won, seat, strength) == side:
                return side
        return 1 - side

    def _after(
        self,
        hands: Hands,
        trick: Trick,
        to_play: tuple[Seat, ...],
        won: tuple[int | None, ...],
        seat: Seat,
        strength: int,
    ) -> int:
        hand = hands[seat]
        place = hand.index(strength)
        left = (*hands[:seat], (*hand[:place], *hand[place + 1 :]), *hands[seat + 1 :])
        return self._best(left, (*trick, (seat, strength)), to_play[1:], won)

    def _choices(self, hand: tuple[int, ...], trick: Trick, side: int) -> Sequence[int]:
        """Return the cards worth trying, strongest first.

        At a table of six these are only the strongest and the weakest.
        """
        if self.narrow and len(hand) > 2:
            best = max((strength for by, strength in trick if by % 2 != side), default=0)
            return (hand[-1], hand[0]) if hand[-1] >= best else (hand[0],)
        return sorted(set(hand), reverse=True)
