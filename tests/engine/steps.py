"""An open match that stops at every request, not only at the choices of players."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.bots import Bot, chance_for
from engine.core.game import Game
from engine.core.moves import Move, Seat
from engine.core.open_deck import OpenDeck, shuffled
from engine.core.requests import Ask


class Steps(OpenDeck):
    """A match played by chance, or by a bot, one request at a time. `first` is what the toss
    gives."""

    def __init__(self, game: Game, seed: object, bot: Bot | None = None) -> None:
        self.random = Random(f"{game.name} {seed}")
        self.bot = bot or chance_for(game.name)
        super().__init__(game, shuffled(self.random.randrange), self.random.randrange(12))

    def step(self) -> list[Move]:
        """Answer the request that the rules wait on, a question to players by any legal move;
        return the moves made."""
        request = self.run.request
        assert request is not None, "a match that is over waits on nothing"
        if not isinstance(request, Ask):
            self.answer(request)
            return []
        for seat in request.seats:
            self.run.choose(seat, self._any_move(seat, request), self.faces)
        moves = list(self.run.chosen.values())
        self.run.conclude()
        return moves

    def _any_move(self, seat: Seat, request: Ask[Any]) -> Move:
        """Return a legal move: by chance, as far as the match comes to its end."""
        if request.auto:
            return next(self.options(seat))
        return self.bot(self.view(seat), self.random.randrange)

    def go_on(self) -> None:
        """Answer nothing: the holder of this says when."""
