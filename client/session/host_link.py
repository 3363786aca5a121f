"""The link of a guest or spectator to its host before the match: it may be lost and return."""

from __future__ import annotations

from collections.abc import Callable

from client.session.messages import Notice
from p2p.net.errors import NetError, Unreachable
from p2p.net.link import DISPLACED, LOST, SILENT
from p2p.table.lobby import Message, TableRefused

HOST_LOST_S = 30.0
"""Seconds that a guest or spectator waits for a lost link to return."""


class HostLink:
    """The link to our host, during table setup. `clock` gives the time in seconds."""

    def __init__(self, clock: Callable[[], float], tell: Callable[[Notice], None]) -> None:
        self._clock, self._tell = clock, tell
        self._asked_at = 0.0
        """When we last asked for the table."""
        self._lost_at: float | None = None
        self._broke_at = float("-inf")
        self.again = False
        """Whether to ask for the table again, because the host told us to wait."""

    def passes_over(self, refusal: Message) -> bool:
        """Whether a refusal does not end our session.

        It is about an earlier match, or the host lets us wait because the link was lost a while
        ago; then we ask again.
        """
        lately = self._clock() - self._broke_at < HOST_LOST_S
        self.again = refusal.get("why") == "too-soon" and lately
        return self.again or refusal.get("why") == "other-match"

    def ask(self) -> None:
        """Note that we ask for the table now, over a link."""
        if self._lost_at is not None:
            self._tell(Notice("host-back"))
        self._asked_at, self._lost_at, self.again = self._clock(), None, False

    def down(self, reason: str) -> None:
        """Note that the link has ended. TableRefused if the host ended it."""
        if reason == DISPLACED:
            raise TableRefused("displaced")
        if reason not in (LOST, SILENT):
            raise TableRefused("host-gone")
        self._lost_at = self._broke_at = self._clock()
        self.again = False
        self._tell(Notice("host-lost", {"seconds": round(HOST_LOST_S)}))

    def away(self, why: NetError | None) -> None:
        """Note that there has been no link for a while.

        TableRefused if no program listens there any more.
        """
        if isinstance(why, Unreachable) and why.hint == "refused":
            raise TableRefused("host-gone")

    def check(self, patience: float, *, answered: bool) -> None:
        """TableRefused if the link, or within `patience` s the first answer, does not come."""
        now = self._clock()
        if self._lost_at is not None:
            if now - self._lost_at >= HOST_LOST_S:
                raise TableRefused("host-lost")
        elif not answered and now - self._asked_at >= patience:
            raise TableRefused("no-answer")
