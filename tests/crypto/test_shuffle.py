"""A shuffle is proven, and nothing that is not one is: other decks, other statements, other
bytes."""

from __future__ import annotations

import os
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from crypto import shuffle
from crypto.backend import backends
from crypto.errors import InvalidEncoding, InvalidProof
from crypto.group import Group
from crypto.masking import Ciphers, card_points, encode_deck, starting_deck, unmask
from crypto.shuffle import draw_permutation, proof_size, prove_shuffle, shuffle_deck, verify_shuffle
from tests.standin import seeded

SECRET = 123456789


def start(group: Group, n: int) -> tuple[bytes, Ciphers]:
    joint = group.base(SECRET)
    return joint, starting_deck(group, card_points(group, "test", n), joint)


def once(group: Group, n: int, before: Ciphers | None = None) -> dict[str, Any]:
    """Shuffle and prove; give the arguments of `verify_shuffle`, without the group."""
    joint, deck = start(group, n)
    before = before or deck
    order = draw_permutation(n, os.urandom)
    randomness = [group.random_scalar(os.urandom) for _ in range(n)]
    after = shuffle_deck(group, joint, before, order, randomness)
    proof = prove_shuffle(group, b"ctx", joint, before, after, order, randomness, os.urandom)
    return {"ctx": b"ctx", "joint": joint, "before": before, "after": after, "proof": proof}


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_shuffle_is_proven_in_every_group(group: Group, n: int) -> None:
    first = once(group, n)
    assert len(first["proof"]) == proof_size(n) == 128 * n + 144
    verify_shuffle(group, **first)
    verify_shuffle(group, **once(group, n, first["after"]))


def test_a_shuffle_keeps_the_cards_and_changes_every_slot(group: Group) -> None:
    joint, before = start(group, 5)
    order = (3, 0, 4, 2, 1)
    after = shuffle_deck(
        group, joint, before, order, [group.random_scalar(os.urandom) for _ in order]
    )
    points = card_points(group, "test", 5)
    opened = [unmask(group, (a, b), [group.mult(SECRET, a)]) for a, b in after]
    assert opened == [points[j] for j in order]
    assert not {part for slot in before for part in slot} & {
        part for slot in after for part in slot
    }


# Decks that are not a shuffle.


def forge(
    group: Group, after: Ciphers, order: tuple[int, ...], randomness: list[int]
) -> dict[str, Any]:
    """Run the honest prover over something that is no shuffle."""
    joint, before = start(group, len(after))
    proof = prove_shuffle(group, b"ctx", joint, before, after, order, randomness, os.urandom)
    return {"ctx": b"ctx", "joint": joint, "before": before, "after": after, "proof": proof}


def test_a_card_twice_instead_of_another_is_refused(group: Group) -> None:
    joint, before = start(group, 4)
    randomness = [group.random_scalar(seeded(i)) for i in range(4)]
    twice = (2, 2, 1, 0)
    after = tuple(
        (group.add(before[j][0], group.base(r)), group.add(before[j][1], group.mult(r, joint)))
        for j, r in zip(twice, randomness, strict=True)
    )
    for believed in ((2, 3, 1, 0), (3, 2, 1, 0)):
        with pytest.raises(InvalidProof):
            verify_shuffle(group, **forge(group, after, believed, randomness))


