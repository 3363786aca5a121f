"""A table that sees only public facts, as every peer but one does: it judges by the faces shown and
audits later.

The truth (an open deck of the same match) supplies faces when they are due and never before.
"""

from __future__ import annotations

from engine.core.game import Game
from engine.core.moves import Move, Seat
from engine.core.open_deck import OpenDeck
from engine.core.requests import Ask, Open, Toss
from engine.core.run import Run


class Blind:
    """Follows a match played on an open deck with the same options."""

    def __init__(self, game: Game, truth: OpenDeck, first: int) -> None:
        self.run = Run(game)
        self.truth = truth
        self.first = first
        self.go_on()

    def go_on(self) -> None:
        """Answer what needs no player; automatic questions as the open deck answered them."""
        while True:
            match self.run.request:
                case None:
                    return
                case Ask(seats, _, _, auto):
                    if not auto:
                        return
                    for seat in seats:
                        honest = next(self.run.options(seat, self.truth.faces))
                        self.choose(seat, honest)
                    self.run.conclude()
                case Open(slots):
                    self.run.opened({slot: self.truth.faces[slot] for slot in slots})
                case Toss(_, sides):
                    self.run.answer(self.first % sides)
                case _:
                    self.run.answer()

    def choose(self, seat: Seat, move: Move) -> None:
        self.run.choose(seat, move, {slot: self.truth.faces[slot] for slot in move.shows})

    def act(self, seat: Seat, move: Move) -> None:
        """Judge a move by the cards that it shows. The truth must already have got as far in
        dealing, not in playing."""
        self.choose(seat, move)
        request = self.run.request
        assert isinstance(request, Ask)
        if request.kind != "all" or len(self.run.chosen) == len(request.seats):
            self.run.conclude()
            self.go_on()
