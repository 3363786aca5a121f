"""One structure with the texts of all languages.

A number stands for each text that differs, and a table has the texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from client.ui.drawing.picture import Span, Words

HERE = "#"
"""The only key of an object that stands for a row of the table."""
CLICKS = {"keys", "less", "more"}
"""Fields of pictures that only mean something while they are played."""


class Merger:
    """Merges the same data in several languages.

    `rows` is the table: for each number the values in the order of languages.
    """

    def __init__(self) -> None:
        self.rows: list[Sequence[Any]] = []
        self._known: dict[Any, int] = {}
        self._lines: dict[tuple[Words, ...], Any] = {}

    def merged(self, values: Sequence[Any]) -> Any:
        """Return one value that stands for all.

        The values differ in leaves, or in a part as a whole where even their form differs.
        """
        first = values[0]
        if all(value == first for value in values[1:]):
            return first
        if all(isinstance(value, dict) and value.keys() == first.keys() for value in values):
            return {name: self.merged([value[name] for value in values]) for name in first}
        if all(isinstance(value, list) and len(value) == len(first) for value in values):
            return [self.merged(part) for part in zip(*values, strict=True)]
        return {HERE: self._row(values)}

    def of(self, parts: Sequence[Any]) -> Any:
        """Return the data of one part of a picture in all languages."""
        first = parts[0]
        if all(part == first for part in parts[1:]):
            return data_of(first)
        kinds = {type(part) for part in parts}
        if kinds == {tuple} and len({len(part) for part in parts}) == 1:
            if isinstance(first[0], Span):
                return self._line(tuple(parts))
            return [self.of(part) for part in zip(*parts, strict=True)]
        if len(kinds) == 1 and is_dataclass(first):
            return {
                name: self.of([getattr(part, name) for part in parts])
                for name in _NAMES(type(first))
            }
        return self.merged([data_of(part) for part in parts])

    def _line(self, lines: tuple[Words, ...]) -> Any:
        """Return the data of a line of text; the same lines stand beside many tables."""
        if lines not in self._lines:
            self._lines[lines] = [self.of(part) for part in zip(*lines, strict=True)]
        return self._lines[lines]

    def _row(self, values: Sequence[Any]) -> int:
        plain = all(isinstance(value, str) for value in values)
        key = tuple(values) if plain else json.dumps(values, ensure_ascii=False)
        if key not in self._known:
            self._known[key] = len(self.rows)
            self.rows.append(values)
        return self._known[key]


def data_of(value: Any) -> Any:
    """Return a part of a picture as JSON can hold it, without the meaning of clicks."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, tuple):
        return [data_of(part) for part in value]
    return {name: data_of(getattr(value, name)) for name in _NAMES(type(value))}


def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in CLICKS)


_NAMES: Callable[[Any], tuple[str, ...]] = cache(_names)
