"""A decent player of Truco: bets by its chances and by the value of points at this score; now and
then it bluffs.

The numbers below are those of the sketch in docs/rules/truco.md, section 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.moves import Face, Move
from engine.core.view import View
from engine.games.truco.moves import ENVIDO, TRUCO, Call, Play
from engine.games.truco.rules import Truco
from engine.games.truco.worth import STRENGTH, accepted_points, falta_points, refused_points
from tests.bots.today.truco_odds import EXPECTED, Odds, standing

DARES = {"envido": 0.2, "real-envido": 0.1, "falta-envido": 0.03}
"""How often the others accept this with less than they should have."""
OPENS = {"envido": 0.55, "real-envido": 0.7, "falta-envido": 0.92}
"""The chance without which it is not sung."""
RAISED = {"truco": 0.05, "retruco": 0.13, "vale4": 0.17}
"""How much a chance in the deal sinks because the others sang this."""
SINGS = {"truco": 0.1, "retruco": 0.2, "vale4": 0.25}
"""How much better than even a chance must be to sing it."""
EARLY = 0.12
"""How much better yet in the first trick, where there is more to come."""
ANSWERS = 0.75
"""The chance with which a call is raised at once."""
BLUFFS, FISHES = 6, 10
"""Of a hundred."""
A_LITTLE = 0.004
"""Of winning the match: no call for less."""
CAREFUL = 0.015
"""The same for a falta envido, which may end the match."""
FIRST = 0.04
"""The value of taking the first trick, in chances to win the deal, besides the samples, in which
all cards are known."""
CHEAP = 0.002
"""Of winning the deal, for each degree of strength: of cards as good as each other the weaker is
played."""


def play(view: View, choose: Callable[[int], int]) -> Move:
    """Return the seat's choice."""
    game, seat = view.game, view.seat
    assert isinstance(game, Truco)
    assert seat is not None
    assert view.options is not None, "only a seat that is asked plays"
    options = list(view.options)
    if len(options) == 1 or game.stating:
        return options[0]  # the number if it beats, else conceding
    return _Mind(view, game, Odds(game, seat, {**game.faces, **view.faces}, choose), choose).choice(
        options
    )


