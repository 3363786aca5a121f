"""The moves of Truco: cards, calls and numbers."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.moves import Move, Slot
from engine.games.truco.worth import BETS

TRUCO = ("truco", "retruco", "vale4")
ENVIDO = (*BETS, "falta-envido")
ANSWERS = ("quiero", "no-quiero")
FLOR = ("flor", "contraflor", "contraflor-al-resto")
FLOR_ANSWERS = ("con-flor-quiero", "con-flor-me-achico")
NO_FLOR = "no-tengo"
OF_FLOR = (*FLOR, *FLOR_ANSWERS, NO_FLOR)
"""R38 to R41. The words of the flor: its calls, and the answers with and without a flor."""
WORDS = (*TRUCO, *ANSWERS, *ENVIDO, "son-buenas", "mazo", *OF_FLOR)
"""R37. The verbs without arguments; `play CARD` and `say N` have one."""


@dataclass(frozen=True)
class Play(Move):
    """Play a card of the hand."""

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
    """R29. Turn up cards of the hand that prove a number, an automatic answer."""

    cards: tuple[Slot, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))

    @property
    def shows(self) -> tuple[Slot, ...]:
        """All of them."""
        return self.cards
