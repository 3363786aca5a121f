"""The events that the mesh sends to its owner."""

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

    The event comes again when another link replaces this one. Messages on the old link may be lost,
    so both sides send their state after every LinkUp.
    """

    peer: Peer
    public: bytes
    address: Address


@dataclass(frozen=True, slots=True)
class Received:
    """A value from this peer, on the link with these nonces: canonical msgpack, else unchecked.

    Another link may have replaced that one meanwhile.
    """

    peer: Peer
    value: Any
    nonces: tuple[bytes, bytes] = field(repr=False)


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The link to this peer has ended.

    `reason` is a constant of `p2p.net.link`, the argument of `drop`, or the peer's text, cleaned.
    """

    peer: Peer
    reason: str


@dataclass(frozen=True, slots=True)
class PeerAway:
    """This peer has been silent for `Timeouts.away_s`; sent once per absence.

    `why` is the error of the last attempt to dial it.
    """

    peer: Peer
    why: NetError | None


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """We refused a peer that dialled us with another version; our player should know."""

    error: VersionMismatch


@dataclass(frozen=True, slots=True)
class Failed:
    """An unexpected error of this program with one connection, which is closed."""

    error: Exception


Event: TypeAlias = LinkUp | Received | LinkDown | PeerAway | TurnedAway | Failed
