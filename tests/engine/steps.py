"""An open match that stops at every request, not only at the choices of players."""

from __future__ import annotations

from random import Random

from engine.game import Game
from engine.open_deck import OpenDeck, shuffled
from engine.requests import Ask


class Steps(OpenDeck):
    """A match played by chance, one request at a time. `first` is what the toss gives."""

    def __init__(self, game: Game, seed: object) -> None:
        self.random = Random(f"{game.name} {seed}")
        super().__init__(game, shuffled(self.random.randrange), self.random.randrange(12))

    def step(self) -> None:
        """Answer the request that the rules wait on: a question to players by any legal move."""
        request = self.run.request
        assert request is not None, "a match that is over waits on nothing"
        if not isinstance(request, Ask):
            self._answer(request)
        elif request.auto:
            self._attest(request)
        else:
            for seat in request.seats:
                self.run.choose(seat, self.random.choice(list(self.options(seat))), self.faces)
            self.run.settle()

    def _go_on(self) -> None:
        """Answer nothing: whoever holds this says when."""
