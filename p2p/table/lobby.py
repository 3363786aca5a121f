"""The lobby, sans I/O: a host proposes a table, guests take seats, and all sign.

The peer that opens a table is its host. It chooses the game and gives out seats in the order of the
requests, or as its player arranges them. When the last seat is taken it proposes the terms. Each
peer checks that they are what it was shown, signs for its seats, once for each nonce, and floods
the signatures. The match begins once all have signed; from then on no seat is special. If a peer
leaves before, the host shows the table again, and the guests that signed take their seats again
with fresh nonces. Nonces are never proposed twice: until a guest has sent a fresh one, its seat is
taken, but the table is not full.

    host  -> all   {"t": "table", ...}       game and participants; again at every change
    guest -> host  {"t": "sit", seats, secret}   each seat with a proof that the guest holds its
                                                 key; more than one only where the host allows it
    guest -> host  {"t": "stand"}
    host  -> guest {"t": "refuse", why}
    host  -> all   {"t": "terms", terms, nodes}
    all   -> all   {"t": "sign", match, seat, signature}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crypto.chance import Entropy, fresh
from crypto.errors import CryptoError
from crypto.identity import Identity, verify
from engine.core.errors import Explained
from engine.core.options import BadOption
from engine.games import UnknownGame, complete_options, game_class
from p2p.table.admission import Visit
from p2p.table.house import USUAL, House, with_house, without_house
from p2p.table.terms import (
    LIMIT_S,
    NONCE,
    PERSON,
    TERMS_CONTEXT,
    Participant,
    Terms,
    read_participant,
)
from p2p.wire import MOST_ANNOUNCED, MOST_SEATS, PROTOCOL, Malformed, pack, shape

Message = dict[str, Any]


class TableRefused(Explained):
    """The table cannot be joined. Without facts, the reason may be a peer's that refuses us."""


@dataclass(frozen=True)
class Endpoint:
    """Where a peer of this table can be reached: its id, its port and its observed addresses."""

    id: bytes
    port: int
    addresses: tuple[str, ...]


@dataclass(frozen=True)
class Draft:
    """A table that is filling: its game, and the participant of each seat; None is a free seat."""

    table: str
    game: str
    rules: int
    options: dict[str, Any]
    limit: int
    spectators: bool
    seats: tuple[Participant | None, ...]
    private: bool = False
    """Whether guests and spectators need an invite."""
    several: bool = False
    """Whether guests may take further seats for computer players that they bring."""
    house: House = USUAL

    @property
    def taken(self) -> int:
        """The number of taken seats."""
        return sum(seat is not None for seat in self.seats)

    def message(self) -> Message:
        """Return the host's `table` message."""
        seats = [participant.encode() if participant else [] for participant in self.seats]
        facts = {
            "table": self.table,
            "game": self.game,
            "rules": self.rules,
            "options": self.options,
            "limit": self.limit,
        }
        shown = {
            "t": "table",
            **facts,
            "spectators": self.spectators,
            "seats": seats,
            "private": self.private,
            "several": self.several,
            "protocol": PROTOCOL,
        }
        return with_house(shown, self.house)

    @staticmethod
    def read(message: Message) -> Draft:
        """Read a host's `table` message.

        Malformed if it is invalid; TableRefused if this program cannot play at the table.
        """
        kinds = {
            "t": str,
            "table": str,
            "game": str,
            "rules": int,
            "options": dict,
            "limit": int,
            "spectators": bool,
            "private": bool,
            "several": bool,
        }
        value, house = without_house(message)
        fields = shape(value, **kinds, seats=list, protocol=int)
        require_ours(fields["protocol"], fields["game"], fields["rules"])
        if not 1 <= len(fields["seats"]) <= MOST_SEATS or len(fields["table"]) > 64:
            raise Malformed("a table with such seats or such a name cannot be")
        if not 0 <= fields["limit"] <= LIMIT_S:
            raise Malformed("a table with such a time limit cannot be")
        seats = tuple(None if seat == [] else read_participant(seat) for seat in fields["seats"])
        keys = [seat.public for seat in seats if seat]
        if len(set(keys)) != len(keys):
            raise Malformed("two seats have one key")
        try:
            if complete_options(fields["game"], len(seats), fields["options"]) != fields["options"]:
                raise Malformed("a table leaves options open")
        except BadOption as error:
            raise TableRefused("bad-option", error=error) from error
        kept = {name: fields[name] for name in kinds if name != "t"}
        return Draft(**kept, seats=seats, house=house)

    def is_same_table(self, before: Draft) -> bool:
        """Whether this is the table that was shown before, with any players."""
        free = (None,) * len(self.seats)
        return replace(self, seats=free) == replace(before, seats=(None,) * len(before.seats))

    def is_like(self, before: Draft | Terms) -> bool:
        """Whether matches here have the terms of another table, apart from the players.

        If guests take only one seat at `before`, so must they here.
        """
        places = before.seats if isinstance(before, Draft) else before.participants
        theirs = [before.game, before.rules, before.options, before.limit, before.spectators]
        ours = [self.game, self.rules, self.options, self.limit, self.spectators]
        if isinstance(before, Draft) and self.several and not before.several:
            return False
        if self.house != before.house:
            return False
        return pack([*ours, len(self.seats)]) == pack([*theirs, len(places)])

    def terms(self) -> Terms:
        """Return the terms of a full table."""
        participants = tuple(participant for participant in self.seats if participant is not None)
        assert len(participants) == len(self.seats), "terms are proposed when all seats are taken"
        return Terms(
            self.game,
            self.rules,
            self.options,
            self.limit,
            self.spectators,
            participants,
            house=self.house,
        )


