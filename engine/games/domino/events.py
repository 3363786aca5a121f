"""The events of dominoes. The paragraph numbers are those of docs/rules/domino.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.core.events import GameEvent
from engine.core.moves import Face, Seat


@dataclass(frozen=True)
class Deal(GameEvent):
    """R2, R3. A deal begins; the opener is unknown if the tiles decide."""

    number: int
    opener: Seat | None


@dataclass(frozen=True)
class FiveDoubles(GameEvent):
    """R3. A hand of five or more doubles is shown: the deal is void."""

    seat: Seat
    tiles: tuple[Face, ...]


@dataclass(frozen=True)
class Opens(GameEvent):
    """R4. The seat has the tile that opens."""

    seat: Seat
    tile: Face


@dataclass(frozen=True)
class Drawn(GameEvent):
    """R7. The seat has drawn a tile; `left` are in the graveyard."""

    seat: Seat
    left: int


@dataclass(frozen=True)
class Knock(GameEvent):
    """R8, R9. A pass, and its points for the side that placed the last tile."""

    seat: Seat
    placer: Seat
    points: int


@dataclass(frozen=True)
class Out(GameEvent):
    """R10. The seat has no tile left."""

    seat: Seat


@dataclass(frozen=True)
class Closed(GameEvent):
    """R11. The seat has placed the last tile with any of these numbers, those of the ends."""

    seat: Seat
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Stuck(GameEvent):
    """R11. All have passed in turn."""


@dataclass(frozen=True)
class Lowest(GameEvent):
    """R11. The seat wins a block with these pips; `equals` have as few."""

    seat: Seat
    pips: int
    equals: tuple[Seat, ...]


@dataclass(frozen=True)
class Hand(GameEvent):
    """R12. The tiles left in a seat's hand, turned up."""

    seat: Seat
    tiles: tuple[Face, ...]
    pips: int


@dataclass(frozen=True)
class ClosedHand(GameEvent):
    """R12. The seat has not turned up its tiles."""

    seat: Seat


@dataclass(frozen=True)
class Capicua(GameEvent):
    """R13. The last tile fitted both ends."""

    seat: Seat


@dataclass(frozen=True)
class Count(GameEvent):
    """R12, R13. The pips of all hands, and their points, doubled or not."""

    pips: int
    points: int
    doubled: bool


@dataclass(frozen=True)
class Score(GameEvent):
    """R12. The points of a side: in this deal, and in total."""

    side: int
    gained: int
    total: int


@dataclass(frozen=True)
class Shoemaker(GameEvent):
    """R15. The side has lost without a point."""

    side: int


Event: TypeAlias = (
    Deal
    | FiveDoubles
    | Opens
    | Drawn
    | Knock
    | Out
    | Closed
    | Stuck
    | Lowest
    | Hand
    | ClosedHand
    | Capicua
    | Count
    | Score
    | Shoemaker
)
