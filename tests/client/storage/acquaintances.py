"""Players whom tests of contacts know."""

from __future__ import annotations

from crypto.identity import Identity
from p2p.table.terms import Participant

WHO = [Identity.from_seed(bytes([number]) * 32) for number in range(1, 7)]
ANE, JON, MARY, EVE = (identity.id for identity in WHO[:4])
HERE, THERE = ("192.168.1.7", 47747), ("192.168.1.8", 47750)


def place(number: int, nick: str) -> Participant:
    return Participant(WHO[number].public, nick, bytes(16))
