"""The rest of a deal of Truco, tried out with hands that may be the players' hands.

Both sides call, answer and play as people do. The same habits tell how likely a hand is after the
calls, answers and cards of its side. A side that has called blindly in this match does so here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from engine.bots.small_change import Dice
from engine.bots.truco_chance import Held, Worth, best_card, chance
from engine.bots.truco_habits import Habit, habit
from engine.bots.truco_past import Heard
from engine.games.truco.moves import TRUCO
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH, deal_winner

FINE = 1 << 20
WIDTH = 0.06
"""How far people stray from a limit."""
CALLED = 0.13
"""How much better than even a chance must be to accept: those who call have good cards."""
SINGS = (0.12, 0.16, 0.2)
"""How much better than even a chance must be to sing truco, retruco, vale cuatro."""
EARLY = 0.1
"""How much better yet in the first trick."""
RAISES, RAISING = 0.78, 0.7
"""The chance from which a call is raised at once, and how often."""
BLUFFS, HOPELESS = 0.06, 0.2
"""How often one sings with a chance below this."""
MOSTLY = 0.7
"""How often people play the card that we take for the best."""
LEAST = 0.02


def _over(value: float, limit: float) -> float:
    return 1.0 / (1.0 + exp(max(-40.0, min(40.0, (limit - value) / WIDTH))))


@dataclass(frozen=True)
class Table:
    """A deal as it stands, for two sides: side 0 is ours. `first` is the side to play."""

    results: tuple[int, ...]
    """1 for a trick of ours, -1 for one of theirs, 0 for a tie."""
    on: tuple[int, int]
    first: int
    stake: int
    right: int | None


class People:
    """Sides that call as people do, at one score."""

    def __init__(self, game: Truco, side: int, words: Sequence[Heard], worth: Worth) -> None:
        """`side` is ours, `words` are all answers of the match."""
        self.mano = int(game.side(game.mano) != side)
        self.first_decides = game.options["third_tie"] == "first"
        self.members = game.players // 2
        self.worth = worth
        self.sings = habit(words, 1 - side, "sing")
        self.answers = habit(words, 1 - side, "truco")
        self._accepts = [[self._even_answer(by, stake) for stake in range(5)] for by in (0, 1)]
        self._sings = [[self._even_song(by, stake) for stake in range(5)] for by in (0, 1)]

    def _worth(self, by: int, mine: int, theirs: int) -> float:
        return 1.0 - self.worth(theirs, mine) if by else self.worth(mine, theirs)

    def _even_answer(self, by: int, stake: int) -> float:
        """Return the chance from which it is no worse to accept than to refuse."""
        refused = self._worth(by, 0, stake)
        won, lost = self._worth(by, stake + 1, 0), self._worth(by, 0, stake + 1)
        return (refused - lost) / (won - lost) if won > lost else 0.0

    def _even_song(self, by: int, stake: int) -> float:
        """Return the chance from which a higher stake is no worse."""
        gain = self._worth(by, stake + 1, 0) - self._worth(by, stake, 0)
        loss = self._worth(by, 0, stake) - self._worth(by, 0, stake + 1)
        return loss / (gain + loss) if gain + loss > 0.0 else 1.0

    def chance(self, by: int, results: tuple[int, ...], own: int, their: int, held: Held) -> float:
        """Return the chance of a side, given what it sees."""
        if by:
            results = tuple([-result for result in results])
        return chance(
            results,
            own,
            their,
            held,
            mano=by == self.mano,
            first_decides=self.first_decides,
            members=self.members,
        )

    def card(self, by: int, results: tuple[int, ...], their: int, held: Held) -> int:
        """Return the card that a side plays."""
        if by:
            results = tuple([-result for result in results])
        return best_card(
            results,
            their,
            held,
            mano=by == self.mano,
            first_decides=self.first_decides,
            members=self.members,
        )

    def singing(self, by: int, stake: int, tricks: int, value: float) -> float:
        """Return how often a side sings with a chance."""
        often = _over(value, self._sings[by][stake] + SINGS[stake - 1] + (0.0 if tricks else EARLY))
        if value < HOPELESS and stake == 1:
            often = max(often, BLUFFS)
        return self._blindly(often, self.sings, "raise") if by else often

    def answering(self, by: int, stake: int, value: float) -> tuple[float, float]:
        """Return how often a side refuses a call, and how often it raises."""
        even = self._accepts[by][stake]
        refuses = 1.0 - _over(value, even + CALLED if even > 0.0 else -1.0)
        raises = RAISING * _over(value, RAISES) if stake < len(TRUCO) else 0.0
        if not by:
            return refuses, raises
        raises = self._blindly(raises, self.answers, "raise") if stake < len(TRUCO) else 0.0
        return self._blindly(refuses, self.answers, "no-quiero"), raises

    @staticmethod
    def _blindly(often: float, known: Habit, word: str) -> float:
        return (1 - known.blind) * often + known.blind * known.often[word]

    def likely(self, side: int, dealt: Held, heard: Sequence[Heard]) -> float:
        """Return how likely the other side, dealt this hand, acted as `heard` in this deal.

        To act is to say something or to play.
        """
        share = 1.0
        for word in heard:
            gone = [STRENGTH[card] for card in word.gone]
            held = without(dealt, gone)
            if held is None or not held:
                continue  # of a team, a card that is none of its best
            results = tuple(
                [0 if won is None else 1 if won == side else -1 for won in word.results]
            )
            own, their = word.on[1 - side], word.on[side]
            if word.question == "card":
                if self.members == 1:
                    plays = self.card(1, results, their, held) == STRENGTH[word.answer]
                    share *= MOSTLY if plays else 1 - MOSTLY
                continue
            value = self.chance(1, results, own, their, held)
            if word.question == "sing":
                sings = self.singing(1, word.stake, len(results), value)
                share *= max(LEAST, sings if word.answer else 1 - sings)
            elif word.question == "truco":
                refuses, raises = self.answering(1, word.stake, value)
                share *= max(LEAST, raises if word.answer in TRUCO else 1 - refuses - raises)
        return share

    # Tried out.

    def value(
        self, table: Table, hands: tuple[Held, Held], dice: Dice, *, quiet: bool = False
    ) -> float:
        """Return our worth after the deal is played out once.

        With `quiet` the first to play calls nothing before its card.
        """
        results, on, side, stake, right = (
            table.results,
            list(table.on),
            table.first,
            table.stake,
            table.right,
        )
        held = list(hands)
        while True:
            if not on[side] and not held[side]:
                # some of its team have folded
                return self.worth(stake, 0) if side else self.worth(0, stake)
            if not quiet and stake <= len(TRUCO) and right in (None, side):
                mine = self.chance(side, results, on[side], on[1 - side], held[side])
                if dice.below(FINE) < FINE * self.singing(side, stake, len(results), mine):
                    called = self.called(side, results, on, held, stake, dice)
                    if isinstance(called, float):
                        return called
                    stake, right = called
            quiet = False
            card = self.card(side, results, on[1 - side], held[side])
            rest = without(held[side], [card])
            assert rest is not None
            held[side], on[side] = rest, card
            if not on[1 - side]:
                side = 1 - side
                continue
            results = (*results, (on[0] > on[1]) - (on[0] < on[1]))
            winner = self.winner(results)
            if winner is not None:
                return self.worth(0, stake) if winner else self.worth(stake, 0)
            on = [0, 0]
            side = self.mano if results[-1] == 0 else int(results[-1] < 0)

    def winner(self, results: tuple[int, ...]) -> int | None:
        """Return the side that has won the deal by its tricks."""
        sides = [None if result == 0 else int(result < 0) for result in results]
        return deal_winner(sides, self.mano, first_decides=self.first_decides)

    def called(
        self,
        by: int,
        results: tuple[int, ...],
        on: Sequence[int],
        held: Sequence[Held],
        stake: int,
        dice: Dice,
    ) -> float | tuple[int, int]:
        """Return our worth if a call of this side is refused in the end.

        Else return the stake and the side that accepted it.
        """
        while True:
            other = 1 - by
            value = self.chance(other, results, on[other], on[by], held[other])
            refuses, raises = self.answering(other, stake, value)
            lot = dice.below(FINE) / FINE
            if lot < refuses:
                return self.worth(0, stake) if by else self.worth(stake, 0)
            stake += 1
            if lot < 1 - raises:
                return stake, other
            by = other


def without(held: Held, cards: Sequence[int]) -> Held | None:
    """Return a hand without these cards; None if it does not hold them."""
    rest = list(held)
    for card in cards:
        if card not in rest:
            return None
        rest.remove(card)
    return tuple(rest)
