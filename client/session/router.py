"""The links of one session.

It routes messages of peers to the lobby or to the tables, and our messages to their recipients. A
peer that is not of our table is a stranger: it may look and ask for a seat, and receives only
answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import trio

from client.i18n.sentences import said
from client.session.audience import Audience
from client.session.containment import BROKEN, notice_or_raise, written
from client.session.earlier_matches import EarlierMatches
from client.session.inputs import Inputs
from client.session.messages import Message, Notice, Parted
from client.session.network import Nonces
from client.session.patience import ASK_S
from client.session.presence import Presence
from client.session.resume_gate import ResumeGate
from client.session.seats import LocalSeats
from client.session.setup import TableSetup
from client.session.setup_rules import LocalPlayer, SetupRules
from client.session.talk import REMARKS, WITHIN_S, Talk, talk
from client.session.work import Behind, EntryReceived, ListeningOver
from client.storage.resume_record import nodes_reached
from engine.core.moves import Seat
from p2p.net.addresses import Address
from p2p.net.events import Event, Failed, LinkDown, LinkUp, Peer, PeerAway, Received, TurnedAway
from p2p.net.link import CLOSED, DISPLACED
from p2p.net.mesh import Mesh
from p2p.net.rate import Turns
from p2p.table.lobby import Agreement, Endpoint, TableRefused
from p2p.table.log import names_match
from p2p.table.need import Need
from p2p.table.spectating import WatchRequest
from p2p.wire import Malformed, shape

ASKS_AT_ONCE, ASKS_PER_S = 4, 1.0
"""Limit on a peer's requests for missing entries: a burst (it asks when the link is made, and when
it takes a seat), and a rate a second."""
SPECTATOR_MESSAGES = frozenset({"watch", "listen", "need"})
"""A spectator's messages: for the match, for talk, and for missing entries."""
REFUSALS, REFUSALS_PER_S = 10, 1.0
"""Limit on refusals to a peer that asks for a playing table: a burst, and a rate a second. Further
requests get no answer, since the time to an answer reveals how busy we are."""
UNREAD = 64 * 1024
"""The most unread bytes of a stranger, who then gets no further answers."""
MAX_EARLY_INPUTS = 256
"""The most inputs that wait for the tables before our match has begun."""


