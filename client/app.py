"""One evening: the only file that owns tasks. Links bring bytes, tables turn them into events, events go to the face.

A `Party` is this process among its peers: first in the lobby, then in a match. The tables are worked in a worker thread,
one call at a time, so that the loop itself never proves, verifies or waits for a disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import trio

from client.messages import Away, Back, Lobby, LobbySeat, Message, Notice, Seated, Stored
from client.messages import News as Told
from client.messages import Refused as MoveRefused
from client.sitting import Behind, Chosen, Heard, Input, Result, Sitting, Thought
from client.store import Home, StoreError
from crypto.chance import Entropy
from crypto.identity import fingerprint
from engine.bots import bot_for
from engine.moves import Move, Seat
from p2p.net.events import LinkDown, LinkUp, PeerAway, Received, TurnedAway
from p2p.net.mesh import Mesh
from p2p.table.lobby import Agreement, Chair, Draft, Host, Node, Refused, agree, sit_message, spell_nodes
from p2p.table.terms import Terms
from p2p.wire import Malformed, shape

Peer = bytes
SEALS = 10.0
"""Seconds that we wait for missing seals when a match is over."""
EARLY = 256
"""Entries kept that came before our match began."""


@dataclass(frozen=True)
class Seating:
    """Who sits here: a chair, and whether a computer player sits on it."""

    chair: Chair
    bot: bool = False


@dataclass
class Outcome:
    """How the evening ended."""

    sealed: bool
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
        self.home, self.mesh, self.seatings, self.entropy, self.tell, self.pace = home, mesh, tuple(seatings), entropy, tell, pace
        self.sitting: Sitting | None = None
        self.changed: Callable[[Draft], None] | None = None
        self._host: Host | None = None
        self._host_peer: Peer | None = None
        self._secret = b""
        self._shown: Draft | None = None
        self._agreement: Agreement | None = None
        self._nodes: dict[Peer, Node] = {}
        self._early: list[tuple[Peer, bytes]] = []
        self._inputs_in, self._inputs = trio.open_memory_channel[Input](4096)
        self._begun = trio.Event()
        self._done = trio.Event()
        self._failed: Exception | None = None
        self._sealing = False
        self._sat = False
        self._thinking: set[Seat] = set()
        self._peer_seats: dict[Peer, tuple[Seat, ...]] = {}

    # How an evening begins.

    async def host(self, draft: Draft, secret: bytes = b"") -> Outcome:
        """Open a table, fill it, play. Chairs of ours are seated first."""
        self._host = Host(draft, [seating.chair for seating in self.seatings], secret)
        return await self._evening()

    async def join(self, peer: Peer, secret: bytes = b"") -> Outcome:
        """Sit down at the table of a peer to which there is a link, and play. Refused if that cannot be."""
        self._host_peer, self._secret = peer, secret
        return await self._evening()

    def choose(self, seat: Seat, move: Move | None) -> None:
        """Make a move of one of our players; None gives up its place."""
        self._inputs_in.send_nowait(Chosen(seat, move))

    async def _evening(self) -> Outcome:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow_tables, nursery)
            if self.mesh is not None:
                nursery.start_soon(self._follow_links, self.mesh)
            await self._show()
            await self._done.wait()
            nursery.cancel_scope.cancel()
        if self._failed is not None:
            raise self._failed
        assert self.sitting is not None
        self.sitting.close()
        table = self.sitting.table
        self.tell(Stored(str(self.sitting.files.log), table.sealed))
        return Outcome(table.sealed, self.sitting)

    def _fail(self, error: Exception) -> None:
        self._failed = self._failed or error
        self._done.set()

    # In the lobby.

    async def _show(self) -> None:
        """Host: show the table as it is, and propose the terms when it is full."""
        if self._host is None:
            return
        draft = self._shown = self._host.draft
        self._post(draft.message())
        self._tell_lobby(draft)
        if self.changed:
            self.changed(draft)
        if self._host.full:
            self._agreement = Agreement(draft.terms(), self._host.chairs)
            for node in self._host.nodes():
                self._keep(node)
            self._propose(None)
            self._begin_if_agreed()

    def _propose(self, peer: Peer | None) -> None:
        assert self._agreement is not None
        if self._host is not None:
            self._post({"t": "terms", "terms": self._agreement.terms.encode(), "nodes": spell_nodes(self._host.nodes())}, peer)
        for message in self._agreement.messages():
            self._post(message, peer)

    async def _look(self, peer: Peer, message: dict[str, Any]) -> None:
        """Host: somebody looks at the table, takes a seat or gets up."""
        host = self._host
        if host is None or self.sitting is not None or self.mesh is None:
            return
        try:
            if message["t"] == "look":
                self._post(host.look(message), peer)
            elif message["t"] == "stand":
                await self._stand(peer)
            else:
                link = self.mesh.links().get(peer)
                if link is not None:
                    await self._sit(host, peer, link.address, message)
        except Refused as refused:
            self._post({"t": "refuse", "why": refused.why}, peer)

    async def _sit(self, host: Host, peer: Peer, address: tuple[str, int], message: dict[str, Any]) -> None:
        if host.sit(peer, address[0], address[1], message):
            self._agreement = None
            await self._show()

    async def _stand(self, peer: Peer) -> None:
        if self._host is not None and self.sitting is None and self._host.stand(peer):
            self._agreement = None
            await self._show()

    def _see(self, message: dict[str, Any]) -> None:
        """Guest: the host shows its table. Sit down, or sit down again, if we have no seat there."""
        draft = self._shown = Draft.read(message)
        self._tell_lobby(draft)
        chairs = [seating.chair for seating in self.seatings]
        if self._agreement is not None:  # somebody went before the match began: sit down again, with fresh nonces
            self._agreement = None
        elif self._sat:
            return
        seated = {place.public for place in draft.seats if place}
        if len(seated | {chair.identity.public for chair in chairs}) > len(draft.seats):
            raise Refused("full")
        assert self._host_peer is not None
        self._sat = True
        self._post(sit_message(chairs, self._secret), self._host_peer)

    def _agree(self, message: dict[str, Any]) -> None:
        """Guest: the host proposes the terms. Sign them if they are what was shown, and get to know the other peers."""
        if self._shown is None or (self._agreement and self._agreement.terms.encode() == message.get("terms")):
            return
        self._agreement, nodes = agree(self._shown, message, [seating.chair for seating in self.seatings])
        for node in nodes:
            self._keep(node)
        if self._host_peer is not None and self.mesh is not None:
            self.mesh.keep(self._host_peer)
        self._propose(None)
        self._begin_if_agreed()

    def _keep(self, node: Node) -> None:
        if self.mesh is not None and self.seatings[0].chair.identity.id != node.id:
            self._nodes[node.id] = node
            self.mesh.keep(node.id, [(address, node.port) for address in node.addresses])

    def _tell_lobby(self, draft: Draft) -> None:
        ours = {seating.chair.identity.public: seating.bot for seating in self.seatings}
        seats = tuple(
            LobbySeat(place.nick, fingerprint(place.id), ours.get(place.public, False)) if place else None
            for place in draft.seats
        )
        mine = tuple(seat for seat, place in enumerate(draft.seats) if place and place.public in ours)
        self.tell(Lobby(draft.game, dict(draft.options), seats, mine))

    def _begin_if_agreed(self) -> None:
        if self._agreement is not None and self._agreement.complete and not self._begun.is_set():
            self._begun.set()

    # Links.

    async def _follow_links(self, mesh: Mesh) -> None:
        async for event in mesh.events:
            try:
                await self._link_event(mesh, event)
            except Malformed as error:
                assert isinstance(event, Received)
                mesh.drop(event.peer, str(error))
            except Refused as refused:
                self._fail(refused)

    async def _link_event(self, mesh: Mesh, event: Any) -> None:
        match event:
            case LinkUp(peer):
                await self._link_up(peer)
            case Received(peer, bytes() as data):
                await self._entry(peer, data)
            case Received(peer, dict() as message):
                await self._message(peer, message)
            case Received(peer):
                mesh.drop(peer, "neither an entry nor a message")
            case LinkDown(peer, reason):
                await self._link_down(peer, reason)
            case PeerAway(peer):
                self._presence(peer, Away)
            case TurnedAway(error):
                self.tell(Notice("turned-away", {"error": str(error)}))

    async def _link_up(self, peer: Peer) -> None:
        """Say again what we have: what went over an earlier link may be lost."""
        if peer == self._host_peer and self.sitting is None and self._agreement is None:
            self._sat = False
            self._post({"t": "look", "secret": self._secret}, peer)
        if self._agreement is not None:
            self._propose(peer)
        if self.sitting is not None:
            self._presence(peer, Back)
            self._post({"t": "have", "match": self.sitting.match, "steps": self.sitting.table.steps}, peer)

    async def _link_down(self, peer: Peer, reason: str) -> None:
        if self.sitting is not None:
            self._presence(peer, Away)
        elif self._host is not None:
            await self._stand(peer)
        elif peer == self._host_peer:
            self._fail(Refused("host-gone", reason))

    async def _entry(self, peer: Peer, data: bytes) -> None:
        if self.sitting is not None:
            await self._inputs_in.send(Heard(peer, data))
        elif len(self._early) < EARLY:
            self._early.append((peer, data))

    async def _message(self, peer: Peer, message: dict[str, Any]) -> None:
        kind = message.get("t")
        if kind in ("look", "sit", "stand"):
            await self._look(peer, message)
        elif kind == "sign" and self._agreement is not None:
            if self._agreement.hear(message):
                self._post(message, skip=peer)
                self._begin_if_agreed()
        elif kind == "have":
            await self._have(peer, message)
        elif peer == self._host_peer and self.sitting is None and kind in ("table", "terms", "refuse"):
            if kind == "table":
                self._see(message)
            elif kind == "terms":
                self._agree(message)
            else:
                raise Refused(shape(message, t=str, why=str)["why"][:40])

    async def _have(self, peer: Peer, message: dict[str, Any]) -> None:
        """Send a peer what it lacks."""
        fields = shape(message, t=str, match=bytes, steps=int)
        if self.sitting is not None and fields["match"] == self.sitting.match:
            await self._inputs_in.send(Behind(peer, fields["steps"]))

    def _presence(self, peer: Peer, kind: type[Away] | type[Back]) -> None:
        for seat in self._peer_seats.get(peer, ()):
            self.tell(kind(seat))

    def _post(self, value: dict[str, Any] | bytes, peer: Peer | None = None, *, skip: Peer | None = None) -> None:
        if self.mesh is None:
            return
        if peer is not None:
            self.mesh.send(peer, value)
        else:
            self.mesh.broadcast(value, skip={skip} if skip else frozenset())

    # At the tables.

    async def _follow_tables(self, nursery: trio.Nursery) -> None:
        """Begin the match when all have signed, then work the tables whenever something has come in."""
        await self._begun.wait()
        assert self._agreement is not None
        terms, signatures = self._agreement.terms, self._agreement.ordered()
        self.sitting = await trio.to_thread.run_sync(self._sit_down, terms, signatures)
        self._begin(terms)
        try:
            await self._play(self.sitting, nursery)
        except StoreError as error:
            self._fail(error)

    def _begin(self, terms: Terms) -> None:
        assert self.sitting is not None
        self._peer_seats = self._seats_of_peers(terms)
        bots = {seating.chair.identity.public for seating in self.seatings if seating.bot}
        seats = tuple(seat for seat, place in enumerate(terms.places) if place.public in bots)
        self.tell(Seated(terms, self.sitting.seat, terms.match.hex(), self.sitting.seat in seats, seats))
        self._post({"t": "have", "match": self.sitting.match, "steps": 0})

    async def _play(self, sitting: Sitting, nursery: trio.Nursery) -> None:
        batch: list[Input] = [Heard(peer, data) for peer, data in self._early]
        while True:
            result = await trio.to_thread.run_sync(sitting.work, batch, self._post_from_thread)
            self._report(result, nursery)
            if self._ended(sitting, result, nursery):
                return
            batch = [] if result.more else [await self._inputs.receive()]
            while self._inputs.statistics().current_buffer_used:
                batch.append(self._inputs.receive_nowait())

    def _sit_down(self, terms: Terms, signatures: tuple[bytes, ...]) -> Sitting:
        """Set up our tables. Called in a worker thread."""
        by_key = {seating.chair.identity.public: seating for seating in self.seatings}
        ours = {seat: by_key[place.public] for seat, place in enumerate(terms.places) if place.public in by_key}
        identities = {seat: seating.chair.identity for seat, seating in ours.items()}
        bots = {seat: bot_for(terms.game) for seat, seating in ours.items() if seating.bot}
        return Sitting(terms, signatures, identities, bots, self.home, self.entropy, paced=self.pace > 0)

    def _seats_of_peers(self, terms: Terms) -> dict[Peer, tuple[Seat, ...]]:
        """Return which seats fall silent with which peer: a seat whose own key is that peer's."""
        return {place.id: (seat,) for seat, place in enumerate(terms.places)}

    def _post_from_thread(self, data: bytes, *, to: Peer | None = None, skip: Peer | None = None) -> None:
        if self.mesh is not None:
            trio.from_thread.run_sync(lambda: self._post(data, to, skip=skip))

    def _report(self, result: Result, nursery: trio.Nursery) -> None:
        for peer, reason in result.bad_links:
            if self.mesh is not None:
                self.mesh.drop(peer, reason)
        for error in result.refused:
            self.tell(MoveRefused(error.why))
        for place, news in enumerate(result.news, 1):
            self.tell(Told(news.event, news.view, news.waiting, last=place == len(result.news)))
        for seat in set(result.thinking) - self._thinking:
            self._thinking.add(seat)
            nursery.start_soon(self._think, seat)

    async def _think(self, seat: Seat) -> None:
        await trio.sleep(self.pace)
        self._thinking.discard(seat)
        await self._inputs_in.send(Thought(seat))

    def _ended(self, sitting: Sitting, result: Result, nursery: trio.Nursery) -> bool:
        """Whether the match is over for us; missing seals are waited for, but not for ever."""
        tables = sitting.tables.values()
        if all(table.sealed or table.fault or table.gone for table in tables) and not result.more:
            self._done.set()
            return True
        if sitting.table.run.over and not self._sealing:
            self._sealing = True
            nursery.start_soon(self._wait_for_seals)
        return False

    async def _wait_for_seals(self) -> None:
        await trio.sleep(SEALS)
        self._done.set()