def require_ours(protocol: int, game: str, rules: int) -> None:
    """Raise TableRefused if a table has versions that this program does not know."""
    if protocol != PROTOCOL:
        raise TableRefused("other-protocol", theirs=protocol, ours=PROTOCOL)
    try:
        version = game_class(game).version
    except UnknownGame as error:
        raise TableRefused("unknown-game", game=game) from error
    if version != rules:
        raise TableRefused("other-rules", theirs=rules, ours=version)


def read_endpoints(value: Any) -> tuple[Endpoint, ...]:
    """Read the endpoints of peers. Raises Malformed."""
    endpoints = []
    for item in value[: MOST_SEATS + 1]:
        if (
            type(item) is not list
            or [type(part) for part in item] != [bytes, int, list]
            or len(item[0]) != 32
        ):
            raise Malformed("an endpoint is an id, a port and addresses")
        if len(item[2]) > MOST_ANNOUNCED or any(
            type(address) is not str or len(address) > 64 for address in item[2]
        ):
            raise Malformed("an endpoint has a few short addresses")
        if not 0 < item[1] < 65536:
            raise Malformed("no such port")
        endpoints.append(Endpoint(item[0], item[1], tuple(item[2])))
    if len(endpoints) > MOST_SEATS:
        raise Malformed("too many endpoints")
    return tuple(endpoints)


def of_participants(terms: Terms, endpoints: Sequence[Endpoint]) -> tuple[Endpoint, ...]:
    """Return the first endpoint of each player of a match; others are not its peers."""
    first = {endpoint.id: endpoint for endpoint in reversed(endpoints)}
    players = [participant.id for participant in terms.participants]
    return tuple(first[player] for player in players if player in first)


def encode_endpoints(endpoints: Sequence[Endpoint]) -> list[Any]:
    """Return endpoints in the form of messages."""
    return [[endpoint.id, endpoint.port, list(endpoint.addresses)] for endpoint in endpoints]


@dataclass
class SeatRequest:
    """A request for a seat by a player of this process: its key, its nick, its present nonce.

    `kind`, `machine` and `voucher` are those of its `Participant`.
    """

    identity: Identity
    nick: str
    entropy: Entropy = field(repr=False)
    nonce: bytes = b""
    kind: str = PERSON
    machine: bytes = b""
    voucher: bytes = b""

    def participant(self) -> Participant:
        """Return the public side of this request, with a fresh nonce if the last one was signed."""
        self.nonce = self.nonce or fresh(self.entropy, NONCE)
        return Participant(
            self.identity.public, self.nick, self.nonce, self.kind, self.machine, self.voucher
        )


