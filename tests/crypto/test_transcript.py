"""Hashed inputs: every input its own bytes, every label its own world."""

from __future__ import annotations

import hashlib

import pytest

from crypto.transcript import (
    Part,
    challenge,
    challenge128,
    challenges128,
    digest,
    digests,
    expand_message,
    statement_bytes,
)


def test_the_bytes_that_are_hashed_are_these() -> None:
    spelled = statement_bytes("label", b"\x01\x02", "é", 258, [b"", 0])
    assert spelled == b"".join(
        (
            b"s" + (12).to_bytes(8, "big") + b"sobremesa/v1",
            b"s" + (5).to_bytes(8, "big") + b"label",
            b"b" + (2).to_bytes(8, "big") + b"\x01\x02",
            b"s" + (2).to_bytes(8, "big") + "é".encode(),
            b"i" + (2).to_bytes(8, "big") + b"\x01\x02",
            b"l" + (2).to_bytes(8, "big"),
            b"b" + (0).to_bytes(8, "big"),
            b"i" + (0).to_bytes(8, "big"),
        )
    )
    assert digest("label", b"\x01\x02", "é", 258, [b"", 0]) == hashlib.sha512(spelled).digest()


def test_pitfall_07_inputs_that_differ_never_hash_alike() -> None:
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


def test_challenges_are_taken_from_the_digest() -> None:
    data = digest("label", b"x")
    assert challenge("label", b"x", order=1000003) == int.from_bytes(data, "little") % 1000003
    assert challenge128("label", b"x") == int.from_bytes(data[:16], "little")


def test_hashes_with_an_index_are_those_of_the_parts_and_the_index() -> None:
    hashed = digests("label", b"x", ["y", 1])
    for index in (0, 1, 255, 256, 2**64):
        assert hashed(index) == digest("label", b"x", ["y", 1], index)
    assert challenges128("label", b"x", n=3) == [
        challenge128("label", b"x", index) for index in range(3)
    ]


def test_a_long_tag_is_hashed_first_and_a_size_has_bounds() -> None:
    tag = b"t" * 256
    short = hashlib.sha512(b"H2C-OVERSIZE-DST-" + tag).digest()
    assert expand_message(b"m", tag, 40) == expand_message(b"m", short, 40)
    assert expand_message(b"m", tag[:255], 40) != expand_message(b"m", short, 40)
    assert len(expand_message(b"m", b"t", 255 * 64)) == 255 * 64
    for size in (0, 255 * 64 + 1):
        with pytest.raises(ValueError, match="expand"):
            expand_message(b"m", b"t", size)
