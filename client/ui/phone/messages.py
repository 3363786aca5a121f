"""The messages between the program that listens and the process of a visitor, over its two pipes.

The program passes on frames that it cannot open, with the number of their connection. Each message
is four bytes of length, most significant first, and a list in canonical msgpack (`p2p.wire`): its
name and its values.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, field, fields
from typing import get_args

from p2p import wire

LENGTH = 4
"""Bytes that give the length of a message."""
MOST = 300_000
"""Bytes of a message: the longest frame, and more than all that stands around it."""


@dataclass(frozen=True)
class Begin:
    """The first message to a visitor."""

    host: str
    """Address and port as the page has them."""
    files: bytes
    """The hash of the page's files, 32 bytes."""
    interface: str
    """The one address on which the visitor looks for tables and listens; empty is every address."""
    machine: bytes
    """The key of the owner, on whose machine the visitor runs: 32 bytes."""
    voucher: bytes
    """The owner's signature of that (`p2p.table.terms.vouch`)."""


@dataclass(frozen=True)
class Frame:
    """A frame of a connection, from its page or to it."""

    connection: int
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class LinkClosed:
    """To a visitor, and to its owner: a connection was closed."""

    connection: int


@dataclass(frozen=True)
class MakeCode:
    """To a visitor: make a code; an earlier one ends."""


@dataclass(frozen=True)
class Moved:
    """To a visitor: the page has this address and port from now on."""

    host: str


@dataclass(frozen=True)
class EndCode:
    """To a visitor: let nobody begin by the code any more."""


@dataclass(frozen=True)
class AdmitPhone:
    """To a visitor: the owner lets a phone in."""

    connection: int


@dataclass(frozen=True)
class Rename:
    """To a visitor: the new name of its player."""

    nick: str


@dataclass(frozen=True)
class Asleep:
    """To a visitor: the players at tables whose phones are away, and no others, by their ids."""

    players: list[bytes]


@dataclass(frozen=True)
class Claims:
    """Of a visitor: the keys that a first frame may name.

    It is sent before anything else, and before the effects of a change.
    """

    claims: list[bytes]
    """Kind and id each."""


@dataclass(frozen=True)
class Code:
    """Of a visitor: the letters of a new code, for the screen of the owner."""

    letters: str = field(repr=False)


@dataclass(frozen=True)
class Close:
    """Of a visitor: close a connection, without a word."""

    connection: int


@dataclass(frozen=True)
class Asks:
    """Of a visitor that has a phone: another one has the code; `AdmitPhone` if the owner agrees."""

    connection: int
    digits: str
    """Four digits, which the phone shows too."""


@dataclass(frozen=True)
class CodeUsed:
    """Of a visitor: a second phone came with a code, and was told that it is used."""

    connection: int


@dataclass(frozen=True)
class Entered:
    """Of a visitor: its phone is in, on this connection alone; its browser has this language."""

    connection: int
    language: str
    by_code: bool = False
    """Whether it came by a code, which is used now."""


@dataclass(frozen=True)
class Doing:
    """Of a visitor, at first and at every change: the doings of its player."""

    nick: str
    """Empty until its player has given one."""
    page: str
    """The name of the page that it sees (`client.ui.screen.state.Page`)."""
    game: str
    """The game at its table; empty where it sits at none."""
    bound: bool
    """Whether others wait for it if it goes."""


ToVisitor = Begin | Frame | LinkClosed | MakeCode | Moved | EndCode | AdmitPhone | Rename | Asleep
OfVisitor = Claims | Code | Frame | Close | Asks | CodeUsed | Entered | Doing
Message = ToVisitor | OfVisitor
KINDS: dict[str, type[Message]] = {kind.__name__: kind for kind in get_args(Message)}
_TYPES = {"int": int, "bool": bool, "str": str, "bytes": bytes, "list[bytes]": list}


class NoMessage(Exception):
    """Bytes that no program of this version writes to a visitor, and no visitor to its program."""


def packed(message: Message) -> bytes:
    """Return a message as it is written to a pipe."""
    data = wire.pack([type(message).__name__, *astuple(message)])
    return len(data).to_bytes(LENGTH, "big") + data


class MessageReader:
    """Takes the bytes of a pipe, in any pieces, and gives the messages."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Message]:
        """Return the messages that these bytes complete. Raises NoMessage."""
        self._rest += data
        found = []
        while len(self._rest) >= LENGTH:
            size = int.from_bytes(self._rest[:LENGTH], "big")
            if size > MOST:
                raise NoMessage("a message that is too long")
            if len(self._rest) < LENGTH + size:
                break
            found.append(_read(self._rest[LENGTH : LENGTH + size]))
            self._rest = self._rest[LENGTH + size :]
        return found


def _read(data: bytes) -> Message:
    try:
        value = wire.unpack(data, MOST)
    except wire.Malformed:
        raise NoMessage("not in its one spelling") from None
    match value:
        case [str(name), *values] if name in KINDS and _fits(KINDS[name], values):
            message: Message = KINDS[name](*values)
            return message
    raise NoMessage("not a message")


def _fits(kind: type, values: list[object]) -> bool:
    wanted = [_TYPES[str(one.type)] for one in fields(kind)]
    return [type(value) for value in values] == wanted and all(
        isinstance(part, bytes) for value in values if isinstance(value, list) for part in value
    )