def request_of(seat: Participant, identity: Identity, entropy: Entropy) -> SeatRequest:
    """Return the request behind a seat of ours in terms."""
    found = SeatRequest(identity, seat.nick, entropy, seat.nonce)
    return replace(found, kind=seat.kind, machine=seat.machine, voucher=seat.voucher)


class Agreement:
    """Terms that are not binding yet: which seats have signed.

    Our own sign at once, once per nonce.
    """

    def __init__(self, terms: Terms, seat_requests: Sequence[SeatRequest]) -> None:
        """Sign for our requests; that uses up their nonces.

        TableRefused if one of them is not in the terms as it was sent.
        """
        self.terms = terms
        self.match = terms.match
        self.signatures: dict[int, bytes] = {}
        seats = {participant: seat for seat, participant in enumerate(terms.participants)}
        for seat_request in seat_requests:
            seat = seats.get(seat_request.participant()) if seat_request.nonce else None
            if seat is None:
                raise TableRefused("not-as-shown")
            self.signatures[seat] = terms.sign(seat_request.identity)
        self.own = dict(
            zip(
                (seats[seat_request.participant()] for seat_request in seat_requests),
                seat_requests,
                strict=True,
            )
        )
        for seat_request in seat_requests:
            seat_request.nonce = b""

    def messages(self) -> list[Message]:
        """Return all known signatures as messages."""
        return [self._message(seat) for seat in sorted(self.signatures)]

    def receive(self, message: Message) -> bool:
        """Take a signature; return whether it is new.

        Malformed if it is not one of a seat of this match.
        """
        fields = shape(message, t=str, match=bytes, seat=int, signature=bytes)
        seat, signature = fields["seat"], fields["signature"]
        if fields["match"] != self.match:
            return False
        if not 0 <= seat < len(self.terms.participants):
            raise Malformed("a signature of no seat")
        if seat in self.signatures:
            return False
        try:
            verify(
                self.terms.participants[seat].public, TERMS_CONTEXT, self.terms.encode(), signature
            )
        except CryptoError as error:
            raise Malformed(f"the terms are not signed by p{seat + 1}") from error
        self.signatures[seat] = signature
        return True

    @property
    def complete(self) -> bool:
        """Whether every seat has signed."""
        return len(self.signatures) == len(self.terms.participants)

    def ordered(self) -> tuple[bytes, ...]:
        """Return the signatures in seat order."""
        return tuple(self.signatures[seat] for seat in sorted(self.signatures))

    def _message(self, seat: int) -> Message:
        return {"t": "sign", "match": self.match, "seat": seat, "signature": self.signatures[seat]}


def sit_message(seat_requests: Sequence[SeatRequest], secret: bytes, visit: Visit) -> Message:
    """Return a guest's `sit` message."""
    seats = []
    for seat_request in seat_requests:
        participant = seat_request.participant()
        seats.append([*participant.encode(), visit.sign(seat_request.identity, participant)])
    return {"t": "sit", "seats": seats, "secret": secret}


def agree(
    shown: Draft, message: Message, seat_requests: Sequence[SeatRequest]
) -> tuple[Agreement, tuple[Endpoint, ...]]:
    """Sign the terms that a host proposes, if they are byte for byte what it has shown.

    If not, raise Malformed or TableRefused. Bytes are compared, because in Python False equals 0.
    """
    fields = shape(message, t=str, terms=bytes, nodes=list)
    terms, endpoints = Terms.decode(fields["terms"]), read_endpoints(fields["nodes"])
    if None in shown.seats or fields["terms"] != shown.terms().encode():
        raise TableRefused("not-as-shown")
    terms.check_game()
    return Agreement(terms, seat_requests), of_participants(terms, endpoints)
