"""One decision of Truco for two in the tricks and the truco, by the solved table.

The worth of a move is its mean over the hands that the other may hold, which are the likelier the
better they fit its words and cards, with both sides going on by the table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.bots.truco_envido import class_of
from engine.bots.truco_table import (
    BETS,
    CODES,
    TURN,
    WAITS,
    Hands,
    Held,
    Rest,
    cards,
    follows,
    mix,
    place,
    situation,
)
from engine.core.cards import SPANISH_40
from engine.core.moves import Face, Move, Seat, Slot
from engine.core.run import Answered
from engine.core.view import View
from engine.games.truco.moves import TRUCO, Call, Play
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH, envido_points

MANY, WORLDS = 2000, 90
"""If there are more than MANY hands, WORLDS of them are tried, evenly spread."""
GOLDEN = 0.6180339887
LEAST = 0.03
"""The share of a hand that has done what the table never does."""
RAISE = 0
"""A call, or the raise of one, where cards are strengths."""

Act = int | str


@dataclass(frozen=True)
class Decision:
    """A choice of a side in the tricks or the truco."""

    side: int
    laid: Held
    stake: int
    right: int | None
    waits: bool

    def acts(self, held: Held) -> list[Act]:
        """Return what a hand may do, in the order of the table."""
        raised: list[Act] = [RAISE] if self.stake <= len(TRUCO) - self.waits else []
        if self.waits:
            return ["no-quiero", "quiero", *raised]
        return [*(raised if self.right in (None, self.side) else []), *cards(self.laid, held)]

    def key(self, held: Held, codes: Sequence[int]) -> int:
        """Return the place of the choice in the table."""
        bet = WAITS + self.stake if self.waits else TURN[self.stake][self.right != self.side]
        return place(self.side, self.laid, held) * CODES + codes[self.side] + bet

    def often(self, held: Held, codes: Sequence[int]) -> dict[Act, float]:
        """Return how often a hand does each by the table."""
        acts = self.acts(held)
        found: dict[Act, float] = dict.fromkeys(acts, 0.0)
        for act, part in zip(acts, mix(self.key(held, codes), len(acts)), strict=True):
            found[act] += part
        return found


def decision_of(game: Truco, seat: Seat) -> Decision:
    """Return the choice that a seat has now."""
    laid = tuple([STRENGTH[game.faces[slot]] for trick in game.tricks for _, slot in trick])
    right = None if game.right is None else int(game.right != game.side(game.mano))
    return Decision(int(seat != game.mano), laid, game.stake, right, game.waiting is not None)


def codes_of(game: Truco) -> tuple[int, int]:
    """Return the codes of the score in the table, for the mano and the other."""
    mano, other = [game.options["target"] - game.score[at] for at in (game.mano, 1 - game.mano)]
    return situation(mano, other) * BETS, situation(other, mano) * BETS


def decisions(game: Truco, past: Iterable[Answered]) -> Iterator[tuple[Decision, int, Act]]:
    """Yield each choice of this deal in the tricks and the truco, as far as they go.

    With it come the number of cards that its side had played, and the act of that side.
    """
    laid: Held = ()
    played = [0, 0]
    stake, right, waits = 1, None, False
    for at in past:
        if at.deal != game.round:
            continue
        side, move = int(at.seat != game.mano), at.move
        word = move.word if isinstance(move, Call) else ""
        decision = Decision(side, laid, stake, right, waits)
        if isinstance(move, Play):
            yield decision, played[side], STRENGTH[at.faces[0]]
            laid = (*laid, STRENGTH[at.faces[0]])
            played[side] += 1
        elif word in TRUCO:
            yield decision, played[side], RAISE
            stake, waits = stake + waits, True
        elif word == "quiero" and at.question == "answers_to_truco":
            yield decision, played[side], word
            stake, right, waits = stake + 1, side, False


def act_of(move: Move, faces: Mapping[Slot, Face]) -> Act:
    """Return what a move is for the table."""
    if isinstance(move, Play):
        return STRENGTH[faces[move.card]]
    assert isinstance(move, Call)
    return RAISE if move.word in TRUCO else move.word


class Two:
    """One decision of a seat in the tricks or the truco."""

    def __init__(
        self,
        view: View,
        worth: Callable[[int, int], float],
        told: Sequence[float],
    ) -> None:
        """`told` is how likely each class of envido number is by the other's words."""
        game, seat = view.game, view.seat
        assert isinstance(game, Truco)
        assert seat is not None
        self.game, self.worth, self.decision = game, worth, decision_of(game, seat)
        self.faces = {**game.faces, **view.faces}
        self.side = side = self.decision.side
        self.own = _held([self.faces[slot] for slot in game.hands[seat]])
        ours = [worth(points, 0) for points in range(5)]
        theirs = [worth(0, points) for points in range(5)]
        self.rest = Rest(
            (theirs, ours) if side else (ours, theirs),
            codes_of(game),
            first_decides=game.options["third_tie"] == "first",
        )
        self.worlds = self._worlds(1 - seat, view.past, told)

    def often(self) -> dict[Act, float]:
        """Return how often the table does what."""
        return self.decision.often(self.own, self.rest.codes)

    def worths(self, options: Sequence[Move]) -> dict[Move, float]:
        """Return the chance to win the match with each of these moves.

        A seat that plays on may still give in later: a card is worth no less than giving up now.
        """
        acts = {move: self.act(move) for move in options}
        known = {act: self._worth(act) for act in set(acts.values())}
        fold = known.get("mazo", 0.0)
        return {
            move: max(known[act], fold) if isinstance(move, Play) else known[act]
            for move, act in acts.items()
        }

    def act(self, move: Move) -> Act:
        """Return what a move is for the table."""
        return act_of(move, self.faces)

    def _worth(self, act: Act) -> float:
        if act == "mazo":
            return self.worth(0, self.game.given_up_points())
        if act == "no-quiero":
            return self.worth(0, self.decision.stake)
        return sum([weight * self._once(act, hands) for hands, weight in self.worlds])

    def _once(self, act: Act, hands: Hands) -> float:
        laid, stake, rest = self.decision.laid, self.decision.stake, self.rest
        turn = follows(laid)[0]
        if act == "quiero":
            return rest.turn(laid, hands, turn, rest.seen(laid, hands), stake + 1, self.side)
        if act == RAISE:
            seen = rest.seen(laid, hands)
            return rest.answer(laid, hands, turn, 1 - self.side, seen, stake + self.decision.waits)
        assert isinstance(act, int)
        return rest.play(laid, hands, turn, act, stake, self.decision.right)

    def _worlds(
        self, other: Seat, past: Sequence[Answered], told: Sequence[float]
    ) -> list[tuple[Hands, float]]:
        """Return the hands that may be, and how likely each is."""
        game = self.game
        played = game.played_by(other)
        unseen = [card for card in SPANISH_40 if card not in self.faces.values()]
        said = any(by == other for by, _ in game.said)
        may = list(combinations(unseen, len(game.hands[other])))
        if said:
            fit = [h for h in may if self._fits(other, envido_points((*played, *h)))]
            may = fit or may  # nobody has the number that a liar states
        if len(may) > MANY:
            may = [may[int(len(may) * (GOLDEN * at % 1))] for at in range(WORLDS)]
        weights: defaultdict[Held, float] = defaultdict(float)
        for hand in may:
            weights[_held(hand)] += told[class_of(envido_points((*played, *hand)))]
        gone = [STRENGTH[card] for card in played]
        for decision, count, act in decisions(game, past):
            if decision.side != self.side:
                for held in weights:
                    then = tuple(sorted([*held, *gone[count:]], reverse=True))
                    often = decision.often(then, self.rest.codes).get(act, 0.0)
                    weights[held] *= LEAST + (1 - LEAST) * often
        whole = sum(weights.values())
        return [
            ((held, self.own) if self.side else (self.own, held), weight / whole)
            for held, weight in weights.items()
        ]

    def _fits(self, seat: Seat, number: int) -> bool:
        """Return whether a number agrees with the words of a seat in the envido."""
        best = self.game.best
        said = [stated for by, stated in self.game.said if by == seat]
        if not said or best is None:
            return True
        return number == said[0] if said[0] is not None else number <= best[1]


def _held(hand: Sequence[Face]) -> Held:
    return tuple(sorted([STRENGTH[card] for card in hand], reverse=True))
