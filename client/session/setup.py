"""Table setup: this process in the lobby, as host or guest, until all have signed.

It handles messages and sends them through `Network`; it has no tasks and no tables. `agreement` is
complete when the match can begin.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from client.session.host_link import HostLink
from client.session.lobby_message import lobby_message
from client.session.messages import Lobby, Notice
from client.session.network import Network, Nonces
from client.session.refusals import read_refusal
from client.session.setup_rules import LocalPlayer, SetupRules
from crypto.identity import fingerprint
from engine.core.moves import Seat
from p2p.net.addresses import origin as origin_of
from p2p.net.errors import NetError
from p2p.net.events import Peer
from p2p.table.admission import Newcomer, Visit
from p2p.table.host import Host
from p2p.table.lobby import (
    Agreement,
    Draft,
    Endpoint,
    SeatRequest,
    TableRefused,
    agree,
    encode_endpoints,
    sit_message,
)
from p2p.table.terms import Terms
from p2p.wire import shape


class TableSetup:
    """A table that is filling. `clock` gives the time in seconds."""

    def __init__(
        self,
        local_players: Sequence[LocalPlayer],
        rules: SetupRules,
        network: Network,
        tell: Callable[[Lobby | Notice], None],
        clock: Callable[[], float],
    ) -> None:
        self.local_players = tuple(local_players)
        self.host_peer: Peer | None = None
        """The host, if we are guests."""
        self.agreement: Agreement | None = None
        self._saved: Agreement | None = None
        """The signed agreement that is on disk."""
        self._rules, self._network, self._tell, self._clock = rules, network, tell, clock
        self._held = rules.held
        self.host: Host | None = None
        self._secret = b""
        self._shown: Draft | None = None
        self._nodes: tuple[Endpoint, ...] = ()
        self._sat = False
        self._was_here = self._private = False
        self._host_link = HostLink(clock, tell)

    @property
    def seat_requests(self) -> tuple[SeatRequest, ...]:
        """The seat requests of our own players."""
        return tuple(local_player.seat_request for local_player in self.local_players)

    @property
    def computers(self) -> Sequence[str]:
        """The words for the computer players that our player adds."""
        return self._rules.computers

    @property
    def members(self) -> frozenset[Peer]:
        """The known peers of this table; any other linked peer is a stranger."""
        host = {self.host_peer} if self.host_peer else set()
        return frozenset({node.id for node in self.nodes} | host)

    @property
    def nodes(self) -> tuple[Endpoint, ...]:
        """The known endpoints of the peers of this table."""
        return self.host.endpoints() if self.host else self._nodes

    @property
    def _keys(self) -> set[bytes]:
        return {seat_request.identity.public for seat_request in self.seat_requests}

    @property
    def table(self) -> Draft | None:
        """The table as we have shown or seen it; None before."""
        return self._shown

    @property
    def precedent(self) -> Draft | Terms | None:
        """The table or the terms that our player saw last, here or in the last match."""
        signed = self.agreement.terms if self.agreement is not None else None
        return self._shown or signed or self._rules.before

    @property
    def spectators(self) -> bool | None:
        """Whether spectators are allowed; None while there is no table."""
        if self.agreement is not None:
            return self.agreement.terms.spectators
        return self._shown.spectators if self._shown is not None else None

    @property
    def private(self) -> bool:
        """Whether guests and spectators need an invite."""
        return self._shown.private if self._shown is not None else self._private

    def let_watch(self, peer: Peer, secret: bytes) -> bool:
        """Return whether a peer that names no match of ours may watch; tell of a new invited one.

        Only the host knows the invite.
        """
        if self.host is None:
            return not self.private
        if self.host.news_of_spectator(peer, secret) and self.spectators:
            self._tell(Notice("watch-invited", {"id": fingerprint(peer)}, peer))
        return self.host.may_watch(peer, secret)

    @property
    def bound(self) -> Agreement | None:
        """Our agreement once it is on disk: only then are our signatures sent."""
        return self.agreement if self.agreement is self._saved else None

    @property
    def agreed(self) -> bool:
        """Whether every seat has signed."""
        return self.bound is not None and self.bound.complete

    def open(self, draft: Draft, secret: bytes, wishes: Mapping[bytes, int] | None = None) -> None:
        """Open a table; our own players are seated first, in the seats that they wish for."""
        rules = self._rules
        self.host = Host(
            draft,
            self.seat_requests,
            secret,
            wishes,
            rules.invited,
            rules.welcome,
            private=rules.private,
        )
        self._show()

    def ready(self) -> None:
        """Mark our player as ready.

        A guest takes its seat. The host begins as soon as the table is full.
        """
        self._held = False
        if self.host is not None:
            self._show()
        elif self._shown is not None and not self._sat:
            self._sit(self._shown)

    def seat_computers(self, local_players: Sequence[LocalPlayer]) -> None:
        """Host: seat these computer players, and no others.

        TableRefused if there are too few seats.
        """
        assert self.host is not None
        people = [local_player for local_player in self.local_players if not local_player.bot]
        players = (*people, *local_players)
        self.host.reseat([one.seat_request for one in players], self._now())
        self.local_players = players
        self._show()

    def arrange(self, order: Sequence[Seat]) -> None:
        """Host: put the player of seat `order[n]` in seat n; without an order, draw one."""
        if self.host is None:
            return
        if self.agreement is not None:
            self._tell(Notice("seats-stay"))
            return
        self.host.arrange(order or self.host.drawn_order())
        if not order:
            self._tell(Notice("seats-drawn"))
        self._show()

    def renew_invite(self) -> None:
        """Host: replace the invite; the old one admits nobody from now on."""
        if self.host is not None:
            self.host.renew()
            self._report_table(self.host)

    def seek(self, host: Peer, secret: bytes, *, linked: bool = False) -> None:
        """Ask for seats at a peer's table as soon as there is a link to it.

        If it is `linked`, ask at once.
        """
        self.host_peer, self._secret = host, secret
        self._network.keep(host, ())
        self._host_link.ask()
        if linked:
            self.link_up(host)

    def return_to(self, agreement: Agreement, nodes: Sequence[Endpoint], *, private: bool) -> None:
        """Return to a table at which all have signed; any of its players may have opened it."""
        self.agreement = self._saved = agreement
        self._nodes, self._private = tuple(nodes), private
        for node in nodes:
            self._keep(node)

    def link_up(self, peer: Peer) -> None:
        """Send our state again to a peer of this table: messages on an earlier link may be lost."""
        if self.agreement is not None and peer in self.members:
            if self.host is not None:
                self._network.post(self.host.draft.message(), to=peer)
            self.propose(peer)
        if peer == self.host_peer and not self.agreed:
            self._sat = False
            self._host_link.ask()
            self._network.post({"t": "look", "secret": self._secret}, to=peer)

    def link_down(self, peer: Peer, reason: str) -> None:
        """Free the seats of a guest that is gone, unless all have signed.

        A link that was lost may return; TableRefused if our host closed it.
        """
        if self.agreed:
            return
        if peer == self.host_peer:
            self._host_link.down(reason)
        else:
            self._stand(peer)

    def away(self, peer: Peer, why: NetError | None) -> None:
        """Note that a peer has had no link for a while.

        TableRefused if our host no longer listens.
        """
        if peer == self.host_peer and not self.agreed:
            self._host_link.away(why)

    def mind_host(self, patience: float) -> None:
        """TableRefused if our host does not answer within `patience` s, or its link stays away."""
        if self.host_peer is not None and not self.agreed:
            self._host_link.check(patience, answered=self._shown is not None)
            if self._host_link.again:
                self.link_up(self.host_peer)

    def message(self, peer: Peer, message: dict[str, Any], nonces: Nonces) -> None:
        """Handle a message of a peer over the link with these nonces, ours first.

        Once all have signed nothing changes. Malformed, or TableRefused if the message ends our
        session.
        """
        kind = message.get("t")
        if kind in ("look", "sit", "stand"):
            self._serve(peer, message, nonces)
        elif kind == "sign":
            self.handle_sign(peer, message)
        elif peer == self.host_peer and not self.agreed:
            if kind == "table":
                self._see(message)
            elif kind == "terms":
                self.agree(message)
            elif kind == "refuse" and not self._host_link.passes_over(message):
                raise read_refusal(message, invited=bool(self._secret))
        elif peer == self.host_peer and kind == "table":
            self._see_again(message)

    def _now(self) -> int:
        """Return the time in milliseconds."""
        return round(1000 * self._clock())

    def handle_sign(self, peer: Peer, message: dict[str, Any]) -> None:
        """Add a signature to our agreement, and pass it on."""
        if self.agreement is not None and self.agreement.receive(message):
            self._network.post(message, skip=peer)
            if self.host is not None:
                self.host.note_signed(self.agreement.terms.participants[message["seat"]].public)

    def _serve(self, peer: Peer, message: dict[str, Any], nonces: Nonces) -> None:
        """Handle a peer that looks at the table, takes a seat or gives it up."""
        try:
            self._answer_request(self.host, peer, message, nonces)
        except TableRefused as refused:
            self._network.post({"t": "refuse", "why": refused.id}, to=peer)

    def _answer_request(
        self, host: Host | None, peer: Peer, message: dict[str, Any], nonces: Nonces
    ) -> None:
        if host is None:
            raise TableRefused("no-table")
        if self.agreed:
            raise TableRefused("playing")
        if message["t"] == "look":
            self._network.post(host.look(peer, message), to=peer)
        elif message["t"] == "stand":
            shape(message, t=str)
            self._stand(peer)
        else:
            self._seat(host, peer, message, nonces)

    def _seat(self, host: Host, peer: Peer, message: dict[str, Any], nonces: Nonces) -> None:
        address = self._network.address_of(peer)
        if address is None:
            return
        news = type(message.get("secret")) is bytes and host.news_of(peer, message["secret"])
        sent_away = host.sit(
            Newcomer(peer, *address, origin_of(address[0]), nonces), message, self._now()
        )
        if sent_away is None:
            return
        for other, why in sent_away.items():
            self._send_away(other, why)
        try:
            self._rules.check(host.guests[peer])
        except TableRefused:
            self._unseat(peer)
            raise
        # it is a member now: its link never makes room for a stranger's
        self._network.keep(peer, ())
        if news:
            facts = {"who": host.guests[peer][0].nick, "id": fingerprint(peer)}
            self._tell(Notice("invited", facts, peer))
        self._show()

    def _stand(self, peer: Peer) -> None:
        """Free the seats of a guest that left."""
        if self.host is not None and self.host.stand_up(peer, self._now()):
            self._gone(peer)

    def _unseat(self, peer: Peer) -> None:
        """Host: remove a guest that we reject."""
        if self.host is not None and self.host.unseat(peer, self._now()):
            self._gone(peer)

    def _gone(self, peer: Peer) -> None:
        self._network.forget(peer)
        self._show()

    def _show(self) -> None:
        """Show the table as it is, and propose the terms when it is full: no others hold now."""
        assert self.host is not None
        self.agreement = None
        draft = self._shown = self.host.draft
        self._network.post(draft.message())
        self._tell_of(draft)
        if self._report_table(self.host):
            agreement = Agreement(self.host.propose(self._now()), self.seat_requests)
            for node in self.host.endpoints():
                self._keep(node)
            self._sign(agreement)

    def _report_table(self, host: Host) -> bool:
        """Report the table and its secret to our owner; return whether its match begins."""
        begins = host.full and not self._held
        self._rules.changed(host.draft, host.secret, begins)
        return begins

    def _send_away(self, peer: Peer, why: str) -> None:
        """Tell a guest that it has lost its seats."""
        self._network.post({"t": "refuse", "why": why}, to=peer)
        self._network.forget(peer)

    def free_late(self, patience: float) -> None:
        """Host: free the seats of guests that have not signed within `patience` seconds."""
        if self.host is None or self.agreed:
            return
        late = self.host.free_late(self._now(), round(1000 * patience))
        for peer in late:
            self._send_away(peer, "not-signed")
        if late:
            self._show()

    def check_again(self) -> None:
        """Check the players again, because our player compared words.

        TableRefused if we are a guest and reject one of them.
        """
        if self.agreed:
            return
        if self.host is None:
            self._rules.check(self._shown.seats if self._shown else ())
            return
        for peer, places in self.host.guests.items():
            try:
                self._rules.check(places)
            except TableRefused as refused:
                self._network.post({"t": "refuse", "why": refused.id}, to=peer)
                self._unseat(peer)

    def _see(self, message: dict[str, Any]) -> None:
        """Take a seat at the table that the host shows.

        If a player left before the match began, take it again, with fresh nonces.
        """
        draft = Draft.read(message)
        if self._shown is None:
            if self._rules.before is not None and not draft.is_like(self._rules.before):
                raise TableRefused("other-terms")
            self._was_here = bool({place.public for place in draft.seats if place} & self._keys)
        elif not draft.is_same_table(self._shown):
            raise TableRefused("not-as-shown")  # the host has changed the table
        self._rules.check(draft.seats)
        self._shown = draft
        self._tell_of(draft)
        if self.agreement is not None:
            if draft.seats == self.agreement.terms.participants:
                return  # shown once more, over a new link
            self.agreement = None
        elif self._sat or self._held:
            return
        self._sit(draft)

    def _sit(self, draft: Draft) -> None:
        """Ask for seats, even of a full table: a guest that has failed before gives way to us."""
        self._sat = True
        assert self.host_peer is not None
        nonces = self._network.nonces_to(self.host_peer)
        if nonces is None:
            return  # the link is gone: over the next one we look again
        visit = Visit(
            draft.table, self.host_peer, self.seat_requests[0].identity.id, nonces[1], nonces[0]
        )
        self._network.post(sit_message(self.seat_requests, self._secret, visit), to=self.host_peer)

    def _see_again(self, message: dict[str, Any]) -> None:
        """Check a table that the host shows after all have signed.

        TableRefused if the host does not know that all have signed, and seats somebody else.
        """
        assert self.agreement is not None
        if Draft.read(message).seats != self.agreement.terms.participants:
            raise TableRefused("reopened")

    def agree(self, message: dict[str, Any]) -> None:
        """Sign the terms that the host proposes if they are as shown; keep links to the peers."""
        if self._shown is None or (
            self.agreement and self.agreement.terms.encode() == message.get("terms")
        ):
            return
        before = self._nodes
        try:
            agreement, self._nodes = agree(self._shown, message, self.seat_requests)
        except TableRefused as refused:
            raise (TableRefused("cannot-return") if self._was_here else refused) from None
        for peer in {node.id for node in before} - {node.id for node in self._nodes}:
            self._network.forget(peer)
        for node in self._nodes:
            self._keep(node)
        if self.host_peer is not None:
            self._network.keep(self.host_peer, ())
        self._sign(agreement)

    def _sign(self, agreement: Agreement) -> None:
        self.agreement = agreement
        self._network.signed(agreement)

    def saved(self, agreement: Agreement) -> None:
        """Send an agreement that we signed and saved, unless there is another one."""
        self._saved = agreement
        self.propose(None)

    def propose(self, peer: Peer | None) -> None:
        """Send the terms and the signatures so far, once they are on disk."""
        agreement = self.bound
        if agreement is None:
            return
        if self.host is not None:
            nodes = encode_endpoints(self.host.endpoints())
            for guest in self.host.guests if peer is None else (peer,):
                if (link := self._network.nonces_to(guest)) is not None:
                    self.host.note_told(guest, link)
            self._network.post(
                {"t": "terms", "terms": agreement.terms.encode(), "nodes": nodes}, to=peer
            )
        for message in agreement.messages():
            self._network.post(message, to=peer)

    def _keep(self, node: Endpoint) -> None:
        if node.id != self.seat_requests[0].identity.id:
            self._network.keep(node.id, [(host, node.port) for host in node.addresses])

    def tell_unsigned(self, away: Collection[Peer]) -> None:
        """Show the table after a resume without all signatures, with the absent seats."""
        assert self.agreement is not None
        terms = self.agreement.terms
        seats = (seat for seat, place in enumerate(terms.participants) if place.id in away)
        self._tell_of(terms, frozenset(seats))

    def _tell_of(self, of: Draft | Terms, away: frozenset[Seat] = frozenset()) -> None:
        hosting, held = self.host is not None, self._held
        self._tell(lobby_message(of, self.local_players, away, hosting=hosting, held=held))
