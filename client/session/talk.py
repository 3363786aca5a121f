"""Talk at a table, and its rate limit. Time is an argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from client.session.messages import Message, Talked
from engine.core.moves import Seat
from p2p.net.events import Peer
from p2p.net.text import bare, clean, columns
from p2p.wire import Malformed, shape

TALK_CHARACTERS = 120
"""The most characters of a remark; a peer that sends more loses its link."""
TOOK_HINT = "hint"
"""The phrase by which a program announces that its player took a hint."""
REMARKS, WITHIN_S = 5, 10.0
"""The most remarks of one player that are shown, within this many seconds."""


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


class Talk:
    """The talk that our player sees; `tell` shows it."""

    def __init__(self, tell: Callable[[Message], None]) -> None:
        self._tell = tell
        self._said: dict[Peer, list[float]] = {}
        """The times of the last remarks of each player; our player is the empty peer."""

    def may_say(self, now: float) -> bool:
        """Count a remark of our player; return whether it is within the limit."""
        return self._counted(b"", now)

    def hear(self, peer: Peer, seat: Seat | None, message: dict[str, Any], now: float) -> None:
        """Show a remark of a peer that has a seat, if it is within the limit. Raises Malformed."""
        text, phrase = read_talk(message)
        if seat is not None and self._counted(peer, now):
            self._tell(Talked(seat, text, phrase))

    def _counted(self, peer: Peer, now: float) -> bool:
        """Count a remark, unless it is over the limit; return whether it was counted."""
        recent = [when for when in self._said.get(peer, []) if now - when < WITHIN_S]
        self._said[peer] = recent
        if len(recent) >= REMARKS:
            return False
        recent.append(now)
        return True
