"""A ring in bad weather: entries arrive in any order, some twice, tables get to think at any time.
All of it from one seed."""

from __future__ import annotations

import random
from typing import Any

from tests.ring import Ring


class Storm(Ring):
    """Every entry on its way to every seat is a parcel; which parcel arrives next is chance."""

    def __init__(
        self, game: str, players: int, *, weather: int, twice: float = 0.2, **options: Any
    ) -> None:
        super().__init__(game, players, **options)
        self._chance = random.Random(weather)  # the weather, not the cards
        self._twice = twice
        self._parcels: list[tuple[int, int, bytes]] = []

    def deliver(self) -> bool:
        """Let one thing happen; return whether anything is under way."""
        seat = self._chance.randrange(len(self.tables))
        self.tables[seat].proceed()
        self._post()
        if not self._parcels:
            for table in self.tables:
                table.proceed()
            self._post()
        if not self._parcels:
            return False
        sender, receiver, data = self._parcels.pop(self._chance.randrange(len(self._parcels)))
        self.carry(sender, data, [receiver])
        if self._chance.random() < self._twice:
            self._parcels.append((sender, receiver, data))
        return True

    def after_move(self) -> None:
        """Let a few things happen before the next player moves."""
        for _ in range(self._chance.randrange(4)):
            self.deliver()
        if not any(table.asked for table in self.tables):
            self.settle()

    def _post(self) -> None:
        for seat in range(len(self.tables)):
            for data in self.store(seat):
                self.sent.append((seat, data))
                self._parcels += [(seat, other, data) for other in self.others(seat)]
