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

from client.absence import Absence
from client.gathering import Gathering, Seating
from client.messages import Away, Back, Late, Message, News, Notice, Seated, Stored
from client.messages import Refused as MoveRefused
from client.patience import MOMENT, ShuffleWatch
from client.sitting import Behind, Chosen, Heard, Input, Result, Sitting, Thought, Unwanted
from client.store import Home, StoreError
from client.unfinished import Unfinished, nodes_reached
from crypto.chance import Entropy
from engine.bots import bot_for
from engine.moves import Move, Seat
from p2p.net.addresses import Address
from p2p.net.events import Event, LinkDown, LinkUp, PeerAway, Received, TurnedAway
from p2p.net.link import CLOSED
from p2p.net.mesh import Mesh
from p2p.table.lobby import Agreement, Draft, Node, Refused
from p2p.wire import Malformed, shape

Peer = bytes
SEALS = 10.0
"""Seconds that we wait when a match is over: for missing seals, and for peers that may lack some of ours."""
ANSWER = 5.0
"""Seconds in which a host must show its table, and guests must sign."""
ASKS = 4
"""How often a peer may ask over one link for what it lacks; it does so when the link is made, and when it sits down."""
ROOM = 16
"""For every so many steps of a match a peer may ask once more: of a long match not all finds room with it at once."""
EARLY = 256
"""Entries kept that came before our match began."""
INPUTS = 4096
"""How much from peers may wait for the tables."""
LOOK = 1.0
"""Seconds between two looks at who keeps the table waiting."""
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
        self._came_back = False
        self._sealing = False
        self._sealed = False
        self._thinking: set[Seat] = set()
        self._peer_seats: dict[Peer, Seat] = {}
        self._away: set[Peer] = set()
        self._asks: Counter[Peer] = Counter()
        self._content: set[Peer] = set()
        """Peers that have every seal."""
        self._shuffle = ShuffleWatch()
        self._absence = Absence(math.inf)

    async def host(self, draft: Draft, secret: bytes = b"") -> Outcome:
        """Open a table, fill it, play. Chairs of ours are seated first."""
        return await self._evening(lambda: self.gathering.open(draft, secret))

    async def join(self, peer: Peer, secret: bytes = b"") -> Outcome:
        """Sit down at the table of a peer to which there is a link, and play. Refused if that cannot be."""
        return await self._evening(lambda: self.gathering.seek(peer, secret))

    async def resume(self, unfinished: Unfinished) -> Outcome:
        """Go back into a match that was broken off, and play on. StoreError if what is on disk does not allow it."""
        self._came_back = True
        agreement = unfinished.agreement(self.gathering.seatings)
        return await self._evening(lambda: self.gathering.return_to(agreement, unfinished.nodes))

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

    def go_on_without(self) -> None:
        """Our player waits no longer for who is late: vote so, now and as long as they do not speak."""
        self._absence.go_on(trio.current_time())
        self._vote()

    def _vote(self) -> None:
        """Say in the name of all seats of this process that the table should go on without whom our player will not wait for."""
        assert self.sitting is not None
        if self._absence.without:
            for seat in self.sitting.tables:
                self._inputs_in.send_nowait(Unwanted(seat, tuple(sorted(self._absence.without))))

    async def _evening(self, begin: Callable[[], None]) -> Outcome:
        try:
            async with trio.open_nursery() as nursery:
                begin()
                self._begin_if_agreed()
                if not self._begun.is_set():
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
        return Outcome(table.sealed, table.out, self.sitting)

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
                if reason == CLOSED and self._sealing:
                    self._content.add(peer)  # it has ended, and asks for nothing more
                    self._end_if_all_are_content()
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
            self._say_sealed(self.sitting, peer)

    async def _entry(self, mesh: Mesh, heard: Heard) -> None:
        if heard.peer not in self.gathering.members:
            mesh.drop(heard.peer, "not at this table")
        elif self.sitting is not None:
            await self._take_in(heard)
        elif len(self._early) < EARLY:
            self._early.append(heard)

    async def _message(self, peer: Peer, message: dict[str, Any]) -> None:
        if message.get("t") == "sealed":
            self._hear_sealed(peer, message)
            return
        if message.get("t") != "have":
            self.gathering.message(peer, message)
            return
        fields = shape(message, t=str, match=bytes, steps=int, head=bytes)
        if not self._of_our_match(peer, fields["match"]):
            return
        self._asks[peer] += 1
        if self._asks[peer] > ASKS + (self.sitting.table.steps // ROOM if self.sitting else 0):
            raise Malformed("asks again and again for what it has been sent")
        behind = Behind(peer, fields["steps"], fields["head"])
        if self.sitting is not None:
            await self._take_in(behind)
        else:
            self._early.append(behind)  # who comes back needs a while to sit down, and may be further on than who asks

    def _of_our_match(self, peer: Peer, match: bytes) -> bool:
        agreement = self.gathering.agreement
        return agreement is not None and agreement.complete and match == agreement.match and peer in self.gathering.members

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
        nodes = nodes_reached(self.gathering.nodes, {peer: self.address_of(peer) for peer in self.gathering.members})
        port = self.mesh.port if self.mesh is not None else 0
        try:
            sitting = await trio.to_thread.run_sync(self._sit_down, self.gathering.agreement, nodes, port)
        except StoreError as error:
            self._fail(error)
            return
        self.sitting = sitting
        self._peer_seats = {place.id: seat for seat, place in enumerate(sitting.terms.places)}
        bots = {seating.chair.identity.public for seating in self.gathering.seatings if seating.bot}
        seats = tuple(seat for seat, place in enumerate(sitting.terms.places) if place.public in bots)
        self.tell(Seated(sitting.terms, sitting.seat, sitting.match.hex(), sitting.seat in seats, seats))
        self._absence = Absence(sitting.terms.limit)
        self._say_what_we_have(sitting)
        nursery.start_soon(self._tell_slow_shuffles, sitting)
        nursery.start_soon(self._mind_the_absent, sitting)
        try:
            await self._play(sitting, nursery)
        except StoreError as error:
            self._fail(error)

    def _sit_down(self, agreement: Agreement, nodes: tuple[Node, ...], port: int) -> Sitting:
        """Set up our tables; how to come back to them is on disk before anything is said. Called in a worker thread."""
        terms = agreement.terms
        by_key = {seating.chair.identity.public: seating for seating in self.gathering.seatings}
        ours = {seat: by_key[place.public] for seat, place in enumerate(terms.places) if place.public in by_key}
        identities = {seat: seating.chair.identity for seat, seating in ours.items()}
        bots = {seat: bot_for(terms.game) for seat, seating in ours.items() if seating.bot}
        if not self._came_back:
            own = self.home.identity()
            seeds = {seat: b"" if who == own else who.seed for seat, who in identities.items()}
            Unfinished(terms, agreement.ordered(), seeds, nodes, port).save(self.home)
        return Sitting(
            terms, agreement.ordered(), identities, bots, self.home, self.entropy, paced=self.pace > 0, again=self._came_back
        )

    async def _play(self, sitting: Sitting, nursery: trio.Nursery) -> None:
        batch: list[Input] = list(self._early)
        while True:
            result = await trio.to_thread.run_sync(sitting.work, batch, self._post_from_thread)
            self._report(result, nursery)
            if result.ask_again:
                self._say_what_we_have(sitting)
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
            if any(table.going for table in sitting.tables.values()):
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
            self.tell(News(news.event, news.view, news.waiting, last=place == len(result.news), past=news.past))
        for seat in set(result.thinking) - self._thinking:
            self._thinking.add(seat)
            nursery.start_soon(self._think, seat)

    async def _tell_slow_shuffles(self, sitting: Sitting) -> None:
        while True:
            await trio.sleep(MOMENT / 3)
            seat = self._shuffle.slow(trio.current_time())
            if seat is not None:
                self.tell(Notice("shuffles", {"who": sitting.terms.places[seat].nick}))

    async def _mind_the_absent(self, sitting: Sitting) -> None:
        """Tell who keeps the table waiting too long. Where only computers sit they go on without who has no link."""
        while True:
            await trio.sleep(LOOK)
            now, table = trio.current_time(), sitting.table
            late = self._absence.look([seat for seat in table.waiting if seat not in sitting.tables], now)
            if late:
                self.tell(Late(late, sitting.terms.limit))
            away = {self._peer_seats[peer] for peer in self._away}
            if sitting.only_bots and set(self._absence.late(now)) <= away:
                self._absence.go_on(now)
            if not table.out and not table.run.over:
                self._vote()

    async def _think(self, seat: Seat) -> None:
        await trio.sleep(self.pace)
        self._thinking.discard(seat)
        self._inputs_in.send_nowait(Thought(seat))

    def _ended(self, sitting: Sitting, result: Result, nursery: trio.Nursery) -> bool:
        """Whether the match is over for us; missing seals are waited for, and those who lack ours, but not for ever."""
        tables = sitting.tables.values()
        if result.more:
            return False
        if all(table.seat in table.gone or table.astray for table in tables):
            self._done.set()
            return True
        if (sitting.table.run.over or sitting.table.out) and not self._sealing:
            self._sealing = True
            nursery.start_soon(self._wait_for_seals)
        if not self._sealed and all(table.sealed or table.out or table.astray for table in tables):
            self._sealed = True
            self._say_sealed(sitting)
            self._end_if_all_are_content()
        return self._done.is_set()

    def _say_sealed(self, sitting: Sitting, peer: Peer | None = None) -> None:
        """Say, once it is so, that we have every seal: nobody need wait for us."""
        if self._sealed:
            self.post({"t": "sealed", "match": sitting.match}, to=peer)

    def _hear_sealed(self, peer: Peer, message: dict[str, Any]) -> None:
        fields = shape(message, t=str, match=bytes)
        if self._of_our_match(peer, fields["match"]):
            self._content.add(peer)
            self._end_if_all_are_content()

    def _end_if_all_are_content(self) -> None:
        """End when nobody of this match who is still in it can need anything from us."""
        if self._sealed and self.sitting is not None:
            staying = {self.sitting.terms.places[seat].id for seat in self.sitting.table.staying}
            own = {chair.identity.id for chair in self.gathering.chairs}  # a guest is told its own node among the others
            if self._content >= (self.gathering.members & staying) - own:
                self._done.set()

    async def _wait_for_seals(self) -> None:
        await trio.sleep(SEALS)
        self._done.set()
