from __future__ import annotations

import time

import pytest

from engine.core.toml import DOTS, read_toml


def test_a_key_of_thousands_of_parts_is_refused_at_once():
    """It costs 30 s in 80 kB, and 1.5 GB of memory in 200 kB."""
    began = time.perf_counter()
    with pytest.raises(ValueError, match="more than 32 dots in line 2"):
        read_toml(f"x = 1\na{'.a' * 100_000} = 1\n".encode())
    assert time.perf_counter() - began < 1


def test_the_parts_of_a_key_and_a_comment_may_have_dots():
    parts = ".".join(f"p{number}" for number in range(DOTS))
    value = read_toml(f"# {'.' * 1000}\n{parts} = 7.5")
    for number in range(DOTS):
        value = value[f"p{number}"]
    assert value == 7.5


@pytest.mark.parametrize("value", ["0x{}", "[{{a = [0b1{}]}}]", "{{b = 0o7{}}}"])
def test_whole_numbers_have_64_bits_at_most(value):
    """Python writes down none of many thousand bits: a sentence about it was a traceback."""
    digits = ("7f" if "x" in value else "11") + "0" * 6000
    with pytest.raises(ValueError, match="a whole number of more than 64 bits"):
        read_toml(f"x = {value.format(digits)}")
    assert read_toml(f"x = {2**63 - 1}\ny = {-(2**63)}") == {"x": 2**63 - 1, "y": -(2**63)}


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, "x = 1" + "0" * 10_000, "x", b"\xff"])
def test_everything_else_that_cannot_be_read_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 (each has a sentence of its own)
        read_toml(text)
