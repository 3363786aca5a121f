"""A past match as the history knows it: the facts of its log, its result for our player, and its ending. Pure."""

from __future__ import annotations

from dataclasses import dataclass

Seat = int
"""As in `engine.core.moves`, which the lobby is drawn without."""

WON, LOST = "won", "lost"

WAITING = "waiting"
"""It is not over, and we can go back into it."""
UNFINISHED = "unfinished"
"""Its log ends before the match does."""
NOT_BEGUN = "not-begun"
"""Not every seat has said anything in it."""
LEFT, CONVICTED, VOTED_OUT = "left", "convicted", "voted-out"
"""So our player went before the end."""
COMPLETE = "complete"
"""It is over, and sealed by every seat that stayed."""
VOTED = "voted"
"""The same, but a seat was voted out: that is the word of others, and no proof."""
UNSEALED = "unsealed"
"""It is over, and seals are missing."""
VERDICT = "verdict"
"""No log of a whole match: it only convicts a seat."""
DAMAGED = "damaged"
"""The log cannot be read."""
OTHER_VERSION = "other-version"
"""The log is of another version of the protocol or the rules, or of a game that this program does not know."""

OWN_WAYS = {"left": LEFT, "convicted": CONVICTED, "voted": VOTED_OUT}


@dataclass(frozen=True)
class PastPlayer:
    """A seat of a past match."""

    id: str
    """The player's id in hexadecimal: a player is a key."""
    nick: str
    fingerprint: str
    computer: bool = False
    """Whether a computer player sat there, as far as that can be told."""


@dataclass(frozen=True)
class MatchFacts:
    """The facts that the log of a match tells. Seats count from 0; scores are of every seat."""

    id: str
    """The match's id in hexadecimal."""
    game: str
    players: tuple[PastPlayer, ...]
    seat: Seat | None
    """Our seat; None where we watched, or another key of ours played."""
    sides: int
    """How many sides play; the side of a seat is the seat modulo this."""
    deals: int
    moves: int
    scores: tuple[tuple[int, ...], ...]
    """After each deal that has ended."""
    score: tuple[int, ...]
    winners: tuple[Seat, ...]
    over: bool
    begun: bool
    unsealed: tuple[Seat, ...]
    """The seats still in the match that have not sealed it."""
    gone: tuple[tuple[Seat, str], ...]
    """The seats that went, in order, and how: `left`, `convicted` or `voted`."""
    convicts: bool = False
    """Whether the log only convicts a seat."""

    def side(self, seat: Seat) -> int:
        """Return the side of a seat."""
        return seat % self.sides

    @property
    def opponents(self) -> tuple[PastPlayer, ...]:
        """The players of other sides than ours, in seat order; nobody's where we have no seat."""
        if self.seat is None:
            return ()
        ours = self.side(self.seat)
        return tuple(player for seat, player in enumerate(self.players) if self.side(seat) != ours)

    @property
    def result(self) -> str:
        """`won` or `lost`, for our seat; empty if there is no result for it. A seat that went has lost."""
        if self.seat is None or self.convicts:
            return ""
        if any(seat == self.seat for seat, _how in self.gone):
            return LOST
        if not self.over or not self.winners:
            return ""
        return WON if self.seat in self.winners else LOST


@dataclass(frozen=True)
class MatchSummary:
    """A match on our disk."""

    match: str
    """The name of its log, without the ending."""
    game: str
    """Empty if its log cannot be read."""
    nicks: tuple[str, ...]
    when: str
    """Its day, as it is shown: that on which its log was written last, for a log knows no time."""
    path: str
    unfinished: bool = False
    """Whether we can go back into it."""
    facts: MatchFacts | None = None
    """None as long as its log has not been read, or if it cannot be read."""
    unreadable: str = ""
    """Why its log cannot be read: `damaged` or `other-version`; empty if it can, or has not been read."""
    keys: tuple[bytes, ...] = ()
    """The ids of the players, in seat order; none if its log cannot be read."""
    written: int = 0
    """When its log was written last: seconds since 1970."""

    @property
    def result(self) -> str:
        """`won`, `lost` or empty."""
        return self.facts.result if self.facts is not None else ""

    @property
    def ending(self) -> str:
        """How it ended: one of the words above; empty as long as its log has not been read."""
        facts = self.facts
        if facts is None:
            return self.unreadable or (WAITING if self.unfinished else "")
        own = next((how for seat, how in facts.gone if seat == facts.seat), "")
        if facts.convicts:
            return VERDICT
        if own:
            return OWN_WAYS[own]
        if not facts.over:
            return WAITING if self.unfinished else UNFINISHED if facts.begun else NOT_BEGUN
        if facts.unsealed:
            return UNSEALED
        return VOTED if any(how == "voted" for _seat, how in facts.gone) else COMPLETE
