"""The events of a table for its client.

Slots and seats are numbers, faces are as in engine.core.cards; nothing here is secret to us.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Move, Seat, Slot
from p2p.table.faults import Fault


@dataclass(frozen=True)
class Event:
    """Something that happened at the table."""


@dataclass(frozen=True)
class Shuffling(Event):
    """A deck is being made; these seats shuffle it, in turn."""

    deck: int
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Mixed(Event):
    """A seat has shuffled the deck, and its proof is good."""

    deck: int
    seat: Seat


@dataclass(frozen=True)
class Shuffled(Event):
    """A deck lies face down, shuffled by all of these seats; every proof is good."""

    deck: int
    seats: tuple[Seat, ...]
    cards: int


@dataclass(frozen=True)
class OutOfKeys(Event):
    """Our seat says nothing more about this deck, because it may burn no further key for it.

    Its program has begun anew too often while the deck was made. It can leave.
    """

    deck: int


@dataclass(frozen=True)
class Tossed(Event):
    """All seats together drew this number, from 0 to sides - 1."""

    sides: int
    number: int


@dataclass(frozen=True)
class Dealt(Event):
    """Slots went to seats; `mine` has the faces of our own, for our eyes only."""

    to: Mapping[Seat, tuple[Slot, ...]]
    mine: Mapping[Slot, Face] = field(repr=False)


@dataclass(frozen=True)
class Opened(Event):
    """These faces are now public."""

    faces: Mapping[Slot, Face]


@dataclass(frozen=True)
class Proved(Event):
    """A seat has shown that these slots hold allowed faces, showing none."""

    seat: Seat
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Moved(Event):
    """A seat has moved; `text` is the move in the game's notation, without the seat.

    `shown` is what the move made public.
    """

    seat: Seat
    move: Move
    text: str
    auto: bool
    shown: Mapping[Slot, Face] = field(default_factory=dict)


@dataclass(frozen=True)
class Told(Event):
    """The rules say something worth hearing.

    `table` is the game as it stood then, where the rules go on to clear it.
    """

    event: GameEvent
    table: Game | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Asked(Event):
    """Our player must choose."""


@dataclass(frozen=True)
class Gone(Event):
    """A seat has given up its place: it `left`, was `convicted` of a fault, or `voted` out.

    It was voted out by these voters of an electorate.
    """

    seat: Seat
    how: str = "left"
    voters: tuple[Seat, ...] = ()
    electorate: int = 0


@dataclass(frozen=True)
class Voted(Event):
    """A seat votes to go on without another; `votes` of the `needed` have been cast."""

    seat: Seat
    without: Seat
    votes: int
    needed: int


@dataclass(frozen=True)
class WasLate(Event):
    """A seat has spoken when more than half had voted: it was late, `row` times in a row by now.

    `calls` are those in the match. The third one in a row, or the ninth in the match, removes it.
    """

    seat: Seat
    row: int
    calls: int


@dataclass(frozen=True)
class Changing(Event):
    """A change of members has begun: nobody moves until all who stay have flushed."""

    without: tuple[Seat, ...]


@dataclass(frozen=True)
class WentBack(Event):
    """Our records after these were on a branch that does not stand.

    The client keeps the old file.
    """

    records: int


@dataclass(frozen=True)
class Accused(Event):
    """A seat broke the protocol, and its own signed entries show it."""

    fault: Fault


@dataclass(frozen=True)
class Differs(Event):
    """The word of a seat that we wait for is on a head that is not ours; it is not judged.

    Both sides show what they hold.

    Without a seat: good proofs gave a state that cannot be.
    """

    seat: Seat | None
    number: int
    theirs: bytes
    ours: bytes


@dataclass(frozen=True)
class Over(Event):
    """The rules have ended the match."""

    winners: tuple[Seat, ...]
    score: tuple[int, ...]


@dataclass(frozen=True)
class Sealed(Event):
    """Every seat still in the match has signed the last head: the log is complete."""
