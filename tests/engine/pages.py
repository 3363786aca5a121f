"""The pages of docs/states, read: tables, types, and the short form of a course."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
STATES = ROOT / "docs" / "states"
WORD = re.compile(r"\s*([a-z]+|[(){}:,*?])")


def page(name: str) -> str:
    return (STATES / f"{name}.md").read_text(encoding="utf-8")


def rows(text: str, first: str) -> list[list[str]]:
    """Return the rows of the table whose first column has this title, without the title."""
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split(" |")])
    return found


def code(cell: str) -> list[str]:
    """Return all that stands in backquotes."""
    return re.findall(r"`([^`]+)`", cell)


class Type:
    """A type as docs/states, 2, writes it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words = WORD.findall(text)
        assert "".join(self._words) == text.replace(" ", ""), text
        self._tree = self._one()
        assert not self._words, text

    def holds(self, value: Any, players: int) -> bool:
        """Whether a value, as it is packed, is of this type."""
        return _holds(self._tree, value, players)

    def _one(self) -> tuple[Any, ...]:
        word = self._words.pop(0)
        if word == "(":
            parts = [self._one()]
            while self._words[0] == ",":
                self._words.pop(0)
                parts.append(self._one())
            self._end(")")
            found: tuple[Any, ...] = parts[0] if len(parts) == 1 else ("row", *parts)
        elif word == "{":
            key = self._one()
            self._end(":")
            found = ("map", key, self._one())
            self._end("}")
        else:
            assert word in ("int", "bool", "str", "seat", "side", "slot", "face"), word
            found = (word,)
        while self._words and self._words[0] in "*?":
            found = ("many" if self._words.pop(0) == "*" else "maybe", found)
        return found

    def _end(self, mark: str) -> None:
        assert self._words.pop(0) == mark, self.text


def _holds(tree: tuple[Any, ...], value: Any, players: int) -> bool:
    match tree:
        case ("maybe", inner):
            return value is None or _holds(inner, value, players)
        case ("many", inner):
            return isinstance(value, list | tuple) and all(
                _holds(inner, item, players) for item in value
            )
        case ("row", *inner):
            there = isinstance(value, list | tuple) and len(value) == len(inner)
            return there and all(
                _holds(one, item, players) for one, item in zip(inner, value, strict=True)
            )
        case ("map", key, inner):
            keys = [pair[0] for pair in value]
            return keys == sorted(set(keys)) and all(
                _holds(key, found, players) and _holds(inner, item, players)
                for found, item in value
            )
        case ("bool",):
            return type(value) is bool
        case ("seat" | "side",):
            return type(value) is int and 0 <= value < players
        case ("slot",):
            return type(value) is int and value >= 0
        case ("int",):
            return type(value) is int
    return type(value) is str and bool(value or tree == ("str",))


def pattern(text: str) -> re.Pattern[str]:
    """Return the short form of a course as a pattern of requests, each of which ends with a
    space."""
    short = " ".join(text[text.index("In short: `") :].split("\n\n", maxsplit=1)[0].split())
    return re.compile(
        re.sub(r"[a-z_]+", lambda word: f"(?:{word[0]};)", code(short)[0])
        .replace(" ", "")
        .replace(";", " ")
    )


def known_requests(text: str) -> Iterator[str]:
    """Yield the requests that the short form of a course names."""
    short = " ".join(text[text.index("In short: `") :].split("\n\n", maxsplit=1)[0].split())
    yield from re.findall(r"[a-z_]+", code(short)[0])
