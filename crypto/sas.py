"""Short authentication strings: words that two people compare to rule out a man in the middle.

They are made of both ids and of a nonce of each side. One side commits to its nonce, the other
shows its own, then the first shows what it had committed to. So neither can choose anything when it
knows the words: somebody who pretends to each of two people to be the other one has a single try,
and 2^-24 of a chance that both read the same words.
"""

from __future__ import annotations

import hashlib
import hmac

from crypto.errors import InvalidProof
from crypto.wordlist import WORDS

NONCE = 16
COMMITMENT = 32
_COUNT = 3

# Every part has a fixed length, so two different inputs never hash the same bytes.
_COMMIT_CONTEXT = b"sobremesa/v1/sas-commit\0"
_WORDS_CONTEXT = b"sobremesa/v1/sas-words\0"


def commitment(first: bytes, second: bytes, nonce: bytes) -> bytes:
    """Commit the first player (ids of 32 bytes) to a nonce of 16 bytes, towards the second one."""
    return _hash(_COMMIT_CONTEXT, first, second, nonce)


def check_nonce(committed: bytes, first: bytes, second: bytes, nonce: bytes) -> None:
    """Check that this is the nonce that the first player committed to.

    InvalidProof if it is another, or of another length.
    """
    if len(nonce) != NONCE or not hmac.compare_digest(committed, commitment(first, second, nonce)):
        raise InvalidProof("another nonce than was committed to")


def shared_words(first: bytes, second: bytes, first_nonce: bytes, second_nonce: bytes) -> str:
    """Give three words, the same for both players; `first` is the one that committed."""
    return " ".join(
        WORDS[byte]
        for byte in _hash(_WORDS_CONTEXT, first, second, first_nonce, second_nonce)[:_COUNT]
    )


def _hash(context: bytes, first: bytes, second: bytes, *nonces: bytes) -> bytes:
    if len(first) != 32 or len(second) != 32 or any(len(nonce) != NONCE for nonce in nonces):
        raise ValueError(f"ids have 32 bytes, and nonces {NONCE}")
    return hashlib.sha256(context + first + second + b"".join(nonces)).digest()
