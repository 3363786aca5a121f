"""Who may take seats at a table: a guest proves that it holds the key of each seat that it asks for.

The signature stands for one guest at one table over one link. Whoever hears it can use it nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass

from crypto.errors import CryptoError
from crypto.identity import Identity, verify
from p2p.table.terms import Place
from p2p.wire import Malformed, pack

SIT_CONTEXT = "sobremesa/2 sit"


@dataclass(frozen=True)
class Newcomer:
    """A peer that asks for seats, as its link shows it.

    `peer` is its id (32 bytes). `host` and `port` are where it can be dialled. `nonces` are those of WELCOME, ours and
    its own (16 bytes each): together they name the link.
    """

    peer: bytes
    host: str
    port: int
    nonces: tuple[bytes, bytes]


@dataclass(frozen=True)
class Visit:
    """One guest at one table over one link: what a signature for a seat is valid for.

    `host` and `guest` are ids (32 bytes). The nonces are those of WELCOME (16 bytes), the host's and the guest's.
    """

    table: str
    host: bytes
    guest: bytes
    host_nonce: bytes
    guest_nonce: bytes

    def sign(self, identity: Identity, place: Place) -> bytes:
        """Return the proof (64 bytes) that the guest holds the key of this seat."""
        return identity.sign(SIT_CONTEXT, self._claim(place))

    def check(self, place: Place, signature: bytes) -> None:
        """Raise Malformed unless the key of this seat has signed for this visit."""
        try:
            verify(place.public, SIT_CONTEXT, self._claim(place), signature)
        except CryptoError as error:
            raise Malformed("a guest has not proven that it holds the key of its seat") from error

    def _claim(self, place: Place) -> bytes:
        seat = [place.public, place.nick, place.nonce]
        return pack([self.table, self.host, self.guest, self.host_nonce, self.guest_nonce, seat])
