"""The part of a picture that a page does not have yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Data = dict[str, Any]


def as_sent(picture: Data) -> Data:
    """Return a picture's data as a page keeps it, with the pieces by id.

    Each piece has its place in the order in which the pieces are drawn.
    """
    pieces = sorted(picture["pieces"], key=lambda piece: piece["layer"])
    return {
        **picture,
        "pieces": {piece["id"]: {**piece, "z": place} for place, piece in enumerate(pieces)},
    }


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Data:
    """Return the changes from one picture's data to another's; empty if there are none.

    Both are data of `as_sent`.

    `set` has the fields that differ, as a whole; `pieces` the pieces that are new or differ; `gone`
    the ids of the others that there were.
    """
    fields = {
        name: value
        for name, value in after.items()
        if name != "pieces" and before.get(name, ...) != value
    }
    had, has = before.get("pieces", {}), after["pieces"]
    pieces = [piece for name, piece in has.items() if had.get(name) != piece]
    gone = [name for name in had if name not in has]
    found = {"set": fields, "pieces": pieces, "gone": gone}
    return {name: value for name, value in found.items() if value}
