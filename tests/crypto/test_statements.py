"""Exactly which bytes a verifier hashes for each kind of proof (`protocol.md` 7): nothing that a
proof is about is left out, even where today's equations would notice."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from crypto import shuffle, sigma, transcript
from crypto.masking import (
    card_points,
    encode_deck,
    make_kept_share,
    make_shares,
    new_key,
    prove_key,
    starting_deck,
    verify_kept_share,
    verify_key,
    verify_shares,
)
from tests.standin import seeded, standin_group

GROUP = standin_group()
KEY = new_key(GROUP, seeded("key"))
DECK = shuffle.shuffle_deck(
    GROUP,
    KEY.public,
    starting_deck(GROUP, card_points(GROUP, "test", 4), KEY.public),
    [2, 0, 3, 1],
    [5, 6, 7, 8],
)
spell = transcript.statement_bytes


@pytest.fixture
def hashed_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], list[bytes]]:
    """Give a function that calls another, and returns all that this hashed, in order."""

    def listen(verify: Callable[[], object]) -> list[bytes]:
        hashed: list[bytes] = []

        def listening(label: str, *parts: transcript.Part) -> bytes:
            hashed.append(spell(label, *parts))
            return hashed[-1]

        with monkeypatch.context() as patched:
            patched.setattr(transcript, "statement_bytes", listening)
            verify()
        return hashed

    return listen


def spelled(
    label: str, statement: transcript.Part, relation: sigma.Relation, proof: bytes
) -> bytes:
    """Return what `protocol.md` 7.4 hashes for a proof of a relation."""
    c, *responses = GROUP.scalars(proof, 1 + relation.width)
    moves = sigma.simulate(GROUP, relation, c, responses)
    return spell(label, statement, [list(relation.bases), list(relation.images)], moves)


def both(public: bytes, a: bytes, d: bytes) -> sigma.Relation:
    """Say that X = x G and D = x A, as the page does."""
    return sigma.Relation(((GROUP.generator,), (a,)), (public, d))


def test_of_a_deck_key(hashed_by):
    proof = prove_key(GROUP, b"ctx", 3, b"owner", KEY, os.urandom)
    relation = sigma.Relation(((GROUP.generator,),), (KEY.public,))
    assert hashed_by(lambda: verify_key(GROUP, b"ctx", 3, b"owner", KEY.public, proof)) == [
        spelled("key", [b"ctx", 3, b"owner"], relation, proof)
    ]


def test_of_one_share(hashed_by):
    data, proof = make_shares(GROUP, b"ctx", KEY, [2], [DECK[2]], os.urandom)
    a = DECK[2][0]
    statement = ("shares/statement", b"ctx", KEY.public, [2], [a], [data])
    found = hashed_by(lambda: verify_shares(GROUP, b"ctx", KEY.public, [2], [DECK[2]], data, proof))
    assert found == [
        spell(*statement),
        spelled("shares", transcript.digest(*statement), both(KEY.public, a, data), proof),
    ]


def test_of_several_shares(hashed_by):
    slots = [3, 0, 2]
    ciphers = [DECK[slot] for slot in slots]
    firsts = [a for a, _ in ciphers]
    data, proof = make_shares(GROUP, b"ctx", KEY, slots, ciphers, os.urandom)
    shares = [data[at : at + 32] for at in range(0, 96, 32)]
    statement = ("shares/statement", b"ctx", KEY.public, slots, firsts, shares)
    hashed = transcript.digest(*statement)
    weights = [1, *transcript.challenges128("shares/weight", hashed, n=3)[1:]]
    relation = both(KEY.public, *(GROUP.combine(weights, part) for part in (firsts, shares)))
    assert hashed_by(
        lambda: verify_shares(GROUP, b"ctx", KEY.public, slots, ciphers, data, proof)
    ) == [
        spell(*statement),
        spell("shares/weight", hashed),  # and each index after it: tests/crypto/test_transcript.py
        spelled("shares", hashed, relation, proof),
    ]


def test_of_a_kept_share(hashed_by):
    a = DECK[1][0]
    data = make_kept_share(GROUP, b"ctx", KEY, 1, a)
    assert hashed_by(lambda: verify_kept_share(GROUP, b"ctx", KEY.public, 1, a, data)) == [
        spelled("kept-share", [b"ctx", 1], both(KEY.public, a, data[:32]), data[32:])
    ]


def test_of_one_face_among_several(hashed_by):
    a, faces = DECK[1][0], list(card_points(GROUP, "test", 4))
    c = GROUP.add(faces[2], GROUP.mult(KEY.secret, a))
    proof = sigma.prove_one_of(GROUP, b"ctx", 5, KEY.secret, a, c, faces, 2, os.urandom)
    scalars = GROUP.scalars(proof, 8)
    moves: list[bytes] = []
    for face, challenge, response in zip(faces, scalars[::2], scalars[1::2], strict=True):
        relation = both(KEY.public, a, GROUP.sub(c, face))
        moves += sigma.simulate(GROUP, relation, challenge, [response])
    statement: transcript.Part = [b"ctx", 5, KEY.public, a, c, faces]
    assert hashed_by(
        lambda: sigma.verify_one_of(GROUP, b"ctx", 5, KEY.public, a, c, faces, proof)
    ) == [spell("one-of", statement, moves)]


def test_of_a_shuffle(hashed_by):
    order, masks = [1, 3, 0, 2], [4, 3, 2, 1]
    joint = KEY.public
    after = shuffle.shuffle_deck(GROUP, joint, DECK, order, masks)
    proof = shuffle.prove_shuffle(GROUP, b"ctx", joint, DECK, after, order, masks, os.urandom)
    known = shuffle.generators(GROUP, 4)
    hashed = hashed_by(lambda: shuffle.verify_shuffle(GROUP, b"ctx", joint, DECK, after, proof))
    commitments, chain = proof[: 4 * 32], proof[4 * 32 : 8 * 32]
    decks = (encode_deck(DECK), encode_deck(after))
    statement = ("tw/e", b"ctx", GROUP.generator, known.fingerprint, joint, *decks)
    e = transcript.digest(*statement)
    st = transcript.digest("tw/u", e, commitments)
    moves = hashed[-1][-32 * 9 :]  # 5 and one for each slot: the challenge is of nothing else
    assert hashed == [
        spell(*statement),
        spell("tw/u", e, commitments),
        spell("tw/u", st),  # and each index after it: tests/crypto/test_transcript.py
        spell("tw/c", st, chain, moves),
    ]
    challenge = int.from_bytes(proof[8 * 32 : 8 * 32 + 16], "little")
    assert transcript.challenge128("tw/c", st, chain, moves) == challenge
    assert known.fingerprint == transcript.digest("tw/gen", known.first, known.rest)


# The nonces of each proof are hashed from all secrets, and from all parts of the challenge's input
# but the first moves.


@pytest.fixture
def drawn_from(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Note the label, the secrets and the statement of all nonces."""
    noted: list[tuple[object, ...]] = []
    for module in (sigma, shuffle):
        nonces = module.nonces

        def noting(order, label, entropy, secret, statement, nonces=nonces):
            noted.append((label, secret, statement))
            return nonces(order, label, entropy, secret, statement)

        monkeypatch.setattr(module, "nonces", noting)
    return noted


