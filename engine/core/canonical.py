"""The public state of a match as an array (`docs/states`), and its fingerprint for heads.

Allowed are None, bool, int, str, tuples and lists, dicts whose keys are all ints or all strs, and
frozen dataclasses. Anything else, such as a float, is a TypeError.
"""

from __future__ import annotations

import dataclasses
import hashlib
from functools import cache
from typing import Any

import msgpack

from engine.core.game import PLAIN, Game
from engine.core.requests import Request, described

_KEYS = frozenset((int, str))


def fingerprint(game: Game, request: Request[Any] | None) -> bytes:
    """Return SHA-256 over the public state in MessagePack: 32 bytes."""
    return hashlib.sha256(_pack(stated(game, request))).digest()


def stated(game: Game, request: Request[Any] | None) -> list[Any]:
    """Return `[game, rules, state, request]`, which is packed for the fingerprint.

    `state` has a value for each field. TypeError if the game holds an undeclared attribute.
    """
    game.check_fields()
    state = {name: _plain(getattr(game, name)) for name in game.packed}
    return [game.name, game.version, state, _plain(described(request))]


def canonical(value: Any) -> bytes:
    """Encode a value; equal values of equal types have equal encodings on every machine."""
    return _pack(_plain(value))


def _pack(value: Any) -> bytes:
    try:
        return bytes(msgpack.packb(value, use_bin_type=True))
    except (OverflowError, ValueError) as error:
        raise TypeError(f"no spelling: {error}") from error


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is list or kind is tuple:
        if not PLAIN.issuperset(map(type, value)):
            return [_plain(item) for item in value]
        return value if kind is tuple else value.copy()
    if kind is dict:
        if not _KEYS.issuperset(kinds := set(map(type, value))) or len(kinds) > 1:
            raise TypeError("the keys of a map are all numbers or all texts")
        return [[key, _plain(value[key])] for key in sorted(value)]
    if dataclasses.is_dataclass(kind):
        return [_plain(getattr(value, name)) for name in _fields(kind)]
    raise TypeError(f"a {kind.__name__} has no canonical spelling")


@cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))
