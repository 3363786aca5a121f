"""The spectators of our match: their admission, their number, and the entries for them.

They receive every entry and the players' talk, and may send only requests. Nobody waits for them: a
slow link is closed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any

from client.session.messages import Message, Notice
from client.session.seats import LocalSeats
from client.session.setup import TableSetup
from crypto.identity import fingerprint
from engine.core.moves import Seat
from p2p.net.events import Peer
from p2p.net.rate import Turns
from p2p.table.lobby import Endpoint
from p2p.table.spectating import WatchedMatch, WatchRequest
from p2p.table.terms import Terms
from p2p.wire import Malformed, shape

MAX_SPECTATORS = 8
"""The most spectators of one player."""
PAUSE_S = 1.0
"""Seconds between sending the match so far to two spectators; an earlier request is refused as
busy."""


class Audience:
    """Our spectators.

    `send` queues a message for one of them, `bring` lets the tables send it the missing entries.
    `may_ask` counts a peer's request, and returns whether it is within the limit.
    """

    def __init__(
        self,
        setup: TableSetup,
        send: Callable[[Peer, dict[str, Any]], None],
        bring: Callable[[Peer, WatchRequest], None],
        may_ask: Callable[[Peer], bool],
        tell: Callable[[Message], None],
    ) -> None:
        self.following: frozenset[Peer] = frozenset()
        """The spectators that are sent every new entry."""
        self.listening: frozenset[Peer] = frozenset()
        """The spectators that are sent what our player says."""
        self._setup, self._send, self._bring, self._tell = setup, send, bring, tell
        self._may_ask = may_ask
        self._waiting: frozenset[Peer] = frozenset()
        self._served = -math.inf
        self._asked_at: dict[Peer, float] = {}
        """When each linked peer asked last."""
        self._told = Turns(1, 0)
        """Each spectator is reported once."""

    def __contains__(self, peer: Peer) -> bool:
        """Whether a peer is a spectator, or waits for the match to begin."""
        return peer in self._all

    @property
    def _all(self) -> frozenset[Peer]:
        return self.following | self.listening | self._waiting

    def handle(
        self,
        peer: Peer,
        message: dict[str, Any],
        local_seats: LocalSeats | None,
        nodes: tuple[Endpoint, ...],
        now: float,
    ) -> None:
        """Answer a peer that asks to watch, or for missing entries. Raises Malformed.

        A request refused as busy does not count, unless the peer has just asked.
        """
        ask = WatchRequest.read(message)
        why = self._against(peer, ask, begun=local_seats is not None, now=now)
        waited = now - self._asked_at.get(peer, -math.inf) >= PAUSE_S
        self._asked_at[peer] = now
        if not (why == "busy" and waited) and not self._may_ask(peer):
            raise Malformed("asks too often for entries that it has")
        if why:
            self._send(peer, {"t": "refuse", "why": why})
        elif local_seats is not None:
            self._served = now
            self._show(peer, ask, local_seats, nodes)
        elif self._setup.table is not None:
            self._waiting |= {peer}
            self._send(peer, self._setup.table.message())

    def listen(self, peer: Peer, message: dict[str, Any], local_seats: LocalSeats | None) -> None:
        """Let a peer hear our player's talk at this match, if it may watch; else ignore it.

        A spectator is shown the match by one player, but asks all of them for their talk, so all
        report it. Raises Malformed.
        """
        fields = shape(message, t=str, match=bytes)
        agreement = self._setup.agreement if self._setup.agreed else None
        if (
            agreement is not None
            and agreement.terms.spectators
            and fields["match"] == agreement.match
            and self._has_space(peer)
        ):
            self.listening |= {peer}
            self._tell_of(peer, agreement.terms, local_seats.wait.gone if local_seats else ())

    def follow_on(self, before: Audience) -> None:
        """Take over the spectators of the match before; they are shown the next one."""
        self._waiting = before._all

    def begin(self, local_seats: LocalSeats, nodes: tuple[Endpoint, ...]) -> None:
        """Show the match that begins to waiting spectators, if it allows them."""
        waiting, self._waiting = self._waiting, frozenset()
        for peer in sorted(waiting):
            if local_seats.terms.spectators:
                self._show(peer, WatchRequest(), local_seats, nodes)
            else:
                self._send(peer, {"t": "refuse", "why": "no-spectators"})

    def gone(self, peer: Peer) -> None:
        """Forget a peer whose link is lost."""
        self.following -= {peer}
        self.listening -= {peer}
        self._waiting -= {peer}
        self._asked_at.pop(peer, None)

    def _against(self, peer: Peer, ask: WatchRequest, *, begun: bool, now: float) -> str:
        """Return the reason why a peer may not watch, or not now; empty if it may."""
        agreement = self._setup.agreement if self._setup.agreed else None
        allowed = self._setup.spectators
        if allowed is None:
            return "no-table"
        known = agreement is not None and ask.match == agreement.match
        if not (known or peer in self or self._setup.let_watch(peer, ask.secret)):
            return "not-invited"
        if not allowed:
            return "no-spectators"
        if ask.match and (agreement is None or ask.match != agreement.match):
            return "other-match"
        if not self._has_space(peer):
            return "too-many"
        return (
            "busy" if agreement is not None and (not begun or now - self._served < PAUSE_S) else ""
        )

    def _has_space(self, peer: Peer) -> bool:
        return peer in self or len(self._all) < MAX_SPECTATORS

    def _show(
        self, peer: Peer, ask: WatchRequest, local_seats: LocalSeats, nodes: tuple[Endpoint, ...]
    ) -> None:
        terms, wait = local_seats.terms, local_seats.wait
        shown = WatchedMatch(terms, local_seats.signatures, nodes, wait.steps)
        self._send(peer, shown.message())
        self.following |= {peer}
        self._bring(peer, ask)
        self._tell_of(peer, terms, wait.gone)

    def _tell_of(self, peer: Peer, terms: Terms, gone: Collection[Seat]) -> None:
        # The key of a playing seat is that player, who resumes: nobody else watches with it.
        playing = {place.id for seat, place in enumerate(terms.participants) if seat not in gone}
        if peer not in playing and self._told.take(peer.hex(), 0.0):
            self._tell(Notice("looks-on", {"id": fingerprint(peer)}, peer))
