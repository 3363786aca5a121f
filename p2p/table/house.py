"""The house rules of a table: duties of programs to their players, besides the game's rules.

They are in the terms, so that all agree on them. Each program enforces them alone.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from p2p.wire import Malformed

HINTS = ("none", "told", "free")
LONGEST_S = 60


@dataclass(frozen=True)
class House:
    """House rules. A table that names none has the default ones."""

    hints: str = "none"
    """Whether programs give hints at a table of two or more people: `none`; `told`, each hint is
    announced to all; `free`."""
    partner: int = 0
    """Seconds after which a computer player answers in place of its partner, a person; 0: never."""

    def encode(self) -> dict[str, Any]:
        """Return the rules that are not the default ones."""
        all_rules = {one.name: (getattr(self, one.name), one.default) for one in fields(self)}
        return {name: value for name, (value, usual) in all_rules.items() if value != usual}

    @staticmethod
    def read(value: Any) -> House:
        """Read what `encode` returns. Raises Malformed."""
        if type(value) is not dict or not value or not set(value) <= set(_KINDS):
            raise Malformed("house rules are none that this program knows")
        if any(type(value[name]) is not _KINDS[name] for name in value):
            raise Malformed("a house rule has a value of another type")
        house = House(**value)
        if house.hints not in HINTS or not 0 <= house.partner <= LONGEST_S:
            raise Malformed("a house rule has no such value")
        if house.encode() != value:
            raise Malformed("house rules name the usual ones")
        return house


_KINDS: dict[str, type] = {"hints": str, "partner": int}
USUAL = House()


def with_house(message: dict[str, Any], house: House) -> dict[str, Any]:
    """Return a map with the field `house`, unless all house rules are the default ones."""
    return message if house == USUAL else {**message, "house": house.encode()}


def without_house(message: Any) -> tuple[Any, House]:
    """Return a map without the field `house`, and the house rules. Raises Malformed."""
    if type(message) is not dict or "house" not in message:
        return message, USUAL
    rest = {name: value for name, value in message.items() if name != "house"}
    return rest, House.read(message["house"])
