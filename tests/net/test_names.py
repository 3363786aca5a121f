from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.net.names import ASCII_LOOKS, clean_name, look_alike, representatives, skeleton
from p2p.net.text import columns

ORDINARY = [
    *(
        "Ane",
        "Goñi",
        "Iñaki 3",
        "Þórður",
        "Ævar Öxl",
        "Guðrún",
        "Jon-Ander",
        "O'Neill",
        "x_1",
        "Ane 👍",
        "🂡 🙂",
        "María José",
    ),
    *(
        "Αθηνά",
        "Иван",
        "Дмитро",
        "אבג",
        "سلام",
        "山田",
        "山田 Ken",
        "ひらカタ山 Ken",
        "김 Kim",
        "漢ㄅ x",
        "ไทย",
        "42",
        "_",
        "ªº",
    ),
]
MIXED = ["\u0410ne", "An\u0435", "A\u03b1", "Jonא", "Иvan", "김ひ", "A\u0663", "שa", "Kenみ\u0430"]


@pytest.mark.parametrize("name", ORDINARY)
def test_names_of_one_script_are_shown_as_they_are(name):
    assert clean_name(name).strip("\u2068\u2069") == name


@pytest.mark.parametrize("name", MIXED)
def test_names_of_several_scripts_are_marked(name):
    shown = clean_name(name).strip("\u2068\u2069")
    assert shown == "⚠" + name
    assert look_alike(shown, name)


def test_a_marked_name_is_no_wider():
    shown = clean_name("\u0410" + "n" * 40)
    assert columns(shown) == 24
    assert shown == "⚠\u0410" + "n" * 21 + "…"


def test_a_letter_newer_than_the_data_does_not_pass_for_another_script():
    # an emoji of Unicode 16, or unassigned
    assert clean_name("Ane\U0001fae9") in {"Ane\U0001fae9", "Ane"}


def test_the_empty_name_is_like_nothing():
    for nothing in ("", " ", "\u200b", "\u034f", "⚠"):
        assert not look_alike(nothing, nothing)
        assert not look_alike(nothing, "Ane")


@given(st.text(max_size=60))
def test_a_shown_name_stays_so_and_looks_like_itself(name):
    shown = clean_name(name)
    assert clean_name(shown) == shown
    assert columns(shown) <= 24
    assert look_alike(shown, shown) is bool(shown.strip("⚠\u2068\u2069 "))


@given(st.text(max_size=12), st.text(max_size=12))
def test_looking_alike_is_mutual(one, other):
    assert look_alike(one, other) is look_alike(other, one)


def test_every_character_has_a_skeleton_that_stays_so():
    for char, look in representatives().items():
        assert len(char) == 1
        assert skeleton(skeleton(look)) == skeleton(look) == skeleton(char)
    assert len(representatives()) > 5000
    assert all(skeleton(char) == char for char in "abcdefghijklnopqrstuvwxyz")


def test_the_looks_of_ascii_are_those_of_the_data():
    assert {char: look for char, look in representatives().items() if char.isascii()} == ASCII_LOOKS
    assert not {char for look in ASCII_LOOKS.values() for char in look} & set(representatives())


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("✓ Jon", "Jon"),
        ("✔✅Jon", "Jon"),
        ("⚠Jon", "Jon"),
        ("Jon, whom you trust", "Jon whom you trust"),
        ("Jon (p1)", "Jon p1"),
        ("“Jon”", "Jon"),
        ("Jon: «hi»", "Jon hi"),
        ("✓", ""),
        ("Jon，（p1）", "Jonp1"),
    ],
)
def test_a_name_has_no_marks_and_separators_of_the_program(name, shown):
    assert clean_name(name) == shown
    assert look_alike(name, shown) is bool(shown)
