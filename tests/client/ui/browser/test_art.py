"""The drawings of cards and tiles: one for each face, each different, and nothing in them that a
page would block."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from client.ui.browser import art
from client.ui.browser.art.colours import LIGHT
from client.ui.browser.shell import LOOK
from engine.core.cards import pips
from engine.games import GAMES

EVERY_KIND = pytest.mark.parametrize("kind", art.KINDS)
KINDS = {
    "escoba": "spanish",
    "domino": "domino",
    "siete-y-media": "spanish",
    "truco": "spanish",
    "kinaskak": "french",
}
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "symbol", "defs", "g", "use", "path", "rect", "circle", "text"}
ATTRIBUTES = {
    *("id", "viewBox", "width", "height", "x", "y", "href", "transform", "aria-hidden"),
    *("d", "cx", "cy", "r", "rx", "fill", "stroke", "stroke-width", "stroke-dasharray"),
    *("stroke-linecap", "color", "font-family", "font-size", "font-weight", "text-anchor"),
    *("textLength", "lengthAdjust"),
}
"""All that is drawn with. Neither `style` nor a handler of events nor an image is among them."""


def set_by(selector):
    """The colours of the drawings that the page sets by a selector."""
    (block,) = re.findall(re.escape(selector) + r"\{([^}]*)\}", LOOK)
    found = dict(re.findall(r"--([a-z-]+):(#[0-9a-f]{6})", block))
    return {name: colour for name, colour in found.items() if name in LIGHT}


FOUR = set_by(':root[data-scheme="colour-blind"]')
BOTH = re.findall(r"--([a-z-]+):light-dark\((#[0-9a-f]{6}),(#[0-9a-f]{6})\)", LOOK)
DARK = {name: dark for name, light, dark in BOTH if LIGHT.get(name) == light}


def every_face(kind):
    return [*art.faces_of(kind), None]


def elements(text):
    """All elements of a drawing. ElementTree rejects what is not well-formed."""
    return list(ElementTree.fromstring(text).iter())


def symbols(kind):
    return {
        element.get("id"): element
        for element in elements(art.symbols(kind))
        if element.tag == f"{SVG}symbol"
    }


def expanded(kind, name):
    """All that is drawn of a symbol, with the symbols it uses: elements and attributes, but no
    colour, no letter and no id."""
    found = []
    for element in symbols(kind)[name].iter():
        attributes = {
            key: value
            for key, value in element.attrib.items()
            if key not in ("id", "href", "color", "fill", "stroke")
        }
        found.append((element.tag, *sorted(attributes.items())))
        if element.tag == f"{SVG}use":
            found += expanded(kind, element.get("href")[1:])
    return tuple(found)


@pytest.mark.parametrize("game", GAMES)
def test_every_face_of_every_game_has_a_symbol(game):
    kind = KINDS[game]
    assert {art.symbol_id(kind, face) for face in [*GAMES[game].pack, None]} <= symbols(kind).keys()
    assert set(GAMES[game].pack) == set(art.faces_of(kind))


@EVERY_KIND
def test_every_symbol_that_is_used_is_there(kind):
    used = {
        element.get("href") for element in elements(art.symbols(kind)) if element.tag == f"{SVG}use"
    }
    assert used
    assert used <= {f"#{name}" for name in symbols(kind)}


@EVERY_KIND
def test_no_two_faces_differ_in_colour_or_letter_alone(kind):
    drawn = {face: expanded(kind, art.symbol_id(kind, face)) for face in every_face(kind)}
    assert not [pair for pair in combinations(drawn, 2) if drawn[pair[0]] == drawn[pair[1]]]


@EVERY_KIND
def test_nothing_is_drawn_that_a_strict_page_blocks(kind):
    text = art.symbols(kind)
    assert {element.tag.removeprefix(SVG) for element in elements(text)} <= ELEMENTS
    assert {name for element in elements(text) for name in element.attrib} <= ATTRIBUTES
    assert all(element.get("href", "#").startswith("#") for element in elements(text))
    assert text.count(":") == text.count("http://www.w3.org/2000/svg") == 1
    assert "url(" not in text


def test_a_tile_has_the_pips_of_its_halves():
    for face in art.faces_of("domino"):
        drawn = expanded("domino", art.symbol_id("domino", face))
        data = [dict(attributes)["d"] for tag, *attributes in drawn if tag == f"{SVG}path"]
        assert sum(path.count("h0") for path in data) == sum(pips(face)), face


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("ground", [{}, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("more", [{}, FOUR], ids=["two", "four"])
def test_indices_and_pips_are_read_on_their_ground(ground, more):
    colours = {**LIGHT, **ground, **more}
    pairs = [
        (name, "card") for name in colours if re.fullmatch(r"(spanish|french)-([a-z]|joker)", name)
    ] + [("tile-pip", "tile")]
    assert len(pairs) == 10
    for name, below in pairs:
        darker, lighter = luminance(colours[name]), luminance(colours[below])
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, name
    suits = [colours[f"french-{suit}"] for suit in "cdhs"]
    assert len(set(suits)) == (4 if more else 2)
