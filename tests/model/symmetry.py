"""Members that are alike may be exchanged: of all states that differ only by that, one is searched.

This is sound because the bounds, the liar's offers and the guarantees name no seat, and the
schedule is kept by each exchange that is used. The `Membership` itself must not depend on the
number of a seat either: it sorts, no more.
"""

from __future__ import annotations

from itertools import permutations

from p2p.table.view_change import Call, ChangeRound
from tests.model.member import Members
from tests.model.world import Entry

State = tuple[int, ...]


class Exchange:
    """One exchange of honest members: `to` is the new seat of each seat."""

    def __init__(self, members: Members, to: tuple[int, ...]) -> None:
        self.members, self.world, self.to = members, members.world, to
        self._heads = {0: 0}
        self._entries: dict[int, int] = {}
        self._locals: dict[int, int] = {}

    def state(self, state: State) -> State:
        """The state after the exchange."""
        found = [0] * len(state)
        honest = self.world.honest
        for seat, number in zip(honest, state, strict=True):
            found[honest.index(self.to[seat])] = self.local(number)
        return tuple(found)

    def local(self, number: int) -> int:
        after = self._locals.get(number)
        if after is None:
            local = self.members.locals[number]
            there = local._replace(
                seat=self.to[local.seat], head=self.head(local.head), known=self.mask(local.known)
            )
            after = self._locals[number] = self.members.number(there)
        return after

    def mask(self, mask: int) -> int:
        found = 0
        while mask:
            low = mask & -mask
            mask ^= low
            number = low.bit_length() - 1
            if number not in self._entries:
                self._entries[number] = self.world.bit(self.entry(self.world.entries[number]))
            found |= self._entries[number]
        return found

    def head(self, number: int) -> int:
        if number not in self._heads:
            here, parent = self.world.heads[number], self.head(self.world.heads[number].parent)
            content = self.mask(here.content)
            if here.kind == "change":
                assert here.round is not None
                after = self.world.change(
                    parent, here.view - 1, self.round(here.view - 1, here.round), content
                )
            else:
                after = self.world.record(parent, content)
            self._heads[number] = after
        return self._heads[number]

    def point(self, point: bytes) -> bytes:
        if point in self.world.rounds:
            view, of = self.world.rounds[point]
            return self.world.id_of(view, self.round(view, of))
        if point in self.world.confirm_points:
            view, of = self.world.confirm_points[point]
            return self.world.confirm_point(view, self.round(view, of))
        return self.world.point(self.head(int.from_bytes(point, "big"))) if point else point

    def round(self, view: int, of: ChangeRound) -> ChangeRound:
        def calls(before: tuple[Call, ...]) -> tuple[Call, ...]:
            return tuple(sorted((self.to[seat], self.point(point)) for seat, point in before))

        after = ChangeRound(
            tuple(sorted(self.to[seat] for seat in of.gone)), calls(of.called), calls(of.answered)
        )
        if self.world.id_of(view, of):  # the round can be named as a point
            self.world.id_of(view, after)
        return after

    def entry(self, entry: Entry) -> Entry:
        body = entry.body
        match entry.kind:
            case "word":
                body = (body[0], self.head(body[1]), body[2])
            case "stand":
                body = (self.head(body[0]),)
            case "vote":
                body = (self.point(body[0]), self.to[body[1]])
            case "flush":
                body = (
                    self.round(entry.view, body[0]),
                    body[1],
                    self.head(body[2]),
                    self.point(body[3]),
                )
            case "confirm":
                body = (self.round(entry.view, body[0]), self.mask(body[1]))
        return entry._replace(seat=self.to[entry.seat], body=body)


class Symmetry:
    """All exchanges that keep the schedule."""

    def __init__(self, members: Members) -> None:
        world = members.world
        self.exchanges: list[Exchange] = []
        for order in permutations(world.honest):
            to = list(range(world.members))
            for seat, other in zip(world.honest, order, strict=True):
                to[seat] = other
            kept = all({to[seat] for seat in owed} == set(owed) for owed in world.schedule)
            if kept and order != world.honest:
                self.exchanges.append(Exchange(members, tuple(to)))

    def least(self, state: State) -> State:
        """The one of all states alike that stands for them."""
        return min([state, *(exchange.state(state) for exchange in self.exchanges)])
