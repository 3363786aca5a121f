"""The weather of a match, all of it from one seed: the bytes that are late, lost, doubled or
forged, and when each peer dies.

A storm blows for a while; then it clears up, and the match must come to its end. All events that
may befall a match are listed here (`Storm.one_event`); those that may befall a peer inside a piece
of work are in `Storm.moment`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from crypto.group import Group
from engine.core.moves import Seat
from tests.simulator.matches import Kind
from tests.simulator.peer import Crash
from tests.simulator.world import Liars, Link, World

OFTEN_LEFT = (0.002, 0.005, 0.02)
"""How likely a leave is where many go."""
RASH = 0.02
"""Of the votes, how many are about somebody to whom there is a link: its word may be under way."""
ASKS_AFTER = 20
"""Everybody asks for the entries that it lacks when the number of events is a multiple of this."""


@dataclass(frozen=True)
class Climate:
    """How likely each thing is, for each event unless it says otherwise."""

    events: int
    """How long the storm blows."""
    cut: float
    join: float
    crash: float
    crash_inside: float
    """For each moment inside a piece of work."""
    start: float
    ahead: float
    forge: float
    leave: float
    vote: float
    again: float
    """For each parcel that arrives."""
    diverged: float
    """The same: it is not the first of its link."""

    @classmethod
    def drawn(cls, chance: Random) -> Climate:
        """Draw a climate: most are bad in some respects only."""

        def often(*values: float) -> float:
            return chance.choice(values)

        return cls(
            events=chance.choice((50, 200, 600)),
            cut=often(0, 0.005, 0.02),
            join=often(0.02, 0.2),
            crash=often(0, 0, 0.005, 0.015),
            crash_inside=often(0, 0.002, 0.01),
            start=often(0.02, 0.2),
            ahead=often(0, 0.02, 0.1),
            forge=often(0, 0, 0.01),
            leave=often(0, 0, 0, 0.005, 0.02),
            vote=often(0, 0, 0.1, 0.5),
            again=often(0, 0, 0.2),
            diverged=often(0, 0, 0.5),
        )


class Storm(World):
    """A match in bad weather."""

    def __init__(
        self,
        kind: Kind,
        seed: int,
        group: Group | None,
        liars: Liars = {},  # noqa: B006 - it is only read
        *,
        nobody_goes: bool = False,
        many_go: bool = False,
    ) -> None:
        super().__init__(kind, seed, group, liars)
        self.climate = Climate.drawn(self.chance)
        if many_go:
            self.climate = replace(self.climate, leave=self.chance.choice(OFTEN_LEFT))
        if nobody_goes:
            self.climate = replace(self.climate, leave=0, vote=0)
        self.moment = self._moment
        self._raging = True

    def play(self) -> None:
        """Play the match in the storm, then in fine weather, to its end."""
        self._begin()
        self._raging = False
        self.clear_up()
        self.settle()
        self.check_end()

    def _begin(self) -> None:
        """Let the storm blow."""
        for peer in self.peers:
            self.start(peer.seat)
        for link in self.links:
            self.join(link)
        for _ in range(self.climate.events):
            self.one_event()

    def one_event(self) -> None:
        """Let something happen."""
        chance, climate = self.chance, self.climate
        self.count.events += 1
        if chance.random() < climate.cut:
            self.cut(chance.choice(self.links))
        if chance.random() < climate.join:
            self.join(chance.choice(self.links))
        if chance.random() < climate.crash:
            self._crash(chance.choice(self.peers).seat)
        if chance.random() < climate.start:
            self._start(chance.choice(self.peers).seat)
        if chance.random() < climate.ahead and (up := self._up()):
            self.make_ahead(chance.choice(up))
        if chance.random() < climate.forge:
            self._forge(chance.choice(self.links))
        if chance.random() < climate.leave and (up := self._up()):
            self.leave(chance.choice(up))
        if chance.random() < climate.vote and (up := self._up()):
            seat = chance.choice(up)
            self.vote(
                seat, range(len(self.peers)) if chance.random() < RASH else self.unreached(seat)
            )
        if self.count.events % ASKS_AFTER == 0:
            self.ask()
        self._go_on()

    def _up(self) -> list[Seat]:
        return [peer.seat for peer in self.peers if peer.table is not None]

    def _go_on(self) -> None:
        """Let something arrive, or somebody work or move."""
        ways, busy, asked = self.under_way(), self.busy(), self.asked()
        if not (ways or busy or asked):
            return
        at = self.chance.randrange(len(ways) + len(busy) + len(asked))
        if at < len(ways):
            self._arrive(*ways[at])
        elif at < len(ways) + len(busy):
            self.work(busy[at - len(ways)])
        else:
            self.act(asked[at - len(ways) - len(busy)])

    def _arrive(self, link: Link, receiver: Seat) -> None:
        chance, climate = self.chance, self.climate
        first = chance.random() >= climate.diverged
        at = 0 if first else chance.randrange(len(link.way[receiver]))
        self.deliver(link, receiver, at, again=chance.random() < climate.again)

    def _crash(self, seat: Seat) -> None:
        if self.peers[seat].table is not None:
            self.crash(seat)

    def _start(self, seat: Seat) -> None:
        if self.peers[seat].table is None:
            self.start(seat)

    def _forge(self, link: Link) -> None:
        """Bring, as if from the other end, an entry that nobody has signed: one bit is changed."""
        entries = self.watch.all_sent()
        if not link.up or not entries:
            return
        data = bytearray(self.chance.choice(entries))
        data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)
        link.way[self.chance.choice(link.ends)].append(bytes(data))

    def _moment(self, seat: Seat, name: str) -> None:
        del seat, name
        if self._raging and self.chance.random() < self.climate.crash_inside:
            raise Crash
