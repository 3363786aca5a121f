"""The votes of one view to go on without a member, as many as are kept (protocol 5)."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Set

from p2p.table.view_change import Call, Point, Seat

VOTES = 16
"""Votes of one member about another that are kept. New votes replace those of stages that are
over."""


class Votes:
    """The votes that members have cast.

    `is_over` says whether a point is of a stage that is over.
    """

    def __init__(self, own: Seat | None, is_over: Callable[[Point], bool]) -> None:
        self._own, self._is_over = own, is_over
        self._voters: dict[Call, set[Seat]] = {}
        self._cast: dict[tuple[Seat, Seat], list[Point]] = {}

    def has_space(self, voter: Seat, seat: Seat, point: Point) -> bool:
        """Whether another vote of this member is kept: all of our own are."""
        cast = self._cast.get((voter, seat), [])
        if len(cast) < VOTES or voter == self._own:
            return True
        return not self._is_over(point) and any(self._is_over(old) for old in cast)

    def points(self, voter: Seat, seat: Seat) -> tuple[Point, ...]:
        """Return the points of the kept votes of a member about another."""
        return tuple(self._cast.get((voter, seat), ()))

    def receive(self, voter: Seat, seat: Seat, point: Point) -> None:
        """Take a vote, if there is space."""
        cast = self._cast.setdefault((voter, seat), [])
        if point in cast or not self.has_space(voter, seat, point):
            return
        if len(cast) >= VOTES:
            old = next((one for one in cast if self._is_over(one)), cast[0])
            cast.remove(old)
            self._voters[seat, old].discard(voter)
            if not self._voters[seat, old]:
                del self._voters[seat, old]
        cast.append(point)
        self._voters.setdefault((seat, point), set()).add(voter)

    def of(self, call: Call) -> Set[Seat]:
        """Return the members that have voted for a call."""
        return self._voters.get(call, set())

    def by_call(self) -> ItemsView[Call, Set[Seat]]:
        """Return each call that has a vote, with its voters."""
        return self._voters.items()
