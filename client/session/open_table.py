"""A table with open decks in this process: no network, keys or log.

It emits the events that one seat receives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.game import Game
from engine.core.moves import Face, Move, Seat
from engine.core.open_deck import Arrange, OpenDeck
from engine.core.requests import Ask, Deal, Open, Prove, Shuffle, Toss
from p2p.table.events import (
    Asked,
    Dealt,
    Event,
    Gone,
    Mixed,
    Moved,
    Opened,
    Over,
    Proved,
    Shuffled,
    Shuffling,
    Told,
    Tossed,
)


class OpenTable(OpenDeck):
    """An open deck with the events that one seat receives, in the order of a masked table."""

    def __init__(
        self, game: Game, seat: Seat | None, decks: Sequence[Sequence[Face]] | Arrange, first: int
    ) -> None:
        """Start a match; `seat` receives the events, None is a spectator."""
        self.heard: list[Event] = []
        self._ear = seat
        super().__init__(game, decks, first)

    def act(self, seat: Seat, move: Move) -> None:
        """Make a move; it is reported once all who must have answered."""
        request = self.run.request
        assert isinstance(request, Ask)
        self.judge(seat, move)
        whole = request.kind != "all" or len(self.run.chosen) + 1 == len(request.seats)
        if whole:
            chosen = {**self.run.chosen, seat: move}
            self.heard += [
                self._moved(one, chosen[one], auto=False) for one in request.seats if one in chosen
            ]
        super().act(seat, move)

    def leave(self, seat: Seat) -> None:
        """Remove a seat."""
        self.heard.append(Gone(seat))
        super().leave(seat)

    def take(self) -> list[Event]:
        """Return the events since the last call."""
        heard, self.heard = self.heard, []
        return heard

    def _moved(self, seat: Seat, move: Move, *, auto: bool) -> Moved:
        return Moved(
            seat,
            move,
            self.game.write(move, self.faces),
            auto,
            {slot: self.faces[slot] for slot in move.shows},
        )

    def go_on(self) -> None:
        """Answer requests until a player must choose."""
        self._tell()
        super().go_on()
        if self.over:
            self.heard.append(Over(self.game.winners, tuple(self.game.score)))
        elif self._ear in self.turn:
            self.heard.append(Asked())

    def _tell(self) -> None:
        self.heard += [
            Told(event, self.game.pictures.get(at)) for at, event in enumerate(self.game.told)
        ]

    def answer(self, request: Any) -> None:
        """Answer a request that is no question to players."""
        super().answer(request)
        match request:
            case Shuffle(deck):
                self.heard.append(Shuffling(deck.number, deck.seats))
                self.heard += [Mixed(deck.number, seat) for seat in deck.seats]
                self.heard.append(Shuffled(deck.number, deck.seats, len(deck.cards)))
            case Deal(to):
                mine = to.get(self._ear, ()) if self._ear is not None else ()
                self.heard.append(Dealt(dict(to), {slot: self.faces[slot] for slot in mine}))
            case Open(slots):
                self.heard.append(Opened({slot: self.faces[slot] for slot in slots}))
            case Prove(claims):
                self.heard += [Proved(seat, slots) for seat, slots in claims.items()]
            case Toss(_, sides):
                self.heard.append(Tossed(sides, self.first % sides))
        self._tell()

    def attest(self, request: Ask[Any]) -> None:
        """Answer an automatic question."""
        before = len(self.attested)
        super().attest(request)
        self.heard += [self._moved(seat, move, auto=True) for seat, move in self.attested[before:]]
        self._tell()
