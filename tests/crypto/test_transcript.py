"""Hashed inputs: every input its own bytes, every label its own world."""

from __future__ import annotations

import hashlib

import pytest

from crypto.transcript import (
    Part,
    digest,
    expand_message,
)


def test_inputs_that_differ_never_hash_alike() -> None:
    inputs: list[tuple[Part, ...]] = [
        (),
        (b"",),
        (b"", b""),
        ("",),
        (0,),
        ([],),
        ([], []),
        ([[]],),
        (b"ab", b"c"),
        (b"a", b"bc"),
        (b"abc",),
        ("abc",),
        ([b"a", b"bc"],),
        ([b"a"], b"bc"),
        (97, 98, 99),
        (b"a" * 257,),
        (1, 256),
        (256, 1),
        (65537,),
    ]
    for label in ("", "x", "xs"):
        for other in ("", "x", "xs"):
            for one in inputs:
                for two in inputs:
                    same = label == other and one == two
                    assert (digest(label, *one) == digest(other, *two)) is same


@pytest.mark.parametrize("part", [True, None, 1.5, bytearray(b"a"), {"a": 1}, {1}, [[None]]])
def test_a_value_without_a_spelling_is_a_type_error(part: Part) -> None:
    with pytest.raises(TypeError):
        digest("label", part)


def test_a_negative_number_has_no_spelling() -> None:
    with pytest.raises(ValueError, match="negative"):
        digest("label", [-1])


def test_a_long_tag_is_hashed_first_and_a_size_has_bounds() -> None:
    tag = b"t" * 256
    short = hashlib.sha512(b"H2C-OVERSIZE-DST-" + tag).digest()
    assert expand_message(b"m", tag, 40) == expand_message(b"m", short, 40)
    assert expand_message(b"m", tag[:255], 40) != expand_message(b"m", short, 40)
    assert len(expand_message(b"m", b"t", 255 * 64)) == 255 * 64
    for size in (0, 255 * 64 + 1):
        with pytest.raises(ValueError, match="expand"):
            expand_message(b"m", b"t", size)
