"""Bytes as text inside a page: all bytes come back, and a text has one spelling."""

from __future__ import annotations

import random

import pytest

from client.ui.replay_page import dense
from client.ui.replay_page.changes import change
from tests.client.ui.replay_page.pages import changed


@pytest.mark.parametrize("size", [*range(18), 1000])
def test_all_bytes_come_back_in_characters_that_html_leaves_alone(size):
    for data in (random.Random(size).randbytes(size), bytes(size), b"\xff" * size):
        text = dense.spelled(data)
        assert dense.read(text) == data
        assert text.isascii()
        assert not set(text) & set("<\0\r\n")


@pytest.mark.parametrize("text", ["=", "a=", "==", "=x", "a", "\n", "<", "é", "abcdefgh\x7f"])
def test_another_spelling_is_no_text(text):
    with pytest.raises(ValueError, match=r".*"):
        dense.read(text)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ({}, {"a": 1}),
        ({"a": 1, "b": [1, {"c": 2}]}, {"b": [1, {"c": 3, "d": 4}]}),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}),
        ({"a": {"#": 1}}, {"a": {"#": 2}}),
        ({"a": {"b": 1}}, {"a": [1]}),
        ({"a": 1}, {}),
    ],
)
def test_a_change_makes_one_value_of_another(before, now):
    how = change(before, now)
    assert how is not None
    assert changed(before, how) == now
    assert change(now, now) is None
