"""All that the tables of a match hash: no two inputs are one string, and none begins another. So
nobody who knows a hash can lengthen its input, and SHA-512 may stand for a random function."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from crypto import transcript
from tests.ring import Ring
from tests.standin import standin_group


class Noting:
    """SHA-512 that notes its whole input when it gives a digest."""

    def __init__(self, noted: set[bytes], data: bytes = b"") -> None:
        self.noted, self.data = noted, data

    def update(self, data: bytes) -> None:
        self.data += data

    def copy(self) -> Noting:
        return Noting(self.noted, self.data)

    def digest(self) -> bytes:
        self.noted.add(self.data)
        return hashlib.sha512(self.data).digest()


def labels(inputs: set[bytes]) -> set[bytes]:
    """Return the labels of hashed inputs, each after the domain: a type, a length, and the text."""
    start = len(transcript.statement_bytes("")) - 9
    return {data[start + 9 : start + 9 + data[start + 8]] for data in inputs}


def test_no_hashed_input_begins_another(monkeypatch: pytest.MonkeyPatch) -> None:
    noted = set[bytes]()

    def sha512(data: bytes = b"") -> Any:
        return Noting(noted, data)

    monkeypatch.setattr(transcript, "hashlib", SimpleNamespace(sha512=sha512))
    for number, players in enumerate((2, 3)):
        ring = Ring("tiny", players, group=standin_group(), seed=f"hashed {number}", deals=2)
        ring.play()
        assert all(table.sealed for table in ring.tables)
    hashed = {data for data in noted if data.startswith(transcript.statement_bytes("")[:-9])}
    assert labels(hashed) >= {
        *(b"commit", b"context", b"deck", b"entry", b"key", b"kept", b"kept-share", b"match"),
        *(b"nonce", b"nonces", b"one-of", b"shares", b"shares/statement", b"shares/weight"),
        *(b"stage", b"step", b"terms", b"tw/c", b"tw/e", b"tw/u"),
    }
    for one, other in pairwise(sorted(hashed)):
        assert not other.startswith(one)
