"""The errors of the network: each error has facts, and its class is its id.

The sentence that a player reads belongs to the id, and stands in `client.i18n.sentences`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from crypto.identity import fingerprint


@dataclass(eq=False)
class NetError(Exception):
    """Something went wrong on the network."""

    @property
    def id(self) -> str:
        """The name of the error."""
        return type(self).__name__

    @property
    def facts(self) -> dict[str, str]:
        """The fields as text, player ids as fingerprints."""
        return {field.name: _shown(getattr(self, field.name)) for field in fields(self)}

    def __str__(self) -> str:
        return ", ".join([self.id, *(f"{name} {fact}" for name, fact in self.facts.items())])


@dataclass(eq=False)
class FrameTooLong(NetError):
    """The other side announced a message of more bytes than are allowed."""

    length: int
    limit: int


@dataclass(eq=False)
class NotSobremesa(NetError):
    """The program at this address does not speak our protocol."""

    address: str


@dataclass(eq=False)
class WrongPeer(NetError):
    """Another key answered than was expected.

    `expected` may be the first bytes of an id (an invite has ten); `got` is a whole id.
    """

    expected: bytes
    got: bytes


@dataclass(eq=False)
class PeerBlocked(NetError):
    """Our player has blocked this peer."""

    peer: bytes


@dataclass(eq=False)
class Unproven(NetError):
    """Somebody claimed a key and could not prove it. Nothing was sent to them."""

    address: str
    claimed: bytes


@dataclass(eq=False)
class OwnIdentity(NetError):
    """The program at this address has our own key: it is this program, or a copy of its folder."""

    address: str


@dataclass(eq=False)
class VersionMismatch(NetError):
    """The peer speaks another version of the protocol."""

    peer: bytes
    ours: int
    our_program: str
    theirs: int
    their_program: str


@dataclass(eq=False)
class UpdateHere(VersionMismatch):
    """The peer's version is newer."""


@dataclass(eq=False)
class UpdateThere(VersionMismatch):
    """The peer's version is older."""


@dataclass(eq=False)
class LinkLost(NetError):
    """The link was lost.

    `peer` is None as long as nobody has proven who they are; `reason` is one of the words of
    `p2p.net.link`, or the other side's own, cleaned.
    """

    peer: bytes | None
    reason: str


@dataclass(eq=False)
class TooSlow(NetError):
    """The address did not answer in time."""

    address: str
    seconds: float


@dataclass(eq=False)
class Unreachable(NetError):
    """Nobody can be reached at this address. `hint` is the id of a clause."""

    address: str
    hint: str


@dataclass(eq=False)
class Broken(NetError):
    """This program made an unexpected error, its cause, with a connection to or from this address.

    The connection is closed.
    """

    address: str


@dataclass(eq=False)
class PortInUse(NetError):
    """The port is in use or not allowed."""

    port: int


@dataclass(eq=False)
class NoSuchInterface(NetError):
    """This machine has no interface with this address."""

    address: str


@dataclass(eq=False)
class NoDiscovery(NetError):
    """Tables on this network cannot be found by themselves. `reason` is the id of a clause."""

    reason: str


@dataclass(eq=False)
class NotAnInvite(NetError):
    """This is no whole invite. `reason` is the id of a clause; the other facts are in some of them.

    Groups are counted after the prefix, from 1.
    """

    reason: str
    end: int | None = None
    """The end of the wrong character or group, as a place in the text; None if it is not known."""
    group: str = ""
    """The number of the wrong group; if it may be one of a few, all of them."""
    letter: str = ""
    """A character that no invite has, fit to be shown."""
    length: int = 0
    """The number of characters after the prefix."""
    expected: int = 0


@dataclass(eq=False)
class BadAddress(NetError):
    """This is no address of a host, with or without a port."""

    text: str


@dataclass(eq=False)
class KeyFileUnreadable(NetError):
    """The file with our key cannot be used."""

    path: str


def _shown(value: object) -> str:
    if isinstance(value, bytes):
        return fingerprint(value)
    if value is None:
        return "unproven"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
