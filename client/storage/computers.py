"""The computer players of this home: their nicks, and keys derived from the home's own."""

from __future__ import annotations

from client.i18n.translation import later
from crypto.identity import Identity
from crypto.transcript import digest

NICK = later("Computer {number}")
"""The nick of a computer player without a name, in the language of its host."""
FURTHER_NICKS = ("Amaia", "Benito", "Halla", "Joxe", "Jacinta", "Orri", "Pilar")
"""Nicks of computer players whose character is at the table already."""


def computer_identity(owner: Identity, nonce: bytes) -> Identity:
    """Return the identity of a computer player of this owner.

    Nobody else can derive it, or tell it from others.
    """
    return Identity.from_seed(digest("bot", owner.seed, nonce)[:32])
