"""Admission to a table: guests prove the keys of their seats, and failed guests must wait.

A proof is valid for one guest at one table over one link, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from crypto.errors import CryptoError
from crypto.identity import Identity, verify
from p2p.table.terms import Participant
from p2p.wire import PROTOCOL, Malformed, pack

SIT_CONTEXT = f"sobremesa/{PROTOCOL} sit"

Name = TypeVar("Name", bytes, str)

FIRST_WAIT_MS = 10_000
"""The wait after a guest's first failure; each further failure doubles it."""
LONGEST_WAIT_MS = 600_000
LONGEST_ORIGIN_WAIT_MS = 60_000
"""The longest wait of a newcomer for failures of other guests at its origin."""
MOST_REMEMBERED = 1024


@dataclass(frozen=True)
class Newcomer:
    """A peer that asks for seats, as its link shows it.

    `peer` is its id (32 bytes). `host` and `port` are where it can be dialled. `origin` is an IPv4
    address or the first 64 bits of an IPv6 address. `nonces` are those of WELCOME, ours and the
    peer's (16 bytes each); they identify the link.
    """

    peer: bytes
    host: str
    port: int
    origin: str
    nonces: tuple[bytes, bytes]


@dataclass(frozen=True)
class Visit:
    """One guest at one table over one link: the scope of a signature for a seat.

    `host` and `guest` are ids (32 bytes). The nonces are those of WELCOME (16 bytes each).
    """

    table: str
    host: bytes
    guest: bytes
    host_nonce: bytes
    guest_nonce: bytes

    def sign(self, identity: Identity, participant: Participant) -> bytes:
        """Return the proof (64 bytes) that the guest holds the key of this seat."""
        return identity.sign(SIT_CONTEXT, self._claim(participant))

    def check(self, participant: Participant, signature: bytes) -> None:
        """Raise Malformed unless the key of this seat signed for this visit."""
        try:
            verify(participant.public, SIT_CONTEXT, self._claim(participant), signature)
        except CryptoError as error:
            raise Malformed("a guest has not proven that it holds the key of its seat") from error

    def _claim(self, participant: Participant) -> bytes:
        visit = [self.table, self.host, self.guest, self.host_nonce, self.guest_nonce]
        return pack([*visit, participant.encode()])


@dataclass
class Invited:
    """The peers that used an invite to our tables; they need none to return.

    Watching with an invite gives no right to a seat: the host was not told of a player. At most
    `MOST_REMEMBERED` peers are kept, the first ones: a holder of an invite can have many keys, and
    must not displace earlier peers.
    """

    guests: set[bytes] = field(default_factory=set)
    spectators: set[bytes] = field(default_factory=set)

    def add_guest(self, peer: bytes) -> None:
        """Note a guest that used the invite."""
        _add(self.guests, peer)

    def add_spectator(self, peer: bytes) -> None:
        """Note a spectator that used the invite."""
        _add(self.spectators, peer)


def _add(peers: set[bytes], peer: bytes) -> None:
    if len(peers) < MOST_REMEMBERED:
        peers.add(peer)


class Failures:
    """How often each guest failed to sign at this table, and until when it must wait.

    Times are in milliseconds. A failure counts for the guest's id, its keys and its origin. Guests
    can share an origin, so the first failure there counts against that guest alone, and the wait
    for failures of others is short.
    """

    def __init__(self) -> None:
        self._of_keys: dict[bytes, tuple[int, int]] = {}
        self._of_origins: dict[str, tuple[int, int]] = {}

    def note(self, keys: Sequence[bytes], origin: str, now: int) -> None:
        """Note a failure of a guest; `keys` are its id and the keys of its seats."""
        for key in keys:
            _note(self._of_keys, key, now, LONGEST_WAIT_MS)
        _note(self._of_origins, origin, now, LONGEST_ORIGIN_WAIT_MS, free=1)

    def count(self, keys: Sequence[bytes], origin: str) -> int:
        """Return how often a guest failed; of two guests, the one with fewer failures sits."""
        neighbours = self._of_origins.get(origin, (0, 0))[0] - 1
        return max(neighbours, *(self._of_keys.get(key, (0, 0))[0] for key in keys))

    def waits(self, keys: Sequence[bytes], origin: str, now: int) -> bool:
        """Whether a newcomer with these keys must still wait."""
        until = max(self._of_keys.get(key, (0, now))[1] for key in keys)
        return now < max(until, self._of_origins.get(origin, (0, now))[1])


def _note(
    failures: dict[Name, tuple[int, int]], name: Name, now: int, longest: int, free: int = 0
) -> None:
    """Count a failure.

    The first `free` ones cost no wait; the oldest name is forgotten.
    """
    count = failures.pop(name, (0, 0))[0] + 1
    wait = FIRST_WAIT_MS << min(count - free - 1, 16) if count > free else 0
    failures[name] = (count, now + min(wait, longest))
    if len(failures) > MOST_REMEMBERED:
        del failures[next(iter(failures))]
