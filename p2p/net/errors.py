"""Everything that can go wrong in the network, and nothing else: each error's first paragraph is the sentence a player reads.

The sentences name their fields in braces. `sentence()` gives one with the braces still in it, so that the client can
translate it and then fill it in with `facts()`; `str(error)` is the same in English.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from inspect import cleandoc

from crypto.identity import fingerprint
from p2p.wire import Malformed

__all__ = [
    "BadAddress",
    "FrameTooLong",
    "KeyFileUnreadable",
    "LinkLost",
    "Malformed",
    "NetError",
    "NoDiscovery",
    "NoSuchInterface",
    "NotAnInvite",
    "NotSobremesa",
    "OwnIdentity",
    "PeerBlocked",
    "PortInUse",
    "TooSlow",
    "Unproven",
    "Unreachable",
    "UpdateHere",
    "UpdateThere",
    "VersionMismatch",
    "WrongPeer",
]


OTHER_SIDE = "the other side"
"""A peer that has not proven who it is."""


@dataclass(eq=False)
class NetError(Exception):
    """Something went wrong on the network."""

    @classmethod
    def sentence(cls) -> str:
        """Return what a player reads, in English, with the names of the facts in braces."""
        paragraph = cleandoc(cls.__doc__ or cls.__name__).split("\n\n", 1)[0]
        return " ".join(paragraph.split())

    def facts(self) -> dict[str, str]:
        """Return what stands in the braces: fields as text, player ids as fingerprints."""
        return {field.name: _shown(getattr(self, field.name)) for field in fields(self)}

    def __str__(self) -> str:
        return self.sentence().format(**self.facts())


@dataclass(eq=False)
class FrameTooLong(NetError):
    """The other side announced a message of {length} bytes; at most {limit} are allowed."""

    length: int
    limit: int


@dataclass(eq=False)
class NotSobremesa(NetError):
    """The program at {address} is not Sobremesa. Check the address and the port."""

    address: str


@dataclass(eq=False)
class WrongPeer(NetError):
    """{got} answered where {expected} was expected. Ask for a new invite, and compare fingerprints before you play.

    `expected` may be the first bytes of an id (an invite has ten); `got` is a whole id.
    """

    expected: bytes
    got: bytes


@dataclass(eq=False)
class PeerBlocked(NetError):
    """You have blocked {peer}. To play with them after all: sobremesa peers forget {peer}."""

    peer: bytes


@dataclass(eq=False)
class Unproven(NetError):
    """Somebody at {address} claimed to be {claimed} and could not prove it. Nothing was said to them."""

    address: str
    claimed: bytes


@dataclass(eq=False)
class OwnIdentity(NetError):
    """The program at {address} has your own key. It is this program, or a copy of its folder. Give each player a folder."""

    address: str


@dataclass(eq=False)
class VersionMismatch(NetError):
    """{peer} speaks protocol {theirs} (program {their_program}), you speak {ours} (program {our_program})."""

    peer: bytes
    ours: int
    our_program: str
    theirs: int
    their_program: str


@dataclass(eq=False)
class UpdateHere(VersionMismatch):
    """Update Sobremesa here: {peer} speaks protocol {theirs} ({their_program}), you speak {ours} (this is {our_program})."""


@dataclass(eq=False)
class UpdateThere(VersionMismatch):
    """Ask {peer} to update: they speak protocol {theirs} (program {their_program}), you speak {ours} (program {our_program})."""


@dataclass(eq=False)
class LinkLost(NetError):
    """The link to {peer} was lost ({reason}).

    `peer` is None as long as nobody has proven who they are; `reason` is one of the words of `p2p.net.link`, or the
    other side's own, cleaned.
    """

    peer: bytes | None
    reason: str


@dataclass(eq=False)
class TooSlow(NetError):
    """{address} did not answer within {seconds} seconds; perhaps the table is not open any more."""

    address: str
    seconds: float


@dataclass(eq=False)
class Unreachable(NetError):
    """Nobody can be reached at {address}: {hint}.

    `hint` is one of the clauses of `p2p.net.dial.HINTS`, to be translated by itself.
    """

    address: str
    hint: str


@dataclass(eq=False)
class PortInUse(NetError):
    """Port {port} is already in use or not allowed here. Choose another with --port, or leave the option out."""

    port: int


@dataclass(eq=False)
class NoSuchInterface(NetError):
    """This machine has no interface with the address {address}."""

    address: str


@dataclass(eq=False)
class NoDiscovery(NetError):
    """Tables on this network cannot be found by themselves: {reason}. Join with an invite or an address instead.

    `reason` is one of the clauses of `p2p.net.discovery.REASONS`, to be translated by itself.
    """

    reason: str


@dataclass(eq=False)
class NotAnInvite(NetError):
    """This is no whole invite: {reason}. Copy it again, from SBM1 to the last character.

    `reason` is one of the phrases of `p2p.net.invite.PROBLEMS`.
    """

    reason: str


@dataclass(eq=False)
class BadAddress(NetError):
    """{text} is no address. Write HOST or HOST:PORT, for example 192.168.1.23:47747."""

    text: str


@dataclass(eq=False)
class KeyFileUnreadable(NetError):
    """The file with your key cannot be used: {path}."""

    path: str


def _shown(value: object) -> str:
    if isinstance(value, bytes):
        return fingerprint(value)
    if value is None:
        return OTHER_SIDE
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
