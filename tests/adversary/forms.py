"""Lies that fit every place: bodies that have not the form, or not the bytes, that their place asks
for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from p2p.table.faults import BadForm, BadProof, Fault, IllegalPlay
from p2p.table.log import Body
from tests.adversary.liar import KEPT, At, Lie, leaves, speaker

ESCOBA: tuple[At, ...] = (
    ("toss", 0),
    ("toss", 1),
    ("shuffle", 0),
    ("shuffle", 1),
    ("shuffle", 2),
    ("shuffle", 3),
    KEPT,
    ("deal", 0),
    ("open", 0),
    ("ask", 0),
    ("prove", 0),
    ("seal", 0),
)
TINY: tuple[At, ...] = (
    *ESCOBA[:-1],
    ("attest", 0),
    ("sealed", 0),
    ("sealed", 1),
    ("any", 0),
    ("seal", 0),
)
"""Every place of a match with its rounds and stages; a test compares them with those of an honest
match."""

EMPTY = (("seal", 0), ("any", 0), ("leave", 0), KEPT)
"""Places where no bytes are said."""

Change = Callable[[Body], Body]


def each(value: Any) -> Change:
    return lambda body: dict.fromkeys(body, value)


def bytewise(change: Callable[[bytes], bytes]) -> Change:
    return lambda body: leaves(body, change)


SHAPES: dict[str, Change] = {
    "no fields": lambda body: {},
    "a field too many": lambda body: {**body, "more": 1},
    "a field by another name": lambda body: {f"{name}s": value for name, value in body.items()},
    "nothing": each(None),
    "a truth": each(bool(1)),
    "a huge number": each(2**64 - 1),
    "a text": each("seven"),
    "an empty list": lambda body: {
        name: b"" if type(value) is list else [] for name, value in body.items()
    },
    "lists in lists": each([[[[[1]]]]]),
    "a map": each({"a": {"b": 1}}),
    "lists of numbers": each([1, 2, 3]),
    "many lists": each([[b"", b""]] * 500),
}
BYTES: dict[str, Change] = {
    "one byte less": bytewise(lambda data: data[:-1]),
    "one byte more": bytewise(lambda data: data + b"\0"),
    "no bytes": bytewise(lambda data: b""),
    "twice the bytes": bytewise(lambda data: data * 2),
    "zeros": bytewise(lambda data: bytes(len(data))),
    "ones": bytewise(lambda data: b"\xff" * len(data)),
    "the first bit": bytewise(lambda data: bytes([data[0] ^ 1]) + data[1:] if data else data),
    "the last bit": bytewise(lambda data: data[:-1] + bytes([data[-1] ^ 16]) if data else data),
    "the middle": bytewise(
        lambda data: data[: len(data) // 2] + b"??" + data[len(data) // 2 + 2 :] if data else data
    ),
}

BURNS: dict[str, Any] = {
    "no bytes": b"",
    "a byte less": b"x" * 31,
    "a byte more": b"x" * 33,
    "a text": "x" * 32,
}


def lie(game: str, at: At, name: str, change: Change, faults: tuple[type[Fault], ...]) -> Lie:
    return Lie(
        name, at, lambda liar, stage_key, head, body: change(body), faults, game, speaker(at)
    )


def all_forms(game: str, places: tuple[At, ...]) -> list[Lie]:
    """Make every lie of this file at every place of a game."""
    lies = []
    for at in places:
        empty = ("no fields", "a field by another name", *list(SHAPES)[3:])
        shapes = {
            name: change
            for name, change in SHAPES.items()
            if not (at in EMPTY and at[0] != "any" and name in empty)
        }
        lies += [lie(game, at, name, change, (BadForm,)) for name, change in shapes.items()]
        if at == KEPT:
            lies += [
                lie(game, at, f"burns with {name}", lambda _, burn=burn: {"burn": burn}, (BadForm,))
                for name, burn in BURNS.items()
            ]
        if at not in EMPTY:
            lies += [
                lie(game, at, name, change, (BadForm, BadProof, IllegalPlay))
                for name, change in BYTES.items()
            ]
    return lies
