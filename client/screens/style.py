"""What the names of styles look like. Letters carry every meaning; colour and weight decorate, and NO_COLOR leaves the weight."""

from __future__ import annotations

STYLES: dict[str, str] = {
    "title": "bold reverse",
    "foot": "reverse",
    "key": "bold",
    "line": "fg:ansibrightblack",
    "dim": "fg:ansibrightblack",
    "strong": "bold",
    "turn": "bold fg:ansigreen",
    "wait": "fg:ansiyellow",
    "good": "fg:ansigreen",
    "warn": "bold fg:ansiyellow",
    "bad": "bold fg:ansired",
    "alarm": "bold bg:ansired fg:ansiwhite",
    "moment": "bold fg:ansimagenta",
    "choice": "reverse",
    "typed": "",
    "cursor": "reverse",
    "code": "fg:ansiwhite bg:ansiblack",
    # Cards: the four suits of the Spanish pack, and the two colours of the French one.
    "card": "",
    "back": "fg:ansiblue",
    "golds": "bold fg:ansiyellow",
    "cups": "bold fg:ansired",
    "swords": "bold fg:ansiblue",
    "clubs": "bold fg:ansigreen",
    "red": "bold fg:ansired",
    "black": "bold",
    "joker": "bold fg:ansimagenta",
    "pips": "bold",
    "picked": "reverse",
    "marked": "underline",
    "legal": "bold",
    "barred": "fg:ansibrightblack",
    "last": "underline",
}
"""Styles by name, in the words of prompt-toolkit. Only the terminal's own sixteen colours, so that its theme decides."""


def classes(style: str) -> str:
    """Return the names in a style as prompt-toolkit takes them."""
    return " ".join(f"class:{name}" for name in style.split())
