"""Plots: well-formed SVG that a strict policy lets pass, with words, and lines that differ without
colours."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from client.ui.view.plots import (
    COLOURS,
    HEIGHT,
    LETTER,
    WIDTH,
    Line,
    Plot,
    drawn,
    score_plot,
    wins_plot,
)
from tests.client.storage.pasts import ANE, BOT, FACTS, JONE, MIREN, changed, of_each_kind, summary

SVG = "{http://www.w3.org/2000/svg}"
LONG = changed(
    FACTS, scores=tuple((deal * 3, deal * deal) for deal in range(1, 9)), score=(24, 64), deals=8
)


def read(svg: str) -> ET.Element:
    """Parse a drawing, and see that a strict policy lets all of it pass and that all of it lies
    inside."""
    root = ET.fromstring(svg)
    for node in root.iter():
        assert node.tag in {SVG + name for name in ("svg", "g", "path", "text", "title", "desc")}
        assert not {"style", "href", "onload"} & set(node.attrib)
        for name, most in (("x", WIDTH), ("y", HEIGHT)):
            assert 0 <= int(node.get(name, 0)) <= most
        for x, y in re.findall(r"[ML](-?\d+) (-?\d+)", node.get("d", "")):
            assert 0 <= int(x) <= WIDTH
            assert 0 <= int(y) <= HEIGHT
    return root


def names(root: ET.Element) -> list[str]:
    return [node.text or "" for node in root.iter(SVG + "text") if node.get("class") == "plot-name"]


def paths(root: ET.Element) -> list[ET.Element]:
    return [group[0] for group in root.iter(SVG + "g") if "plot-line" in (group.get("class") or "")]


def test_the_score_of_a_match():
    root = read(score_plot(LONG))
    assert root.findtext(SVG + "title") == "Score after each deal"
    assert (
        root.findtext(SVG + "desc")
        == "Ane: 3, 6, 9, 12, 15, 18, 21, 24. Jone: 1, 4, 9, 16, 25, 36, 49, 64"
    )
    assert names(root) == ["Ane", "Jone"]
    one, other = paths(root)
    assert one.get("stroke-dasharray") != other.get("stroke-dasharray")
    assert len((one.get("d") or "").split("L")) == 8
    assert (one.get("d") or "").split()[0] == (other.get("d") or "").split()[0], (
        "they begin at one deal"
    )


def test_partners_are_one_line():
    four = changed(
        LONG,
        players=(ANE, JONE, BOT, MIREN),
        scores=((1, 2, 1, 2), (3, 4, 3, 4)),
        score=(3, 4, 3, 4),
    )
    assert names(read(score_plot(four))) == ["Ane, Computer 1", "Jone, Miren"]


def test_wins_over_time():
    history = [
        summary(changed(FACTS, id=f"{place:064}", winners=(place % 3 and 1,)), place * 86400)
        for place in range(9)
    ]
    root = read(wins_plot(history))
    assert root.findtext(SVG + "desc") == "After 9 matches: 3 won, 6 lost."
    assert names(root) == ["Won", "Lost"]
    assert "1970-01-01" in {node.text for node in root.iter(SVG + "text")}
    assert "1970-01-09" in {node.text for node in root.iter(SVG + "text")}


def test_where_there_is_nothing_to_plot_there_is_no_drawing():
    assert wins_plot([]) == wins_plot([summary(FACTS)]) == ""
    assert score_plot(None) == score_plot(changed(FACTS, scores=((1, 2),), deals=1)) == ""


@pytest.mark.parametrize("seats", range(2, 7))
def test_names_do_not_lie_upon_each_other(seats):
    lines = tuple(Line(f"player {seat}", ((1, 0), (2, 5))) for seat in range(seats))
    for value in (0, 5):
        same = tuple(replace(line, points=((1, 5 - value), (2, value))) for line in lines)
        root = read(drawn(Plot("a", "b", same, "c", "d")))
        rows = sorted(
            int(node.get("y", 0))
            for node in root.iter(SVG + "text")
            if node.get("class") == "plot-name"
        )
        assert all(below - above >= LETTER for above, below in pairwise(rows))
        assert len({path.get("stroke-dasharray") for path in paths(root)}) == seats


@pytest.mark.parametrize("values", [(0, 0), (-40, 60), (5, 5), (1, 100_000), (-3, -1)])
def test_any_scores_have_a_scale(values):
    root = read(drawn(Plot("a", "b", (Line("x", tuple(enumerate(values))),), "", "")))
    labels = [
        int(node.text)
        for node in root.iter(SVG + "text")
        if re.fullmatch(r"-?\d+", node.text or "")
    ]
    assert 1 <= len(labels) <= 7
    assert labels == sorted(labels)


def test_names_from_others_are_only_text():
    evil = replace(JONE, nick='<script>&"\x00\x1b]]>' + "W" * 30)
    root = read(score_plot(changed(LONG, players=(ANE, evil))))
    assert names(root)[1].startswith("<script>")
    assert len(names(root)[1]) == 18


def test_colours_can_be_read_on_light_and_on_dark_ground():
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in COLOURS:
        assert (1.05) / (light(colour) + 0.05) >= 3, colour
        assert (light(colour) + 0.05) / (light("#121212") + 0.05) >= 3, colour


def test_the_words_below_a_plot_have_room():
    for plot in (wins_plot(of_each_kind()), score_plot(LONG)):
        begin, end = [node for node in read(plot).iter(SVG + "text") if node.get("y") == "266"]
        room = int(end.get("x", 0)) - int(begin.get("x", 0))
        assert 8 * (len(begin.text or "") + len(end.text or "")) <= room
