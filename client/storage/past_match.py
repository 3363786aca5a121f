"""A past match in the history: the facts of its log, its result for our player, its ending.

This module is pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engine.core.moves import Seat
from p2p.table.outline import Outline

MINUTE, DAY = "%Y-%m-%d %H:%M", "%Y-%m-%d"
"""Forms of `when`."""
WON, SHARED, LOST = "won", "shared", "lost"
WINS = (WON, SHARED)
"""The results that count as won; in a `shared` win several sides won."""

WAITING = "waiting"
"""It is not over, and can be resumed."""
UNFINISHED = "unfinished"
"""Its log ends before the match does."""
NOT_BEGUN = "not-begun"
"""Not every seat has signed an entry."""
LEFT, CONVICTED, VOTED_OUT = "left", "convicted", "voted-out"
"""How our player left before the end."""
COMPLETE = "complete"
"""It is over, and sealed by every seat."""
PLAYER_LEFT, PLAYER_CONVICTED = "player-left", "player-convicted"
"""Over and sealed, but another player left or was convicted."""
VOTED = "voted"
"""Over and sealed, but a seat was voted out: that is others' decision, and no proof."""
UNSEALED = "unsealed"
"""It is over, and seals are missing."""
VERDICT = "verdict"
"""No log of a whole match: it only convicts a seat."""
DAMAGED = "damaged"
"""The log cannot be read."""
OTHER_VERSION = "other-version"
"""The log is of another version of the protocol or the rules, or of an unknown game."""

OWN_WAYS = {"left": LEFT, "convicted": CONVICTED, "voted": VOTED_OUT}
OTHERS_WAYS = {"voted": VOTED, "convicted": PLAYER_CONVICTED, "left": PLAYER_LEFT}
"""The same for others; the first one that is true of any player is the ending."""


@dataclass(frozen=True)
class PastPlayer:
    """A seat of a past match."""

    id: str
    """The player's id in hexadecimal."""
    nick: str
    fingerprint: str
    computer: bool = False
    """Whether the seat claimed to be a computer player."""


@dataclass(frozen=True)
class MatchFacts:
    """The facts in the log of a match."""

    id: str
    """The match's id in hexadecimal."""
    game: str
    players: tuple[PastPlayer, ...]
    seat: Seat | None
    """Our seat; None if we watched, or another key of ours played."""
    outline: Outline

    @property
    def opponents(self) -> tuple[PastPlayer, ...]:
        """The players of other sides, in seat order; empty if we have no seat."""
        if self.seat is None:
            return ()
        ours = self.outline.side(self.seat)
        return tuple(
            player for seat, player in enumerate(self.players) if self.outline.side(seat) != ours
        )

    @property
    def result(self) -> str:
        """`won`, `shared` or `lost` for our seat; empty without a result.

        A win is shared by winners of several sides. A seat that went has lost.
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
    """The name of its log, without the suffix."""
    game: str
    """Empty if its log cannot be read."""
    nicks: tuple[str, ...]
    when: str
    """Day and time of the last write to its log, for display; a log has no time of its own."""
    path: str
    unfinished: bool = False
    """Whether it can be resumed."""
    alone: bool = False
    """Whether it can be resumed, and only computer players of this program play with us."""
    facts: MatchFacts | None = None
    """None if its log was not read yet, or is unreadable."""
    unreadable: str = ""
    """Why its log is unreadable: `damaged` or `other-version`; else empty."""
    keys: tuple[bytes, ...] = ()
    """The ids of the players, in seat order; empty if its log is unreadable."""
    id: str = ""
    """The match's id, as in its file names; empty if unknown."""
    written: int = 0
    """The last write to its log, in seconds since 1970."""
    seat: int | None = None
    """Our seat; none if we have only watched, or its log is unreadable."""

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
        """How it ended: one of the words above; empty if its log was not read yet."""
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


def when(seconds: float, form: str) -> str:
    """Return a time for display, where this machine is; `?` if no calendar has it.

    The clock that wrote it may have been anywhere.
    """
    try:
        return datetime.fromtimestamp(seconds).strftime(form)
    except (ValueError, OverflowError, OSError):
        return "?"
