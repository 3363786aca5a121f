"""One spelling for every public value, and the fingerprint of a state.

Accepted are None, bool, int, str, bytes, tuples and lists, dicts and sets (in the order of their items' spellings), enums
and frozen dataclasses (their name, then their fields). Anything else, floats above all, is a TypeError.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from typing import Any

import msgpack

from engine.game import Game
from engine.requests import Request, described

_PLAIN = frozenset((int, str, bytes, bool, type(None)))


def canonical(value: Any) -> bytes:
    """Spell a value; equal values of equal types have equal spellings on every machine."""
    try:
        return bytes(msgpack.packb(_plain(value), use_bin_type=True))
    except (OverflowError, ValueError) as error:
        raise TypeError(f"no spelling: {error}") from error


def fingerprint(game: Game, request: Request[Any] | None) -> bytes:
    """Return SHA-256 over the rules' name and version, all that the game holds, and the request it waits on: 32 bytes."""
    return hashlib.sha256(canonical((game.name, game.version, vars(game), described(request)))).digest()


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list or kind is tuple:
        return value if _PLAIN.issuperset(map(type, value)) else [_plain(item) for item in value]
    if kind is dict:
        return _plain_dict(value)
    if kind is set or kind is frozenset:
        return sorted((_plain(item) for item in value), key=canonical)
    if isinstance(value, enum.Enum):
        return [kind.__name__, value.name]
    if dataclasses.is_dataclass(kind):
        return [kind.__name__, *(_plain(getattr(value, field.name)) for field in dataclasses.fields(kind))]
    raise TypeError(f"a {kind.__name__} has no canonical spelling")


def _plain_dict(value: dict[Any, Any]) -> list[Any]:
    """Return a dict as pairs; the common kinds of key are sorted without spelling each."""
    kinds = set(map(type, value))
    if kinds <= {int} or kinds <= {str}:
        return [(key, _plain(value[key])) for key in sorted(value)]
    return [(_plain(key), _plain(item)) for key, item in sorted(value.items(), key=lambda pair: canonical(pair[0]))]
