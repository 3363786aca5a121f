"""A person at a table of the ring: the lines that they read, and those that they type."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from client.session.messages import (
    Act,
    Command,
    Leave,
    Lobby,
    LobbySeat,
    Message,
    News,
    Seated,
    Typed,
)
from client.ui.model import Model
from client.ui.plain.lines import lines
from client.ui.update import update
from crypto.identity import fingerprint
from engine.core.moves import Seat
from p2p.table.house import House
from tests.ring import Ring
from tests.standin import standin_group


class Person:
    """Sits on a seat of a match of standard players, the caller plays the others."""

    def __init__(
        self,
        players: int = 2,
        seat: Seat = 0,
        *,
        game: str = "escoba",
        seed: str = "person",
        **options: Any,
    ) -> None:
        self.ring = Ring(game, players, group=standin_group(), seed=seed, **options)
        self.seat = seat
        self.model = Model()
        self.read: list[str] = []
        self.width: int | None = None
        self._seen = 0

    @property
    def table(self):
        return self.ring.tables[self.seat]

    def tell(self, message: Message) -> tuple[Command, ...]:
        before = self.model
        self.model, commands = update(before, message)
        self.read += lines(before, message, self.model, self.width)
        return commands

    def type(self, text: str) -> list[str]:
        """Type a line, let its commands be done, and return what was answered."""
        start = len(self.read)
        for command in self.tell(Typed(text)):
            match command:
                case Act(move):
                    self.table.act(move)
                case Leave():
                    self.table.leave()
        self.hear()
        return self.read[start:]

    def sit(self) -> Person:
        """Go through the lobby, sit down and hear the beginning of the match."""
        terms = self.ring.terms
        seats = tuple(LobbySeat(place.nick, fingerprint(place.id)) for place in terms.participants)
        self.tell(
            Lobby(
                terms.game,
                terms.options,
                tuple(s if n == self.seat else None for n, s in enumerate(seats)),
                (self.seat,),
                terms.limit,
            )
        )
        self.tell(Lobby(terms.game, terms.options, seats, (self.seat,), terms.limit))
        shown = replace(terms, house=House("free"))  # as at a table of one person
        self.tell(Seated(shown, self.seat, terms.match.hex()))
        self.hear()
        return self

    def hear(self) -> None:
        """Hear what has happened since."""
        self.ring.settle()
        events = self.ring.events[self.seat][self._seen :]
        self._seen += len(events)
        for place, event in enumerate(events, 1):
            self.tell(News(event, self.table.view(), self.table.waiting, last=place == len(events)))

    def others_play(self) -> None:
        """Let the others make their first legal moves until it is our turn, or the match is
        over."""
        while not self.table.over and not self.table.asked:
            for table in self.ring.tables:
                if table.asked and table is not self.table:
                    table.act(next(iter(table.view().options)))
                    self.hear()

    def play(self) -> None:
        """Play the match to its end, typing the first move that is offered."""
        self.others_play()
        while not self.table.over:
            view = self.table.view()
            self.type(view.game.write(next(iter(view.options)), {**view.game.faces, **view.faces}))
            self.others_play()
