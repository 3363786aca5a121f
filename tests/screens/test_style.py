"""Colours are read on dark and on light, and in the scheme for them the colour-blind tell apart
what is coloured differently."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from client.ui.drawing.style import SCHEMES

BEHIND = {
    "black": "#000000",
    "white": "#ffffff",
    "grey": "#1e1e1e",
    "Solarized dark": "#002b36",
    "Solarized light": "#fdf6e3",
}
CONTRAST = 3.0
"""The contrast that WCAG 2.2 (1.4.11) asks of things that are not text, and (1.4.3) of large text;
no colour has 4.5 on all of these."""
# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
BLIND = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def linear(colour: str) -> list[float]:
    """Return linear red, green and blue, 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def light(colour: str) -> float:
    return sum(
        part * weight for part, weight in zip(linear(colour), (0.2126, 0.7152, 0.0722), strict=True)
    )


def contrast(one: str, other: str) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def seen(colour: str, blindness: str) -> list[float]:
    """Return how somebody sees a colour, in square roots, which lie about as far apart as they are
    seen to be."""
    rgb = linear(colour)
    rows = (
        sum(weight * part for weight, part in zip(row, rgb, strict=True))
        for row in BLIND[blindness]
    )
    return [min(1.0, max(0.0, part)) ** 0.5 for part in rows]


@pytest.mark.parametrize(("scheme", "behind"), list(product(SCHEMES, BEHIND)))
def test_every_colour_is_read_on_dark_and_on_light(scheme, behind):
    poor = {
        name: colour
        for name, colour in SCHEMES[scheme].items()
        if contrast(colour, BEHIND[behind]) < CONTRAST
    }
    assert poor == {}


@pytest.mark.parametrize("blindness", BLIND)
def test_the_colour_blind_tell_apart_what_has_another_colour(blindness):
    colours = set(SCHEMES["colour-blind"].values())
    for one, other in combinations(colours, 2):
        distance = (
            sum(
                (a - b) ** 2
                for a, b in zip(seen(one, blindness), seen(other, blindness), strict=True)
            )
            ** 0.5
        )
        assert distance > 0.2, (one, other, distance)
