"""Short authentication strings: words that two people compare to rule out a man in the middle.

They are made of both ids and a nonce of each side. One side commits to its nonce, the other shows
its own, then the first reveals what it committed to. So neither can choose its nonce once it knows
the words: a relay between two people has a single attempt, which succeeds with probability 2^-24.
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
    """Check that the first player committed to this nonce.

    InvalidProof if not, or if its length is wrong.
    """
    if len(nonce) != NONCE or not hmac.compare_digest(committed, commitment(first, second, nonce)):
        raise InvalidProof("another nonce than was committed to")


def shared_words(first: bytes, second: bytes, first_nonce: bytes, second_nonce: bytes) -> str:
    """Return three words, the same for both players; `first` is the one that committed."""
    return " ".join(
        WORDS[byte]
        for byte in _hash(_WORDS_CONTEXT, first, second, first_nonce, second_nonce)[:_COUNT]
    )


def _hash(context: bytes, first: bytes, second: bytes, *nonces: bytes) -> bytes:
    if len(first) != 32 or len(second) != 32 or any(len(nonce) != NONCE for nonce in nonces):
        raise ValueError(f"ids have 32 bytes, and nonces {NONCE}")
    return hashlib.sha256(context + first + second + b"".join(nonces)).digest()
