"""The moves of dominoes, including automatic answers, and their notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.cards import DOUBLE_NINE
from engine.core.moves import Face, Move, NotAMove, Slot

ENDS = ("left", "right")
"""The ends of the line."""


@dataclass(frozen=True)
class Place(Move):
    """Join a tile of the hand to an end of the line, `left` or `right`.

    On an empty line `end` is empty.
    """

    tile: Slot
    end: str

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The tile."""
        return (self.tile,)


@dataclass(frozen=True)
class Draw(Move):
    """Draw the next tile of the graveyard."""


@dataclass(frozen=True)
class Pass(Move):
    """Pass, because nothing else is possible."""


@dataclass(frozen=True)
class Show(Move):
    """An automatic answer: the tiles asked for, sorted by slot."""

    tiles: tuple[Slot, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", tuple(sorted(self.tiles)))

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The tiles shown."""
        return self.tiles


@dataclass(frozen=True)
class Deny(Move):
    """An automatic answer: the seat does not have the tile asked for."""


def split_words(text: str) -> list[str]:
    """R6, R7, R8. Return the words of a player's move.

    NotAMove unless they are `play TILE [left|right]`, `draw` or `pass`.
    """
    words = text.split()
    match words:
        case ["draw"] | ["pass"]:
            return words
        case ["play", tile] | ["play", tile, ("left" | "right")] if tile in DOUBLE_NINE:
            return words
    raise NotAMove(
        f"{text!r} is neither `play TILE`, with `left` or `right` after it or nothing, nor `draw` "
        f"nor `pass`"
    )


def write_move(move: Move, faces: Mapping[Slot, Face]) -> str:
    """Return a move in the notation; automatic answers as `show TILE...` or `deny`."""
    match move:
        case Place(tile, end):
            return f"play {faces[tile]} {end}".rstrip()
        case Show(tiles):
            return f"show {' '.join(faces[tile] for tile in tiles)}"
    return type(move).__name__.lower()
