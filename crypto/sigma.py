"""Proofs of knowledge of a solution of linear relations, and OR proofs over a set of faces.

A *relation* is images Y_r = sum over k of x_k P_rk, with witnesses x_k that only the prover knows.
Schnorr's proof has one row and one witness, Chaum-Pedersen's two rows and one witness. One engine
proves them all (Maurer, "Unifying Zero-Knowledge Proofs of Knowledge", 2009), made non-interactive
by Fiat-Shamir over the whole statement:

    T_r = sum of w_k P_rk      c = H(label, statement, P, Y, T)      s_k = w_k + c x_k
    accept iff c == H(label, statement, P, Y, T') with T'_r = sum of s_k P_rk - c Y_r

The OR proof is that of Cramer, Damgard and Schoenmakers (1994), `protocol.md` 7.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crypto.chance import Entropy, nonces
from crypto.errors import InvalidProof
from crypto.group import Group
from crypto.plain import Row
from crypto.transcript import Part, challenge


@dataclass(frozen=True, slots=True)
class Relation:
    """Rows of bases, and their images.

    For a witness that has no part in a row, the base is the identity.
    """

    bases: tuple[tuple[bytes, ...], ...]
    images: tuple[bytes, ...]

    @property
    def width(self) -> int:
        """The number of witnesses."""
        return len(self.bases[0])


def prove(
    group: Group,
    label: str,
    statement: Part,
    relation: Relation,
    witness: Sequence[int],
    entropy: Entropy,
) -> bytes:
    """Prove knowledge of the witness: the challenge and a response per witness, 32 bytes each."""
    draw = nonces(group.order, label, entropy, list(witness), [statement, _spelled(relation)])
    w = [next(draw) for _ in witness]
    moves = group.combine_each((w, row) for row in relation.bases)
    c = challenge(label, statement, _spelled(relation), moves, order=group.order)
    responses = [(w_k + c * x_k) % group.order for w_k, x_k in zip(w, witness, strict=True)]
    return b"".join(group.scalar_bytes(k) for k in (c, *responses))


def verify(group: Group, label: str, statement: Part, relation: Relation, proof: bytes) -> None:
    """Check a proof of this relation.

    InvalidEncoding if it is not made of scalars, InvalidProof if it is wrong.
    """
    c, *responses = group.scalars(proof, 1 + relation.width)
    moves = simulate(group, relation, c, responses)
    if c != challenge(label, statement, _spelled(relation), moves, order=group.order):
        raise InvalidProof(f"the proof {label} does not hold")


def simulate(group: Group, relation: Relation, c: int, responses: Sequence[int]) -> list[bytes]:
    """Return the first moves that fit a challenge and responses.

    Verifying compares their hash, and needs no witness.
    """
    return group.combine_each_public(_simulation(relation, c, responses))


def equal_logarithms(group: Group, public: bytes, a: bytes, d: bytes) -> Relation:
    """Return the relation X = x G and D = x A with one x (Chaum and Pedersen, 1992)."""
    return Relation(bases=((group.generator,), (a,)), images=(public, d))


def prove_one_of(
    group: Group,
    ctx: bytes,
    slot: int,
    key: int,
    a: bytes,
    c: bytes,
    candidates: Sequence[bytes],
    real: int,
    entropy: Entropy,
) -> bytes:
    """Prove that a hidden slot holds one of these faces: X = x G, and C' - M_f = x A for some f.

    `key` is the holder's secret x, `a` the slot's A, `c` its C' (B without the others' shares),
    `real` the index of its face among the candidates. The proof is (c_f, z_f) for each candidate,
    64 bytes. ValueError if the slot does not hold the real face.

    Since the prover knows x, it makes T_f from w_f = z_f - c_f x with one product less than a
    simulation: with C' = M_real + x A, T_f = (w_f G, w_f A - c_f (M_real - M_f)). For the real face
    the difference is the identity.
    """
    order = group.order
    public = group.base(key)
    if group.add(candidates[real], group.mult(key, a)) != c:
        raise ValueError("the slot does not hold that face")
    statement = _one_of(ctx, slot, public, a, c, candidates)
    draw = nonces(order, "one-of", entropy, [key, real], statement)
    starts, challenges = [], []
    for _ in candidates:
        starts.append(next(draw))
        challenges.append(next(draw))
    rows: list[Row] = []
    for w, c_f, face in zip(starts, challenges, candidates, strict=True):
        rows += [((w,), (group.generator,)), ((w, -c_f), (a, group.sub(candidates[real], face)))]
    moves = group.combine_each(rows)
    total = challenge("one-of", statement, moves, order=order)
    challenges[real] = (total - sum(challenges) + challenges[real]) % order
    return b"".join(
        group.scalar_bytes(c_f) + group.scalar_bytes((w + c_f * key) % order)
        for c_f, w in zip(challenges, starts, strict=True)
    )


def verify_one_of(
    group: Group,
    ctx: bytes,
    slot: int,
    public: bytes,
    a: bytes,
    c: bytes,
    candidates: Sequence[bytes],
    proof: bytes,
) -> None:
    """Check that a hidden slot holds one of these faces; these, `a` and `c` are the verifier's own.

    InvalidProof if the proof is wrong, or there are no candidates; InvalidEncoding if these are no
    scalars.
    """
    if not candidates:
        raise InvalidProof("no face is allowed, so none can be proven")
    scalars = group.scalars(proof, 2 * len(candidates))
    challenges, responses = scalars[::2], scalars[1::2]
    rows: list[Row] = []
    for face, c_f, z_f in zip(candidates, challenges, responses, strict=True):
        rows += [((z_f, -c_f), (group.generator, public)), ((z_f, -c_f), (a, group.sub(c, face)))]
    moves = group.combine_each_public(rows)
    total = challenge(
        "one-of", _one_of(ctx, slot, public, a, c, candidates), moves, order=group.order
    )
    if sum(challenges) % group.order != total:
        raise InvalidProof(
            f"it is not proven that slot {slot} holds one of {len(candidates)} faces"
        )


def _simulation(relation: Relation, c: int, responses: Sequence[int]) -> list[Row]:
    scalars = (*responses, -c)
    return [(scalars, (*row, y)) for row, y in zip(relation.bases, relation.images, strict=True)]


def _spelled(relation: Relation) -> Part:
    return [list(relation.bases), list(relation.images)]


def _one_of(
    ctx: bytes, slot: int, public: bytes, a: bytes, c: bytes, candidates: Sequence[bytes]
) -> Part:
    return [ctx, slot, public, a, c, list(candidates)]
