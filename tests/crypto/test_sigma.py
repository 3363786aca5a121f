"""Proofs of linear relations and of one face among several: they hold, and hold for nothing
else."""

from __future__ import annotations

import os
from typing import Any

import pytest

from crypto.backend import backends
from crypto.errors import InvalidEncoding, InvalidProof
from crypto.group import Group, ristretto255
from crypto.masking import card_points
from crypto.sigma import (
    Relation,
    prove,
    prove_one_of,
    simulate,
    verify,
    verify_one_of,
)
from tests.standin import seeded


def pedersen(group: Group) -> tuple[Relation, list[int]]:
    """Two rows, three witnesses, one of them in both rows."""
    g, h, zero = group.generator, group.hash_to_group(b"test", b"h"), group.identity
    x, y, z = (group.random_scalar(seeded(name)) for name in "xyz")
    images = tuple(group.combine_each([((x, y), (g, h)), ((y, z), (g, h))]))
    return Relation(bases=((g, h, zero), (zero, g, h)), images=images), [x, y, z]


def test_a_relation_is_proven_and_verified(group: Group) -> None:
    relation, witness = pedersen(group)
    proof = prove(group, "test", b"statement", relation, witness, os.urandom)
    assert len(proof) == 32 * 4
    verify(group, "test", b"statement", relation, proof)


def test_a_false_witness_proves_nothing(group: Group) -> None:
    relation, witness = pedersen(group)
    for index in range(3):
        wrong = [x + (k == index) for k, x in enumerate(witness)]
        with pytest.raises(InvalidProof):
            verify(
                group, "test", b"", relation, prove(group, "test", b"", relation, wrong, os.urandom)
            )


def test_each_part_of_the_statement_is_bound(group: Group) -> None:
    relation, witness = pedersen(group)
    proof = prove(group, "test", b"statement", relation, witness, os.urandom)
    other = group.base(9)
    verify(group, "test", b"statement", relation, proof)
    for label, statement, changed in (
        ("toast", b"statement", relation),
        ("test", b"statemen", relation),
        ("test", [b"statement"], relation),
        ("test", b"statement", Relation(relation.bases, (other, relation.images[1]))),
        ("test", b"statement", Relation(relation.bases, relation.images[::-1])),
        ("test", b"statement", Relation(relation.bases[::-1], relation.images[::-1])),
        (
            "test",
            b"statement",
            Relation((relation.bases[0], (*relation.bases[1][:2], other)), relation.images),
        ),
    ):
        with pytest.raises(InvalidProof):
            verify(group, label, statement, changed, proof)


def test_a_simulation_fits_its_challenge_and_no_hash(group: Group) -> None:
    relation, _ = pedersen(group)
    c, responses = 5, [1, 2, 3]
    moves = simulate(group, relation, c, responses)
    for row, y, move in zip(relation.bases, relation.images, moves, strict=True):
        assert group.combine_each([(responses, row)]) == [group.add(move, group.mult(c, y))]
    for other in (c, 0):
        forged = b"".join(group.scalar_bytes(k) for k in (other, *responses))
        with pytest.raises(InvalidProof):
            verify(group, "test", b"", relation, forged)


def test_a_proof_has_one_spelling(group: Group) -> None:
    relation, witness = pedersen(group)
    proof = prove(group, "test", b"", relation, witness, os.urandom)
    for at in range(0, len(proof), 32):
        unreduced = (int.from_bytes(proof[at : at + 32], "little") + group.order).to_bytes(
            32, "little"
        )
        with pytest.raises(InvalidEncoding):
            verify(group, "test", b"", relation, proof[:at] + unreduced + proof[at + 32 :])


def claim(group: Group, n: int = 4, real: int = 2) -> dict[str, Any]:
    key, a = group.random_scalar(seeded("key")), group.base(group.random_scalar(seeded("a")))
    candidates = list(card_points(group, "test", n))
    c = group.add(candidates[real], group.mult(key, a))
    proof = prove_one_of(group, b"ctx", 5, key, a, c, candidates, real, os.urandom)
    return {
        "ctx": b"ctx",
        "slot": 5,
        "public": group.base(key),
        "a": a,
        "c": c,
        "candidates": candidates,
        "proof": proof,
    }


@pytest.mark.parametrize("n", [1, 2, 21])
def test_one_of_several_faces_is_proven(n: int) -> None:
    group = ristretto255()
    for real in {0, n // 2, n - 1}:
        made = claim(group, n, real)
        assert len(made["proof"]) == 64 * n
        verify_one_of(group, **made)


def test_a_prover_who_leaves_that_check_out_is_refused() -> None:
    group = ristretto255()
    key, a = 7, group.base(3)
    candidates = list(card_points(group, "test", 3))
    held = group.add(card_points(group, "test", 4)[3], group.mult(key, a))
    believed = group.add(candidates[1], group.mult(key, a))
    proof = prove_one_of(group, b"", 0, key, a, believed, candidates, 1, os.urandom)
    for c in (held, group.identity):
        with pytest.raises(InvalidProof):
            verify_one_of(group, b"", 0, group.base(key), a, c, candidates, proof)


def test_a_claim_is_about_the_faces_of_the_verifiers_board(group: Group) -> None:
    """A proof over more, fewer or other faces than the verifier's own list is refused."""
    larger, made = claim(group, 5), claim(group)
    with pytest.raises(InvalidEncoding):
        verify_one_of(group, **{**made, "proof": larger["proof"]})
    with pytest.raises(InvalidEncoding):
        verify_one_of(group, **{**made, "candidates": made["candidates"][:3]})
    with pytest.raises(InvalidProof):
        verify_one_of(group, **{**made, "proof": larger["proof"][: 64 * 4]})
    with pytest.raises(InvalidProof, match="no face"):
        verify_one_of(group, **{**made, "candidates": [], "proof": b""})


def test_a_part_of_a_claim_cannot_be_moved_to_another_face() -> None:
    group = ristretto255()
    made = claim(group)
    proof = made["proof"]
    for swapped in (proof[64:] + proof[:64], proof[64:128] + proof[:64] + proof[128:]):
        with pytest.raises(InvalidProof):
            verify_one_of(group, **{**made, "proof": swapped})


def test_a_claim_says_nothing_about_which_face_it_is() -> None:
    """The real branch's numbers are spread like the others', and take the same operations wherever
    it stands."""
    group = Group(backends()[0])
    counts = []
    for real in (0, 3):
        before = group.counts
        made = claim(group, 4, real)
        counts.append(group.counts - before)
        scalars = [made["proof"][at : at + 32] for at in range(0, 256, 32)]
        assert len(set(scalars)) == 8
    assert counts[0] - counts[1] == {"hash": 4}  # the cards themselves, made the first time