def test_a_prover_who_commits_to_a_non_permutation_is_refused(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outputs 0 and 1 both come from card 2, whose commitment bears both generators; card 3's bears
    none.

    The sums of the commitments are then right, and it is the product of the u_j that is not.
    """

    class Lax(Group):
        """A verifier that does not even refuse the empty commitment."""

        def elements(self, data: bytes, n: int, *, identity: bool = False) -> list[bytes]:
            return super().elements(data, n, identity=True)

    lax = Lax(group.backend)
    joint, before = start(lax, 4)
    randomness = [lax.random_scalar(seeded(i)) for i in range(4)]
    challenges, first = shuffle.challenges, shuffle.generators(lax, 4).rest[0]

    def committing(statement: bytes, c: list[bytes]) -> tuple[bytes, list[int]]:
        c[2], c[3] = lax.add(c[2], first), lax.identity
        return challenges(statement, c)

    with monkeypatch.context() as patch:
        patch.setattr(shuffle, "require_permutation", lambda *arguments: None)
        patch.setattr(shuffle, "challenges", committing)
        after = shuffle_deck(lax, joint, before, (2, 2, 1, 0), randomness)
        proof = prove_shuffle(
            lax, b"ctx", joint, before, after, (2, 2, 1, 0), randomness, os.urandom
        )
    with pytest.raises(InvalidProof):
        verify_shuffle(lax, b"ctx", joint, before, after, proof)


@pytest.mark.parametrize("part", [0, 1])
def test_a_shifted_slot_is_refused(group: Group, part: int) -> None:
    joint, before = start(group, 4)
    order, randomness = (1, 3, 0, 2), [group.random_scalar(seeded(i)) for i in range(4)]
    after = list(shuffle_deck(group, joint, before, order, randomness))
    shifted = [*after[2]]
    shifted[part] = group.add(shifted[part], group.generator)
    after[2] = (shifted[0], shifted[1])
    with pytest.raises(InvalidProof):
        verify_shuffle(group, **forge(group, tuple(after), order, randomness))


def test_randomness_that_differs_between_a_and_b_is_refused(group: Group) -> None:
    joint, before = start(group, 3)
    order, randomness = (1, 2, 0), [group.random_scalar(seeded(i)) for i in range(3)]
    after = shuffle_deck(group, joint, before, order, randomness)
    other = shuffle_deck(group, joint, before, order, [randomness[0], randomness[2], randomness[1]])
    mixed = tuple((a, b) for (a, _), (_, b) in zip(after, other, strict=True))
    with pytest.raises(InvalidProof):
        verify_shuffle(group, **forge(group, mixed, order, randomness))


def test_a_shuffle_never_makes_two_slots_open_with_one_share(group: Group) -> None:
    """Randomness chosen so that two A are equal, or one is 0: a true shuffle, and refused all the
    same."""
    joint, before = start(group, 3)
    for randomness in ([5, 5, 7], [5, 6, group.order - 1]):
        after = shuffle_deck(group, joint, before, (1, 2, 0), randomness)
        proof = prove_shuffle(
            group, b"ctx", joint, before, after, (1, 2, 0), randomness, os.urandom
        )
        with pytest.raises(InvalidProof, match="share"):
            verify_shuffle(group, b"ctx", joint, before, after, proof)


# The statement.


def test_the_deck_before_is_the_verifiers_own(group: Group) -> None:
    made = once(group, 4)
    before: Ciphers = made["before"]
    for own in (
        (before[1], before[0], *before[2:]),
        ((before[0][0], group.base(9)), *before[1:]),
        ((group.base(9), before[0][1]), *before[1:]),
        starting_deck(group, card_points(group, "another pack", 4), made["joint"]),
    ):
        with pytest.raises(InvalidProof):
            verify_shuffle(group, **{**made, "before": own})


# The bytes of the proof.


def test_each_element_of_a_proof_is_checked(group: Group) -> None:
    made = once(group, 3)
    proof: bytes = made["proof"]
    for at in range(0, 64 * 3, 32):
        for bad in (bytes([255]) * 32, group.identity):
            with pytest.raises(InvalidEncoding):
                verify_shuffle(group, **{**made, "proof": proof[:at] + bad + proof[at + 32 :]})
        with pytest.raises(InvalidProof):
            verify_shuffle(
                group, **{**made, "proof": proof[:at] + group.base(5) + proof[at + 32 :]}
            )


def test_each_scalar_of_a_proof_is_checked(group: Group) -> None:
    made = once(group, 3)
    proof: bytes = made["proof"]
    for at in range(64 * 3 + 16, len(proof), 32):
        k = int.from_bytes(proof[at : at + 32], "little")
        spoiled = {
            (k + group.order).to_bytes(32, "little"): InvalidEncoding,
            ((k + 1) % group.order).to_bytes(32, "little"): InvalidProof,
        }
        for bad, error in spoiled.items():
            with pytest.raises(error):
                verify_shuffle(group, **{**made, "proof": proof[:at] + bad + proof[at + 32 :]})


def test_decks_and_proof_have_their_sizes(group: Group) -> None:
    made = once(group, 3)
    before, after, proof = made["before"], made["after"], made["proof"]
    smaller = once(group, 2)
    for change in (
        {"after": after[:2]},
        {"before": before[:2]},
        {"after": (*after, after[0])},
        {"before": (), "after": ()},
    ):
        with pytest.raises(InvalidProof):
            verify_shuffle(group, **{**made, **change})
    for bad in (b"", proof[:-1], proof[:-32], proof + bytes(32), smaller["proof"], proof[32:]):
        with pytest.raises(InvalidEncoding):
            verify_shuffle(group, **{**made, "proof": bad})


# The permutation.


def test_every_order_is_as_likely() -> None:
    entropy = seeded("orders")
    counts = Counter(draw_permutation(4, entropy) for _ in range(4800))
    assert set(counts) == set(permutations(range(4)))
    # chi square, 23 degrees of freedom, 99.9 %
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 49.8


def test_neither_sizes_nor_operations_depend_on_the_permutation() -> None:
    group = Group(backends()[0])
    first = once(group, 5)
    seen = set()
    for order in ((0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 0, 4, 1, 3)):
        before = group.counts
        randomness = [group.random_scalar(os.urandom) for _ in order]
        after = shuffle_deck(group, first["joint"], first["after"], order, randomness)
        proof = prove_shuffle(
            group, b"ctx", first["joint"], first["after"], after, order, randomness, os.urandom
        )
        seen.add(
            (len(encode_deck(after)), len(proof), tuple(sorted((group.counts - before).items())))
        )
    assert len(seen) == 1
