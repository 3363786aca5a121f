"""One evening: the only file that owns tasks. Links bring bytes, tables turn them into events, events go to the face.

A `Party` is this process among its peers: first in the lobby, then in a match. The tables are worked in a worker thread,
one call at a time, so that the loop itself never proves, verifies or waits for a disk.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import trio

from client.gathering import Gathering, Seating
from client.messages import Away, Back, Message, News, Notice, Seated, Stored
from client.messages import Refused as MoveRefused
from client.patience import MOMENT, ShuffleWatch
from client.sitting import Behind, Chosen, Heard, Input, Result, Sitting, Thought
from client.store import Home, StoreError
from crypto.chance import Entropy
from engine.bots import bot_for
from engine.moves import Move, Seat
from p2p.net.addresses import Address
from p2p.net.events import Event, LinkDown, LinkUp, PeerAway, Received, TurnedAway
from p2p.net.mesh import Mesh
from p2p.table.lobby import Agreement, Draft, Refused
from p2p.wire import Malformed, shape

Peer = bytes
SEALS = 10.0
"""Seconds that we wait for missing seals when a match is over."""
ANSWER = 5.0
"""Seconds in which a host must show its table, and guests must sign."""
ASKS = 4
"""How often a peer may ask over one link for what it lacks; it does so when the link is made, and when it sits down."""
EARLY = 256
"""Entries kept that came before our match began."""
INPUTS = 4096
"""How much from peers may wait for the tables."""
IDLE = 0.05
"""Seconds without anything to do after which the next deck is worked at."""


@dataclass
class Outcome:
    """How the evening ended."""

    sealed: bool
    left: bool
    sitting: Sitting


class Party:
    """This process among its peers. `tell` takes every message for the face; `pace` is how long computer players think."""

    def __init__(
        self,
        home: Home,
        mesh: Mesh | None,
        seatings: Sequence[Seating],
        entropy: Entropy,
        tell: Callable[[Message], None],
        *,
        pace: float = 0.0,
    ) -> None:
        self.home, self.mesh, self.entropy, self.tell, self.pace = home, mesh, entropy, tell, pace
        self.gathering = Gathering(seatings, self, tell)
        self.sitting: Sitting | None = None
        self._early: list[Input] = []
        self._inputs_in, self._inputs = trio.open_memory_channel[Input](math.inf)
        self._begun = trio.Event()
        self._done = trio.Event()
        self._failed: Exception | None = None
        self._sealing = False
        self._thinking: set[Seat] = set()
        self._peer_seats: dict[Peer, Seat] = {}
        self._away: set[Peer] = set()
        self._asks: Counter[Peer] = Counter()
        self._shuffle = ShuffleWatch()

    async def host(self, draft: Draft, secret: bytes = b"") -> Outcome:
        """Open a table, fill it, play. Chairs of ours are seated first."""
        return await self._evening(lambda: self.gathering.open(draft, secret))

    async def join(self, peer: Peer, secret: bytes = b"") -> Outcome:
        """Sit down at the table of a peer to which there is a link, and play. Refused if that cannot be."""
        return await self._evening(lambda: self.gathering.seek(peer, secret))

    async def _mind_the_lobby(self) -> None:
        """A host must show its table, and guests must sign, within a while."""
        await trio.sleep(ANSWER)
        if not self.gathering.shown:
            self._fail(Refused("no-answer"))
        while not self._begun.is_set():
            proposed = self.gathering.agreement
            await trio.sleep(ANSWER)
            if proposed is self.gathering.agreement:
                self.gathering.free_unsigned()

    def choose(self, seat: Seat, move: Move | None) -> None:
        """Make a move of one of our players; None gives up its place."""
        self._inputs_in.send_nowait(Chosen(seat, move))

    async def _evening(self, begin: Callable[[], None]) -> Outcome:
        try:
            async with trio.open_nursery() as nursery:
                begin()
                self._begin_if_agreed()
                nursery.start_soon(self._mind_the_lobby)
                nursery.start_soon(self._follow_tables, nursery)
                if self.mesh is not None:
                    nursery.start_soon(self._follow_links, self.mesh)
                await self._done.wait()
                nursery.cancel_scope.cancel()
        finally:
            if self.sitting is not None:
                self.sitting.close()
        if self._failed is not None:
            raise self._failed
        assert self.sitting is not None
        table = self.sitting.table
        self.tell(Stored(str(self.sitting.files.log), table.sealed))
        return Outcome(table.sealed, self.sitting.seat in table.gone, self.sitting)

    def _fail(self, error: Exception) -> None:
        self._failed = self._failed or error
        self._done.set()

    # The street.

    def post(self, value: dict[str, Any] | bytes, *, to: Peer | None = None, skip: Peer | None = None) -> None:
        """Send to one peer, or to all peers of this table but one. Strangers hear nothing that they have not asked for."""
        if self.mesh is None:
            return
        if to is not None:
            self.mesh.send(to, value)
        else:
            strangers = set(self.mesh.links()) - self.gathering.members
            self.mesh.broadcast(value, skip=strangers | {skip} if skip else strangers)

    def keep(self, peer: Peer, addresses: Sequence[Address]) -> None:
        """Hold a link to a peer from now on."""
        if self.mesh is not None:
            self.mesh.keep(peer, addresses)

    def forget(self, peer: Peer) -> None:
        """Hold no link to a peer any more."""
        if self.mesh is not None:
            self.mesh.forget(peer)

    def address_of(self, peer: Peer) -> Address | None:
        """Return where a peer with a link can be dialled."""
        link = self.mesh.links().get(peer) if self.mesh is not None else None
        return link.address if link is not None else None

    async def _follow_links(self, mesh: Mesh) -> None:
        async for event in mesh.events:
            try:
                await self._link_event(mesh, event)
            except Malformed as error:
                assert isinstance(event, Received)
                mesh.drop(event.peer, str(error))
            except Refused as refused:
                if self.sitting is None or not self.sitting.table.begun:
                    self._fail(refused)
            self._begin_if_agreed()

    async def _link_event(self, mesh: Mesh, event: Event) -> None:
        match event:
            case LinkUp(peer):
                self._link_up(peer)
            case Received(peer, bytes() as data):
                await self._entry(mesh, Heard(peer, data))
            case Received(peer, dict() as message):
                await self._message(peer, message)
            case Received(peer):
                mesh.drop(peer, "neither an entry nor a message")
            case LinkDown(peer, reason):
                self._presence(peer, Away)
                self.gathering.link_down(peer, reason)
            case PeerAway(peer):
                self._presence(peer, Away)
            case TurnedAway(error):
                self.tell(Notice("turned-away", {"error": str(error)}))

    def _link_up(self, peer: Peer) -> None:
        self._asks[peer] = 0
        self.gathering.link_up(peer)
        self._presence(peer, Back)
        if self.sitting is not None and peer in self.gathering.members:
            self._say_what_we_have(self.sitting, peer)

    async def _entry(self, mesh: Mesh, heard: Heard) -> None:
        if heard.peer not in self.gathering.members:
            mesh.drop(heard.peer, "not at this table")
        elif self.sitting is not None:
            await self._take_in(heard)
        elif len(self._early) < EARLY:
            self._early.append(heard)

    async def _message(self, peer: Peer, message: dict[str, Any]) -> None:
        if message.get("t") != "have":
            self.gathering.message(peer, message)
            return
        fields = shape(message, t=str, match=bytes, steps=int, head=bytes)
        if self.sitting is not None and fields["match"] == self.sitting.match and peer in self.gathering.members:
            self._asks[peer] += 1
            if self._asks[peer] > ASKS:
                raise Malformed("asks again and again for what it has been sent")
            await self._take_in(Behind(peer, fields["steps"], fields["head"]))

    def _say_what_we_have(self, sitting: Sitting, peer: Peer | None = None) -> None:
        table = sitting.table
        self.post({"t": "have", "match": sitting.match, "steps": table.steps, "head": table.head}, to=peer)

    async def _take_in(self, item: Heard | Behind) -> None:
        """Let the tables have what a peer said; while they have enough to do the links wait, and we never."""
        while self._inputs.statistics().current_buffer_used >= INPUTS:
            await trio.sleep(IDLE)
        self._inputs_in.send_nowait(item)

    def _presence(self, peer: Peer, kind: type[Away] | type[Back]) -> None:
        """Tell once that a player of this match is away, and once that it is back."""
        if peer not in self._peer_seats or self._sealing or (peer in self._away) == (kind is Away):
            return
        self._away ^= {peer}
        self.tell(kind(self._peer_seats[peer]))

    # At the tables.

    def _begin_if_agreed(self) -> None:
        if self.gathering.agreed:
            self._begun.set()

    async def _follow_tables(self, nursery: trio.Nursery) -> None:
        """Begin the match when all have signed, then work the tables whenever something has come in."""
        await self._begun.wait()
        assert self.gathering.agreement is not None
        sitting = await trio.to_thread.run_sync(self._sit_down, self.gathering.agreement)
        self.sitting = sitting
        self._peer_seats = {place.id: seat for seat, place in enumerate(sitting.terms.places)}
        bots = {seating.chair.identity.public for seating in self.gathering.seatings if seating.bot}
        seats = tuple(seat for seat, place in enumerate(sitting.terms.places) if place.public in bots)
        self.tell(Seated(sitting.terms, sitting.seat, sitting.match.hex(), sitting.seat in seats, seats))
        self._say_what_we_have(sitting)
        nursery.start_soon(self._tell_slow_shuffles, sitting)
        try:
            await self._play(sitting, nursery)
        except StoreError as error:
            self._fail(error)

    def _sit_down(self, agreement: Agreement) -> Sitting:
        """Set up our tables. Called in a worker thread."""
        terms = agreement.terms
        by_key = {seating.chair.identity.public: seating for seating in self.gathering.seatings}
        ours = {seat: by_key[place.public] for seat, place in enumerate(terms.places) if place.public in by_key}
        identities = {seat: seating.chair.identity for seat, seating in ours.items()}
        bots = {seat: bot_for(terms.game) for seat, seating in ours.items() if seating.bot}
        return Sitting(terms, agreement.ordered(), identities, bots, self.home, self.entropy, paced=self.pace > 0)

    async def _play(self, sitting: Sitting, nursery: trio.Nursery) -> None:
        batch: list[Input] = list(self._early)
        while True:
            result = await trio.to_thread.run_sync(sitting.work, batch, self._post_from_thread)
            self._report(result, nursery)
            if self._ended(sitting, result, nursery):
                return
            batch = [] if result.more else await self._next_inputs(sitting)
            while self._inputs.statistics().current_buffer_used:
                batch.append(self._inputs.receive_nowait())

    async def _next_inputs(self, sitting: Sitting) -> list[Input]:
        """Wait for something to do; when nothing comes for a while, the next deck is made meanwhile."""
        making = True
        while making:
            with trio.move_on_after(IDLE):
                return [await self._inputs.receive()]
            making = await trio.to_thread.run_sync(sitting.make_ahead, self._post_from_thread)
            if any(table.fault for table in sitting.tables.values()):
                return []  # what was found in the next deck is told at once, and nobody need say anything for it
        return [await self._inputs.receive()]

    def _post_from_thread(self, data: bytes, *, to: Peer | None = None, skip: Peer | None = None) -> None:
        if self.mesh is not None:
            trio.from_thread.run_sync(lambda: self.post(data, to=to, skip=skip))

    def _report(self, result: Result, nursery: trio.Nursery) -> None:
        for peer, reason in result.bad_links:
            if self.mesh is not None:
                self.mesh.drop(peer, reason)
        for error in result.refused:
            self.tell(MoveRefused(error.why))
        for news in result.news:
            self._shuffle.note(news.event, trio.current_time())
        for place, news in enumerate(result.news, 1):
            self.tell(News(news.event, news.view, news.waiting, last=place == len(result.news)))
        for seat in set(result.thinking) - self._thinking:
            self._thinking.add(seat)
            nursery.start_soon(self._think, seat)

    async def _tell_slow_shuffles(self, sitting: Sitting) -> None:
        while True:
            await trio.sleep(MOMENT / 3)
            seat = self._shuffle.slow(trio.current_time())
            if seat is not None:
                self.tell(Notice("shuffles", {"who": sitting.terms.places[seat].nick}))

    async def _think(self, seat: Seat) -> None:
        await trio.sleep(self.pace)
        self._thinking.discard(seat)
        self._inputs_in.send_nowait(Thought(seat))

    def _ended(self, sitting: Sitting, result: Result, nursery: trio.Nursery) -> bool:
        """Whether the match is over for us; missing seals are waited for, but not for ever."""
        if all(table.sealed or table.fault or table.gone for table in sitting.tables.values()) and not result.more:
            self._done.set()
            return True
        if sitting.table.run.over and not self._sealing:
            self._sealing = True
            nursery.start_soon(self._wait_for_seals)
        return False

    async def _wait_for_seals(self) -> None:
        await trio.sleep(SEALS)
        self._done.set()
