"""The words that two people compare, and the one try of somebody between them."""

from __future__ import annotations

import hashlib

import pytest

from crypto.errors import InvalidProof
from crypto.sas import COMMITMENT, NONCE, check_nonce, commitment, shared_words
from crypto.wordlist import WORDS

ANE, JON, EVE, EVA = (hashlib.sha256(name).digest() for name in (b"ane", b"jon", b"eve", b"eva"))


def nonce(number: int) -> bytes:
    return hashlib.sha256(b"nonce %d" % number).digest()[:NONCE]


def test_both_read_the_same_three_words():
    words = shared_words(ANE, JON, nonce(1), nonce(2))
    assert words == "waffle onion school"  # it stays so: two versions must read the same
    assert set(words.split()) <= set(WORDS)


def test_everything_counts():
    same = (ANE, JON, nonce(1), nonce(2))
    others = [
        (JON, ANE, *same[2:]),
        (EVE, *same[1:]),
        (ANE, EVE, *same[2:]),
        (ANE, JON, nonce(2), nonce(1)),
        (*same[:3], nonce(3)),
    ]
    assert shared_words(*same) not in {shared_words(*other) for other in others}
    assert (
        len(
            {
                commitment(*part)
                for part in [
                    (ANE, JON, nonce(1)),
                    (JON, ANE, nonce(1)),
                    (ANE, EVE, nonce(1)),
                    (ANE, JON, nonce(2)),
                ]
            }
        )
        == 4
    )


def test_only_the_nonce_that_was_committed_to_is_taken():
    committed = commitment(ANE, JON, nonce(1))
    assert len(committed) == COMMITMENT
    check_nonce(committed, ANE, JON, nonce(1))
    for wrong in [
        (JON, ANE, nonce(1)),
        (ANE, EVE, nonce(1)),
        (ANE, JON, nonce(2)),
        (ANE, JON, nonce(1)[:-1]),
        (ANE, JON, b""),
    ]:
        with pytest.raises(InvalidProof):
            check_nonce(committed, *wrong)


def test_parts_have_their_lengths():
    for wrong in [
        (ANE[:-1], JON, nonce(1)),
        (ANE, JON + b"\0", nonce(1)),
        (ANE, JON, nonce(1) + b"\0"),
    ]:
        with pytest.raises(ValueError, match="bytes"):
            commitment(*wrong)


def test_somebody_between_two_people_has_one_try():
    """Eve is Jon for Ane, and Ane for Jon. Ane dials Eve, Eva (that is Eve again) dials Jon."""
    met = 0
    for attempt in range(300):
        anes, jons, eves = nonce(attempt), nonce(1000 + attempt), nonce(2000 + attempt)
        # She must show her nonce to Ane before she sees Ane's, and is bound towards Jon before she
        # sees Jon's.
        committed = commitment(EVA, JON, eves)
        check_nonce(committed, EVA, JON, eves)
        met += shared_words(ANE, EVE, anes, eves) == shared_words(EVA, JON, eves, jons)
    assert met == 0