def test_nonces_of_keys_and_shares(drawn_from):
    a, slots = DECK[1][0], [3, 0, 2]
    prove_key(GROUP, b"ctx", 3, b"owner", KEY, os.urandom)
    make_kept_share(GROUP, b"ctx", KEY, 1, a)
    data, _ = make_shares(GROUP, b"ctx", KEY, [2], [DECK[2]], os.urandom)
    make_shares(GROUP, b"ctx", KEY, slots, [DECK[slot] for slot in slots], os.urandom)
    one = transcript.digest("shares/statement", b"ctx", KEY.public, [2], [DECK[2][0]], [data])
    for (label, secret, (statement, (bases, images))), expected in zip(
        drawn_from,
        (("key", [b"ctx", 3, b"owner"]), ("kept-share", [b"ctx", 1]), ("shares", one), None),
        strict=True,
    ):
        assert secret == [KEY.secret]
        assert bases[0] == (GROUP.generator,)
        assert images[0] == KEY.public
        assert expected is None or (label, statement) == expected
    assert drawn_from[1][2][1] == [
        [(GROUP.generator,), (a,)],
        [KEY.public, GROUP.mult(KEY.secret, a)],
    ]
    assert len({str(statement) for _label, _secret, statement in drawn_from}) == 4


def test_nonces_of_one_face_among_several(drawn_from):
    a, faces = DECK[1][0], list(card_points(GROUP, "test", 4))
    c = GROUP.add(faces[2], GROUP.mult(KEY.secret, a))
    sigma.prove_one_of(GROUP, b"ctx", 5, KEY.secret, a, c, faces, 2, os.urandom)
    assert drawn_from == [("one-of", [KEY.secret, 2], [b"ctx", 5, KEY.public, a, c, faces])]


def test_nonces_of_a_shuffle(drawn_from):
    order, masks = [1, 3, 0, 2], [4, 3, 2, 1]
    after = shuffle.shuffle_deck(GROUP, KEY.public, DECK, order, masks)
    shuffle.prove_shuffle(GROUP, b"ctx", KEY.public, DECK, after, order, masks, os.urandom)
    statement = ("tw/e", b"ctx", GROUP.generator, shuffle.generators(GROUP, 4).fingerprint)
    decks = (KEY.public, encode_deck(DECK), encode_deck(after))
    assert drawn_from == [("tw", [order, masks], transcript.digest(*statement, *decks))]
