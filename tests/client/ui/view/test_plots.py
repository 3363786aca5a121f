"""Plots: well-formed SVG that a strict policy lets pass, with words, and lines that differ without
colours."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

from client.ui.view.plots import (
    HEIGHT,
    WIDTH,
    score_plot,
    wins_plot,
)
from tests.client.storage.pasts import ANE, FACTS, JONE, changed, summary

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


def test_where_there_is_nothing_to_plot_there_is_no_drawing():
    assert wins_plot([]) == wins_plot([summary(FACTS)]) == ""
    assert score_plot(None) == score_plot(changed(FACTS, scores=((1, 2),), deals=1)) == ""
    assert score_plot(FACTS) == "", "two points are no line"
    assert wins_plot([summary(FACTS)] * 2) == ""


def test_days_that_are_not_known_are_not_written():
    past = [summary(replace(FACTS, id=f"{number}"), number) for number in range(3)]
    words = [node.text for node in read(wins_plot(past)).iter(SVG + "text")]
    assert words
    assert not any((word or "").startswith("19") for word in words)
    dated = wins_plot([replace(one, written=1_795_000_000 + one.written) for one in past])
    assert "2026" in dated


def test_names_from_others_are_only_text():
    evil = replace(JONE, nick='<script>&"\x00\x1b]]>' + "W" * 30)
    root = read(score_plot(changed(LONG, players=(ANE, evil))))
    assert names(root)[1].startswith("<script>")
    assert len(names(root)[1]) == 18
