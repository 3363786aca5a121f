"""An evening of looking on: one player after the other is asked to show its match, and what they show goes to the face."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import trio

from client.i18n.translation import _
from client.session.messages import Lobby, LobbySeat, Message, News, Notice, Seated, Stored
from client.session.seeking import Seeker
from client.session.spectator_table import SpectatorTable
from client.session.status import NetworkError, UsageError
from client.storage.home import Home
from client.storage.resume_record import look_through
from crypto.identity import fingerprint
from p2p.net.events import LinkDown, LinkUp, Received
from p2p.net.mesh import Mesh
from p2p.table.events import Event, Shuffling
from p2p.table.faults import BadSignature
from p2p.table.lobby import Draft, Refused
from p2p.table.onlooking import Ask, Shown
from p2p.table.phase import Phase
from p2p.wire import Malformed

Peer = bytes
ANSWER_TIMEOUT_S = 5.0
"""Seconds in which who is asked must show something."""
RETRY_S = 1.5
"""Seconds after which who was busy is asked again, and between two times that we ask for what found no room."""
SEALS_TIMEOUT_S = 10.0
"""Seconds that we wait for seals when the match is over and nobody is there to show them."""
NO_LINK_TIMEOUT_S = 60.0
"""Seconds without a link to any player after which we wait no longer."""
QUIET_S = 1.0
"""Seconds without anything new after which what was shown so far is all there is."""
MAX_WAITING_ENTRIES = 4096
"""How many entries may wait to be looked at; then the link waits too."""
AT_ONCE = 32
"""How many are looked at before the face hears of them."""


class SpectatorSession:
    """Looking on at one match, from the first player asked to its end. `tell` takes every message for the face."""

    def __init__(self, home: Home, mesh: Mesh, tell: Callable[[Message], None]) -> None:
        self.spectator_table: SpectatorTable | None = None
        self._home, self._mesh, self._tell = home, mesh, tell
        self._players: dict[Peer, None] = {}
        """Who can show us the match, as far as we know: who was asked first is the first."""
        self._unfit: set[Peer] = set()
        """Those who will not, or who have shown what no seat has said."""
        self._source: Peer | None = None
        """Who shows it to us now."""
        self._answered = False
        self._linked_at = trio.current_time()
        self._asked_at = -math.inf
        self._lacking = False
        """Whether there is more that we could ask for: there was no room for it, or who was asked was busy."""
        self._entries_in, self._entries = trio.open_memory_channel[tuple[Peer, bytes]](math.inf)
        self._target = 0
        """How many steps there were when we came."""
        self._missed: list[Event] = []
        """What has happened before we came, until all of it is here."""
        self._caught_up = False
        self._done = trio.Event()

    @property
    def others(self) -> frozenset[Peer]:
        """The players who can show us the match."""
        return frozenset(self._players) - self._unfit

    @property
    def sought(self) -> frozenset[Peer]:
        """Those of them to whom there is no link."""
        return self.others - self._mesh.links().keys()

    async def run(self, peer: Peer, seeker: Seeker | None = None) -> bool:
        """Look on through a player to whom there is a link; return whether all have sealed what we saw.

        Refused if nobody will show us a match, NetworkError if nobody can be reached any more, StoreError.
        """
        self._players[peer] = None
        self._mesh.keep(peer)  # before anything is asked for: who is not kept may bring little
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._listen)
                nursery.start_soon(self._look)
                nursery.start_soon(self._mind)
                if seeker is not None:
                    nursery.start_soon(seeker.run, self, self._mesh)
                await self._done.wait()
                nursery.cancel_scope.cancel()
        finally:
            if self.spectator_table is not None:
                self.spectator_table.close()
        assert self.spectator_table is not None
        self._tell(Stored(str(self.spectator_table.files.log), self.spectator_table.table.sealed))
        return self.spectator_table.table.sealed

    # The links.

    async def _listen(self) -> None:
        async for event in self._mesh.events:
            match event:
                case LinkUp(peer) if peer in self._players and self._source in (None, peer):
                    self._ask(peer)
                case LinkDown(peer, _reason) if peer == self._source:
                    self._turn_to_another()
                case Received(peer, bytes() as data) if peer == self._source:
                    while self._entries.statistics().current_buffer_used >= MAX_WAITING_ENTRIES:
                        await trio.sleep(QUIET_S / 20)
                    self._entries_in.send_nowait((peer, data))
                case Received(peer, dict() as message) if peer == self._source:
                    try:
                        await self._handle(peer, message)
                    except Malformed as error:
                        self._give_up(peer, str(error))

    def _ask(self, peer: Peer) -> None:
        self._source, self._answered, self._lacking, self._asked_at = peer, False, False, trio.current_time()
        ask = self.spectator_table.ask() if self.spectator_table is not None else Ask()
        self._mesh.send(peer, ask.message())

    def _turn_to_another(self) -> None:
        """Ask somebody else to show us the match; if there is no link to anybody, the first to come back is asked."""
        before, self._source = self._source, None
        links = self._mesh.links()
        ready = [peer for peer in self._players if peer in links and peer not in self._unfit and peer != before]
        if ready:
            self._ask(ready[0])
        elif self.spectator_table is None and before is not None:
            raise Refused("host-gone")

    def _give_up(self, peer: Peer, why: str) -> None:
        """Have no more to do with who shows us what no player has said. Refused if nobody else is known."""
        self._unfit.add(peer)
        self._mesh.forget(peer)
        self._mesh.drop(peer, why)
        if not self._players.keys() - self._unfit:
            raise Refused("spoiled")
        if peer == self._source:
            self._turn_to_another()

    async def _handle(self, peer: Peer, message: dict[str, object]) -> None:
        self._answered = True
        match message.get("t"):
            case "table" if self.spectator_table is None:
                self._tell_of(Draft.read(message))
            case "match":
                await self._sit_down(Shown.read(message))
            case "refuse":
                self._refused(peer, str(message.get("why"))[:40])

    def _refused(self, peer: Peer, why: str) -> None:
        """Who is busy is asked again; who will not show us the match, while others may, is left alone."""
        if why == "busy":
            self._lacking = True
            return
        self._unfit.add(peer)
        if self.spectator_table is None or not self._players.keys() - self._unfit:
            raise Refused(why)
        self._turn_to_another()

    def _tell_of(self, draft: Draft) -> None:
        if not draft.spectators:
            raise Refused("no-spectators")
        seats = tuple(LobbySeat(place.nick, fingerprint(place.id)) if place else None for place in draft.seats)
        self._tell(Lobby(draft.game, dict(draft.options), seats, (), draft.table, spectators=True))
        self._tell(Notice("watch-waits"))

    async def _sit_down(self, shown: Shown) -> None:
        """The match is shown: get to know its players, so that others can show the rest if this one goes."""
        if self.spectator_table is not None:
            if shown.terms.match != self.spectator_table.match:
                raise Malformed("another match than before")
            return
        # One of ours whose file is damaged may be looked on at: there is no other way to it any more.
        if any(resume_record.terms.match == shown.terms.match for resume_record in look_through(self._home)[0]):
            raise UsageError(_("you have a seat in that match yourself: go back into it with `sobremesa resume`"))
        self.spectator_table = await trio.to_thread.run_sync(partial(SpectatorTable, shown, self._home))
        self._target, self._missed = shown.steps, self.spectator_table.before
        places = {place.id for place in shown.terms.places} - {self._home.identity().id}
        for node in shown.nodes:
            if node.id in places:
                self._players[node.id] = None
                self._mesh.keep(node.id, [(host, node.port) for host in node.addresses])
        self._tell(Seated(shown.terms, None, self.spectator_table.match.hex()))

    # What is shown.

    async def _look(self) -> None:
        while True:
            batch: list[tuple[Peer, bytes]] = []
            with trio.move_on_after(QUIET_S):
                batch.append(await self._entries.receive())
            while self._entries.statistics().current_buffer_used and len(batch) < AT_ONCE:
                batch.append(self._entries.receive_nowait())
            if self.spectator_table is None:
                continue  # entries before it is said of which match they are
            if not batch:
                self._target = 0  # there is no more of it now, whatever was said
            try:
                events = await trio.to_thread.run_sync(self.spectator_table.look, [data for _peer, data in batch])
            except (Malformed, BadSignature) as error:
                self._give_up(batch[0][0], str(error))
                continue
            self._lacking |= self.spectator_table.table.turned_away()
            self._tell_events(events)

    def _tell_events(self, events: list[Event]) -> None:
        """Tell what has happened. Of what there was before we came only the deal that is played is news."""
        assert self.spectator_table is not None
        table, earlier = self.spectator_table.table, 0
        if not self._caught_up:
            self._missed += events
            if table.steps < self._target and not table.over:
                return
            self._caught_up, events = True, self._missed
            earlier = max((at for at, event in enumerate(events) if isinstance(event, Shuffling)), default=0)
        if events:
            view, waiting = table.view(), table.waiting
            for at, event in enumerate(events):
                self._tell(News(event, view, waiting, at == len(events) - 1, at < earlier, table.votes))
        reports, self.spectator_table.reports = self.spectator_table.reports, []
        for notice, path in reports:
            self._tell(Notice(notice, {"path": path}))
        if table.sealed or table.phase is Phase.DIVERGED:
            self._done.set()

    async def _mind(self) -> None:
        """See to it that we are shown something, as long as there is somebody who can show it."""
        while True:
            await trio.sleep(QUIET_S)
            now = trio.current_time()
            if self._players.keys() & self._mesh.links().keys():
                self._linked_at = now
            if self.spectator_table is not None and self.spectator_table.table.over and now - self._linked_at > SEALS_TIMEOUT_S:
                self._done.set()
            if now - self._linked_at > NO_LINK_TIMEOUT_S:
                raise NetworkError(_("nobody of that match can be reached any more"))
            if self._source is None:
                continue
            if not self._answered and now - self._asked_at > ANSWER_TIMEOUT_S:
                if self.spectator_table is None:
                    raise Refused("no-answer")
                self._turn_to_another()
            elif self._lacking and now - self._asked_at > RETRY_S:
                self._ask(self._source)
