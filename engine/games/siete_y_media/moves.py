"""The moves of siete y media, including automatic answers, and their notation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.core.moves import Face, Move, NotAMove, Slot
from engine.core.notation import read_number


@dataclass(frozen=True)
class Bet(Move):
    """Stake chips."""

    chips: int


@dataclass(frozen=True)
class HitUp(Move):
    """Ask for a card face up, and perhaps raise."""

    raised: int = 0


@dataclass(frozen=True)
class HitDown(Move):
    """Turn the hidden card up, ask for another face down, and perhaps raise."""

    hidden: Slot
    raised: int = 0

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The card that was hidden."""
        return (self.hidden,)


@dataclass(frozen=True)
class Stand(Move):
    """Ask for no more cards, and perhaps raise."""

    raised: int = 0


@dataclass(frozen=True)
class Below(Move):
    """An automatic answer: the seat has less than seven and a half."""


@dataclass(frozen=True)
class TurnUp(Move):
    """An automatic answer for seven and a half or more: the hidden card."""

    hidden: Slot

    @property
    def shows(self) -> tuple[Slot, ...]:
        """That card."""
        return (self.hidden,)


class Requests:
    """The requests open to a punto, without a raise or with one of the given raises.

    Iteration lists them; `move in` judges one.
    """

    def __init__(self, hidden: Slot, raises: range) -> None:
        """Take the punto's hidden card, and the possible raises."""
        self._hidden, self._raises = hidden, raises

    def __iter__(self) -> Iterator[Stand | HitUp | HitDown]:
        for raised in (0, *self._raises):
            yield Stand(raised)
            yield HitUp(raised)
            yield HitDown(self._hidden, raised)

    def __contains__(self, move: object) -> bool:
        match move:
            case Stand(raised) | HitUp(raised):
                return raised == 0 or raised in self._raises
            case HitDown(hidden, raised):
                return hidden == self._hidden and (raised == 0 or raised in self._raises)
        return False


def split_raise(text: str) -> tuple[list[str], int | None]:
    """R9. Return the words of a move without `raise N`, and N, or None without a raise.

    NotAMove if N is no number.
    """
    words = text.split()
    if len(words) > 2 and words[-2] == "raise":
        return words[:-2], read_number(words[-1])
    return words, None


def read_move(words: Sequence[str], hidden: Sequence[Slot], raised: int | None) -> Move | None:
    """R6 to R8. Return the move that words name, given the seat's hidden cards.

    None for `hit down` without any. Raises NotAMove.
    """
    match words:
        case ["bet", number] if raised is None:
            return Bet(read_number(number))
        case ["hit", "up"]:
            return HitUp(raised or 0)
        case ["hit", "down"]:
            return HitDown(hidden[0], raised or 0) if hidden else None
        case ["stand"]:
            return Stand(raised or 0)
    raise NotAMove(
        f"{' '.join(words)!r} is neither `bet N` nor `hit up`, `hit down` or `stand`, perhaps with "
        f"`raise N`"
    )


def write_move(move: Move, faces: Mapping[Slot, Face]) -> str:
    """Return a move in the notation; automatic answers as `below` or `show CARD`."""
    match move:
        case Bet(chips):
            return f"bet {chips}"
        case TurnUp(hidden):
            return f"show {faces[hidden]}"
        case HitUp(raised):
            return _raising("hit up", raised)
        case HitDown(_, raised):
            return _raising("hit down", raised)
        case Stand(raised):
            return _raising("stand", raised)
    return "below"


def _raising(text: str, raised: int) -> str:
    return f"{text} raise {raised}" if raised else text
