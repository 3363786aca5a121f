from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from p2p.net.text import clean, columns


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ane", "Ane"),
        ("  Ane \t\n Goñi  ", "Ane Goñi"),
        ("Þórður", "Þórður"),
        ("e\u0301a", "éa"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq#0\x1b\\x", "x"),
        ("\x1bcx", "x"),
        ("a\x00b\x07c\x7fd\x85e", "abcde"),
        ("\u202eevil\u202c", "evil"),
        ("\u2066x\u2069\u200f\u200e\u061c", "x"),
        ("a\u200bb\ufeffc\u2060d", "abcd"),
        ("\u3164\u2800\u115f", ""),
        ("a\u2028b\u2029c", "a b c"),
        ("\U000e0041\U000e0042x", "x"),
        ("\ue000\ud800x\U0010ffff", "x"),
        ("❤\ufe0f", "❤"),
        ("a" + "\u0301\u0302\u0303\u0304\u0305", "á\u0302\u0303"),
        ("\u0301a", "a"),
        ("", ""),
    ],
)
def test_clean(text, shown):
    assert clean(text, 24) == shown


def test_cut_by_columns_not_by_characters():
    assert clean("abcdefgh", 5) == "abcd…"
    assert clean("漢字漢字", 5) == "漢字…"
    assert clean("漢字漢字", 4) == "漢…"
    assert clean("漢字", 4) == "漢字"
    assert clean("abc", 0) == ""
    assert clean("abc", 1) == "…"


@given(st.text(max_size=200), st.integers(0, 40))
def test_nothing_wide_or_invisible_survives(text, width):
    shown = clean(text, width)
    assert columns(shown) <= width
    assert all(wcwidth(char) >= 0 for char in shown)
    assert clean(shown, width) == shown


def test_a_huge_text_costs_little():
    assert clean("\u0301" * 10_000_000, 10) == ""
