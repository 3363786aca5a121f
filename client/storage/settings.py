"""The saved settings of a player: `settings.toml` in the home. Invalid entries are ignored."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from client.i18n.translation import languages
from client.storage.home import write_private
from client.storage.nicks import fit_nick
from client.storage.regular import read_regular
from engine.core.toml import read_toml

NAME = "settings.toml"
LIMIT_BYTES = 1 << 14
COLOURS = ("auto", "always", "never")
SCHEME_NAMES = ("standard", "colour-blind")
"""The names of colour schemes in `client.ui.drawing.style`."""
THEMES = ("system", "light", "dark")
MOTIONS = ("calm", "brisk", "none")
PRESSES = ("one", "two", "pause")
"""How many presses make a move: one, two, or two with a pause between them."""


class CardSize(StrEnum):
    """The largest size of cards; without room they are smaller."""

    CHIP = "chip"
    SMALL = "small"
    BIG = "big"


CHOICES = {
    "colours": COLOURS,
    "scheme": SCHEME_NAMES,
    "motion": MOTIONS,
    "presses": PRESSES,
    "theme": THEMES,
}
"""The values that a setting may have."""


@dataclass(frozen=True)
class Settings:
    """The saved settings of a player."""

    nick: str = ""
    language: str = ""
    """Empty means the environment's language."""
    colours: str = "auto"
    scheme: str = "standard"
    """The colour scheme, of `client.ui.drawing.style`."""
    presses: str = "two"
    sound: bool = True
    motion: str = "calm"
    cards: CardSize = CardSize.BIG
    # In a browser.
    theme: str = "system"
    large_letters: bool = False
    large_cards: bool = False
    four_colours: bool = False
    """Whether each suit has a colour of its own."""


def read_settings(folder: Path) -> Settings:
    """Return the settings of a home; missing or invalid ones have their defaults."""
    try:
        found = read_toml(read_regular(folder / NAME, LIMIT_BYTES))
    except (OSError, ValueError):
        # none yet, or edited wrongly: no reason not to play
        return Settings()
    good = {
        field.name: value
        for field in fields(Settings)
        if (value := _value(field.name, found.get(field.name))) is not None
    }
    return Settings(**good)


def _value(name: str, value: object) -> Any:
    match name, value:
        case "nick", str():
            return fit_nick(value)
        case "language", str() if value in languages():
            return value
        case "cards", str() if value in list(CardSize):
            return CardSize(value)
        case _, str() if value in CHOICES.get(name, ()):
            return value
        case _, bool() if type(getattr(Settings, name)) is bool:
            return value
    return None


def with_nick(folder: Path, given: str) -> Settings:
    """Return the settings of a home; save the given nick there if it has none.

    Raises StoreError.
    """
    saved, nick = read_settings(folder), fit_nick(given)
    if nick and not saved.nick:
        saved = replace(saved, nick=nick)
        write_settings(folder, saved)
    return saved


def write_settings(folder: Path, settings: Settings) -> None:
    """Write the settings of a home. Raises StoreError."""
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    # TOML writes strings and bools as JSON does
    lines = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items()
    ]
    write_private(folder / NAME, "".join(lines).encode())
