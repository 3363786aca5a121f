"""The events of Kínaskák. The paragraph numbers are those of docs/rules/kinaskak.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.core.events import GameEvent
from engine.core.moves import Face, Seat


@dataclass(frozen=True)
class Round(GameEvent):
    """R6, R8. A round begins."""

    number: int
    contract: int
    starter: Seat


@dataclass(frozen=True)
class OpenCard(GameEvent):
    """R8. The first open card."""

    card: Face


@dataclass(frozen=True)
class NobodyBuys(GameEvent):
    """R12. All who were asked declined."""


@dataclass(frozen=True)
class Buys(GameEvent):
    """R12. These seats want the open card."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Dispute(GameEvent):
    """R13. The cards that these seats draw in a dispute."""

    seats: tuple[Seat, ...]
    cards: tuple[Face, ...]


@dataclass(frozen=True)
class DisputeWon(GameEvent):
    """R13. The seat buys: it has `drawn` the highest card, or sits `nearest`.

    `back` cards return to the stock.
    """

    seat: Seat
    how: str
    back: int


@dataclass(frozen=True)
class Bought(GameEvent):
    """R14. A purchase, the `count`th of the seat in this round."""

    seat: Seat
    card: Face
    count: int


@dataclass(frozen=True)
class Penalty(GameEvent):
    """R14. The price of a purchase beyond `buys`."""

    seat: Seat
    points: int


@dataclass(frozen=True)
class KnownDraw(GameEvent):
    """R15. The seat draws a card that a dispute has shown."""

    seat: Seat
    card: Face


@dataclass(frozen=True)
class Renewal(GameEvent):
    """R16. This many discards become the new stock."""

    cards: int


@dataclass(frozen=True)
class LaidDown(GameEvent):
    """R18. The seat has laid down its contract."""

    seat: Seat


@dataclass(frozen=True)
class OneCard(GameEvent):
    """R22. The seat has one card left."""

    seat: Seat


@dataclass(frozen=True)
class Out(GameEvent):
    """R22. The seat has no card left."""

    seat: Seat


@dataclass(frozen=True)
class Sweep(GameEvent):
    """R22. The seat has no card left, in contract 8."""

    seat: Seat


@dataclass(frozen=True)
class Left(GameEvent):
    """R23. The cards left in another seat's hand, and their points."""

    seat: Seat
    cards: tuple[Face, ...]
    points: int


@dataclass(frozen=True)
class Count(GameEvent):
    """R23. Per seat: the points of the round, its penalties, and the totals."""

    points: tuple[int, ...]
    penalties: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Gone(GameEvent):
    """R26. The seat left instead of opening its hand."""

    seat: Seat


Event: TypeAlias = (
    Round
    | OpenCard
    | NobodyBuys
    | Buys
    | Dispute
    | DisputeWon
    | Bought
    | Penalty
    | KnownDraw
    | Renewal
    | LaidDown
    | OneCard
    | Out
    | Sweep
    | Left
    | Count
    | Gone
)
