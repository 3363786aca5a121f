"""One peer of a simulated match: the work of the client around its table, in its order
(`client.session.seats`), and its disk.

Wherever the process could die inside a piece of work it passes a *moment*; the world may let it die
there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from client.session.seats import AT_ONCE
from engine.core.moves import Seat
from p2p.table.events import OutOfKeys
from p2p.table.faults import BadSignature
from p2p.table.need import Need
from p2p.table.table import LogMark, Table
from p2p.wire import Malformed
from tests.simulator.disk import JOURNAL, LOG, Disk
from tests.standin import seeded

if TYPE_CHECKING:
    from tests.simulator.world import World


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
        self.table: Table | None = None
        self.stuck = False
        """Whether it may burn no further key for a deck: it has died too often meanwhile."""
        self.signatures = world.signatures
        self.mark: LogMark | None = None
        """How far our log file has come; None if that is not known."""

    def start(self) -> None:
        """Sit down, again if the disk says so. Randomness never comes twice."""
        world = self.world
        entropy = seeded(f"{world.name} p{self.seat} life {self.lives}")
        self.lives += 1
        journal, log = self.disk.recover(JOURNAL), self.disk.recover(LOG)
        world.watch.began(self.seat, journal, log)
        identity, seat = world.identities[self.seat], self.seat
        kind = world.tables[seat]
        if journal or log:
            self.table = kind.resumed(
                world.terms, self.signatures, seat, identity, entropy, journal, log, world.group
            )
        else:
            self.table = kind(world.terms, self.signatures, seat, identity, entropy, world.group)
        self.mark = None
        self.busy = True

    def crash(self) -> None:
        """Die: the world says how much of the bytes that were not synced was lucky."""
        self.disk.crash(self.world.kept)
        self.inputs.clear()
        self.table, self.busy, self.stuck = None, False, False

    def here(self) -> Table:
        """Return the table of a peer that is up."""
        assert self.table is not None
        return self.table

    def work(self) -> None:
        """Take in the inputs, go on, store, and post; then show those who asked the entries that
        they lack."""
        table = self.here()
        inputs, self.inputs = self.inputs, []
        self.busy = False
        news = 0
        for sender, parcel in inputs:
            if isinstance(parcel, bytes):
                news += self._receive(table, sender, parcel)
            if news == AT_ONCE:
                news = 0
                table.proceed()
                self.send()
        table.proceed()
        self.send()
        for sender, parcel in inputs:
            if isinstance(parcel, Need):
                for data in table.lacking(parcel):
                    self.world.post(self.seat, sender, data)

    def act(self) -> None:
        """Let our player choose."""
        table = self.here()
        table.act(self.world.choose(table.view()))
        self.send()

    def leave(self) -> None:
        """Let our player give up its place."""
        self.here().leave()
        self.send()

    def vote(self, named: list[Seat]) -> None:
        """Let our player say that it wants to go on without these seats, as far as it may."""
        for seat in named:
            if self.here().may_vote(seat):
                self.here().vote(seat)
        self.send()

    def ask(self) -> None:
        """Ask all for the entries that our table lacks."""
        if set(self.here().waiting) - {self.seat}:
            self.post(self.here().need, "asked")

    def make_ahead(self) -> bool:
        """Do one thing for the next deck."""
        made = self.here().make_ahead()
        self.send()
        return made

    def send(self) -> None:
        """Store all that the table has said and heard, then post it."""
        table = self.here()
        self.store(JOURNAL, table.data_to_store())
        self.store_log(table)
        for data in table.data_to_send():
            self.post(data, "sent")

    def store_log(self, table: Table) -> None:
        """Bring our log file up to date; an addition to it is appended, anything else replaces it
        whole. The seals come when there are all of them."""
        mark = table.mark if table.sealed else (*table.mark[:2], 0)
        if self.mark is not None and mark <= self.mark:
            return
        at, data = table.log_update(self.mark, seals=table.sealed)
        before = self.disk.read(LOG)
        after = before[:at] + data
        if after != before:
            self.world.watch.logged(self.seat, after)
        if after.startswith(before):
            self.store(LOG, after[len(before) :])
        else:
            self.world.moment(self.seat, "log written beside")
            self.disk.replace(LOG, after)
            self.world.moment(self.seat, "log replaced")
        self.mark = mark

    def tell(self) -> None:
        """Let the watch look at our table, and at its events."""
        if self.table is not None:
            events = self.table.events()
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

    def post(self, data: Parcel, moment: str, but: Seat | None = None) -> None:
        """Put something on every link but one; a crash may come after any of them."""
        for other in self.world.linked(self.seat):
            if other != but:
                self.world.post(self.seat, other, data)
                self.world.moment(self.seat, moment)

    def _receive(self, table: Table, sender: Seat, data: bytes) -> bool:
        """Take an entry in, and pass it on if it is news; a link that brings what no seat has
        signed is dropped."""
        self.world.watch.received(self.seat, data)
        try:
            news = table.receive(data)
        except (Malformed, BadSignature) as error:
            self.world.charge(self.seat, sender, data, error)
            return False
        if news:
            self.post(data, "relayed", but=sender)
            return True
        return False
