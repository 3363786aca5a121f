"""The events of a table for its client.

Slots and seats are numbers; faces are as in engine.core.cards. Everything here may be shown to our
player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from engine.core.events import GameEvent
from engine.core.game import Game
from engine.core.moves import Face, Move, Seat, Slot
from p2p.table.faults import Fault

How: TypeAlias = Literal["left", "convicted", "voted"]
"""How a seat went: by its own entry, by the proof of a fault, or by the votes of the others."""


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
    """A seat shuffled the deck, and its proof is valid."""

    deck: int
    seat: Seat


@dataclass(frozen=True)
class Shuffled(Event):
    """A deck lies face down, shuffled by all of these seats with valid proofs."""

    deck: int
    seats: tuple[Seat, ...]
    cards: int


@dataclass(frozen=True)
class OutOfKeys(Event):
    """Our seat cannot sign for this deck any more, because it burnt all keys that it may.

    Its program restarted too often while the deck was made. It can leave.
    """

    deck: int


@dataclass(frozen=True)
class Tossed(Event):
    """All seats together drew this number, from 0 to sides - 1."""

    sides: int
    number: int


@dataclass(frozen=True)
class Dealt(Event):
    """Slots went to seats; `mine` has the faces of our own, for our player only."""

    to: Mapping[Seat, tuple[Slot, ...]]
    mine: Mapping[Slot, Face] = field(repr=False)


@dataclass(frozen=True)
class Opened(Event):
    """These faces are now public."""

    faces: Mapping[Slot, Face]


@dataclass(frozen=True)
class Proved(Event):
    """A seat proved that these slots hold allowed faces, without showing them."""

    seat: Seat
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Moved(Event):
    """A seat moved; `text` is the move in the game's notation, without the seat.

    `shown` are the faces that the move made public.
    """

    seat: Seat
    move: Move
    text: str
    auto: bool
    shown: Mapping[Slot, Face] = field(default_factory=dict)


@dataclass(frozen=True)
class Told(Event):
    """An event of the rules.

    `table` is a copy of the game at that moment, if the rules go on to clear it.
    """

    event: GameEvent
    table: Game | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Asked(Event):
    """Our player must choose."""


@dataclass(frozen=True)
class Gone(Event):
    """A seat is out of the match.

    If voted out, `voters` of an `electorate` of this size did so.
    """

    seat: Seat
    how: How = "left"
    voters: tuple[Seat, ...] = ()
    electorate: int = 0


@dataclass(frozen=True)
class Voted(Event):
    """A seat voted to continue without another; `votes` of the `needed` have been cast."""

    seat: Seat
    without: Seat
    votes: int
    needed: int


@dataclass(frozen=True)
class WasLate(Event):
    """A seat signed only after more than half had voted: it was late, `row` times in a row.

    `calls` are its late calls in the match. The third in a row, or the ninth in the match, removes
    it.
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
    """Our records after the first `records` were on a dead branch.

    The client keeps the old file.
    """

    records: int


@dataclass(frozen=True)
class Accused(Event):
    """A seat broke the protocol, as its own signed entries show."""

    fault: Fault


@dataclass(frozen=True)
class Differs(Event):
    """A seat's entry that we wait for is on another head than ours; it is not judged.

    Both sides show what they hold. Without a seat: valid proofs led to an impossible state.
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
    """Every seat still in the match signed the last head: the log is complete."""
