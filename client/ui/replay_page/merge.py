"""One structure with the texts of all languages.

A number stands for each text that differs, and a table has the texts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

HERE = "#"
"""The only key of an object that stands for a row of the table."""


class Merger:
    """Merges the same data in several languages.

    `rows` is the table: for each number the values in the order of languages.
    """

    def __init__(self) -> None:
        self.rows: list[Sequence[Any]] = []
        self._known: dict[Any, int] = {}

    def merged(self, values: Sequence[Any]) -> Any:
        """Return one value that stands for all.

        The values differ in leaves, or in a part as a whole if even their form differs.
        """
        first = values[0]
        if all(value == first for value in values[1:]):
            return first
        if all(isinstance(value, dict) and value.keys() == first.keys() for value in values):
            return {name: self.merged([value[name] for value in values]) for name in first}
        if all(isinstance(value, list) and len(value) == len(first) for value in values):
            return [self.merged(part) for part in zip(*values, strict=True)]
        return {HERE: self._row(values)}

    def _row(self, values: Sequence[Any]) -> int:
        plain = all(isinstance(value, str) for value in values)
        key = tuple(values) if plain else json.dumps(values, ensure_ascii=False)
        if key not in self._known:
            self._known[key] = len(self.rows)
            self.rows.append(values)
        return self._known[key]
