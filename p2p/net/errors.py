"""The errors of the network: the class is the error's id, and its fields are facts.

`client.i18n.sentences` has the sentence for each id.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from crypto.identity import fingerprint


@dataclass(eq=False)
class NetError(Exception):
    """The base of all network errors."""

    @property
    def id(self) -> str:
        """The name of the class."""
        return type(self).__name__

    @property
    def facts(self) -> dict[str, str]:
        """The fields as text, with player ids as fingerprints."""
        return {field.name: _shown(getattr(self, field.name)) for field in fields(self)}

    def __str__(self) -> str:
        return ", ".join([self.id, *(f"{name} {fact}" for name, fact in self.facts.items())])


@dataclass(eq=False)
class FrameTooLong(NetError):
    """The peer announced a longer message than is allowed."""

    length: int
    limit: int


@dataclass(eq=False)
class NotSobremesa(NetError):
    """The program at this address does not speak our protocol."""

    address: str


@dataclass(eq=False)
class WrongPeer(NetError):
    """A key other than the expected one answered.

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
    """The other end claimed a key and did not prove it. Nothing was sent to it."""

    address: str
    claimed: bytes


@dataclass(eq=False)
class OwnIdentity(NetError):
    """The program at this address has our own key: this program, or a copy of its home."""

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

    `peer` is None until it proved its identity. `reason` is a constant of `p2p.net.link`, or the
    peer's own text, cleaned.
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
    """The address cannot be reached. `hint` is the id of a clause."""

    address: str
    hint: str


@dataclass(eq=False)
class Broken(NetError):
    """An unexpected error of this program, with one connection, which is closed.

    The cause is chained.
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
    """Discovery does not work. `reason` is the id of a clause."""

    reason: str


@dataclass(eq=False)
class NotAnInvite(NetError):
    """This is no valid invite. `reason` is the id of a clause; the other facts serve some of them.

    Groups are counted after the prefix, from 1.
    """

    reason: str
    end: int | None = None
    """The index after the wrong character or group; None if unknown."""
    group: str = ""
    """The number of the wrong group, or the numbers of all possible ones."""
    letter: str = ""
    """A character that invites do not have, safe to show."""
    length: int = 0
    """The number of characters after the prefix."""
    expected: int = 0


@dataclass(eq=False)
class BadAddress(NetError):
    """This is no valid address, with or without a port."""

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
