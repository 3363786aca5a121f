"""The envido of two seats, solved: a seat says what any seat with its number says.

Nothing can be read from it but the number, and nothing is read from the earlier words of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.bots.betting import Choice, Node, Settled, Shares, Shown, Solver
from engine.bots.truco_envido import Word, class_of, rows, shares
from engine.core.moves import Face, Seat
from engine.games.truco.moves import ENVIDO
from engine.games.truco.rules import Truco
from engine.games.truco.worth import (
    accepted_points,
    envido_points,
    falta_points,
    raises,
    refused_points,
)

ROUNDS = 60
STRAY = 0.02
"""How likely the other says what the solved game never says."""
MOST = 7
"""The most points of a bet that is no falta envido."""


@lru_cache(maxsize=16)
def solved(worths: tuple[float, ...], faltas: tuple[float, float]) -> Solver:
    """Return the game of an envido: side 0 is the mano, who may open first.

    `worths` are the values for the mano of its points, from -MOST on; points of the other are
    negative. `faltas` are those of a falta envido won and lost.
    """

    def worth(points: int) -> float:
        return worths[points + MOST]

    def answer(calls: list[str], side: int) -> Choice:
        bet = accepted_points(calls, 0)
        refused = refused_points(calls) * (1 if side else -1)
        shown = Shown(*faltas) if calls[-1] == "falta-envido" else Shown(worth(bet), worth(-bet))
        words: dict[str, Node] = {"quiero": shown, "no-quiero": Settled(worth(refused))}
        words.update({word: answer([*calls, word], 1 - side) for word in raises(calls)})
        return Choice(side, words)

    def opening(side: int, after: Node) -> Choice:
        return Choice(side, {"": after, **{word: answer([word], 1 - side) for word in ENVIDO}})

    any_hand = shares([], [])
    solver = Solver(opening(0, opening(1, Settled(worth(0)))), rows(1.0), (any_hand, any_hand))
    solver.run(ROUNDS)
    return solver


@dataclass(frozen=True)
class Here:
    """A choice of a seat in the envido."""

    side: int
    """0 for the mano."""
    path: tuple[str, ...]
    """The words so far; "" is to open nothing."""
    number: int
    beats: Shares
    """The chances of the seat against each class of number."""
    theirs: Shares
    """How likely the other has each, by the cards that the seat knows."""
    solver: Solver

    @classmethod
    def of(
        cls, game: Truco, seat: Seat, own: Sequence[Face], worth: Callable[[int, int], float]
    ) -> Here:
        """`own` are the three cards of the seat; `worth` is its chance to win the match."""
        calls, target, mano = game.calls(), game.options["target"], game.mano == seat
        malas = game.options["falta"] == "malas"
        got = [game.gained[side] for side in (game.side(seat), 1 - game.side(seat))]
        mine = game.score[game.side(seat)] - got[0]
        theirs = game.score[1 - game.side(seat)] - got[1]

        def begun(more: int, less: int) -> float:
            """Return the worth of points beyond those at the beginning of the deal."""
            return worth(more - got[0], less - got[1])

        won = begun(falta_points(target, mine, theirs, malas=malas), 0)
        lost = begun(0, falta_points(target, theirs, mine, malas=malas))
        ends = [begun(max(0, points), max(0, -points)) for points in range(-MOST, MOST + 1)]
        if not mano:
            ends, won, lost = [1.0 - end for end in reversed(ends)], 1.0 - lost, 1.0 - won
        passed = game.bets[0][0] != game.mano if calls else not mano
        number, played = class_of(envido_points(own)), game.played_by(1 - seat)
        elsewhere = [card for card in {*own, *game.faces.values()} if card not in played]
        return cls(
            int(not mano),
            ("", *calls) if passed else tuple(calls),
            number,
            rows(1.0 if mano else 0.0)[number],
            shares(played, elsewhere),
            solved(tuple(ends), (won, lost)),
        )

    def told(self, path: Sequence[str]) -> Shares:
        """Return how likely the other, with each class of number, said its part of these words."""
        node: Node = self.solver.root
        found = [1.0] * len(self.beats)
        for at, word in enumerate(path):
            if not isinstance(node, Choice):
                break
            if node.side != self.side:
                said = self.solver.said(node, tuple(path[:at]))[word]
                found = [old * (STRAY + part) for old, part in zip(found, said, strict=True)]
            node = node.after[word]
        return found

    def words(self) -> dict[str, Word]:
        """Return how often to say each word now, and the chance to win the match with it."""
        often = self.solver.share(self.path, self.number)
        seen = (self.beats, self.theirs)
        worths = self.solver.worths(self.path, self.side, self.number, seen)
        return {word: Word(often[word], worths[word] + self.side) for word in often}
