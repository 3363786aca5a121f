"""The moves of Truco: cards, calls and numbers."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.moves import Move, Slot
from engine.games.truco.worth import BETS

TRUCO = ("truco", "retruco", "vale4")
ENVIDO = (*BETS, "falta-envido")
ANSWERS = ("quiero", "no-quiero")
WORDS = (*TRUCO, *ANSWERS, *ENVIDO, "son-buenas", "mazo")
"""R37. The verbs that stand alone; besides them there are `play CARD` and `say N`."""


@dataclass(frozen=True)
class Play(Move):
    """Lay a card of the hand face up."""

    card: Slot

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The card played."""
        return (self.card,)


@dataclass(frozen=True)
class Call(Move):
    """One of WORDS."""

    word: str


@dataclass(frozen=True)
class Say(Move):
    """State one's envido points."""

    number: int


@dataclass(frozen=True)
class Show(Move):
    """R29. Turn up cards of the hand that prove a number; programs do it by themselves."""

    cards: tuple[Slot, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))

    @property
    def shows(self) -> tuple[Slot, ...]:
        """All of them."""
        return self.cards
