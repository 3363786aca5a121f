"""The spectators of our match: whether they are allowed, how many, and the entries that they are sent.

They receive every entry and no other message. They may send requests only. Nobody waits for them: a slow link is closed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from client.session.messages import Message, Notice
from client.session.seats import LocalSeats
from client.session.setup import TableSetup
from crypto.identity import fingerprint
from p2p.table.lobby import Endpoint
from p2p.table.spectating import WatchedMatch, WatchRequest

Peer = bytes
MAX_SPECTATORS = 8
"""Spectators of one player, at most."""
PAUSE_S = 1.0
"""Seconds between two spectators that are sent the match so far; an earlier request is refused as busy."""
MOST_TOLD = 20
"""Spectators of whom our player is told, at most."""


class Spectators:
    """Our spectators. `send` queues a message for one of them, `bring` lets the tables send it the missing entries."""

    def __init__(
        self,
        setup: TableSetup,
        send: Callable[[Peer, dict[str, Any]], None],
        bring: Callable[[Peer, WatchRequest], None],
        tell: Callable[[Message], None],
    ) -> None:
        self.following: frozenset[Peer] = frozenset()
        """The spectators that are sent every entry from now on."""
        self._setup, self._send, self._bring, self._tell = setup, send, bring, tell
        self._waiting: frozenset[Peer] = frozenset()
        self._served = -math.inf
        self._told: set[Peer] = set()

    def __contains__(self, peer: Peer) -> bool:
        """Whether a peer is a spectator, or waits for the match to begin."""
        return peer in self.following | self._waiting

    def handle(
        self, peer: Peer, message: dict[str, Any], local_seats: LocalSeats | None, nodes: tuple[Endpoint, ...], now: float
    ) -> None:
        """A peer asks to watch, or for missing entries. Malformed."""
        ask = WatchRequest.read(message)
        if why := self._against(peer, ask, begun=local_seats is not None, now=now):
            self._send(peer, {"t": "refuse", "why": why})
        elif local_seats is not None:
            self._served = now
            self._show(peer, ask, local_seats, nodes)
        elif self._setup.table is not None:
            self._waiting |= {peer}
            self._send(peer, self._setup.table.message())

    def begin(self, local_seats: LocalSeats, nodes: tuple[Endpoint, ...]) -> None:
        """The match has begun: show it to the waiting spectators."""
        waiting, self._waiting = self._waiting, frozenset()
        for peer in waiting:
            self._show(peer, WatchRequest(), local_seats, nodes)

    def gone(self, peer: Peer) -> None:
        """The link to a peer is lost: free its capacity."""
        self.following -= {peer}
        self._waiting -= {peer}

    def _against(self, peer: Peer, ask: WatchRequest, *, begun: bool, now: float) -> str:
        """Return the reason why a peer may not watch, or not now; empty if it may."""
        agreement = self._setup.agreement if self._setup.agreed else None
        allowed = self._setup.spectators
        if allowed is None:
            return "no-table"
        if not allowed:
            return "no-spectators"
        if ask.match and (agreement is None or ask.match != agreement.match):
            return "other-match"
        if peer not in self and len(self.following) + len(self._waiting) >= MAX_SPECTATORS:
            return "too-many"
        return "busy" if agreement is not None and (not begun or now - self._served < PAUSE_S) else ""

    def _show(self, peer: Peer, ask: WatchRequest, local_seats: LocalSeats, nodes: tuple[Endpoint, ...]) -> None:
        shown = WatchedMatch(local_seats.terms, local_seats.table.signatures, nodes, local_seats.table.steps)
        self._send(peer, shown.message())
        self.following |= {peer}
        self._bring(peer, ask)
        if peer not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(peer)
            self._tell(Notice("looks-on", {"id": fingerprint(peer)}))
