"""The settings of a table before a match: each option with its default and its range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.errors import Explained


class BadOption(Explained):
    """This game has no such option, or the option has no such value."""


@dataclass(frozen=True)
class Option:
    """One setting.

    `values` is a range of whole numbers or a tuple of strings and bools; `help` is an English
    sentence.
    """

    default: Any
    values: range | tuple[Any, ...]
    help: str

    def check(self, name: str, value: object) -> None:
        """Raise BadOption if this is not one of the values, including its type."""
        if isinstance(self.values, range):
            if type(value) is not int or value not in self.values:
                raise BadOption(
                    "not-in-range", name=name, low=self.values[0], high=self.values[-1], value=value
                )
        elif not any(value == choice and type(value) is type(choice) for choice in self.values):
            allowed = " / ".join(_shown(choice) for choice in self.values)
            raise BadOption("not-a-value", name=name, allowed=allowed, value=_shown(value))

    def read(self, name: str, text: str) -> Any:
        """Return the value that a person typed as `name=text`, or raise BadOption."""
        for choice in self.values if isinstance(self.values, tuple) else ():
            if text == _shown(choice):
                return choice
        if (
            isinstance(self.values, range)
            and text.isascii()
            and text.isdecimal()
            and len(text) <= 9
        ):
            value = int(text)
            self.check(name, value)
            return value
        self.check(name, text)
        raise BadOption("unreadable-value", name=name, text=text)


LEAVING = Option(
    "go-on",
    ("go-on", "end"),
    "Whether the others go on with the next deal when a seat leaves that plays for itself.",
)
"""The option of every game in which the others can continue."""


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
