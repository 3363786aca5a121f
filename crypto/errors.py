"""The errors of this package."""

from __future__ import annotations


class CryptoError(Exception):
    """The base of the errors of this package."""


class InvalidEncoding(CryptoError):
    """The value is no element, scalar, key or certificate in its canonical encoding."""


class InvalidProof(CryptoError):
    """The proof, opening, deck or share does not show what it claims."""


class InvalidSignature(InvalidProof):
    """The signature was not made by that key over these bytes for that purpose."""


class NoBackend(CryptoError):
    """The library cannot be loaded here, or lacks what we need."""


class WrongAnswers(NoBackend):
    """The library computes wrongly."""
