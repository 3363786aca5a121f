"""A commitment opens to one value for one seat on one head, and a toss is fair if one seat is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from crypto.commitment import check_reveal, commit, toss_result, toss_value
from crypto.errors import InvalidProof
from tests.standin import seeded

WORDS: dict[str, Any] = {
    "match": b"match",
    "head": b"head",
    "seat": 1,
    "nonce": bytes(range(32)),
    "value": b"7",
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("match", b"other"),
        ("head", b"another"),
        ("seat", 2),
        ("nonce", bytes(32)),
        ("nonce", b""),
        ("value", b"8"),
        ("value", b""),
    ],
)
def test_nothing_else_can(field: str, value: object) -> None:
    with pytest.raises(InvalidProof):
        check_reveal(commit(**WORDS), **{**WORDS, field: value})
    with pytest.raises(InvalidProof):
        check_reveal(commit(**WORDS)[:-1], **WORDS)


def test_a_toss_is_the_sum_of_its_parts() -> None:
    assert toss_result([1, 3, 3], 4) == 3
    assert toss_result([0], 1) == 0
    counts = Counter(
        toss_result([3, toss_value(4, entropy)], 4)
        for entropy in [seeded("toss")]
        for _ in range(2000)
    )
    assert set(counts) == {0, 1, 2, 3}
    assert min(counts.values()) > 400


@pytest.mark.parametrize("value", [-1, 4, 2**70, True, "1", None, 1.0])
def test_a_part_outside_the_range_is_refused(value: int) -> None:
    with pytest.raises(InvalidProof):
        toss_result([0, value], 4)
