"""A player's move as a value of named slots and words, never faces, and its one encoding."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

Seat: TypeAlias = int
"""A position in the match, from 0 in playing order. Only notation says `p1` for seat 0."""

Slot: TypeAlias = int
"""A position in a shuffled deck. Its face may be known to nobody, to one seat, or to all. Never
used twice in a match."""

Face: TypeAlias = str
"""The print of a card, in the notation of engine.core.cards: `7o`, `Td`, `*`, `6-4`. Faces of a
pack may repeat."""

Hand: TypeAlias = Mapping[Slot, Face]
"""The faces that the caller knows of the slots dealt to one seat in this deal, also of played ones.
"""

Choose: TypeAlias = Callable[[int], int]
"""A function that returns a number from 0 to n - 1, given n > 0. The engine has no randomness of
its own."""

Why: TypeAlias = tuple[str, *tuple[str | int, ...]]
"""Why a move is refused: the id of a sentence, then its cards and numbers."""


class NotAMove(Exception):
    """This is not a move in this notation."""


class IllegalMove(Exception):
    """That move is not among the options of this seat.

    `why` is the id of a sentence, then its details.
    """

    def __init__(self, seat: Seat, move: Move | None, why: Why) -> None:
        super().__init__(f"p{seat + 1} may not: {' '.join(map(str, why))}")
        self.seat, self.move, self.why = seat, move, why


@dataclass(frozen=True)
class Move:
    """A choice.

    Subclasses are frozen dataclasses of ints, strs, bools, None and tuples of them. If the order of
    a field does not matter, the constructor sorts it, so that equal moves have equal encodings.
    """

    @property
    def shows(self) -> tuple[Slot, ...]:
        """The slots whose faces the move makes public."""
        return ()


def spell_move(move: Move) -> list[Any]:
    """Return a move as a list: the name of its class, then its fields; tuples become lists."""
    kind: Any = type(move)
    return [kind.__name__, *(_plain(getattr(move, name)) for name in _field_names(kind))]


def read_move(kinds: Iterable[type[Move]], value: object) -> Move:
    """Return the move of one of these classes that `value` encodes, legal or not.

    NotAMove for any other encoding. Types are checked exactly, so True is not 1.
    """
    if type(value) is not list or not value:
        raise NotAMove("a move is a list beginning with its name")
    kind: Any = next((kind for kind in kinds if value[0] == kind.__name__), None)
    if kind is None:
        raise NotAMove("no move of this game has that name")
    hints = _field_types(kind)
    if len(hints) != len(value) - 1:
        raise NotAMove(f"{kind.__name__} has {len(hints)} fields")
    fields = [_typed(item, hint) for item, hint in zip(value[1:], hints, strict=True)]
    try:
        move: Move = kind(*fields)
    except (ValueError, TypeError) as error:
        raise NotAMove(f"no {kind.__name__}: {error}") from error
    if spell_move(move) != value:
        raise NotAMove(f"another spelling of {move!r}")
    return move


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


@cache
def _field_types(kind: Any) -> tuple[Any, ...]:
    hints = typing.get_type_hints(kind)
    return tuple(hints[name] for name in _field_names(kind))


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if type(value) is tuple else value


def _typed(value: Any, hint: Any) -> Any:
    if hint in (int, str, bool):
        if type(value) is hint:
            return value
    elif hint is None or hint is types.NoneType:
        if value is None:
            return None
    elif typing.get_origin(hint) is tuple:
        return _typed_tuple(value, typing.get_args(hint))
    elif typing.get_origin(hint) in (types.UnionType, typing.Union):
        for choice in typing.get_args(hint):
            try:
                return _typed(value, choice)
            except NotAMove:
                continue
    raise NotAMove(f"{type(value).__name__} where {hint} belongs")


def _typed_tuple(value: Any, items: tuple[Any, ...]) -> tuple[Any, ...]:
    if type(value) is not list:
        raise NotAMove("a list belongs here")
    if len(items) == 2 and items[1] is Ellipsis:
        return tuple(_typed(item, items[0]) for item in value)
    if len(items) != len(value):
        raise NotAMove(f"{len(items)} items belong here")
    return tuple(_typed(item, hint) for item, hint in zip(value, items, strict=True))
