"""The events of the mesh for its owner."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from p2p.net.addresses import Address
from p2p.net.errors import NetError, VersionMismatch

Peer: TypeAlias = bytes
"""The id of a peer: the hash of its public key."""


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A link to this peer is up, and the peer has proven its identity.

    `address` is where the peer says it can be dialled.

    It comes again when another link took the place of the one before: messages sent over that one
    may be lost, so after every LinkUp both sides send their state again.
    """

    peer: Peer
    public: bytes
    address: Address


@dataclass(frozen=True, slots=True)
class Received:
    """A value from the peer of the link with these nonces: canonical msgpack, else unchecked.

    Meanwhile another link may have taken the place of that one.
    """

    peer: Peer
    value: Any
    nonces: tuple[bytes, bytes] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The link to this peer has ended.

    `reason` is a word of `p2p.net.link`, the argument of `drop`, or the cleaned text of the peer.
    """

    peer: Peer
    reason: str


@dataclass(frozen=True, slots=True)
class PeerAway:
    """For `Timeouts.away_s` nothing has been heard from this peer; told once per absence.

    `why` is what the last try to dial it met.
    """

    peer: Peer
    why: NetError | None


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """A refusal of somebody who dialled us with another version.

    The player should hear of it here too.
    """

    error: VersionMismatch


@dataclass(frozen=True, slots=True)
class Failed:
    """An unexpected error of this program while it served a connection, which is closed."""

    error: Exception


Event: TypeAlias = LinkUp | Received | LinkDown | PeerAway | TurnedAway | Failed
