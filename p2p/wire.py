"""The codec of all messages between peers: canonical msgpack, strictly decoded.

A value is None, a bool, a 64-bit int, a str, bytes, a list, or a dict with sorted str keys; there
are no floats and no extension types. `unpack` accepts exactly the bytes that `pack` makes, up to a
size and a number of containers. So a value has one encoding, and a signature cannot be transferred
to another.
"""

from __future__ import annotations

from typing import Any

import msgpack

PROTOCOL = 3
"""The version of all that peers send, advertise, sign and store."""

MOST_SEATS = 16
"""The most seats of a table, and so the most peers of a match."""
MOST_ANNOUNCED = 8
"""The most addresses that a peer announces for itself."""

DEPTH = 8
"""The deepest nesting of lists and dicts; the value itself is at depth 1."""

MOST = 4096
"""The most lists and dicts in a value that is read, and the most items in each. One byte on the
wire can claim an empty dict of a hundred bytes, and five bytes any number of items. Honest values
have hundreds at most."""


_PLAIN = frozenset((type(None), bool, int, str, bytes))


class Malformed(Exception):
    """The bytes are no canonical value, or the value has the wrong shape."""


def pack(value: Any) -> bytes:
    """Return the canonical encoding; TypeError for anything else (a float, an object)."""
    return bytes(msgpack.packb(_plain(value, 1), use_bin_type=True))


def unpack(data: bytes, limit: int) -> Any:
    """Read one value of at most `limit` bytes; Malformed if it is longer, cut or not canonical."""
    if len(data) > limit:
        raise Malformed(f"{len(data)} bytes where at most {limit} are allowed")
    count = _Count()
    limits = {"max_array_len": MOST, "max_map_len": MOST}
    try:
        value = msgpack.unpackb(
            data, strict_map_key=True, list_hook=count, object_hook=count, **limits
        )
        again = pack(value)
    except (ValueError, TypeError, msgpack.UnpackException, RecursionError) as error:
        raise Malformed("not a value") from error
    if again != data:
        raise Malformed("not in its canonical spelling")
    return value


class _Count:
    """Counts the containers of a value while it is read."""

    def __init__(self) -> None:
        self._left = MOST

    def __call__(self, container: Any) -> Any:
        """Return a list or dict; ValueError if it is one too many."""
        self._left -= 1
        if self._left < 0:
            raise ValueError(f"more than {MOST} lists and dicts")
        return container


def _plain(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if depth > DEPTH:
        raise TypeError(f"nested deeper than {DEPTH}")
    if kind is list or kind is tuple:
        if _PLAIN.issuperset(map(type, value)):
            return value
        return [_plain(item, depth + 1) for item in value]
    if kind is dict:
        if any(type(key) is not str for key in value):
            raise TypeError("only strings may be keys")
        return {key: _plain(value[key], depth + 1) for key in sorted(value)}
    raise TypeError(f"a {kind.__name__} has no spelling")


def shape(value: Any, /, **fields: type) -> dict[str, Any]:
    """Require a dict with exactly these fields of exactly these types (True is no int).

    Raises Malformed.
    """
    if type(value) is not dict or set(value) != set(fields):
        raise Malformed(f"expected the fields {', '.join(sorted(fields))}")
    for name, kind in fields.items():
        if type(value[name]) is not kind:
            raise Malformed(f"{name} is not a {kind.__name__}")
    return value
