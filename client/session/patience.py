"""How long we wait for others; slow shuffles; talk at the table and its rate limit.

Time is an argument.
"""

from __future__ import annotations

from typing import Any

from engine.core.moves import Seat
from p2p.net.text import bare, clean, columns
from p2p.table.events import Event, Mixed, Shuffled, Shuffling
from p2p.wire import Malformed, shape

ASK_S = 2.0
"""Seconds between two requests for missing entries while our table waits."""
ANSWER_TIMEOUT_S = 5.0
"""Seconds in which a host or a watched player must show its table, and guests must sign."""
SEALS_TIMEOUT_S = 10.0
"""Seconds to wait, after a match, for missing seals and for peers that lack ours."""
SLOW_SHUFFLE_S = 0.3
"""Seconds after which players are told of a slow shuffle."""
TALK_CHARACTERS = 120
"""The most characters of a remark; a peer that sends more loses its link."""
TOOK_HINT = "hint"
"""The phrase by which a program announces that its player took a hint."""
REMARKS, WITHIN_S = 5, 10.0
"""The most remarks of one player that are shown, within this many seconds."""


class ShuffleWatch:
    """The shuffle under way at a table."""

    def __init__(self) -> None:
        self._order: list[Seat] = []
        self._since = 0.0
        self._told: Seat | None = None

    def note(self, event: Event, now: float) -> bool:
        """Take an event of the table; return whether a seat begins to shuffle."""
        match event:
            case Shuffling(_, seats):
                self._order, self._told = list(seats), None
            case Mixed(_, seat) if seat in self._order:
                self._order.remove(seat)
            case Shuffled():
                self._order = []
            case _:
                return False
        self._since = now
        return bool(self._order)

    def slow(self, now: float) -> Seat | None:
        """Return, once, the seat that has been shuffling for SLOW_SHUFFLE_S."""
        if not self._order or now - self._since < SLOW_SHUFFLE_S or self._told == self._order[0]:
            return None
        self._told = self._order[0]
        return self._told


def talk(text: str, *, phrase: bool) -> dict[str, Any]:
    """Return the message for a remark: the id of a phrase, or words cut to TALK_CHARACTERS."""
    return {"t": "say", "text": text[:TALK_CHARACTERS], "phrase": phrase}


def fits(text: str) -> bool:
    """Whether words can be said uncut."""
    words = bare(text, 2 * len(text))
    return max(len(words), columns(words)) <= TALK_CHARACTERS


def read_talk(message: dict[str, Any]) -> tuple[str, bool]:
    """Read a remark: its clean text, and whether that is the id of a phrase. Raises Malformed."""
    fields = shape(message, t=str, text=str, phrase=bool)
    if len(fields["text"]) > TALK_CHARACTERS:
        raise Malformed("too many words at once")
    return clean(fields["text"], TALK_CHARACTERS), fields["phrase"]


class TalkLimit:
    """How often each player may say something."""

    def __init__(self) -> None:
        self._said: dict[bytes, list[float]] = {}

    def allows(self, peer: bytes, now: float) -> bool:
        """Return whether a remark may be shown now; only shown remarks count."""
        recent = [when for when in self._said.get(peer, []) if now - when < WITHIN_S]
        self._said[peer] = recent
        if len(recent) >= REMARKS:
            return False
        recent.append(now)
        return True
