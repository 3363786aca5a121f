"""The terms agreed before the first card, their hash (the match's id) and their signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crypto.errors import CryptoError
from crypto.identity import Identity, player_id, verify
from engine.games import complete_options, game_class
from p2p.table.hashing import h
from p2p.table.house import USUAL, House, with_house, without_house
from p2p.wire import MOST_SEATS, PROTOCOL, Malformed, pack, shape, unpack

TERMS_CONTEXT = f"sobremesa/{PROTOCOL} terms"
MACHINE_CONTEXT = f"sobremesa/{PROTOCOL} machine"
TERMS_LIMIT = 8192
NONCE = 16
NICK_BYTES = 48
LIMIT_S = 86400
"""The longest time limit, in seconds."""
PERSON, COMPUTER = "person", "computer"
"""The kinds of players."""


class OtherVersion(Malformed):
    """Data of another version of this program."""

    def __init__(self, sentence: str, theirs: int, ours: int) -> None:
        super().__init__(sentence)
        self.theirs, self.ours = theirs, ours


@dataclass(frozen=True)
class Participant:
    """A seat in the terms: its key (32 bytes), its nick, and a fresh nonce of its own.

    `kind` says whether a person or a computer plays it. If another player's program runs it,
    `machine` is the key of that player, whose signature `voucher` vouches for this seat's key.
    """

    public: bytes
    nick: str
    nonce: bytes
    kind: str = PERSON
    machine: bytes = b""
    """Empty if the seat's own program runs it."""
    voucher: bytes = b""

    @property
    def id(self) -> bytes:
        """The player's id: 32 bytes."""
        return player_id(self.public)

    @property
    def program(self) -> bytes:
        """The id of the player whose program runs this seat: 32 bytes."""
        return player_id(self.machine or self.public)

    def encode(self) -> list[Any]:
        """Return the seat as it is sent, hashed and signed."""
        return [self.public, self.nick, self.nonce, self.kind, self.machine, self.voucher]


def vouch(machine: Identity, public: bytes) -> bytes:
    """Return the signature by which a program vouches for a seat that it runs."""
    return machine.sign(MACHINE_CONTEXT, public)


@dataclass(frozen=True)
class Terms:
    """Everything that the seats of a match agree on. Equal terms have equal bytes."""

    game: str
    rules: int
    options: dict[str, Any]
    limit: int
    """Seconds of absence after which the others may continue without a seat."""
    spectators: bool
    participants: tuple[Participant, ...]
    protocol: int = PROTOCOL
    house: House = USUAL

    def encode(self) -> bytes:
        """Return the bytes that are hashed and signed."""
        seats = [participant.encode() for participant in self.participants]
        fields: dict[str, Any] = {
            "protocol": self.protocol,
            "game": self.game,
            "rules": self.rules,
            "options": self.options,
        }
        fields |= {"limit": self.limit, "spectators": self.spectators, "seats": seats}
        return pack(with_house(fields, self.house))

    @staticmethod
    def decode(data: bytes) -> Terms:
        """Read terms strictly; Malformed if no match could have them."""
        kinds = {
            "protocol": int,
            "game": str,
            "rules": int,
            "options": dict,
            "limit": int,
            "spectators": bool,
            "seats": list,
        }
        value, house = without_house(unpack(data, TERMS_LIMIT))
        fields = shape(value, **kinds)
        if not 1 <= len(fields["seats"]) <= MOST_SEATS:
            raise Malformed(f"terms have 1 to {MOST_SEATS} seats")
        participants = tuple(read_participant(seat) for seat in fields["seats"])
        if len({participant.public for participant in participants}) != len(participants):
            raise Malformed("two seats have one key")
        if not 0 <= fields["limit"] <= LIMIT_S:
            raise Malformed(f"the time limit is 0 to {LIMIT_S} seconds")
        known = {
            name: fields[name]
            for name in ("protocol", "game", "rules", "options", "limit", "spectators")
        }
        return Terms(participants=participants, house=house, **known)

    @property
    def match(self) -> bytes:
        """The match's id: 32 bytes."""
        return h("match", self.encode())

    @property
    def hints(self) -> str:
        """Whether programs give hints: `none`, `told` or `free`; always `free` for one person."""
        people = sum(participant.kind == PERSON for participant in self.participants)
        return self.house.hints if people > 1 else "free"

    def check_game(self) -> None:
        """Raise unless this program can play these terms.

        The errors are UnknownGame, BadOption, or Malformed for other versions and open options.
        """
        if self.protocol != PROTOCOL:
            raise OtherVersion(
                f"protocol {self.protocol}, and this program speaks {PROTOCOL}",
                self.protocol,
                PROTOCOL,
            )
        version = game_class(self.game).version
        if self.rules != version:
            sentence = (
                f"rules {self.rules} of {self.game}, and this program plays by rules {version}"
            )
            raise OtherVersion(sentence, self.rules, version)
        complete = complete_options(self.game, len(self.participants), self.options)
        if complete != self.options:
            raise Malformed("the terms leave options open")

    def sign(self, identity: Identity) -> bytes:
        """Return the signature with which a seat accepts the terms."""
        return identity.sign(TERMS_CONTEXT, self.encode())

    def check_signatures(self, signatures: Sequence[bytes]) -> None:
        """Raise unless every seat, in order, has signed these terms."""
        if len(signatures) != len(self.participants):
            raise Malformed("one signature for each seat")
        for participant, signature in zip(self.participants, signatures, strict=True):
            verify(participant.public, TERMS_CONTEXT, self.encode(), signature)

    def first_head(self) -> bytes:
        """Return the head that the first step is signed on.

        It includes no signatures, since a key can make many.
        """
        return h("terms", self.encode())


def read_participant(value: Any) -> Participant:
    """Read a seat of a table or of terms. Malformed if it is invalid, or nobody vouches for it."""
    if type(value) is not list or [type(item) for item in value] != _SEAT:
        raise Malformed("a seat is a key, a nick, a nonce, a kind, a machine and its voucher")
    seat = Participant(*value)
    nick_bytes = len(seat.nick.encode())
    if len(seat.public) != 32 or len(seat.nonce) != NONCE or not 0 < nick_bytes <= NICK_BYTES:
        raise Malformed("a seat's key, nick or nonce has a wrong length")
    if seat.kind not in (PERSON, COMPUTER):
        raise Malformed("a person plays, or a computer")
    if seat.machine == seat.public or bool(seat.machine) != bool(seat.voucher):
        raise Malformed("a seat at another machine has the voucher of that one")
    try:
        player_id(seat.public)
        if seat.machine:
            verify(seat.machine, MACHINE_CONTEXT, seat.public, seat.voucher)
    except CryptoError as error:
        raise Malformed("a key of a seat is none, or has not vouched for it") from error
    return seat


_SEAT = [bytes, str, bytes, str, bytes, bytes]
