"""The phase of a table."""

from __future__ import annotations

from enum import Enum, auto


class Phase(Enum):
    """The phase of a table."""

    RESTORING = auto()
    """The table is being restored from disk: our seat signs nothing."""
    LISTENING = auto()
    """Our seat may have signed more than its disk knows: it signs nothing new until `speak`."""
    PLAYING = auto()
    CHANGING = auto()
    """Our seat has stopped: a change of members is under way."""
    ENDED = auto()
    """The rules have ended: seals are collected."""
    SEALED = auto()
    DIVERGED = auto()
    """Valid proofs led to an impossible state: a bug of ours, no lie of a seat."""
