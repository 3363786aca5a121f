"""What a table is doing, one thing at a time."""

from __future__ import annotations

from enum import Enum, auto


class Phase(Enum):
    """What a table is doing."""

    RESTORING = auto()
    """It is being set up from what is on disk: nothing is said."""
    LISTENING = auto()
    """It may have said more than its disk knows: it says nothing until `speak`."""
    PLAYING = auto()
    CHANGING = auto()
    """Our seat has stopped: a view change is under way."""
    ENDED = auto()
    """The rules have ended: seals are gathered."""
    SEALED = auto()
    DIVERGED = auto()
    """Good proofs gave a state that cannot be: a bug of ours, nobody's lie."""
