"""The colours of the drawings: custom properties of CSS."""

from __future__ import annotations

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "card": "#fffdf6",
    "card-edge": "#a39b8b",
    "outline": "#33291f",
    "spanish-o": "#8a5a00",
    "spanish-c": "#b3162b",
    "spanish-e": "#1c549c",
    "spanish-b": "#256b2b",
    "spanish-back": "#8c2233",
    "spanish-back-line": "#f3d9b0",
    "french-s": "#1c2028",
    "french-h": "#c2142d",
    "french-d": "#c2142d",
    "french-c": "#1c2028",
    "french-joker": "#7a2a8c",
    "french-back": "#20467f",
    "french-back-line": "#d6e3f5",
    "gold": "#f4bd3a",
    "steel": "#d5dee8",
    "wood": "#b98a50",
    "leaf": "#57a544",
    "skin": "#f6d3b0",
    "hair": "#7a4a24",
    "silver": "#e4e2dc",
    "horse": "#f3ead9",
    "mane": "#8a5a34",
    "azure": "#3d78b8",
    "tile": "#fbf5e4",
    "tile-edge": "#a3957a",
    "tile-pip": "#23252b",
    "tile-back": "#3c4a5c",
    "tile-back-line": "#c9d3df",
}
"""Colours by the name of their property, without its two hyphens: `--card`."""


def ink(name: str) -> str:
    """Return a colour as a presentation attribute can have it."""
    assert name in LIGHT
    return f"var(--{name})"


def style() -> str:
    """Return the style that gives every property its colour; any other style may set its own."""
    return ":where(:root){" + ";".join(f"--{name}:{colour}" for name, colour in LIGHT.items()) + "}"
