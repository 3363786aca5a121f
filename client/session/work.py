"""The inputs and results of one round of work at our tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias

from client.session.messages import News, Notice
from engine.core.moves import IllegalMove, Move, Seat
from engine.core.view import View
from p2p.net.events import Peer
from p2p.table.events import Event, Shuffling, Told
from p2p.table.need import Need
from p2p.table.table import Table


class Post(Protocol):
    """Sends an entry to one peer, or to every peer but the one it came from."""

    def __call__(self, data: bytes, /, *, to: Peer | None = None, skip: Peer | None = None) -> None:
        """Queue it; never wait."""


@dataclass(frozen=True)
class Chosen:
    """A player of this process chose a move, or to leave (None)."""

    seat: Seat
    move: Move | None
    head: bytes = b""
    """The head of the question that the player saw; a leave answers none."""


@dataclass(frozen=True)
class Vote:
    """A player of this process votes for continuing without a seat, if that is possible now."""

    seat: Seat
    without: Seat
    at: bytes
    """The point at which the table waited for that seat when it was late."""


@dataclass(frozen=True)
class EntryReceived:
    """A peer sent an entry."""

    peer: Peer
    data: bytes


@dataclass(frozen=True)
class Behind:
    """A peer asks for the entries that it lacks."""

    peer: Peer
    need: Need


@dataclass(frozen=True)
class ListeningOver:
    """The peers have shown their entries after a resume: our tables may sign again."""


@dataclass(frozen=True)
class Question:
    """A computer player must choose: its view, and the head on which it was asked.

    `wait` is the least number of seconds until its answer: a person may answer first.
    """

    seat: Seat
    view: View
    head: bytes
    wait: int = 0


@dataclass(frozen=True)
class Answer:
    """A computer player's choice.

    It counts only if its table is still on the head of the question.
    """

    question: Question
    move: Move


Input: TypeAlias = Chosen | Vote | EntryReceived | Behind | ListeningOver | Answer


def news_of(
    table: Table, events: Sequence[Event], earlier: int = 0, *, repeated: bool = False
) -> list[News]:
    """Return events as news with the present state of their table.

    The first `earlier` events are from earlier deals.
    """
    if not events:
        return []
    view, waiting, last = table.view(), table.waiting, len(events) - 1
    votes, at = table.votes, table.waiting_at
    return [
        News(event, view, waiting, place == last, place < earlier, repeated, votes, at)
        for place, event in enumerate(events)
    ]


def present_deal(events: Sequence[Event]) -> int:
    """Return the index of the first event of the present deal: 0 if no deck was made.

    It is the last shuffle, or the event of the rules just before it with the deal's number.
    """
    at = max((at for at, event in enumerate(events) if isinstance(event, Shuffling)), default=0)
    return at - 1 if at and isinstance(events[at - 1], Told) else at


@dataclass(frozen=True)
class Wait:
    """The state of a table after a round of work: how far it is, and the seats it waits for.

    Tables work in another thread. While they do, the links and timers read only this.
    """

    seats: tuple[Seat, ...]
    at: bytes
    changing: bool
    votes_needed: int
    staying: tuple[Seat, ...]
    """The seats still in the match."""
    gone: tuple[Seat, ...]
    """The seats that have gone."""
    done: bool
    """Whether our seat has gone, or the rules have ended."""
    steps: int
    """The number of settled records."""
    head: bytes
    """The head after the last of them."""
    begun: bool
    """Whether the log has an entry of every seat."""
    need: Need = Need()  # noqa: RUF009 - frozen
    """The need that we send to our peers."""
    leaving: tuple[Seat, ...] = ()
    """The seats that left for good, while a seat that stays does not know it yet."""

    @classmethod
    def of(cls, table: Table) -> Wait:
        """Return the state of a table that is not at work."""
        done = table.out or table.run.over
        return cls(
            table.waiting,
            table.waiting_at,
            bool(table.going),
            table.votes_needed,
            table.staying,
            table.gone,
            done,
            table.steps,
            table.head,
            table.begun,
            table.need,
            tuple(seat for seat in table.going if table.how(seat) == "left"),
        )


@dataclass
class Work:
    """The result of one round of work."""

    news: list[News] = field(default_factory=list)
    bad_links: list[tuple[Peer, str]] = field(default_factory=list)
    refused: list[IllegalMove] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    """Questions to computer players that answer at chosen times. A question is repeated if its
    answer came too late."""
    reports: list[tuple[str, Path]] = field(default_factory=list)
    """New incident reports: the id of the notice, and the path."""
    contained: list[Notice] = field(default_factory=list)
    """Notices about unexpected errors with the entries of peers."""
    shown: list[Peer] = field(default_factory=list)
    """Peers that lacked everything, and were sent all that we hold."""
    more: bool = False
    """Whether there is more work at once, without new inputs."""
