"""Masked decks: keys, starting decks, shares with their proofs, and removing masks.

Letters, as in `protocol.md` 7: x_i and X_i = x_i G are a seat's deck key, X their sum; M_j the
point of card number j; a slot is a cipher (A, B), at the start (G, M_j + X); D_i = x_i A a seat's
share; M = B - sum of D_i. Bytes: an element 32, a deck 64 N (A and B of each slot), a proof of this
file 64 (challenge, response), a kept share 96 (D and its proof).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from crypto import sigma
from crypto.chance import Entropy
from crypto.errors import InvalidEncoding, InvalidProof
from crypto.group import Group
from crypto.transcript import Part, challenges128, digest

Cipher: TypeAlias = tuple[bytes, bytes]
Ciphers: TypeAlias = tuple[Cipher, ...]

KEPT_SHARE = 96
"""Bytes of a kept share."""

CARD_DST = b"sobremesa/v1/card"
"""The tag under which the cards of a pack are hashed to points. It differs from that of the
generators of a shuffle."""


@dataclass(frozen=True, slots=True)
class DeckKey:
    """A seat's key for one deck: fresh for every shuffle."""

    secret: int = field(repr=False)
    public: bytes


def new_key(group: Group, entropy: Entropy) -> DeckKey:
    """Draw a deck key."""
    return key_from_secret(group, group.random_scalar(entropy))


def key_from_secret(group: Group, secret: int) -> DeckKey:
    """Return the deck key of a secret from 1 to L-1, as in a journal. ValueError for others."""
    if not 0 < secret < group.order:
        raise ValueError("not the secret of a deck key")
    return DeckKey(secret, group.base(secret))


def prove_key(
    group: Group, ctx: bytes, seat: int, owner: bytes, key: DeckKey, entropy: Entropy
) -> bytes:
    """Prove possession of a deck key (Schnorr), bound to the deck, the seat and its owner's id."""
    return sigma.prove(
        group, "key", [ctx, seat, owner], _possession(group, key.public), [key.secret], entropy
    )


def verify_key(
    group: Group, ctx: bytes, seat: int, owner: bytes, public: bytes, proof: bytes
) -> bytes:
    """Accept a deck key, and return it.

    InvalidEncoding if it is no element, or 0; InvalidProof if it is not that seat's.
    """
    public = group.element(public)
    sigma.verify(group, "key", [ctx, seat, owner], _possession(group, public), proof)
    return public


def joint_key(group: Group, publics: Sequence[bytes]) -> bytes:
    """Add the accepted keys of a deck's holders to X.

    InvalidProof if two are equal, if there are none, or if they cancel out.
    """
    if len(set(publics)) != len(publics):
        raise InvalidProof("two seats have the same deck key")
    joint = group.sum(publics)
    if joint == group.identity:
        raise InvalidProof("the deck keys cancel out")
    return joint


def card_points(group: Group, pack: str, n: int) -> tuple[bytes, ...]:
    """Return the points M_0 .. M_(n-1) of a pack's physical cards, which are cached."""
    return group.family(CARD_DST, pack.encode(), n)


def starting_deck(group: Group, points: Sequence[bytes], joint: bytes) -> Ciphers:
    """Return (G, M_j + X) for these points: the public deck before the first shuffle.

    Never deal from it: all A are equal, so one share would open every slot.
    """
    return tuple((group.generator, group.add(point, joint)) for point in points)


def encode_deck(deck: Ciphers) -> bytes:
    """Encode a deck in 64 bytes a slot: A then B."""
    return b"".join(part for cipher in deck for part in cipher)


def decode_deck(group: Group, data: bytes, n: int) -> Ciphers:
    """Accept a shuffled deck of n slots.

    InvalidEncoding if it is none; InvalidProof if an A occurs twice or is 0.
    """
    parts = group.elements(data, 2 * n, identity=True)
    deck = tuple(zip(parts[::2], parts[1::2], strict=True))
    require_distinct(group, deck)
    return deck


def require_distinct(group: Group, deck: Ciphers) -> None:
    """Reject a deck in which one share opens two slots.

    InvalidProof if an A occurs twice, or is 0 so that no share is needed. Known sums of several A
    would serve too; only the secret masks of an honest shuffle exclude those.
    """
    firsts = {a for a, _ in deck}
    if len(firsts) != len(deck):
        raise InvalidProof("two slots of the deck would open with one share")
    if group.identity in firsts:
        raise InvalidProof("a slot of the deck would open without a share")


