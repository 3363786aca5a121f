"""The events of Escoba. The paragraph numbers are those of docs/rules/escoba.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.core.events import GameEvent
from engine.core.moves import Face, Seat


@dataclass(frozen=True)
class Deal(GameEvent):
    """R4. A deal begins; `first` plays first."""

    number: int
    dealer: Seat
    first: Seat


@dataclass(frozen=True)
class FirstTable(GameEvent):
    """R5. The first table makes 15 or 30: one or two eskobas for this seat."""

    seat: Seat
    count: int
    cards: tuple[Face, ...]


@dataclass(frozen=True)
class LastHand(GameEvent):
    """R10. The stock is empty."""


@dataclass(frozen=True)
class Eskoba(GameEvent):
    """R9. A play has swept these cards off the table."""

    seat: Seat
    cards: tuple[Face, ...]


@dataclass(frozen=True)
class Leftovers(GameEvent):
    """R11. The cards left on the table go to a side, or to none if nobody has captured."""

    side: int | None
    cards: tuple[Face, ...]


@dataclass(frozen=True)
class Count(GameEvent):
    """R12. A line of a side's count, `a` to `h`."""

    side: int
    line: str
    figure: int
    points: int


@dataclass(frozen=True)
class Score(GameEvent):
    """R12. The points of a side: in this deal, and in total."""

    side: int
    gained: int
    total: int


@dataclass(frozen=True)
class MatchLost(GameEvent):
    """R13. Only this side has any cards."""

    side: int


Event: TypeAlias = Deal | FirstTable | LastHand | Eskoba | Leftovers | Count | Score | MatchLost
