"""A commitment opens to one value for one seat on one head."""

from __future__ import annotations

from typing import Any

import pytest

from crypto.commitment import check_reveal, commit
from crypto.errors import InvalidProof

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