class Router:
    """A mesh, or none, and the peers of our table. `inputs` is the queue of the tables.

    `signed` saves what our players signed, then lets `saved` send the signatures. `changed` is
    called when the signatures, or the peers that need us, may have changed.
    """

    def __init__(
        self,
        mesh: Mesh | None,
        local_players: Sequence[LocalPlayer],
        rules: SetupRules,
        inputs: Inputs,
        earlier: EarlierMatches,
        tell: Callable[[Message], None],
        *,
        signed: Callable[[Agreement], None],
        changed: Callable[[], None],
    ) -> None:
        self.mesh, self.signed = mesh, signed
        self._changed, self._tell = changed, tell
        self.setup = TableSetup(local_players, rules, self, self._tell, trio.current_time)
        self.spectators = Audience(self.setup, self.send, self._bring, self._may_ask, self._tell)
        self.presence = Presence(mesh.links() if mesh is not None else ())
        self._inputs, self._earlier, self._home = inputs, earlier, earlier.home
        self._local_seats: LocalSeats | None = None
        self._asks = Turns(ASKS_AT_ONCE, ASKS_PER_S)
        self._asked_at, self._asked_about = -math.inf, b""
        """When we last asked, and where the table waited at the last check."""
        self._content: set[Peer] = set()
        """Peers that have every seal."""
        self.sealed = False
        """Whether we have every seal."""
        self._resume_gate: ResumeGate | None = None
        """The gate while our tables only listen after a resume."""
        self._talk = Talk(tell)
        self._refusals = Turns(REFUSALS, REFUSALS_PER_S)

    async def follow(self, mesh: Mesh) -> None:
        """Handle the events of the links until they end.

        TableRefused if one ends our session before the match has begun.
        """
        async for event in mesh.events:
            try:
                await self._event(mesh, event)
            except Malformed as error:
                assert isinstance(event, Received)
                mesh.drop(event.peer, str(error))
            except TableRefused:  # once the match has begun, nobody can refuse us a seat any more
                if self._local_seats is None or not self._local_seats.wait.begun:
                    raise
            except Exception as error:  # noqa: BLE001 -- an error of ours costs one link
                peer = getattr(event, "peer", b"")
                self._tell(notice_or_raise(self._home, error, peer))
                if not isinstance(event, TurnedAway | Failed):
                    mesh.drop(event.peer, BROKEN)
            self._changed()

    def sit_down(self, local_seats: LocalSeats, host: Peer | None = None) -> None:
        """Begin our match: ask its peers for missing entries. `host` opened the table."""
        self._local_seats = local_seats
        self._resume_gate = ResumeGate() if local_seats.listening else None
        terms, seat, wait = local_seats.terms, local_seats.seat, local_seats.wait
        self._tell_all(self.presence.begin(terms, seat, local_seats.tables, wait, host))
        self.send_need()
        self.spectators.begin(local_seats, self.nodes_reached())

    def send_need(self, peer: Peer | None = None) -> None:
        """Ask for the entries that our table lacks."""
        if self._local_seats is not None:
            self.post(self._local_seats.wait.need.message(self._local_seats.match), to=peer)

    def ask(self, now: float) -> None:
        """Ask all peers for the entries that our table lacks, if it still waits at one point.

        A peer that has them is asked again and again, so that no lost message stops the match.
        """
        if self._local_seats is None:
            return
        wait, before = self._local_seats.wait, self._asked_about
        self._asked_about = wait.need.point
        waits = bool(set(wait.seats) - self._local_seats.tables.keys())
        if self._resume_gate is None and not (waits and before == wait.need.point):
            return
        if now - self._asked_at >= ASK_S:
            self._asked_at = now
            self.send_need()

    def send_shown(self, peer: Peer) -> None:
        """Tell a peer that it has all that it asked for."""
        if self._local_seats is not None:
            self.post({"t": "shown", "match": self._local_seats.match}, to=peer)

    def send_sealed(self) -> None:
        """Announce, now and to each returning peer, that we have every seal.

        So nobody need wait for us.
        """
        self.sealed = True
        self._send_sealed()

    def say(self, text: str, *, phrase: bool) -> bool:
        """Send talk to the others at our table and to listening spectators; return whether we did.

        Talk is the id of a phrase, or our player's words. Talk over the rate limit is not sent, and
        our player is told so.
        """
        if not self._talk.may_say(trio.current_time()):
            facts = {"count": REMARKS, "seconds": round(WITHIN_S)}
            self._tell(Notice("not-said", facts))
            return False
        message = talk(text, phrase=phrase)
        self.post(message)
        for peer in sorted(self.spectators.listening):
            self.post(message, to=peer)
        return True

    @property
    def all_content(self) -> bool:
        """Whether no peer still in our match needs anything from us."""
        return self.sealed and self._content >= self.presence.needed

    def post(
        self, value: dict[str, Any] | bytes, *, to: Peer | None = None, skip: Peer | None = None
    ) -> None:
        """Send to one peer, or to all peers of this table but one.

        Entries go to the spectators too. Strangers receive only answers.
        """
        if self.mesh is None:
            return
        if to is not None:
            self.mesh.send(to, value)
        else:
            recipients = self.setup.members | (
                self.spectators.following if isinstance(value, bytes) else frozenset()
            )
            strangers = set(self.mesh.links()) - (recipients - self.presence.at_other_tables)
            self.mesh.broadcast(value, skip=strangers | {skip} if skip else strangers)

    def post_from_thread(
        self, data: bytes, *, to: Peer | None = None, skip: Peer | None = None
    ) -> None:
        """Send an entry, from the worker thread of the tables."""
        if self.mesh is not None:
            trio.from_thread.run_sync(lambda: self.post(data, to=to, skip=skip))

    def keep(self, peer: Peer, addresses: Sequence[Address]) -> None:
        """Hold a link to a peer from now on."""
        self.presence.keep(peer)
        if self.mesh is not None:
            self.mesh.keep(peer, addresses)

    def forget(self, peer: Peer) -> None:
        """Stop holding a link to a peer."""
        self.presence.forget(peer)
        if self.mesh is not None:
            self.mesh.forget(peer)

    def saved(self, agreement: Agreement) -> None:
        """Send our signatures, as a signed agreement is on disk, if it is still ours."""
        self.setup.saved(agreement)
        self._changed()

    def drop(self, peer: Peer, reason: str) -> None:
        """Close the link to a peer with a reason."""
        if self.mesh is not None:
            self.mesh.drop(peer, reason)

    def address_of(self, peer: Peer) -> Address | None:
        """Return where a linked peer can be dialled."""
        link = self.mesh.links().get(peer) if self.mesh is not None else None
        return link.address if link is not None else None

    def nonces_to(self, peer: Peer) -> Nonces | None:
        """Return the nonces of our present link to a peer, ours first."""
        link = self.mesh.links().get(peer) if self.mesh is not None else None
        return link.nonces if link is not None else None

    def nodes_reached(self) -> tuple[Endpoint, ...]:
        """Return where to dial the peers of this table, addresses of present links first."""
        return nodes_reached(
            self.setup.nodes, {peer: self.address_of(peer) for peer in self.setup.members}
        )

    async def _event(self, mesh: Mesh, event: Event) -> None:
        match event:
            case LinkUp(peer):
                self._link_up(peer)
            case Received(peer, bytes() as data):
                await self._entry(mesh, EntryReceived(peer, data))
            case Received(peer, dict() as message, nonces):
                await self.take_message(peer, message, nonces)
            case Received(peer):
                mesh.drop(peer, "neither an entry nor a message")
            case LinkDown(peer, reason):
                at_table = peer in self.setup.members or self.presence.seat_of(peer) is not None
                if reason == CLOSED and at_table:
                    self._part(peer)
                if reason == DISPLACED and at_table:
                    self.presence.displaced(peer, trio.current_time())
                self._earlier.new_link(peer)
                self.spectators.gone(peer)
                self._tell_all(self.presence.down(peer))
                self.setup.link_down(peer, reason)
            case PeerAway(peer, why):
                self._tell_all(self.presence.silent(peer))
                self.setup.away(peer, why)
            case TurnedAway(error):
                self._tell(Notice("turned-away", {"error": said(error)}, error.peer))
            case Failed():
                self._tell(written(self._home))

    def _seat_of(self, peer: Peer) -> Seat | None:
        """Return the seat of a peer at the table on the screen.

        That is our match, or the last one until there is another.
        """
        seen = self._local_seats is not None or self.setup.table is None
        return self.presence.seat_of(peer) if seen else None

    def _part(self, peer: Peer) -> None:
        """Note that a peer of our table ended the session and needs nothing more.

        After the match our player is told, also while the next table fills.
        """
        known = peer in self.presence.parted
        self.presence.parted.add(peer)
        if self.presence.over:
            self._content.add(peer)
        seat = self._seat_of(peer)
        if seat is not None and (self.presence.over or self._local_seats is None):
            self._tell(Parted(seat))
        elif not known and self._local_seats is None and peer not in self.setup.members:
            self._tell(Notice("parted", {"who": self.presence.nick_of(peer)}, peer))

    def _link_up(self, peer: Peer) -> None:
        self._earlier.new_link(peer)
        self.spectators.gone(peer)
        self.setup.link_up(peer)
        self.presence.up(peer)
        if self._local_seats is not None and peer in self.setup.members:
            self.send_need(peer)
            self._send_sealed(peer)

    async def _entry(self, mesh: Mesh, received: EntryReceived) -> None:
        if received.peer not in self.setup.members:
            if received.peer not in self._earlier:  # otherwise of an earlier match
                mesh.drop(received.peer, "not at this table")
        elif self._local_seats is not None:
            if names_match(received.data, self._local_seats.match):
                self._speaks(received.peer)
            await self._inputs.put_from_peer(received)
        elif len(self._inputs) < MAX_EARLY_INPUTS:
            self._inputs.put(received)

    async def take_message(self, peer: Peer, message: dict[str, Any], nonces: Nonces) -> None:
        """Take a message of a peer."""
        if (
            peer in self.spectators
            and peer not in self.setup.members
            and message.get("t") not in SPECTATOR_MESSAGES
        ):
            raise Malformed("a spectator may send nothing else")
        match message.get("t"):
            case "watch":
                self.spectators.handle(
                    peer, message, self._local_seats, self.nodes_reached(), trio.current_time()
                )
            case "listen":
                self.spectators.listen(peer, message, self._local_seats)
            case "need":
                await self._handle_need(peer, message)
            case "shown":
                self._handle_shown(peer, message)
            case "sealed":
                self.handle_sealed(peer, message)
            case "say":
                self.handle_talk(peer, message)
            case "refuse" if self._local_seats is not None and peer in self.setup.members:
                self._handle_refusal(peer, message)
            case "look" | "sit" | "stand" if not self._may_be_answered(peer):
                pass
            case "table" if self._local_seats is not None and self._local_seats.wait.begun:
                pass  # our match continues, and checking each voucher of a table takes long
            case _:
                self.setup.message(peer, message, nonces)

    async def _handle_need(self, peer: Peer, message: dict[str, Any]) -> None:
        match, need = Need.read(message)
        agreement = self.setup.agreement
        if self._of_our_match(peer, match):
            self._speaks(peer)
            self.presence.says(peer, need.seats if need.point else (), trio.current_time())
            if self._resume_gate is not None:
                self._resume_gate.named(peer, need.steps)
        elif agreement is None or match != agreement.match:
            self._earlier.ask(peer, match, need.steps, need.heads[0])
            return
        elif peer not in self.spectators.following:
            return
        # A returning peer needs a while to start, and may be ahead of us: so queue its request even
        # then. Requests over the limit are dropped: no reason to drop the link.
        if self._may_ask(peer):
            await self._inputs.put_from_peer(Behind(peer, need))

    def _handle_shown(self, peer: Peer, message: dict[str, Any]) -> None:
        fields = shape(message, t=str, match=bytes)
        if self._resume_gate is not None and self._of_our_match(peer, fields["match"]):
            self._resume_gate.shown(peer, trio.current_time())
            self.try_gate(trio.current_time())

    def _handle_refusal(self, peer: Peer, message: dict[str, Any]) -> None:
        """Handle the answer of a peer of our match that does not play it now."""
        if shape(message, t=str, why=str)["why"] == "other-match":
            self._tell_all(self.presence.elsewhere(peer))

    def _speaks(self, peer: Peer) -> None:
        """Note that a peer speaks of our match: if it was away, it is back."""
        self._tell_all(self.presence.spoke(peer))

    def try_gate(self, now: float) -> None:
        """After a resume, let our tables sign again once the gate is open."""
        if self._resume_gate is None or self._local_seats is None:
            return
        # the others that cannot show our match now
        silent = self.presence.missing | self.presence.at_other_tables
        steps = self._local_seats.wait.steps
        if self._resume_gate.over(self.presence.needed, silent, now, steps):
            self._resume_gate = None
            self._inputs.put(ListeningOver())

    def _may_be_answered(self, peer: Peer) -> bool:
        """Whether a peer gets an answer to a request for our table."""
        link = self.mesh.links().get(peer) if self.mesh is not None else None
        if link is not None and link.unread > UNREAD and peer not in self.setup.members:
            return False
        return not self.setup.agreed or self._refusals.take(peer.hex(), trio.current_time())

    def _may_ask(self, peer: Peer) -> bool:
        """Count a request of a peer; return whether it is within the limit."""
        return self._asks.take(peer.hex(), trio.current_time())

    def send(self, peer: Peer, value: dict[str, Any] | bytes) -> None:
        """Send to one peer."""
        self.post(value, to=peer)

    def _bring(self, peer: Peer, ask: WatchRequest) -> None:
        self._inputs.put(Behind(peer, ask.need))

    def handle_talk(self, peer: Peer, message: dict[str, Any]) -> None:
        """Show the talk of a player of this match; drop it over the rate limit."""
        self._talk.hear(peer, self._seat_of(peer), message, trio.current_time())

    def handle_sealed(self, peer: Peer, message: dict[str, Any]) -> None:
        """Note that a peer has the seals of all."""
        fields = shape(message, t=str, match=bytes)
        if self._of_our_match(peer, fields["match"]):
            self._content.add(peer)

    def _of_our_match(self, peer: Peer, match: bytes) -> bool:
        agreement = self.setup.agreement
        return (
            agreement is not None
            and agreement.complete
            and match == agreement.match
            and peer in self.setup.members
        )

    def _send_sealed(self, peer: Peer | None = None) -> None:
        if self.sealed and self._local_seats is not None:
            self.post({"t": "sealed", "match": self._local_seats.match}, to=peer)

    def _tell_all(self, messages: Sequence[Message]) -> None:
        for message in messages:
            self._tell(message)
