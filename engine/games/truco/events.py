"""The events of Truco. The paragraph numbers are those of docs/rules/truco.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.core.events import GameEvent
from engine.core.moves import Face, Seat


@dataclass(frozen=True)
class Deal(GameEvent):
    """R5, R7. A deal begins."""

    number: int
    dealer: Seat
    mano: Seat


@dataclass(frozen=True)
class Sung(GameEvent):
    """R18, R23. The seat calls a word: as a `call`, an `answer`, or `first`.

    `first` is for "el envido está primero".
    """

    seat: Seat
    word: str
    how: str


@dataclass(frozen=True)
class Stake(GameEvent):
    """R15. The deal is now worth these points, and this side may raise it."""

    points: int
    side: int


@dataclass(frozen=True)
class EnvidoWon(GameEvent):
    """R24, R28. The side wins the envido: `refused` or `said`."""

    side: int
    points: int
    how: str


@dataclass(frozen=True)
class EnvidoAnnulled(GameEvent):
    """R38. A flor annuls the envido that waits for an answer."""


@dataclass(frozen=True)
class FlorWon(GameEvent):
    """R39, R40. The side wins the flor: `alone`, `refused` or `said`."""

    side: int
    points: int
    how: str


@dataclass(frozen=True)
class Said(GameEvent):
    """R27, R41. A number is stated; `beats` if there was one before."""

    seat: Seat
    number: int
    beats: bool


@dataclass(frozen=True)
class Trick(GameEvent):
    """R11. A trick is complete; nobody wins it if the best cards are equal."""

    number: int
    winner: Seat | None
    card: Face


@dataclass(frozen=True)
class DealWon(GameEvent):
    """R15, R32. The side wins the deal: by `tricks`, `refused`, `mazo` or `early-mazo`."""

    side: int
    points: int
    how: str


@dataclass(frozen=True)
class Shown(GameEvent):
    """R29. The best number is proven; these cards were turned up for it."""

    seat: Seat
    number: int
    cards: tuple[Face, ...]


@dataclass(frozen=True)
class FlorShown(GameEvent):
    """R42. The winning flor is proven, with this value; these cards were turned up for it."""

    seat: Seat
    number: int
    cards: tuple[Face, ...]


@dataclass(frozen=True)
class Buenas(GameEvent):
    """R33. The side has crossed into the upper half."""

    side: int


@dataclass(frozen=True)
class Score(GameEvent):
    """R31. The points of a side: in this deal, and in total."""

    side: int
    gained: int
    total: int


Event: TypeAlias = (
    Deal
    | Sung
    | Stake
    | EnvidoWon
    | EnvidoAnnulled
    | FlorWon
    | Said
    | Trick
    | DealWon
    | Shown
    | FlorShown
    | Buenas
    | Score
)
