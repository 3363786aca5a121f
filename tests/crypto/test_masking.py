"""Deck keys, decks and shares: dealing works, and a seat that cheats with a key, a deck or a share
is refused."""

from __future__ import annotations

import os
from typing import Any

import pytest

from crypto import sigma, transcript
from crypto.errors import CryptoError, InvalidEncoding, InvalidProof
from crypto.group import Group, ristretto255
from crypto.masking import (
    Ciphers,
    DeckKey,
    card_points,
    decode_deck,
    encode_deck,
    joint_key,
    make_kept_share,
    make_shares,
    new_key,
    prove_key,
    starting_deck,
    unmask,
    verify_key,
    verify_shares,
)
from crypto.shuffle import draw_permutation, shuffle_deck
from tests.standin import seeded


def deal(group: Group, seats: int, n: int) -> tuple[list[DeckKey], Ciphers, list[int]]:
    """Make a deck shuffled by every seat; give the keys, the deck, and which card each slot
    holds."""
    keys = [new_key(group, seeded(("key", seat))) for seat in range(seats)]
    joint = joint_key(group, [key.public for key in keys])
    deck, cards = starting_deck(group, card_points(group, "test", n), joint), list(range(n))
    for seat in range(seats):
        entropy = seeded(("shuffle", seat))
        order = draw_permutation(n, entropy)
        deck = shuffle_deck(
            group, joint, deck, order, [group.random_scalar(entropy) for _ in order]
        )
        cards = [cards[j] for j in order]
    return keys, decode_deck(group, encode_deck(deck), n), cards


def test_all_shares_together_open_a_slot_and_all_but_one_do_not(group: Group) -> None:
    keys, deck, cards = deal(group, 3, 4)
    points = card_points(group, "test", 4)
    slots = [3, 0]
    ciphers = [deck[slot] for slot in slots]
    shares = []
    for key in keys:
        data, proof = make_shares(group, b"ctx", key, slots, ciphers, os.urandom)
        assert (len(data), len(proof)) == (64, 64)
        shares.append(verify_shares(group, b"ctx", key.public, slots, ciphers, data, proof))
    for index, slot in enumerate(slots):
        mine = [share[index] for share in shares]
        assert unmask(group, deck[slot], mine) == points[cards[slot]]
        for missing in range(3):
            assert unmask(group, deck[slot], mine[:missing] + mine[missing + 1 :]) not in points


# Keys.


def test_a_rogue_key_is_refused(group: Group) -> None:
    """A seat that names Y minus the others' keys as its own knows no logarithm of it, and borrows
    no proof."""
    others = [new_key(group, seeded(seat)) for seat in range(2)]
    mine = new_key(group, seeded("mine"))
    rogue = group.sub(mine.public, group.sum(key.public for key in others))
    believed = DeckKey(mine.secret, rogue)
    borrowed = prove_key(group, b"ctx", 0, b"p0", others[0], os.urandom)
    for proof in (
        prove_key(group, b"ctx", 2, b"p2", believed, os.urandom),
        borrowed,
        os.urandom(31) + bytes(33),
    ):
        with pytest.raises(CryptoError):
            verify_key(group, b"ctx", 2, b"p2", rogue, proof)
    with pytest.raises(InvalidProof):
        verify_key(group, b"ctx", 2, b"p2", others[0].public, borrowed)


def test_keys_that_are_equal_or_cancel_out_make_no_deck(group: Group) -> None:
    p, q = group.base(5), group.base(7)
    assert joint_key(group, [p, q]) == group.base(12)
    for publics in ([p, q, p], [p, group.base(-5)], [p, q, group.base(-12)], []):
        with pytest.raises(InvalidProof):
            joint_key(group, publics)


def test_no_secret_is_in_a_repr() -> None:
    key = new_key(ristretto255(), os.urandom)
    shown = repr(key)
    assert str(key.secret) not in shown
    assert hex(key.secret)[2:] not in shown
    assert "secret" not in shown


# Decks.


