"""Randomness is an argument, is used fairly, and betrays nothing when its source is broken."""

from __future__ import annotations

import ast
import os
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

import crypto
from crypto import masking
from crypto.chance import below, fresh, nonces
from crypto.group import ristretto255
from tests.standin import seeded

ORDER = ristretto255().order


def take(n: int, *arguments: object) -> list[int]:
    return list(islice(nonces(ORDER, *arguments), n))  # type: ignore[arg-type]  # any of them


def test_a_short_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="31 bytes instead of 32"):
        fresh(lambda n: bytes(n - 1), 32)


def test_below_is_in_range_and_even() -> None:
    entropy = seeded("below")
    counts = Counter(below(5, entropy) for _ in range(5000))
    assert set(counts) == {0, 1, 2, 3, 4}
    # chi square, 4 degrees of freedom, 99.9 %
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 18.5
    assert below(1, entropy) == 0
    for bound in (0, -1, 2**64 + 1):
        with pytest.raises(ValueError, match="draw"):
            below(bound, entropy)


def test_nonces_depend_on_entropy_secret_and_statement() -> None:
    base = take(3, "l", bytes, [5], b"s")
    assert base == take(3, "l", bytes, [5], b"s")
    others = [
        take(3, "m", bytes, [5], b"s"),
        take(3, "l", os.urandom, [5], b"s"),
        take(3, "l", bytes, [6], b"s"),
        take(3, "l", bytes, [5], b"t"),
    ]
    everything = [nonce for some in (base, *others) for nonce in some]
    assert len(set(everything)) == len(everything)
    assert all(0 < nonce < ORDER for nonce in everything)


def test_two_proofs_from_a_stuck_source_do_not_give_the_key_away() -> None:
    group = ristretto255()
    key = masking.new_key(group, os.urandom)
    proofs = [masking.prove_key(group, ctx, 0, b"me", key, bytes) for ctx in (b"one", b"two")]
    (c1, s1), (c2, s2) = (group.scalars(proof, 2) for proof in proofs)
    assert (s1 - s2) * pow(c1 - c2, -1, ORDER) % ORDER != key.secret


def test_no_source_of_randomness_is_imported_anywhere_in_crypto() -> None:
    for path in Path(str(crypto.__file__)).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not names & {"random", "secrets", "uuid", "time"}, path
        calls = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert not calls & {"urandom", "generate", "SystemRandom", "getrandom"}, path
