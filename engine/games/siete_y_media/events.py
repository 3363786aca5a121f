"""The events of siete y media. The paragraph numbers are those of docs/rules/siete-y-media.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.core.events import GameEvent
from engine.core.moves import Face, Seat


@dataclass(frozen=True)
class Deal(GameEvent):
    """R4. A deal begins."""

    number: int
    bank: Seat


@dataclass(frozen=True)
class Card(GameEvent):
    """R7. A card came face up; `total` is the sum of the open ones, always in half points."""

    seat: Seat
    card: Face
    total: int


@dataclass(frozen=True)
class Shows(GameEvent):
    """R7. The hidden card is turned up before the next one comes."""

    seat: Seat
    card: Face
    total: int


@dataclass(frozen=True)
class Seven(GameEvent):
    """R10. Siete y media."""

    seat: Seat
    cards: tuple[Face, ...]


@dataclass(frozen=True)
class Over(GameEvent):
    """R10. The seat has gone over and pays its stake."""

    seat: Seat
    cards: tuple[Face, ...]
    stake: int


@dataclass(frozen=True)
class AllOver(GameEvent):
    """R11. Nobody stands, so the bank does not play."""


@dataclass(frozen=True)
class BankCard(GameEvent):
    """R12. The bank turns up its card."""

    bank: Seat
    card: Face


@dataclass(frozen=True)
class BankHits(GameEvent):
    """R12. The bank gets a card."""

    bank: Seat
    card: Face
    total: int


@dataclass(frozen=True)
class BankSeven(GameEvent):
    """R12. The bank has siete y media."""

    bank: Seat
    total: int


@dataclass(frozen=True)
class BankStands(GameEvent):
    """R12. The bank stands."""

    bank: Seat
    total: int


@dataclass(frozen=True)
class BankOver(GameEvent):
    """R12. The bank has gone over."""

    bank: Seat
    total: int


@dataclass(frozen=True)
class Settled(GameEvent):
    """R13, R14. A punto wins or loses `chips`, and `due` were due.

    `against` is the bank's total, None if it is over.
    """

    seat: Seat
    cards: tuple[Face, ...]
    total: int
    against: int | None
    chips: int
    due: int


@dataclass(frozen=True)
class HiddenToTheEnd(GameEvent):
    """R13. A punto has not turned up against a bank that is over."""

    seat: Seat


@dataclass(frozen=True)
class BankBroken(GameEvent):
    """R14. The bank cannot pay all that is due."""

    bank: Seat


@dataclass(frozen=True)
class Balance(GameEvent):
    """R10, R13. The bank's gain or loss in a whole deal, including puntos that went over."""

    bank: Seat
    chips: int


@dataclass(frozen=True)
class Gone(GameEvent):
    """R17. The chips of a seat that left are removed from the game."""

    seat: Seat
    chips: int


@dataclass(frozen=True)
class Ruined(GameEvent):
    """R15. The seat has no chips left."""

    seat: Seat


@dataclass(frozen=True)
class BankMoves(GameEvent):
    """R16. Another seat becomes the bank."""

    bank: Seat


Event: TypeAlias = (
    Deal
    | Card
    | Shows
    | Seven
    | Over
    | AllOver
    | BankCard
    | BankHits
    | BankSeven
    | BankStands
    | BankOver
    | Settled
    | HiddenToTheEnd
    | BankBroken
    | Balance
    | Gone
    | Ruined
    | BankMoves
)
