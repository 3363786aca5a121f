"""The errors of this package."""

from __future__ import annotations


class CryptoError(Exception):
    """Something cryptographic does not hold."""


class InvalidEncoding(CryptoError):
    """A value that is not an element, scalar, key or certificate in its one canonical spelling."""


class InvalidProof(CryptoError):
    """This proof, opening, deck or share does not show what it claims to show."""


class InvalidSignature(InvalidProof):
    """This signature was not made by that key over these bytes for that purpose."""


class NoBackend(CryptoError):
    """This library cannot be loaded here, or is not the libsodium we need."""


class WrongAnswers(NoBackend):
    """This library answers the known question wrongly."""
