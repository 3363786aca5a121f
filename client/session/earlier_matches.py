"""Peers that ask for entries of a match that our player no longer plays.

Such a peer resumes a match that we left or finished, while we are at another table. It is told that
we are elsewhere, and gets the entries of that match that it lacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import trio

from client.session.containment import notice_or_raise
from client.session.messages import Message
from client.storage.earlier_match import Lacking, entries_for
from client.storage.home import Home, StoreError
from p2p.net.events import Peer
from p2p.table.hashing import HASH

ASKS_PER_LINK = 8
"""The most requests of a peer over one link: a long match may not fit its inbox at once."""
MOST_WAITING = 32
"""The most peers that wait for an answer."""
PAUSE_S = 1.0
"""Seconds between two answers with entries."""

Send = Callable[[Peer, dict[str, Any] | bytes], None]


class EarlierMatches:
    """The requests of peers. `answer` answers them one at a time, in a thread."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.waiting: dict[Peer, tuple[bytes, int, bytes]] = {}
        self._asks: Counter[Peer] = Counter()
        self._strangers: set[Peer] = set()
        """Peers whose last request was about a match that they did not play with our player."""
        self._came = trio.Event()

    def __contains__(self, peer: Peer) -> bool:
        """Whether a peer asked, over its present link, about a match between it and our player."""
        return self._asks[peer] > 0 and peer not in self._strangers

    def ask(self, peer: Peer, match: bytes, steps: int, head: bytes) -> None:
        """Take a request if there is space; of each peer, the newest."""
        self._asks[peer] += 1
        full = peer not in self.waiting and len(self.waiting) >= MOST_WAITING
        if len(match) == len(head) == HASH and self._asks[peer] <= ASKS_PER_LINK and not full:
            self.waiting[peer] = (match, steps, head)
            self._came.set()

    def new_link(self, peer: Peer) -> None:
        """Let a peer with a new or lost link ask again."""
        self.waiting.pop(peer, None)
        self._strangers.discard(peer)
        del self._asks[peer]

    async def answer(self, send: Send, tell: Callable[[Message], None]) -> None:
        """Answer the requests, until cancelled. `tell` takes the messages for our player."""
        while True:
            await self._came.wait()
            if not self.waiting:
                self._came = trio.Event()
                continue
            peer = next(iter(self.waiting))
            match, steps, head = self.waiting.pop(peer)
            try:
                lacking = await trio.to_thread.run_sync(self.read, peer, match, steps, head)
            except Exception as error:  # noqa: BLE001 -- one request fails, and nothing else
                tell(notice_or_raise(self.home, error, peer))
                continue
            if lacking is None:
                if self._asks[peer]:
                    self._strangers.add(peer)
                continue
            self._strangers.discard(peer)
            for data in lacking.entries:
                send(peer, data)
            if lacking.entries and lacking.complete:
                send(peer, {"t": "shown", "match": match})
            send(peer, {"t": "refuse", "why": "other-match"})
            if lacking.entries:
                await trio.sleep(PAUSE_S)

    def read(self, peer: Peer, match: bytes, steps: int, head: bytes) -> Lacking | None:
        """Return the entries of an earlier match that a peer lacks, from our log."""
        try:
            return entries_for(self.home, peer, match, steps, head)
        except StoreError:
            return Lacking([], complete=False)
