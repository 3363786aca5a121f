"""Every moment at which a peer of a calm match can die, one after the other: each store, before and after its sync, each send.

The others first come to rest without it, or, for every second moment, it is back at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crypto.group import Group
from engine.moves import Seat
from tests.simulator.matches import Kind
from tests.simulator.peer import Crash
from tests.simulator.world import World


@dataclass(frozen=True)
class Point:
    """A seat's moment, counted from 0, and which part of what was being written was lucky: none, half, or all of it."""

    seat: Seat
    number: int
    name: str
    kept: float = 0

    def __str__(self) -> str:
        return f"p{self.seat + 1}'s moment {self.number} ({self.name}, {self.kept} of it kept)"


class Calm(World):
    """A match in fine weather, in which one peer dies once."""

    def __init__(self, kind: Kind, seed: int, group: Group | None, point: Point | None = None) -> None:
        super().__init__(kind, seed, group)
        self.point = point
        self.passed: list[list[str]] = [[] for _ in self.peers]
        """The moments of each seat, by name."""
        self.moment = self._moment
        if point is not None:
            self.kept = lambda size: round(size * point.kept)

    def play(self) -> None:
        """Play the match to its end."""
        for peer in self.peers:
            self.start(peer.seat)
        self.clear_up()
        back_at_once = self.point is not None and self.point.number % 2 == 1
        while self.one_thing() or self.dead():
            if self.dead() and (back_at_once or not self.stirring()):
                self.clear_up()
        self.check_end()

    def dead(self) -> bool:
        """Whether somebody is not here."""
        return any(peer.table is None for peer in self.peers)

    def stirring(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.under_way() or self.busy() or self.asked())

    def _moment(self, seat: Seat, name: str) -> None:
        number = len(self.passed[seat])
        self.passed[seat].append(name)
        if self.point is not None and (seat, number) == (self.point.seat, self.point.number):
            raise Crash


def points(kind: Kind, seed: int, group: Group | None) -> Iterator[Point]:
    """List the moments of this match."""
    calm = Calm(kind, seed, group)
    calm.play()
    for seat, names in enumerate(calm.passed):
        for number, name in enumerate(names):
            for kept in (0, 0.5, 1) if name.endswith("written") else (0,):
                yield Point(seat, number, name, kept)
