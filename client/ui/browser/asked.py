"""A strict parser for the messages of a page: a message has one of five forms, or it is refused."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from client.ui.update import TYPED_LIMIT

ID_CHARACTERS = 300
MOST_VALUE = 1_000_000
"""The numbers that a field may send."""


class NotAsked(Exception):
    """A message that no page of ours sends."""


@dataclass(frozen=True)
class Clicked:
    """A thing was clicked, in the view with this number."""

    id: str
    seen: int


@dataclass(frozen=True)
class Changed:
    """A field was given a value, in the view with this number."""

    field: str
    value: str | bool | int
    seen: int


@dataclass(frozen=True)
class WrittenText:
    """The line being typed is now this."""

    text: str


@dataclass(frozen=True)
class NotSaved:
    """The page of a match that was asked for over an earlier connection has not come."""


@dataclass(frozen=True)
class Passed:
    """The first message: the pass."""

    word: str = field(repr=False)


HALF = re.compile("[\ud800-\udfff]")
"""Half a character: no text can be sent that has one."""

Asked = Clicked | Changed | WrittenText | NotSaved | Passed


def read(text: str) -> Asked:
    """Return what a message says. Raises NotAsked."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise NotAsked from None
    if not isinstance(message, dict):
        raise NotAsked
    found = _read(message)
    if found is None:
        raise NotAsked
    return found


def _read(message: dict[str, Any]) -> Asked | None:
    match sorted(message), message:
        case ["click", "seen"], {"click": str(name), "seen": seen} if len(
            name
        ) <= ID_CHARACTERS and _whole(seen, 0, 1 << 53):
            return Clicked(name, seen)
        case ["field", "seen", "value"], {"field": str(field), "value": value, "seen": seen} if (
            len(field) <= ID_CHARACTERS and _whole(seen, 0, 1 << 53) and _fits(value)
        ):
            return Changed(field, value, seen)
        case ["typed"], {"typed": str(typed)} if len(typed) <= TYPED_LIMIT and not HALF.search(
            typed
        ):
            return WrittenText(typed)
        case ["save"], {"save": True}:
            return NotSaved()
        case ["pass"], {"pass": str(word)}:
            return Passed(word)
    return None


def _fits(value: object) -> bool:
    if type(value) is str:
        return len(value) <= TYPED_LIMIT and not HALF.search(value)
    return type(value) is bool or _whole(value, -MOST_VALUE, MOST_VALUE)


def _whole(number: object, least: int, most: int) -> bool:
    return type(number) is int and least <= number <= most
