from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import __version__, wcswidth, wcwidth

from p2p.net.text import bare, clean, columns


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
        ("An\u034fe", "Ane"),
        ("A\U000e0100ne", "Ane"),
        ("A\u180bn\u180fe", "Ane"),
        ("", ""),
    ],
)
def test_clean(text, shown):
    assert clean(text, 24) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ane \U0001f1ea\U0001f1f8", "Ane ES"),  # a flag
        ("\U0001f44b\U0001f3fd\U0001f3fd", "\U0001f44b"),  # skin tones
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\U0001f469\U0001f467"),
        ("1\ufe0f\u20e3", "1"),
        (
            "\u0915\u093f\u0915\u094d\u0937",
            "\u0915\u0915\u0937",
        ),  # Devanagari: a spacing mark, a virama
        ("\u0e01\u0e33\u0e01\u0e34", "\u0e01\u0e33\u0e01\u0e34"),  # Thai
        ("\u1112\u1161\u11ab", "\ud55c"),  # letters that make a syllable of Hangul
        ("\u1112\u119ex", "x"),  # letters that make none
        ("\uff76\uff9e", "\uff76"),
        ("x\u2630\u4dc0\u3248\U0001d306", "x"),
        ("e\u200d\u0301 e\u093f\u0301", "\u00e9 \u00e9"),
    ],
)
def test_no_character_is_shown_that_terminals_draw_in_different_widths(text, shown):
    assert clean(text, 24) == shown
    assert clean(shown, 24) == shown


ALIKE = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "HANGUL SYLLABLE", "TANGUT IDEOGRAPH")
"""Beginnings of the names of characters that are all of one width."""


@pytest.mark.slow
def test_every_character_among_others_has_the_columns_that_a_library_counts():
    for number in range(0x20, 0x110000):
        char = chr(number)
        if number % 101 and unicodedata.name(char, ALIKE[0]).startswith(ALIKE):
            continue  # of these, and of those without a name, some are enough
        for text in (f"a{char}{char}a", f"\U0001f44b{char}\u0915{char}\u0915"):
            shown = bare(text, 24)
            assert wcswidth(shown) == columns(shown), (hex(number), f"wcwidth {__version__}")


# The property Default_Ignorable_Code_Point of Unicode, which no module of Python has.
IGNORABLE = [
    *(
        0xAD,
        0x34F,
        0x61C,
        0x115F,
        0x1160,
        0x17B4,
        0x17B5,
        *range(0x180B, 0x1810),
        *range(0x200B, 0x2010),
    ),
    *(
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        0x3164,
        *range(0xFE00, 0xFE10),
        0xFEFF,
        0xFFA0,
    ),
    *(
        *range(0xFFF0, 0xFFF9),
        *range(0x1BCA0, 0x1BCA4),
        *range(0x1D173, 0x1D17B),
        *range(0xE0000, 0xE1000),
    ),
]


def test_no_default_ignorable_character_survives():
    assert len(IGNORABLE) == 4174
    assert [hex(number) for number in IGNORABLE if clean(f"a{chr(number)}b", 9) != "ab"] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("אבג", "\u2068אבג\u2069"),
        ("سلام 1", "\u2068سلام 1\u2069"),
        ("Ane אבג", "\u2068Ane אבג\u2069"),
        ("\u0661", "\u2068\u0661\u2069"),
        ("\u2069א\u2066\u202e", "\u2068א\u2069"),
        ("Ane 12", "Ane 12"),
    ],
)
def test_right_to_left_text_is_isolated_from_the_line_that_it_stands_in(text, shown):
    assert clean(text, 24) == shown
    assert clean(shown, 24) == shown
    assert columns(shown) == columns(shown.strip("\u2068\u2069"))


def test_cut_by_columns_not_by_characters():
    assert clean("abcdefgh", 5) == "abcd…"
    assert clean("漢字漢字", 5) == "漢字…"
    assert clean("漢字漢字", 4) == "漢…"
    assert clean("漢字", 4) == "漢字"
    assert clean("abc", 0) == ""
    assert clean("abc", 1) == "…"


JOINING = (
    "e\u0301\u0323\u200d\ufe0f\u20e3 "
    "\u0915\u093f\u094d\u1112\u1161\u11ab\U0001f44b\U0001f3fd\U0001f1ea"
)


@given(st.text(max_size=200) | st.text(st.sampled_from(JOINING), max_size=9), st.integers(0, 40))
def test_nothing_wide_or_invisible_survives(text, width):
    shown = clean(text, width)
    assert columns(shown) <= width
    assert all(wcwidth(char) >= 0 for char in shown)
    assert clean(shown, width) == shown


def test_a_huge_text_costs_little():
    assert clean("\u0301" * 10_000_000, 10) == ""