class _Mind:
    """One decision."""

    def __init__(self, view: View, game: Truco, odds: Odds, choose: Callable[[int], int]) -> None:
        self.view, self.game, self.odds, self.side, self.choose = (
            view,
            game,
            odds,
            odds.side,
            choose,
        )
        self.target = game.options["target"]

    def choice(self, options: Sequence[Move]) -> Move:
        """Return the move for the question that is asked."""
        if self.game.betting:
            return self.answer_to_envido(options)
        if self.game.waiting:
            return self.answer_to_truco(options, self.game.waiting[1])
        return self.on_turn(options)

    def worth(self, mine: int, theirs: int) -> float:
        """Return the chance to win the match after so many points for us and for them."""
        score = self.game.score
        return standing(
            self.target - score[self.side] - mine, self.target - score[1 - self.side] - theirs
        )

    def rarely(self, percent: int) -> bool:
        """Return True so many times in a hundred; never for somebody who asks for a hint, whose
        choice is always 0."""
        return self.choose(100) >= 100 - percent

    # Envido.

    def accepted(self, calls: Sequence[str], chance: float) -> float:
        """Return what these calls are worth when they are accepted."""
        score, malas = self.game.score, self.game.options["falta"] == "malas"
        mine, theirs = score[self.side], score[1 - self.side]
        won = accepted_points(calls, falta_points(self.target, mine, theirs, malas=malas))
        lost = accepted_points(calls, falta_points(self.target, theirs, mine, malas=malas))
        return chance * self.worth(won, 0) + (1 - chance) * self.worth(0, lost)

    def sung(self, calls: Sequence[str]) -> float:
        """Return what it is worth to sing the last of these calls: the others accept it with good
        numbers, mostly."""
        chance, _all = self.odds.envido()
        among_good, good = self.odds.envido(EXPECTED[calls[-1]])
        dares = DARES[calls[-1]]
        accepts = good + dares * (1 - good)
        chance = (among_good * good + dares * max(0.0, chance - among_good * good)) / accepts
        value = (1 - accepts) * self.worth(refused_points(calls), 0) + accepts * self.accepted(
            calls, chance
        )
        return value - CAREFUL if calls[-1] == "falta-envido" else value

    def opening(self, options: Sequence[Move]) -> Move | None:
        """Return the envido that is worth opening, if there is one."""
        words = [move.word for move in options if isinstance(move, Call) and move.word in ENVIDO]
        if not words:
            return None
        chance, _all = self.odds.envido()
        if chance > 0.9 and self.odds.seat == self.game.mano and self.rarely(FISHES):
            return None
        values = {word: self.sung([word]) for word in words if chance >= OPENS[word]}
        best = max(values, key=values.__getitem__, default=None)
        if best is not None and values[best] > self.worth(0, 0) + A_LITTLE:
            return Call(best)
        affordable = self.sung(["envido"]) > self.worth(0, 2)
        return Call("envido") if affordable and self.rarely(BLUFFS) else None

    def answer_to_envido(self, options: Sequence[Move]) -> Move:
        """Accept, refuse or raise, by the best value."""
        calls = self.game.calls()
        chance, _all = self.odds.envido()
        values = {
            "no-quiero": self.worth(0, refused_points(calls)),
            "quiero": self.accepted(calls, chance),
        }
        for move in options:
            if isinstance(move, Call) and move.word in ENVIDO and chance >= OPENS[move.word] + 0.1:
                values[move.word] = self.sung([*calls, move.word]) - A_LITTLE
        values["quiero"] += A_LITTLE / 4  # rather than giving points away
        return Call(max(values, key=values.__getitem__))

    # Truco.

    def answer_to_truco(self, options: Sequence[Move], word: str) -> Move:
        """Envido first if it is worth it; else accept, refuse or raise."""
        first = self.opening(options)
        if first is not None:
            return first
        stake = self.game.stake
        plain = self.odds.deal()
        chance = plain if plain in (0.0, 1.0) else max(0.0, plain - RAISED[word])
        refused = self.worth(0, stake)
        accepted = chance * self.worth(stake + 1, 0) + (1 - chance) * self.worth(0, stake + 1)
        raised = next(
            (move for move in options if isinstance(move, Call) and move.word in TRUCO), None
        )
        if (
            raised
            and (chance >= ANSWERS or refused == 0.0)
            and self.gains(stake + 1, chance, SINGS[raised.word])
        ):
            return raised
        return Call("quiero" if accepted >= refused else "no-quiero")

    def gains(self, stake: int, chance: float, margin: float) -> bool:
        """Return whether playing for one point more than the stake is better for us by this margin
        of the chance."""
        gain = self.worth(stake + 1, 0) - self.worth(stake, 0)
        loss = self.worth(0, stake) - self.worth(0, stake + 1)
        if gain <= 0.0:
            return False
        even = loss / (gain + loss)
        return chance > 0.0 and (chance == 1.0 or even == 0.0 or chance > even + margin)

    def on_turn(self, options: Sequence[Move]) -> Move:
        """Sing, fold when all is lost for everybody to see, or play the card that wins most
        often."""
        game = self.game
        first = self.opening(options)
        if first is not None:
            return first
        alone = len(game.awake_of(self.side)) == 1
        if alone and game.results and self.odds.is_lost():
            return Call("mazo")
        chances = self.odds.cards()
        card = max(chances, key=lambda held: chances[held] - self.cost(held))
        raised = next(
            (move for move in options if isinstance(move, Call) and move.word in TRUCO), None
        )
        if raised and self.sings(raised.word, max(chances.values())):
            return raised
        faces = {**game.faces, **self.view.faces}
        return next(move for move in options if isinstance(move, Play) and faces[move.card] == card)

    def cost(self, card: Face) -> float:
        """Return what it costs to part with a card: the stronger the more.

        But the first trick is worth a card. And leading after a win the stronger goes first, unless
        nothing beats it: then the weaker draws out the others' cards.
        """
        game, odds = self.game, self.odds
        ahead = len(game.results) == 1 and not game.played() and game.results[0] is not None
        beatable = max(STRENGTH[held] for held in odds.own) < max(
            STRENGTH[other] for other in odds.unseen
        )
        takes = (
            bool(game.played())
            and not game.results
            and odds.tricks.takes(STRENGTH[card], self.side)
        )
        return (-CHEAP if ahead and beatable else CHEAP) * STRENGTH[card] - (
            FIRST if takes else 0.0
        )

    def sings(self, word: str, chance: float) -> bool:
        """Return whether to raise: the chance is good, there is nothing to lose, or it is a
        bluff."""
        game = self.game
        if self.gains(game.stake, chance, SINGS[word] + (0.0 if game.results else EARLY)):
            return True
        return (
            word == "truco" and bool(game.results) and 0.0 < chance < 0.15 and self.rarely(BLUFFS)
        )
