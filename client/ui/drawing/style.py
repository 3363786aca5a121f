"""The appearance of each named style.

Letters carry every meaning; colour and weight decorate, and NO_COLOR leaves the weight.
"""

from __future__ import annotations

from collections.abc import Mapping

PREFIX = "sobremesa-"
"""Before every name. The library has classes of its own, `black` and `red` among them, and would
mix them with ours."""

STYLES: Mapping[str, str] = {
    "title": "bold reverse",
    "foot": "reverse",
    "key": "bold",
    "keys": "bold",
    "line": "fg:grey",
    "dim": "fg:grey",
    "strong": "bold",
    "turn": "bold fg:green",
    "wait": "fg:yellow",
    "good": "fg:green",
    "warn": "bold fg:yellow",
    "bad": "bold fg:red",
    "alarm": "bold reverse fg:red",
    "moment": "bold fg:magenta",
    # The sides of partners: ours, or that of p1, and the other one.
    "side-a": "bold fg:blue",
    "side-b": "bold fg:yellow",
    "choice": "reverse",
    "typed": "",
    "cursor": "reverse",
    "code": "fg:white bg:black",
    # Cards: the four suits of the Spanish pack, and the two colours of the French one.
    "card": "",
    "back": "fg:blue",
    "golds": "bold fg:yellow",
    "cups": "bold fg:red",
    "swords": "bold fg:blue",
    "clubs": "bold fg:green",
    "red": "bold fg:red",
    "black": "bold",
    "joker": "bold fg:magenta",
    "pips": "bold",
    "picked": "reverse",
    "marked": "underline",
    "legal": "bold",
    "barred": "fg:grey",
    "last": "underline",
}
"""Styles by name, in the words of prompt-toolkit; the colours are those of a scheme."""

SCHEMES: Mapping[str, Mapping[str, str]] = {
    "standard": {
        "grey": "#808080",
        "red": "#ff0000",
        "green": "#5f8700",
        "yellow": "#af8700",
        "blue": "#0087d7",
        "magenta": "#d700d7",
    },
    "colour-blind": {
        "grey": "#808080",
        "red": "#d75f00",
        "green": "#0087ff",
        "yellow": "#d75f00",
        "blue": "#0087ff",
        "magenta": "#d700d7",
    },
}
"""The colours where there are 256 or more: all of the 256, of a middle lightness, read on black and
on white.

For the colour-blind only orange, blue and magenta, which nearly all people tell apart.
"""
FEW: Mapping[str, Mapping[str, str]] = {
    "standard": {"red": "ansired", "green": "ansigreen", "magenta": "ansimagenta"},
    "colour-blind": {"red": "ansimagenta", "magenta": "ansimagenta"},
}
"""The colours where there are 8 or 16: without those that many terminals show too light on white,
or too dark on black."""
FIXED: Mapping[str, str] = {"white": "ansiwhite", "black": "ansiblack"}
"""The colours of a picture for cameras."""


def styles(scheme: str, *, few: bool) -> dict[str, str]:
    """Return the look of each name of a style in a scheme.

    `few` is whether it is for a terminal of 8 or 16 colours.
    """
    inks = {**(FEW if few else SCHEMES)[scheme], **FIXED}
    return {
        PREFIX + name: " ".join(_word(word, inks) for word in words.split())
        for name, words in STYLES.items()
    }


def _word(word: str, inks: Mapping[str, str]) -> str:
    """Return a word of a style with its colour.

    A colour that does not exist becomes the terminal's own.
    """
    place, colon, colour = word.partition(":")
    return f"{place}:{inks.get(colour, 'default')}" if colon else word


def classes(style: str) -> str:
    """Return the names in a style as prompt-toolkit takes them."""
    return " ".join(f"class:{PREFIX}{name}" for name in style.split())
