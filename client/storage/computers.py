"""The computer players that this home seats: their nicks and their keys.

The keys are derived from the home's own key.
"""

from __future__ import annotations

import re

from client.i18n.translation import in_every_language, later
from crypto.identity import Identity
from crypto.transcript import digest
from engine.bots import MODULES, characters_of

NICK = later("Computer {number}")
"""The nick of a computer player without a name, in the language of its host."""
FURTHER_NICKS = ("Amaia", "Benito", "Halla", "Joxe", "Jacinta", "Orri", "Pilar")
"""Nicks of computer players whose character sits at the table already."""


def computer_identity(owner: Identity, nonce: bytes) -> Identity:
    """Return the identity with which a computer player of this owner signs.

    Nobody else can make it, or tell it from others.
    """
    return Identity.from_seed(digest("bot", owner.seed, nonce)[:32])


def nick_pattern() -> re.Pattern[str]:
    """Return the pattern of the nicks of computer players.

    A nick is a character, a further nick, or a number in any language.
    """
    nicks = [
        re.escape(nick).replace(re.escape("{number}"), r"\d+")
        for nick in sorted(in_every_language(NICK))
    ]
    names = [rf"{re.escape(one.name)}( \d+)?" for game in MODULES for one in characters_of(game)]
    return re.compile("|".join([*nicks, *names, *FURTHER_NICKS]))
