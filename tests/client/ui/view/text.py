"""A view as short text, for golden tests: a line for each part, and below it what it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from client.ui.view.action import Card
from client.ui.view.parts import Field, Item, Sheet, View
from client.ui.view.table_parts import Ending, Table, TableCard, TableSeat

Lined = Table | Ending | Item | Sheet
"""The parts whose lines may have cards in them."""
IN_LINE = ("keys", "text", "label", "more", "taken", "won", "places")
INSIDE = ("back", "sheet", "entry", "table", "trace", "prompt", "undo", "ending", "count", "player")
LATEST = 4
"""Lines of a log: its words have tests of their own."""
IN_A_ROW = 8
"""Cards in a line."""
LONG = re.compile(r"(\w\w)\1{15,}")
"""The ids of tests: one number again and again."""


def as_text(view: View) -> str:
    """Return a view in lines, or the sheet above it. Keys that a click presses stand in `[]`."""
    text = "\n".join(_lines(view.sheet or view, "")) + "\n"
    return LONG.sub(r"\1…", text)


def _lines(part: Any, indent: str) -> Iterator[str]:
    plain, inside = [], []
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name == "log":
            value = value[-LATEST:]
        if isinstance(part, TableSeat) and field.name == "lines":
            plain += value
        elif (
            value
            and (isinstance(value, tuple) or field.name in INSIDE)
            and not _is_plain(value, field.name)
        ):
            inside.append(value)
        elif value:
            plain.append(_plain(value, field.name))
    yield f"{indent}{_name(part)} {' | '.join(plain)}"
    for value in inside:
        if isinstance(value, tuple) and isinstance(value[0], TableCard):
            for cards in batched(map(_lying, value), IN_A_ROW):
                yield f"{indent}  {' · '.join(cards)}"
            continue
        for one in value if isinstance(value, tuple) else [value]:
            yield from _inside(one, part, indent + "  ")


def _is_plain(value: Any, name: str) -> bool:
    """Return whether the value of a field stands in the line of its part."""
    drawn = name == "cards" and isinstance(value[0], Card)
    return drawn or (isinstance(value, tuple) and name in IN_LINE)


def _plain(value: Any, name: str) -> str:
    if name == "keys":
        return f"[{' '.join(value)}]"
    if name == "cards":
        return " | ".join(map(_card, value))
    if name in ("taken", "won", "places"):
        return f"{name}: {' '.join(map(str, value))}"
    if isinstance(value, tuple):
        return _text(value)
    return str(value) if name in ("id", "kind", "label", "title", "page") else f"{name}: {value}"


def _inside(one: Any, part: Any, indent: str) -> Iterator[str]:
    if isinstance(one, str) or (isinstance(one, tuple) and isinstance(part, Lined)):
        yield f"{indent}“{_text(one)}”"
    elif isinstance(one, Field):
        yield f"{indent}{_field(one)}"
    elif is_dataclass(one):
        yield from _lines(one, indent)
    elif isinstance(one, tuple) and not any(map(is_dataclass, one)):
        yield f"{indent}{': '.join(map(str, one))}"


def _field(one: Field) -> str:
    """Return a field: its value among those that it can have."""
    words = [f"<{word}>" if value == one.value else word for value, word in one.choices]
    range_ = f"{one.least}-{one.limit}" if one.kind == "number" else ""
    now = "" if words else str(one.on) if one.kind == "switch" else one.value
    return " | ".join(filter(None, (f"{one.kind} {one.id}", one.label, now, range_, *words)))


def _text(text: Any) -> str:
    """Return a sentence, with its cards in brackets."""
    if isinstance(text, str):
        return text
    return "".join(f"[{one.face}]" if isinstance(one, Card) else _text(one) for one in text)


def _lying(card: TableCard) -> str:
    keys = f" [{' '.join(card.keys)}]" if card.keys else ""
    face = card.face or "back"
    return f"{card.id.removeprefix('slot:')} {face} {card.state}".rstrip() + keys


def batched(items: Iterable[str], count: int) -> Iterator[list[str]]:
    """Give so many items at a time."""
    rest = list(items)
    while rest:
        yield rest[:count]
        rest = rest[count:]


def _name(part: Any) -> str:
    return type(part).__name__.lower()


def _card(card: Card) -> str:
    return f"{card.kind}-{card.face or 'back'}"
