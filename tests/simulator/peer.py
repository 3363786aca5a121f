"""One peer of a simulated match: the seats of the client (`client.session.seats`) over a simulated
disk.

Wherever the process could die inside a piece of work it passes a *moment*; the world may let it die
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from client.session.context import Context
from client.session.seats import Beginning, LocalSeats
from client.session.work import Behind, Chosen, EntryReceived, Input, Post, Vote, Work
from client.storage.match_files import MatchFiles
from client.storage.match_log import MatchLog
from client.storage.resume_record import ResumeRecord
from engine.core.moves import Seat, Slot
from p2p.table.events import Event, OutOfKeys
from p2p.table.need import Need
from p2p.table.table import Table
from p2p.table.terms import Terms
from tests.simulator.disk import JOURNAL, LOG, Disk
from tests.standin import seeded

if TYPE_CHECKING:
    from tests.simulator.world import World

NOWHERE = Path("/nonexistent")


class Crash(Exception):
    """The process is gone."""


Parcel: TypeAlias = "bytes | Need"


class Peer:
    """A seat's process. Between crash and restart there is no table."""

    def __init__(self, world: World, seat: Seat) -> None:
        self.world, self.seat = world, seat
        self.disk = Disk()
        self.inputs: list[tuple[Seat, Parcel]] = []
        self.lives = 0
        self.busy = False
        """Whether it has something to do."""
        self.stuck = False
        """Whether it may burn no further key for a deck: it has died too often meanwhile."""
        self.signatures = world.signatures
        self._seats: SimulatedSeats | None = None
        self._events: list[Event] = []
        """Those that nobody has looked at."""

    @property
    def table(self) -> Table | None:
        """Its table; None while it is not there."""
        return self._seats.table if self._seats is not None else None

    def start(self) -> None:
        """Sit down, again if the disk says so. Randomness never comes twice."""
        self.lives += 1
        files = SimulatedFiles(self)
        self.world.watch.began(self.seat, *map(self.disk.recover, (JOURNAL, LOG)))
        self._seats = SimulatedSeats(self, files)
        self.busy = True

    def crash(self) -> None:
        """Die: the world says how much of the bytes that were not synced was lucky."""
        self.disk.crash(self.world.kept)
        self.inputs.clear()
        self._events.clear()
        self._seats, self.busy, self.stuck = None, False, False

    def here(self) -> Table:
        """Return the table of a peer that is up."""
        assert self.table is not None
        return self.table

    def work(self) -> None:
        """Work at the inputs."""
        parcels, self.inputs = self.inputs, []
        self.busy = False
        self._work(
            EntryReceived(key_of(sender), parcel)
            if isinstance(parcel, bytes)
            else Behind(key_of(sender), parcel)
            for sender, parcel in parcels
        )

    def act(self) -> None:
        """Let our player choose."""
        table = self.here()
        self._work([Chosen(self.seat, self.world.choose(table.view()), table.head)])

    def leave(self) -> None:
        """Let our player give up its place. Raises IllegalMove."""
        self._work([Chosen(self.seat, None)])

    def vote(self, named: list[Seat]) -> None:
        """Let our player say that it wants to go on without these seats, as far as it may."""
        at = self.here().waiting_at
        self._work([Vote(self.seat, seat, at) for seat in named])

    def ask(self) -> None:
        """Ask all for the entries that our table lacks."""
        if set(self.here().waiting) - {self.seat}:
            self.to_all(self.here().need, "asked")

    def make_ahead(self) -> bool:
        """Do one thing for the next deck."""
        assert self._seats is not None
        return self._seats.make_ahead(self.post)

    def tell(self) -> None:
        """Let the watch look at our table, and at its events."""
        if self.table is not None:
            events = [*self._events, *self.table.events()]
            self._events.clear()
            self.stuck |= any(isinstance(event, OutOfKeys) for event in events)
            self.world.watch.looked(self.seat, self.table, events)

    def store(self, name: str, data: bytes) -> None:
        """Write to a file and sync it."""
        if not data:
            return
        self.disk.write(name, data)
        self.world.moment(self.seat, f"{name} written")
        safe = self.disk.sync(name)
        if name == JOURNAL:
            self.world.watch.journalled(self.seat, safe)
        self.world.moment(self.seat, f"{name} synced")

    def post(self, data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
        """Put an entry on one link, or on every link but one."""
        if to is not None:
            self.world.post(self.seat, to[0], data)
        else:
            self.to_all(data, "sent" if skip is None else "relayed", skip)

    def to_all(self, data: Parcel, moment: str, skip: bytes | None = None) -> None:
        """Put something on every link but one; a crash may come after any of them."""
        for other in self.world.linked(self.seat):
            if key_of(other) != skip:
                self.world.post(self.seat, other, data)
                self.world.moment(self.seat, moment)

    def _work(self, inputs: Iterable[Input]) -> None:
        """Do a round of work; another one comes if there is more to do at once."""
        assert self._seats is not None
        result = self._seats.work(list(inputs), self.post)
        assert not result.contained, result.contained
        self._events += [news.event for news in result.news]
        self.busy |= result.more
        if result.refused:
            raise result.refused[0]


def key_of(seat: Seat) -> bytes:
    """Return the key by which the client knows a seat's program here."""
    return bytes([seat])


class SimulatedSeats(LocalSeats):
    """The one seat of a peer, whose mistakes the world hears of at once."""

    def __init__(self, peer: Peer, files: SimulatedFiles) -> None:
        world, seat = peer.world, peer.seat
        self._peer = peer
        home: Any = None  # nothing is written but to the simulated disk
        super().__init__(
            Context(home, entropy=seeded(f"{world.name} p{seat} life {peer.lives}")),
            ResumeRecord(world.terms, tuple(peer.signatures), {seat: b""}, (), 0),
            {seat: world.identities[seat]},
            {},
            Beginning(again=files.used, group=world.group, kind=world.tables[seat]),
            files,
        )

    def _receive(self, item: EntryReceived, post: Post, result: Work) -> None:
        """Take an entry; a link that brings what no seat has signed is dropped."""
        world, (sender,) = self._peer.world, item.peer
        world.watch.received(self._peer.seat, item.data)
        super()._receive(item, post, result)
        while result.bad_links:
            _peer, why = result.bad_links.pop()
            world.charge(self._peer.seat, sender, item.data, why)


class SimulatedFiles(MatchFiles):
    """The files of a peer, on its simulated disk."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.log_file = SimulatedLog(peer)
        self.used = any(map(peer.disk.read, (JOURNAL, LOG)))
        """Whether there is anything to take up."""

    def take_up(self, terms: Terms) -> tuple[dict[Seat, bytes], bytes]:
        """Return what the disk has."""
        del terms
        return {self._peer.seat: self._peer.disk.recover(JOURNAL)}, self.log_file.take_up()

    def write_journal(self, seat: Seat, data: bytes) -> None:
        """Append to the journal."""
        del seat
        self._peer.store(JOURNAL, data)

    def write_own_cards(self, shares: Mapping[Slot, bytes]) -> None:
        """Write nothing: play does not depend on it."""

    def write_verdict(self, seat: Seat, data: bytes) -> Path:
        """Write nothing."""
        return NOWHERE

    def write_account(self, data: bytes) -> Path:
        """Write nothing."""
        return NOWHERE

    def write_departure(self, entries: Sequence[bytes], head: bytes) -> None:
        """Write nothing."""


class SimulatedLog(MatchLog):
    """The log of a peer, on its simulated disk."""

    def __init__(self, peer: Peer) -> None:
        super().__init__(NOWHERE)
        self._peer = peer

    def take_up(self) -> bytes:
        """Return the whole records that the disk has."""
        data = self._peer.disk.recover(LOG)
        self.go_on_from(data)
        return data

    def _write(self, at: int, data: bytes) -> None:
        """Replace the bytes from `at` on: an addition is appended, all else is another file."""
        peer = self._peer
        before = peer.disk.read(LOG)
        after = before[:at] + data
        if after != before:
            peer.world.watch.logged(peer.seat, after)
        if after.startswith(before):
            peer.store(LOG, after[len(before) :])
        else:
            peer.world.moment(peer.seat, "log written beside")
            peer.disk.replace(LOG, after)
            peer.world.moment(peer.seat, "log replaced")
        self._size = len(after)
