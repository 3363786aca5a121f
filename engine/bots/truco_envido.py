"""The envido as a betting game of ranges: the likelihood of each number, and of each call.

The likelihoods are for either side.

The hands of the solved game are classes of numbers. Hand 0 of our side is the one that we really
have, its chances reckoned with the cards that we know; the others are those that we may have as far
as all can see.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from engine.bots.betting import Choice, Node, Settled, Shares, Shown, Solver
from engine.bots.truco_chance import Worth
from engine.bots.truco_habits import Habit, habit
from engine.bots.truco_past import Heard
from engine.core.cards import SPANISH_40
from engine.core.moves import Face, Seat
from engine.games.truco.moves import ENVIDO
from engine.games.truco.rules import Truco
from engine.games.truco.worth import (
    accepted_points,
    envido_points,
    raises,
    refused_points,
)

CLASSES = (0, 5, 6, 7, 20, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33)
"""The least number of each class."""
ROUNDS = 40
OWN = 0.001
"""The share of the hand that we really have: too little to change what the others do."""

HONEST = 0.6
"""How likely one who looks at its hand says simply what it has. With 0.9 it seems good to bluff on
nothing."""
SAID = (
    (30, {"falta-envido": 0.3, "real-envido": 0.5, "envido": 0.2}),
    (27, {"real-envido": 0.2, "envido": 0.7}),
    (25, {"envido": 0.4}),
)
"""The least number with which such a player opens, and how often with each word."""
STRAY = 0.2
"""How likely people who look at their hands say something else."""
TAKEN = {"envido": 26, "real-envido": 28, "falta-envido": 31}
"""About the least number with which such a player accepts each word at the beginning of a match."""
NEEDED = {"envido": 0.25, "real-envido": 0.33, "falta-envido": 0.47}
"""The chance to have the better number from which accepting each word is no worse than refusing it.
"""
HIGHER = 20.0
"""The numbers by which such a player raises its limit for each 1 that it needs more of that chance.
"""
ANY = -100.0
"""A number below all others: where refusing loses the match one accepts."""
VAGUE = 4
"""The numbers between refusing always and accepting always."""
MORE = 5
"""By how much more it raises."""


@cache
def _all_hands() -> list[tuple[int, int]]:
    """Return every hand as the bits of its cards, and the class of its number."""
    bit = {card: 1 << place for place, card in enumerate(SPANISH_40)}
    return [
        (sum(bit[card] for card in hand), class_of(envido_points(hand)))
        for hand in combinations(SPANISH_40, 3)
    ]


def class_of(number: int) -> int:
    """Return the class of a number."""
    return bisect_right(CLASSES, number) - 1


def _bits(cards: Sequence[Face]) -> int:
    return sum(1 << SPANISH_40.index(card) for card in cards)


def shares(played: Sequence[Face], elsewhere: Sequence[Face]) -> Shares:
    """Return how likely a hand has each class of number.

    The hand holds the cards `played`, and none of those `elsewhere`.
    """
    must = _bits(played)
    may_not = _bits(elsewhere) | must
    counts = [0] * len(CLASSES)
    for hand, number in _all_hands():
        if hand & may_not == must:
            counts[number] += 1
    whole = sum(counts)
    return [count / whole for count in counts]


def best_of(several: Sequence[Shares]) -> Shares:
    """Return how likely each class is the best of several hands, taken as independent."""
    below = [1.0] * (len(CLASSES) + 1)
    for one in several:
        running = 0.0
        for place, share in enumerate(one):
            below[place] *= running
            running += share
        below[-1] *= running
    return [below[place + 1] - below[place] for place in range(len(CLASSES))]


def _honest(word: str, number: int) -> float:
    """Return how often a player who says what it has says this word; "" is to open nothing."""
    said = next((often for least, often in SAID if number >= least), {})
    return said.get(word, 0.0) if word else 1.0 - sum(said.values())


def _answers(call: str, word: str, number: int, others: int, taken: float) -> float:
    """Return how often a player who says what it has answers a call with this word.

    The player accepts about from `taken` on; `others` is the number of raises.
    """
    accepts = min(1.0, max(0.0, 0.5 + (number + 0.5 - taken) / VAGUE))
    if word == "no-quiero":
        return 1.0 - accepts
    raises_it = 0.5 if others and number >= TAKEN[call] + MORE else 0.0
    return accepts * (raises_it / others if word in ENVIDO else 1.0 - raises_it)


def plain_word(calls: Sequence[str], word: str, number: int) -> float:
    """Return how often a player who says what it has says a word after these calls."""
    if not calls:
        return _honest(word, number)
    return _answers(calls[-1], word, number, len(list(raises(calls))), TAKEN[calls[-1]])


def told(opens: Habit, answers: Habit, heard: Sequence[Heard]) -> list[float]:
    """Return how likely a seat with each class of number said what was heard of it in this deal."""
    found = [1.0] * len(CLASSES)
    for word in heard:
        if word.question == "open":
            shares = [_honest(word.answer, least) for least in CLASSES]
            known = opens
        elif word.question == "envido":
            others = list(raises([word.call])) if word.call else []
            shares = [
                _answers(word.call, word.answer, least, len(others), TAKEN[word.call])
                for least in CLASSES
            ]
            known = answers
        else:
            continue
        flat = known.often[word.answer if word.answer in known.often else "raise"]
        blind = known.blind + (1 - known.blind) * STRAY
        found = [
            old * (blind * flat + (1 - blind) * share)
            for old, share in zip(found, shares, strict=True)
        ]
    return found


@dataclass(frozen=True)
class Word:
    """A word that may be said: how often to say it, and the chance to win the match with it."""

    often: float
    worth: float


def rows(tie: float) -> list[Shares]:
    """Return the chance of each class of number against each; `tie` is that of equal numbers."""
    wide = [
        place
        for place, least in enumerate(CLASSES[:-1])
        if CLASSES[place + 1] > least + 1 and least != 7
    ]
    return [
        [
            1.0 if one > other else 0.0 if one < other else (0.5 if one in wide else tie)
            for other in range(len(CLASSES))
        ]
        for one in range(len(CLASSES))
    ]


class Envido:
    """The envido of this deal, as a seat sees it."""

    def __init__(
        self, game: Truco, seat: Seat, own: Sequence[Face], words: Sequence[Heard], worth: Worth
    ) -> None:
        """`own` are all the cards that were dealt to the seat, `words` all answers of the match."""
        self.game, self.seat, self.side, self.worth = game, seat, game.side(seat), worth
        self.opens, self.answers = (
            habit(words, 1 - self.side, "open"),
            habit(words, 1 - self.side, "envido"),
        )
        self.number = class_of(envido_points(own))
        self._own = list(own)

    def says(self, *, last: bool) -> dict[str, Word]:
        """Return how often to say each word now, and its worth; "" is to open nothing.

        With `last` nobody may open after us.
        """
        game = self.game
        calls = game.calls()
        them = 1 - self.side
        if calls:
            first = 0 if game.side(game.bets[0][0]) == self.side else 1
            root, path = self._opening(first, None), calls
        else:
            passed = self._passed(them)
            after = None if passed or last else self._opening(1, None)
            ours = self._opening(0, after)
            root, path = (self._opening(1, ours), ["", *calls]) if passed else (ours, calls)
        solver = Solver(root, *self._hands())
        solver.run(ROUNDS)
        often, worths = solver.share(path, 0), solver.worths(path)
        return {word: Word(often[word], worths[word]) for word in often}

    def _passed(self, side: int) -> bool:
        game = self.game
        return any(game.side(seat) == side and seat in game.openers() for seat in game.played())

    def _hands(self) -> tuple[list[list[float]], tuple[Shares, Shares]]:
        """Return the chances of our classes against theirs, and how likely each is."""
        game, side = self.game, self.side
        played = {seat: game.played_by(seat) for seat in game.awake(game.mano)}
        seen = [card for cards in played.values() for card in cards]
        known = {*self._own, *seen}

        def of(seats: Sequence[Seat], hidden: set[Face]) -> Shares:
            return best_of(
                [
                    shares(played[seat], [card for card in hidden if card not in played[seat]])
                    for seat in seats
                ]
            )

        ours, theirs = game.awake_of(side), game.awake_of(1 - side)
        partners = [seat for seat in ours if seat != self.seat]
        we_have = [0.0] * len(CLASSES)
        we_have[self.number] = 1.0
        if partners:
            we_have = best_of([we_have, of(partners, known)])
        public, secret = of(ours, set(seen)), of(theirs, known)
        tie = 1.0 if min(map(game.after_mano, ours)) < min(map(game.after_mano, theirs)) else 0.0
        against = rows(tie)
        mine = [
            sum(share * row[other] for share, row in zip(we_have, against, strict=True))
            for other in range(len(CLASSES))
        ]
        return [mine, *against], ([OWN, *public], secret)

    def _opening(self, side: int, after: Choice | None) -> Choice:
        nothing: Node = after or Settled(self.worth(0, 0))
        words: dict[str, Node] = {"": nothing}
        words.update({word: self._answer([word], 1 - side) for word in ENVIDO})
        return self._choice(side, words, self.opens)

    def _answer(self, calls: list[str], side: int) -> Choice:
        """Return the choice of a side after the other's last call."""
        sign = 1 if side else 0  # whether we made the call
        refused = refused_points(calls)
        words: dict[str, Node] = {
            "quiero": self._accepted(calls),
            "no-quiero": Settled(self.worth(refused, 0) if sign else self.worth(0, refused)),
        }
        words.update({word: self._answer([*calls, word], 1 - side) for word in raises(calls)})
        return self._choice(side, words, self.answers, calls[-1], self._taken(calls, side))

    def _taken(self, calls: list[str], side: int) -> float:
        """Return the number from about which an honest player accepts these calls.

        An honest player says what it has. The number depends on the present score.
        """
        shown, refused = self._accepted(calls), refused_points(calls)
        risked = shown.won - self.worth(refused, 0) if side else self.worth(0, refused) - shown.lost
        needed = risked / (shown.won - shown.lost)
        return TAKEN[calls[-1]] + HIGHER * (needed - NEEDED[calls[-1]]) if needed > 0.0 else ANY

    def _choice(
        self, side: int, words: dict[str, Node], known: Habit, call: str = "", taken: float = ANY
    ) -> Choice:
        """Return a choice: some players are blind, some honest, and the others play their best."""
        others = [word for word in words if word not in known.often]
        often = {
            word: known.often[word] if word in known.often else known.often["raise"] / len(others)
            for word in words
        }
        if call and taken == ANY:
            often["no-quiero"] = 0.0
        whole = sum(often.values())
        numbers = CLASSES if side else [CLASSES[self.number], *CLASSES]
        honest = HONEST * (1 - known.blind)
        blind = known.blind / (known.blind + honest) if side else 0.0
        habit = {}
        for word, part in often.items():
            said = [
                _answers(call, word, least, len(others), taken) if call else _honest(word, least)
                for least in numbers
            ]
            habit[word] = [blind * part / whole + (1 - blind) * share for share in said]
        return Choice(side, words, known.blind + honest if side else 0.0, habit)

    def _accepted(self, calls: list[str]) -> Shown:
        won = accepted_points(calls, self.game.falta(self.side))
        lost = accepted_points(calls, self.game.falta(1 - self.side))
        return Shown(self.worth(won, 0), self.worth(0, lost))