def test_no_two_slots_open_with_one_share(group: Group) -> None:
    _, deck, _ = deal(group, 1, 3)
    for changed in (
        ((deck[1][0], deck[0][1]), *deck[1:]),
        ((group.identity, deck[0][1]), *deck[1:]),
        starting_deck(group, card_points(group, "test", 3), group.base(9)),
    ):
        with pytest.raises(InvalidProof):
            decode_deck(group, encode_deck(changed), 3)


# Shares.


def shared(group: Group, slots: list[int]) -> tuple[DeckKey, Ciphers, dict[str, Any]]:
    keys, deck, _ = deal(group, 2, 4)
    ciphers = [deck[slot] for slot in slots]
    data, proof = make_shares(group, b"ctx", keys[0], slots, ciphers, os.urandom)
    made = {
        "ctx": b"ctx",
        "public": keys[0].public,
        "slots": slots,
        "ciphers": ciphers,
        "data": data,
        "proof": proof,
    }
    verify_shares(group, **made)
    return keys[0], deck, made


def test_a_kept_share_is_the_same_every_time_and_its_nonce_is_of_its_statement(
    group: Group,
) -> None:
    """Two responses with one nonce and two challenges would give the key away."""
    keys, deck, _ = deal(group, 2, 4)
    a = deck[2][0]
    first = make_kept_share(group, b"ctx", keys[0], 2, a)
    assert make_kept_share(group, b"ctx", keys[0], 2, a) == first
    nonces = set[int]()
    for ctx, slot, key in ((b"ctx", 2, 0), (b"ctX", 2, 0), (b"ctx", 3, 0), (b"ctx", 2, 1)):
        c, s = group.scalars(make_kept_share(group, ctx, keys[key], slot, a)[32:], 2)
        nonces.add((s - c * keys[key].secret) % group.order)
    assert len(nonces) == 4


def test_a_liar_cannot_make_a_proof_for_a_false_share(group: Group) -> None:
    """Shares are false by amounts that cancel out for the weights of an honest batch: the weights
    then change."""
    keys, deck, _ = deal(group, 2, 4)
    slots, ciphers = [0, 1], [deck[0], deck[1]]
    honest = [group.mult(keys[0].secret, a) for a, _ in ciphers]
    statement = transcript.digest(
        "shares/statement", b"ctx", keys[0].public, slots, [a for a, _ in ciphers], honest
    )
    weight = transcript.challenge128("shares/weight", statement, 1)
    error = group.base(3)
    data = group.sub(honest[0], group.mult(weight, error)) + group.add(honest[1], error)
    _, proof = make_shares(group, b"ctx", keys[0], slots, ciphers, os.urandom)
    with pytest.raises(InvalidProof):
        verify_shares(group, b"ctx", keys[0].public, slots, ciphers, data, proof)


def test_a_liar_makes_no_proof_for_errors_that_cancel_out_in_a_plain_sum(
    group: Group,
) -> None:
    """The proof is for the sums that equal weights would give, and for the false shares."""
    keys, deck, _ = deal(group, 2, 4)
    slots, ciphers, public = [0, 1], [deck[0], deck[1]], keys[0].public
    firsts = [a for a, _ in ciphers]
    honest = [group.mult(keys[0].secret, a) for a in firsts]
    error = group.base(3)
    false = [group.add(honest[0], error), group.sub(honest[1], error)]
    statement = transcript.digest("shares/statement", b"ctx", public, slots, firsts, false)
    relation = sigma.equal_logarithms(group, public, group.sum(firsts), group.sum(false))
    proof = sigma.prove(group, "shares", statement, relation, [keys[0].secret], os.urandom)
    with pytest.raises(InvalidProof):
        verify_shares(group, b"ctx", public, slots, ciphers, b"".join(false), proof)


def test_no_slots_need_no_shares(group: Group) -> None:
    key = new_key(group, os.urandom)
    assert make_shares(group, b"ctx", key, [], [], os.urandom) == (b"", b"")
    assert verify_shares(group, b"ctx", key.public, [], [], b"", b"") == ()
    for data, proof in ((bytes(32), b""), (b"", bytes(64))):
        with pytest.raises(InvalidEncoding):
            verify_shares(group, b"ctx", key.public, [], [], data, proof)
