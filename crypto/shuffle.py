"""Shuffle a masked deck and prove it with the proof of Terelius and Wikstrom.

It is specified in `docs/protocol.md` 7, in the form and letters of Haenni, Locher, Koenig and
Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets" (FC 2017 workshops), and
non-interactive over the whole statement. N slots; X the joint key; e the deck before, o = (A^out,
B^out) after; pi the permutation: output i is input pi(i); r_i its new randomness; H_0 .. H_N
generators without a known relation; C (c) permutation commitments and Ĉ (c_hat) the chain that
shows that the u'_i are a permutation of the u_j. Indexes in code begin at 0, so Ĉ_i of the paper is
`c_hat[i - 1]`, with Ĉ_0 = H_0.

The proof is (C, Ĉ, c, s1 .. s4, ŝ, s'): 2N elements, 16 bytes, 4 + 2N scalars; 128 N + 144 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from crypto.chance import Entropy, below, nonces
from crypto.errors import InvalidEncoding, InvalidProof
from crypto.group import Group
from crypto.masking import Ciphers, encode_deck, require_distinct
from crypto.transcript import challenge128, challenges128, digest

GENERATOR_DST = b"sobremesa/v1/gen"
"""The tag under which the generators H_i are hashed. It differs from that of the cards."""


def proof_size(n: int) -> int:
    """Return the number of bytes of a proof for n slots."""
    return 128 * n + 144


def draw_permutation(n: int, entropy: Entropy) -> tuple[int, ...]:
    """Draw one of the n! orders of 0 .. n-1, all equally likely (Fisher and Yates)."""
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        other = below(last + 1, entropy)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def shuffle_deck(
    group: Group, joint: bytes, deck: Ciphers, permutation: Sequence[int], randomness: Sequence[int]
) -> Ciphers:
    """Re-mask and re-order: output i is (A_pi(i) + r_i G, B_pi(i) + r_i X)."""
    require_permutation(permutation, len(deck))
    firsts = group.mask(group.generator, randomness, [deck[j][0] for j in permutation])
    seconds = group.mask(joint, randomness, [deck[j][1] for j in permutation])
    return tuple(zip(firsts, seconds, strict=True))


def prove_shuffle(
    group: Group,
    ctx: bytes,
    joint: bytes,
    before: Ciphers,
    after: Ciphers,
    permutation: Sequence[int],
    randomness: Sequence[int],
    entropy: Entropy,
) -> bytes:
    """Prove that `after` is `before` shuffled with this permutation and randomness."""
    n, order = len(before), group.order
    require_permutation(permutation, n)
    g = generators(group, n)
    statement = _statement(group, ctx, joint, before, after)
    draw = nonces(order, "tw", entropy, [list(permutation), list(randomness)], statement)

    rho = [next(draw) for _ in range(n)]  # in the order of the outputs, as the generators are
    c = [b""] * n
    for j, commitment in zip(permutation, group.mask(group.generator, rho, g.rest), strict=True):
        c[j] = commitment
    st, u = challenges(statement, c)
    u_out = [u[j] for j in permutation]

    # Each link of the chain is a G + b H_0, since the one before it is.
    rho_hat = [next(draw) for _ in range(n)]
    links = [(0, 1)]
    for part, weight in zip(rho_hat, u_out, strict=True):
        a, b = links[-1]
        links.append(((part + weight * a) % order, weight * b % order))
    pair = (group.generator, g.first)
    c_hat = group.combine_each((link, pair) for link in links[1:])
    secrets = (
        sum(rho),
        links[-1][0],
        sum(part * weight for part, weight in zip(rho, u_out, strict=True)),
        sum(part * weight for part, weight in zip(randomness, u_out, strict=True)),
    )

    w = [next(draw) for _ in range(4)]
    w_hat = [next(draw) for _ in range(n)]
    w_out = [next(draw) for _ in range(n)]
    masked = sum(part * r for part, r in zip(w_out, randomness, strict=True))
    moves = group.combine_each(
        [
            ((w[0],), (group.generator,)),
            ((w[1],), (group.generator,)),
            ((w[2], *w_out), (group.generator, *g.rest)),
            # The sum of w'_i A^out_i, using A^out_i = A_pi(i) + r_i G: one product if every A is G,
            # as in the starting deck.
            ((masked - w[3], *w_out), (group.generator, *(before[j][0] for j in permutation))),
            ((-w[3], *w_out), (joint, *(b for _, b in after))),
            *(
                ((hat + out * a, out * b), pair)
                for hat, out, (a, b) in zip(w_hat, w_out, links[:-1], strict=True)
            ),
        ]
    )
    chall = challenge128("tw/c", st, b"".join(c_hat), b"".join(moves))

    responses = [
        (start + chall * secret) % order
        for start, secret in zip((*w, *w_hat, *w_out), (*secrets, *rho_hat, *u_out), strict=True)
    ]
    parts = [*c, *c_hat, chall.to_bytes(16, "little"), *(group.scalar_bytes(s) for s in responses)]
    return b"".join(parts)


def verify_shuffle(
    group: Group, ctx: bytes, joint: bytes, before: Ciphers, after: Ciphers, proof: bytes
) -> None:
    """Check that `after` is a shuffle of `before`, which is the verifier's own.

    Both are accepted elements. InvalidEncoding if the proof is not made of elements and scalars;
    InvalidProof if it is wrong, if the decks differ in size, or if one share would open two slots
    of `after`.
    """
    n = len(before)
    if not n or len(after) != n:
        raise InvalidProof(f"{len(after)} slots cannot be a shuffle of {n}")
    require_distinct(group, after)
    p = _decode(group, proof, n)
    g = generators(group, n)
    st, u = challenges(_statement(group, ctx, joint, before, after), p.c)
    product = 1
    for weight in u:
        product = product * weight % group.order

    c = p.challenge
    s1, s2, s3, s4 = p.s
    minus_cu = [-c * weight for weight in u]
    before_after = (*p.s_out, *minus_cu)
    moves = group.combine_each_public(
        [
            ((s1, -c), (group.generator, group.sub(group.sum(p.c), g.total))),
            ((s2, -c, c * product), (group.generator, p.c_hat[-1], g.first)),
            ((s3, *p.s_out, *minus_cu), (group.generator, *g.rest, *p.c)),
            (
                (-s4, *before_after),
                (group.generator, *(a for a, _ in after), *(a for a, _ in before)),
            ),
            ((-s4, *before_after), (joint, *(b for _, b in after), *(b for _, b in before))),
            *(
                ((s_hat, s_out, -c), (group.generator, link, next_link))
                for s_hat, s_out, link, next_link in zip(
                    p.s_hat, p.s_out, (g.first, *p.c_hat[:-1]), p.c_hat, strict=True
                )
            ),
        ]
    )
    if c != challenge128("tw/c", st, b"".join(p.c_hat), b"".join(moves)):
        raise InvalidProof("the deck that was handed on is not a shuffle of the one received")


@dataclass(frozen=True, slots=True)
class Generators:
    """H_0, then H_1 .. H_N with their sum, and a hash of them all."""

    first: bytes
    rest: tuple[bytes, ...]
    total: bytes
    fingerprint: bytes


@lru_cache(maxsize=64)
def generators(group: Group, n: int) -> Generators:
    """Return the generators for n slots, recomputed from constants in every process."""
    first, *rest = group.family(GENERATOR_DST, b"", n + 1)
    return Generators(first, tuple(rest), group.sum(rest), digest("tw/gen", first, rest))


@dataclass(frozen=True, slots=True)
class _Proof:
    """A proof's parts, by their names in the module's docstring."""

    c: list[bytes]
    c_hat: list[bytes]
    challenge: int
    s: list[int]
    s_hat: list[int]
    s_out: list[int]


def _decode(group: Group, proof: bytes, n: int) -> _Proof:
    if type(proof) is not bytes or len(proof) != proof_size(n):
        raise InvalidEncoding(f"not the length of a proof for {n} slots")
    points, scalars = 64 * n, group.scalars(proof[64 * n + 16 :], 4 + 2 * n)
    elements = group.elements(proof[:points], 2 * n)
    challenge = int.from_bytes(proof[points : points + 16], "little")
    return _Proof(
        elements[:n], elements[n:], challenge, scalars[:4], scalars[4 : 4 + n], scalars[4 + n :]
    )


def _statement(group: Group, ctx: bytes, joint: bytes, before: Ciphers, after: Ciphers) -> bytes:
    fingerprint = generators(group, len(before)).fingerprint
    return digest(
        "tw/e", ctx, group.generator, fingerprint, joint, encode_deck(before), encode_deck(after)
    )


def challenges(statement: bytes, c: list[bytes]) -> tuple[bytes, list[int]]:
    """Hash the statement and the permutation commitments to st, and st to the u_j."""
    st = digest("tw/u", statement, b"".join(c))
    return st, challenges128("tw/u", st, n=len(c))


def require_permutation(permutation: Sequence[int], n: int) -> None:
    """Raise ValueError if this is no order of n slots."""
    if not n or sorted(permutation) != list(range(n)):
        raise ValueError(f"not an order of {n} slots")