def make_shares(
    group: Group,
    ctx: bytes,
    key: DeckKey,
    slots: Sequence[int],
    ciphers: Sequence[Cipher],
    entropy: Entropy,
) -> tuple[bytes, bytes]:
    """Return a seat's shares of slots of one deck, and one proof for all.

    A share takes 32 bytes, the proof 64. `ciphers` are those of `slots`, one for one. For no slots,
    both are empty. ValueError if a slot is named twice.
    """
    _require_slots(slots, ciphers)
    if not slots:
        return b"", b""
    firsts = [a for a, _ in ciphers]
    shares = [group.mult(key.secret, a) for a in firsts]
    statement = _shares(ctx, key.public, slots, firsts, shares)
    (a,) = _weighted(group, statement, [firsts])
    # The sum of the shares is this seat's share of the sum of the A: one product instead of one per
    # slot.
    d = shares[0] if len(shares) == 1 else group.mult(key.secret, a)
    relation = sigma.equal_logarithms(group, key.public, a, d)
    return b"".join(shares), sigma.prove(
        group, "shares", statement, relation, [key.secret], entropy
    )


def verify_shares(
    group: Group,
    ctx: bytes,
    public: bytes,
    slots: Sequence[int],
    ciphers: Sequence[Cipher],
    data: bytes,
    proof: bytes,
) -> tuple[bytes, ...]:
    """Accept a seat's shares of these slots, and return them in the same order.

    `ciphers` come from the verifier's own deck. InvalidEncoding if a share is no element, or 0;
    InvalidProof if one is false.
    """
    _require_slots(slots, ciphers)
    if not slots:
        if data or proof:
            raise InvalidEncoding("shares of no slots, and yet some bytes")
        return ()
    shares = group.elements(data, len(slots))
    firsts = [a for a, _ in ciphers]
    statement = _shares(ctx, public, slots, firsts, shares)
    a, d = _weighted(group, statement, [firsts, shares])
    relation = sigma.equal_logarithms(group, public, a, d)
    sigma.verify(group, "shares", statement, relation, proof)
    return tuple(shares)


def make_kept_share(group: Group, ctx: bytes, key: DeckKey, slot: int, a: bytes) -> bytes:
    """Return our share of one slot that was dealt to us, with a proof, to show its face later.

    96 bytes: D, then the proof. It opens that slot only, and its label serves nothing else. The
    nonce is hashed from key and statement alone, so the same share always has the same bytes.
    """
    share = group.mult(key.secret, a)
    relation = sigma.equal_logarithms(group, key.public, a, share)
    return share + sigma.prove(group, "kept-share", [ctx, slot], relation, [key.secret], bytes)


def verify_kept_share(
    group: Group, ctx: bytes, public: bytes, slot: int, a: bytes, data: bytes
) -> bytes:
    """Accept a seat's kept share of a slot, and return D.

    A comes from the verifier's own deck. InvalidEncoding if it is not an element other than 0, and
    two scalars; InvalidProof if it is false.
    """
    share = group.element(data[:32])
    relation = sigma.equal_logarithms(group, public, a, share)
    sigma.verify(group, "kept-share", [ctx, slot], relation, data[32:])
    return share


def unmask(group: Group, cipher: Cipher, shares: Iterable[bytes]) -> bytes:
    """Remove masks: return B - sum of the shares.

    With every holder's share that is the card's point M.
    """
    rest = cipher[1]
    for share in shares:
        rest = group.sub(rest, share)
    return rest


def _possession(group: Group, public: bytes) -> sigma.Relation:
    return sigma.Relation(bases=((group.generator,),), images=(public,))


def _shares(
    ctx: bytes, public: bytes, slots: Sequence[int], firsts: list[bytes], shares: list[bytes]
) -> Part:
    return digest("shares/statement", ctx, public, list(slots), firsts, shares)


def _weighted(group: Group, statement: Part, lists: list[list[bytes]]) -> list[bytes]:
    """Add each list with the weights by which a batch is proven as one.

    A weight has 128 bits, hashed from the whole batch; the first is 1. If a share other than the
    first is false, the sums are equal for one in 2**128 of the weights; if only the first is, for
    none.
    """
    n = len(lists[0])
    if n == 1:
        return [elements[0] for elements in lists]
    weights = [1, *challenges128("shares/weight", statement, n=n)[1:]]
    return group.combine_each_public((weights, elements) for elements in lists)


def _require_slots(slots: Sequence[int], ciphers: Sequence[Cipher]) -> None:
    if len(slots) != len(ciphers) or len(set(slots)) != len(slots):
        raise ValueError("each slot needs one cipher, and is named once")
