"""The peers of one match and the links between them. Nothing happens by itself: the weather chooses
the next event.

A link carries in order, and the bytes on it are lost with it. When it is made both sides say what
they lack, as in `client.session.match`.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from crypto.group import Group
from engine.bots import bot_for, chance_for
from engine.core.moves import Choose, IllegalMove, Move, Seat
from engine.core.view import View
from p2p.table.replay import BadLog, Verdict, verify_log
from p2p.table.table import Table
from tests.ring import identities, terms_for
from tests.simulator.disk import LOG
from tests.simulator.matches import Kind, never_ends
from tests.simulator.peer import Crash, Parcel, Peer
from tests.simulator.records import Broken, demand, records_of
from tests.simulator.safety import Watch

Liars: TypeAlias = "Mapping[Seat, type[Table]]"

LONG_BY_CHANCE = ("kinaskak",)
"""Games that good players end sooner than chance does; of all others players by chance are the
quicker to choose."""
ASKS = 3
"""So often all ask while nothing changes: a table may need what it is shown only later."""
ENOUGH = 100_000
"""Events in which any of these matches comes to its end, once the weather is fine."""


@dataclass
class Link:
    """Two peers' link: the bytes under way, by their receiver. It is made and lost many times."""

    ends: tuple[Seat, Seat]
    up: bool = False
    way: dict[Seat, deque[Parcel]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.way = {end: deque() for end in self.ends}

    def other(self, end: Seat) -> Seat:
        """Return the other end."""
        return self.ends[end == self.ends[0]]


@dataclass
class Count:
    """Counts of events, for the summary."""

    events: int = 0
    crashes: int = 0
    cuts: int = 0
    leaves: int = 0
    votes: int = 0
    refused: int = 0
    went_on: int = 0
    """Whether a deal was void because somebody had gone, and the others went on: added up, in how
    many matches."""


class World:
    """A match. `chance` is the weather's and the players'; `liars` are seats with tables that
    lie."""

    def __init__(self, kind: Kind, seed: int, group: Group | None, liars: Liars = {}) -> None:  # noqa: B006 - it is only read
        game, players, options = kind
        self.name = f"{game} {players} {seed}"
        self.chance = Random(self.name)
        self.tables: Liars = dict.fromkeys(range(players), Table) | dict(liars)
        self.identities = identities(players)
        self.terms = terms_for(game, players, **options)
        self.signatures = [self.terms.sign(one) for one in self.identities]
        self.group = group
        self.count = Count()
        self.watch = Watch(self.terms.match, players, frozenset(liars))
        self.peers = [Peer(self, seat) for seat in range(players)]
        self.links = [Link(pair) for pair in itertools.combinations(range(players), 2)]
        self._between = {
            end: {link.other(end): link for link in self.links if end in link.ends}
            for end in range(players)
        }
        self._player = (bot_for if (seed % 8 == 0) != (game in LONG_BY_CHANCE) else chance_for)(
            game
        )
        self.moment: Callable[[Seat, str], None] = lambda seat, name: None
        """Called wherever a process could die; the weather raises Crash if it wants that."""
        self.kept: Choose = lambda size: self.chance.choice((0, size, self.chance.randint(0, size)))
        """How many of the bytes being written outlive a crash."""
        self._asked: list[object] = []
        """Where all stood when they asked last."""
        self._times = 0

    # For peers.

    def linked(self, seat: Seat) -> list[Seat]:
        """Return whom a peer has a link to."""
        return [other for other, link in self._between[seat].items() if link.up]

    def post(self, sender: Seat, receiver: Seat, parcel: Parcel) -> None:
        """Put something on a link; it is lost if there is none."""
        if isinstance(parcel, bytes):
            self.watch.sent(sender, parcel)
        link = self._between[sender][receiver]
        if link.up:
            link.way[receiver].append(parcel)

    def charge(self, seat: Seat, sender: Seat, data: bytes, why: str) -> None:
        """A peer refuses bytes that a link brought, and drops the link. No word that an honest seat
        says or passes on is refused."""
        known = self.watch.knows(data) and sender not in self.watch.liars
        demand(not known, f"p{seat + 1} refuses what somebody said: {why}")
        self.count.refused += 1
        self.cut(self._between[seat][sender])

    def choose(self, view: View) -> Move:
        """Choose as a player would who sees this."""
        return self._player(view, self.chance.randrange)

    # For the weather.

    def start(self, seat: Seat) -> None:
        """Let a peer sit down, or sit down again."""
        self._do(seat, self.peers[seat].start)

    def crash(self, seat: Seat) -> None:
        """Let a peer die, and its links with it."""
        self.count.crashes += 1
        self.peers[seat].crash()
        for link in self._between[seat].values():
            self.cut(link)

    def join(self, link: Link) -> None:
        """Make a link, if both ends are up and there is none; both say what they lack."""
        if link.up or any(self.peers[end].table is None for end in link.ends):
            return
        link.up = True
        for end in link.ends:
            self.post(end, link.other(end), self.peers[end].here().need)

    def cut(self, link: Link) -> None:
        """Lose a link, and the bytes on it."""
        self.count.cuts += link.up
        link.up = False
        for way in link.way.values():
            way.clear()

    def deliver(self, link: Link, receiver: Seat, at: int = 0, *, again: bool = False) -> None:
        """Let something arrive: the first of the bytes under way, or others; with `again` it will
        arrive once more."""
        way = link.way[receiver]
        way.rotate(-at)
        parcel = way[0] if again else way.popleft()
        way.rotate(at)
        peer = self.peers[receiver]
        peer.inputs.append((link.other(receiver), parcel))
        peer.busy = True

    def work(self, seat: Seat) -> None:
        """Let a peer work at its inputs."""
        self._do(seat, self.peers[seat].work)

    def act(self, seat: Seat) -> None:
        """Let a peer's player move, or leave a round that nobody can end."""
        if never_ends(self.peers[seat].here().run.game) and self.leave(seat):
            return
        self._do(seat, self.peers[seat].act)

    def make_ahead(self, seat: Seat) -> None:
        """Let a peer work at the next deck."""
        self._do(seat, self.peers[seat].make_ahead)

    def ask(self) -> None:
        """Let everybody who waits ask the others for the entries that it lacks."""
        for peer in self.peers:
            if peer.table is not None:
                self._do(peer.seat, peer.ask)

    def leave(self, seat: Seat) -> bool:
        """Let a player give up its place, if it may and somebody is left to end the match; return
        whether it did."""
        table = self.peers[seat].here()
        honest = set(table.staying) - self.watch.liars - self.watch.leaving
        if table.over or table.out or not table.run.game.may_leave(seat) or honest <= {seat}:
            return False
        try:
            self._do(seat, self.peers[seat].leave)
        except IllegalMove:  # it has signed that another goes
            return False
        self.count.leaves += 1
        self.watch.leaving.add(seat)
        return True

    def give_up(self) -> bool:
        """Let a player leave whose program can say nothing more about a deck; return whether one
        did."""
        stuck = [peer.seat for peer in self.peers if peer.stuck]
        return any(self.leave(seat) for seat in stuck if seat not in self.watch.leaving)

    def vote(self, seat: Seat, named: Collection[Seat]) -> bool:
        """Let a player vote to go on without these, as far as it may; return whether it did."""
        table = self.peers[seat].here()
        may = [other for other in table.waiting if other in named and table.may_vote(other)]
        if may:
            self.count.votes += len(may)
            self._do(seat, lambda: self.peers[seat].vote(may))
        return bool(may)

    def unreached(self, seat: Seat) -> set[Seat]:
        """Return the seats that this one has no link to."""
        return {other for other, link in self._between[seat].items() if not link.up}

    def asked(self) -> list[Seat]:
        """Return whose player must choose."""
        return [peer.seat for peer in self.peers if peer.table is not None and peer.table.asked]

    def busy(self) -> list[Seat]:
        """Return which peers have something to do."""
        return [peer.seat for peer in self.peers if peer.busy]

    def under_way(self) -> list[tuple[Link, Seat]]:
        """Return the links, and to which end, on which something is."""
        return [(link, end) for link in self.links for end in link.ends if link.way[end]]

    def _do(self, seat: Seat, what: Callable[[], object]) -> None:
        """Let a peer do something, whole or until it dies, and look at it."""
        peer = self.peers[seat]
        self.count.events += 1
        try:
            what()
        except Crash:
            self.crash(seat)
        peer.tell()

    # Fine weather.

    def clear_up(self) -> None:
        """Let everybody sit at the table, with links to all."""
        for peer in self.peers:
            if peer.table is None:
                self.start(peer.seat)
        for link in self.links:
            self.join(link)

    def settle(self) -> None:
        """Let everything arrive, in order, and everybody work, move and ask, until nothing happens
        any more and no link is missing."""
        for _ in range(ENOUGH):
            if not self.one_thing():
                if not all(link.up for link in self.links):
                    self.clear_up()
                elif not self.ask_again() and not self.give_up():
                    return
        raise AssertionError("it does not come to rest")

    def ask_again(self) -> bool:
        """Let everybody ask, unless they have done so often since anything changed; return whether
        they did. A program asks every two seconds."""
        tables = [peer.table for peer in self.peers if peer.table is not None]
        stands = [(table.mark, table.need) for table in tables]
        if stands != self._asked:
            self._asked, self._times = stands, 0
        self._times += 1
        if self._times <= ASKS:
            self.ask()
        return self._times <= ASKS

    def one_thing(self) -> bool:
        """Let the next thing happen, each in its turn; return whether there was any."""
        if ways := self.under_way():
            for link, end in ways:
                while link.way[end]:
                    self.deliver(link, end)
            return True
        for seat in self.busy():
            self.work(seat)
            return True
        for seat in self.asked():
            self.act(seat)
            return True
        return False

    def check_end(self) -> None:
        """Check that the match is at its end: sealed by all who stayed, with one log, which
        verifies.

        Not so of a seat that was voted out: it may have completed a change that another one has
        withdrawn, and wait there.
        """
        logs = {
            peer.seat: peer.disk.recover(LOG)
            for peer in self.peers
            if peer.seat not in self.watch.liars
        }
        sealed = [seat for seat in logs if self.peers[seat].here().sealed]
        demand(bool(sealed), "nobody has sealed")
        for seat, log in logs.items():
            self.check_log(seat, log)
            if self.watch.gone[sealed[0]].get(seat) == "voted":
                continue
            table = self.peers[seat].here()
            demand(
                table.sealed,
                f"p{seat + 1} is not sealed after {table.steps} records; it waits for "
                f"{table.waiting}",
            )
            demand(
                records_of(log) == records_of(logs[sealed[0]]),
                f"p{seat + 1}'s log is not p{sealed[0] + 1}'s",
            )

    def check_log(self, seat: Seat, log: bytes) -> Verdict:
        """Let a stranger verify a log of an honest seat (G4)."""
        try:
            verdict = verify_log(log, self.group)
        except BadLog as error:
            raise Broken(f"p{seat + 1}'s log does not verify: {error}") from error
        self.watch.judged(seat, log, verdict)
        return verdict
