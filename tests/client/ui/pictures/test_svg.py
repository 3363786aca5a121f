"""A picture as one SVG: whole, small, of every game, and without anything from elsewhere."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from client.ui.drawing.picture import Area, Call, Panel, Picture, Piece, Span, Text
from client.ui.pictures.draw import table_alone
from client.ui.pictures.svg import as_svg
from docs.make_screens import play_state
from engine.games import GAMES

SVG = "{http://www.w3.org/2000/svg}"
LIMIT_BYTES = 120 * 1024


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_every_game_is_one_small_drawing_that_needs_nothing_else(game):
    picture = table_alone(play_state(game), 1280, 800)
    found = as_svg(picture)
    root = ET.fromstring(found)
    assert len(found.encode()) < LIMIT_BYTES
    ids = {node.get("id") for node in root.iter(f"{SVG}symbol")}
    used = [node.get("href", "") for node in root.iter(f"{SVG}use")]
    assert {href[1:] for href in used} <= ids
    assert len(root.findall(f"{SVG}use")) == len(picture.pieces)
    assert "var(" not in found
    assert not re.search(
        r"<(?:script|style|image|foreignObject)|\s(?:style|on\w+)=|https?://(?!www\.w3\.org/)",
        found,
    )
    assert as_svg(picture) == found
    words = "".join(root.itertext())
    for seat in (panel for panel in picture.panels if panel.id.startswith("seat:")):
        assert "".join(span.text for span in seat.title).strip() in words


def test_every_text_begins_inside_of_the_picture():
    root = ET.fromstring(as_svg(table_alone(play_state("kinaskak"), 360, 520)))
    for node in root.iter(f"{SVG}text"):
        assert 0 <= float(node.get("x", "-1")) <= 360
        assert 0 <= float(node.get("y", "-1")) <= 520


def test_names_are_text_and_no_markup():
    evil = "</text><script>alert(1)</script>"
    panel = Panel("seat:1", "seat", Area(0, 60, 300, 90), (Span(evil),), ((Span(evil, 'x"'),),))
    picture = Picture(
        640,
        400,
        "play",
        evil,
        (Span(evil),),
        texts=(Text("t", 0, 0, 600, (Span(evil),)),),
        panels=(panel,),
    )
    found = as_svg(replace(picture, call=Call(evil, 300, 200, 400)))
    assert "<script" not in found
    assert evil in "".join(ET.fromstring(found).itertext())


def test_text_is_broken_between_words_cut_where_it_is_too_long_and_a_log_ends_with_its_last_line():
    lines = tuple((Span(f"line {number} of many words"),) for number in range(20))
    log = Panel("said", "log", Area(0, 0, 150, 120), lines=lines)
    long = Text("long", 0, 150, 60, (Span("a text that is much too long"),))
    shown = [
        "".join(node.itertext())
        for node in ET.fromstring(
            as_svg(Picture(200, 200, "play", "", panels=(log,), texts=(long,)))
        ).iter(f"{SVG}text")
    ]
    assert shown[-2] == "many words"
    assert shown[-3] == "line 19 of"
    assert shown[-1].endswith("…")
    assert len(shown[-1]) < 10


def test_a_piece_is_turned_about_its_centre_and_framed_by_its_state():
    piece = Piece("slot:1", "domino", "6-4", 10, 20, 30, 60, turn=90, state="picked last")
    root = ET.fromstring(as_svg(Picture(200, 200, "play", "", pieces=(piece,))))
    (use,) = root.findall(f"{SVG}use")
    assert use.get("transform") == "rotate(90 25 50)"
    assert [node.get("stroke-width") for node in root.findall(f"{SVG}rect")[1:]] == ["4", "3"]
