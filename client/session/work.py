"""What goes into a piece of work at our tables, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

from engine.core.moves import Move, Seat
from engine.core.run import IllegalMove
from engine.core.view import View
from p2p.table.events import Event
from p2p.table.table import Table

Peer = bytes


class Post(Protocol):
    """Send an entry to one peer, or to every peer but the one it came from."""

    def __call__(self, data: bytes, *, to: Peer | None = None, skip: Peer | None = None) -> None:
        """Queue it; never wait."""


@dataclass(frozen=True)
class Chosen:
    """A player of this process has chosen a move, or to leave (None)."""

    seat: Seat
    move: Move | None


@dataclass(frozen=True)
class Vote:
    """A player of this process votes to go on without a seat, if that can be voted on now."""

    seat: Seat
    without: Seat


@dataclass(frozen=True)
class Heard:
    """A peer has sent an entry."""

    peer: Peer
    data: bytes


@dataclass(frozen=True)
class Behind:
    """A peer stands on this head, after so many whole steps: send it the rest."""

    peer: Peer
    steps: int
    head: bytes


@dataclass(frozen=True)
class HeardOut:
    """Those who have heard us have shown what they hold of us: our tables may speak again."""


@dataclass(frozen=True)
class Thought:
    """A computer player has thought long enough: let it choose now."""

    seat: Seat


Input: TypeAlias = Chosen | Vote | Heard | Behind | HeardOut | Thought


@dataclass(frozen=True)
class News:
    """Something happened, as one seat of ours sees it; the view and who is waited for are as they are afterwards."""

    seat: Seat
    event: Event
    view: View
    waiting: tuple[Seat, ...]
    votes: Mapping[Seat, tuple[Seat, ...]]
    """For each seat that others have voted to go on without: these others."""
    past: bool = False
    """Whether it is from an earlier deal, before we came back to this match."""


@dataclass(frozen=True)
class Wait:
    """Whom a table waits for, and where, as it stood after a piece of work.

    Tables work in another thread. Until they have ended, only this may be read of them about their state.
    """

    seats: tuple[Seat, ...]
    at: bytes
    changing: bool
    votes_needed: int
    staying: int
    """How many seats are still in the match."""
    done: bool
    """Whether our seat has gone, or the rules have ended."""

    @classmethod
    def of(cls, table: Table) -> Wait:
        """Return it for a table that is not at work."""
        done = table.out or table.run.over
        return cls(table.waiting, table.waiting_at, bool(table.going), table.votes_needed, len(table.staying), done)


@dataclass
class Result:
    """What came of a piece of work."""

    news: list[News] = field(default_factory=list)
    bad_links: list[tuple[Peer, str]] = field(default_factory=list)
    refused: list[IllegalMove] = field(default_factory=list)
    thinking: list[Seat] = field(default_factory=list)
    """Computer players that are asked and have not answered, because they play at a person's pace."""
    papers: list[tuple[str, Path]] = field(default_factory=list)
    """What was written down beside the log, because something is wrong: the id of its notice, and where it lies."""
    shown: list[Peer] = field(default_factory=list)
    """Peers that have been sent all that they asked for."""
    ask_again: bool = False
    """Whether there is room again for entries that had found none: they are to be asked for."""
    more: bool = False
    """Whether there is more to do at once, without new inputs."""
