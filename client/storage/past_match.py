"""A past match in the history: facts of its log, its result for our player, its ending.

This module is pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.moves import Seat
from p2p.table.outline import Outline

WON, SHARED, LOST = "won", "shared", "lost"
WINS = (WON, SHARED)
"""The results that count as won: `shared` is a win that several sides share."""

WAITING = "waiting"
"""It is not over, and we can go back into it."""
UNFINISHED = "unfinished"
"""Its log ends before the match does."""
NOT_BEGUN = "not-begun"
"""Not every seat has said anything in it."""
LEFT, CONVICTED, VOTED_OUT = "left", "convicted", "voted-out"
"""So our player went before the end."""
COMPLETE = "complete"
"""It is over, and sealed by every seat."""
PLAYER_LEFT, PLAYER_CONVICTED = "player-left", "player-convicted"
"""The same, but another player left or was convicted; the seats that stayed have sealed it."""
VOTED = "voted"
"""The same, but a seat was voted out: that is the word of others, and no proof."""
UNSEALED = "unsealed"
"""It is over, and seals are missing."""
VERDICT = "verdict"
"""No log of a whole match: it only convicts a seat."""
DAMAGED = "damaged"
"""The log cannot be read."""
OTHER_VERSION = "other-version"
"""The log is of another version of the protocol or the rules, or of a game that this program does
not know."""

OWN_WAYS = {"left": LEFT, "convicted": CONVICTED, "voted": VOTED_OUT}
OTHERS_WAYS = {"voted": VOTED, "convicted": PLAYER_CONVICTED, "left": PLAYER_LEFT}
"""The same of others: the first of these that is true of anybody is the ending."""


@dataclass(frozen=True)
class PastPlayer:
    """A seat of a past match."""

    id: str
    """The player's id in hexadecimal: a player is a key."""
    nick: str
    fingerprint: str
    computer: bool = False
    """Whether the seat said that a computer plays it."""


@dataclass(frozen=True)
class MatchFacts:
    """The facts that the log of a match tells."""

    id: str
    """The match's id in hexadecimal."""
    game: str
    players: tuple[PastPlayer, ...]
    seat: Seat | None
    """Our seat; None where we watched, or another key of ours played."""
    outline: Outline

    @property
    def opponents(self) -> tuple[PastPlayer, ...]:
        """The players of other sides than ours, in seat order; nobody's where we have no seat."""
        if self.seat is None:
            return ()
        ours = self.outline.side(self.seat)
        return tuple(
            player for seat, player in enumerate(self.players) if self.outline.side(seat) != ours
        )

    @property
    def result(self) -> str:
        """`won`, `shared` or `lost`, for our seat; empty if there is no result for it.

        A win is shared by the winners of several sides. A seat that went has lost.
        """
        outline = self.outline
        if self.seat is None or outline.convicts:
            return ""
        if any(seat == self.seat for seat, _how in outline.gone):
            return LOST
        if not outline.over or not outline.winners:
            return ""
        if self.seat not in outline.winners:
            return LOST
        return SHARED if len(set(map(outline.side, outline.winners))) > 1 else WON


@dataclass(frozen=True)
class MatchSummary:
    """A match on our disk."""

    match: str
    """The name of its log, without the ending."""
    game: str
    """Empty if its log cannot be read."""
    nicks: tuple[str, ...]
    when: str
    """Its day and the time, as they are shown: those at which its log was written last, for a log
    knows no time."""
    path: str
    unfinished: bool = False
    """Whether we can go back into it."""
    alone: bool = False
    """Whether we can go back into it, and only computer players of this program play with us."""
    facts: MatchFacts | None = None
    """None as long as its log has not been read, or if it cannot be read."""
    unreadable: str = ""
    """Why its log cannot be read: `damaged` or `other-version`; empty if it can, or has not been
    read."""
    keys: tuple[bytes, ...] = ()
    """The ids of the players, in seat order; none if its log cannot be read."""
    id: str = ""
    """The match's id, as far as the names of its files have it; empty if it is not known."""
    written: int = 0
    """When its log was written last: seconds since 1970."""

    @property
    def day(self) -> str:
        """The day alone, for a list."""
        return self.when.split(" ")[0]

    @property
    def result(self) -> str:
        """`won`, `shared`, `lost` or empty."""
        return self.facts.result if self.facts is not None else ""

    @property
    def ending(self) -> str:
        """How it ended: one of the words above; empty as long as its log has not been read."""
        facts = self.facts
        if facts is None:
            return self.unreadable or (WAITING if self.unfinished else "")
        outline = facts.outline
        own = next((how for seat, how in outline.gone if seat == facts.seat), "")
        if outline.convicts:
            return VERDICT
        if own:
            return OWN_WAYS[own]
        if not outline.over:
            return WAITING if self.unfinished else UNFINISHED if outline.begun else NOT_BEGUN
        if outline.unsealed:
            return UNSEALED
        ways = {how for _seat, how in outline.gone}
        return next((ending for how, ending in OTHERS_WAYS.items() if how in ways), COMPLETE)
