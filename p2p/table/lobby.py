"""The lobby, sans I/O: a host proposes a table, guests take seats, and all sign; from then on no seat is special.

The peer that opens a table is its host. It chooses the game and gives out seats in the order of the
requests. When the last is taken it proposes the terms. Each peer checks that they are what it was
shown, signs for the seats it holds, once for each nonce, and floods the signatures. The match
begins where all of them are; a peer that goes before that costs nobody anything: the host shows
the table again, and those who had signed sit down with fresh nonces. Nonces that stood in terms are
never proposed again: until a guest has sat down anew its seat is taken, but the table is not full.

    host  -> all   {"t": "table", ...}       game and participants; again at every change
    guest -> host  {"t": "sit", seats, secret}     {"t": "stand"}        each seat with a proof that the guest holds its key
    host  -> guest {"t": "refuse", why}
    host  -> all   {"t": "terms", terms, nodes}
    all   -> all   {"t": "sign", match, seat, signature}
"""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crypto.chance import Entropy
from crypto.errors import CryptoError
from crypto.identity import Identity, verify
from engine.core.errors import Explained
from engine.core.options import BadOption
from engine.games import UnknownGame, complete_options, game_class
from p2p.table.admission import Failures, Newcomer, Visit
from p2p.table.terms import NONCE, TERMS_CONTEXT, Participant, Terms, read_participant
from p2p.wire import PROTOCOL, Malformed, shape

Message = dict[str, Any]
MOST_ENDPOINTS = 16
ADDRESSES = 8


class TableRefused(Explained):
    """The table cannot be joined. Without facts the id may come from a peer: it refuses us."""


@dataclass(frozen=True)
class Endpoint:
    """Where a peer of this table can be reached: its id, its port and addresses of it that somebody has seen."""

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

    @property
    def taken(self) -> int:
        """How many seats are taken."""
        return sum(seat is not None for seat in self.seats)

    def message(self) -> Message:
        """Return what the host shows."""
        seats = [[participant.public, participant.nick, participant.nonce] if participant else [] for participant in self.seats]
        facts = {"table": self.table, "game": self.game, "rules": self.rules, "options": self.options, "limit": self.limit}
        return {"t": "table", **facts, "spectators": self.spectators, "seats": seats, "protocol": PROTOCOL}

    @staticmethod
    def read(message: Message) -> Draft:
        """Read what a host shows. Malformed if it is no table; TableRefused if this program cannot play it."""
        kinds = {"t": str, "table": str, "game": str, "rules": int, "options": dict, "limit": int, "spectators": bool}
        fields = shape(message, **kinds, seats=list, protocol=int)
        if fields["protocol"] != PROTOCOL:
            raise TableRefused("other-protocol", theirs=fields["protocol"], ours=PROTOCOL)
        if not 1 <= len(fields["seats"]) <= 16 or len(fields["table"]) > 64:
            raise Malformed("a table with such seats or such a name cannot be")
        seats = tuple(None if seat == [] else read_participant(seat) for seat in fields["seats"])
        keys = [seat.public for seat in seats if seat]
        if len(set(keys)) != len(keys):
            raise Malformed("two seats have one key")
        try:
            if game_class(fields["game"]).version != fields["rules"]:
                raise TableRefused("other-rules", theirs=fields["rules"], ours=game_class(fields["game"]).version)
            if complete_options(fields["game"], len(seats), fields["options"]) != fields["options"]:
                raise Malformed("a table leaves options open")
        except UnknownGame as error:
            raise TableRefused("unknown-game", game=fields["game"]) from error
        except BadOption as error:
            raise TableRefused("bad-option", error=error) from error
        kept = {name: fields[name] for name in ("table", "game", "rules", "options", "limit", "spectators")}
        return Draft(**kept, seats=seats)

    def terms(self) -> Terms:
        """Return the terms of a full table."""
        participants = tuple(participant for participant in self.seats if participant is not None)
        assert len(participants) == len(self.seats), "terms are proposed when all seats are taken"
        return Terms(self.game, self.rules, self.options, self.limit, self.spectators, participants)


def read_endpoints(value: Any) -> tuple[Endpoint, ...]:
    """Read where peers can be reached. Malformed if the value is no list of endpoints."""
    endpoints = []
    for item in value[: MOST_ENDPOINTS + 1]:
        if type(item) is not list or [type(part) for part in item] != [bytes, int, list] or len(item[0]) != 32:
            raise Malformed("an endpoint is an id, a port and addresses")
        if len(item[2]) > ADDRESSES or any(type(address) is not str or len(address) > 64 for address in item[2]):
            raise Malformed("an endpoint has a few short addresses")
        if not 0 < item[1] < 65536:
            raise Malformed("no such port")
        endpoints.append(Endpoint(item[0], item[1], tuple(item[2])))
    if len(endpoints) > MOST_ENDPOINTS:
        raise Malformed("too many endpoints")
    return tuple(endpoints)


def encode_endpoints(endpoints: Sequence[Endpoint]) -> list[Any]:
    """Return endpoints as they go over the wire."""
    return [[endpoint.id, endpoint.port, list(endpoint.addresses)] for endpoint in endpoints]


@dataclass
class SeatRequest:
    """A request for a seat by a player of this process: its key, its nick, its present nonce."""

    identity: Identity
    nick: str
    entropy: Entropy = field(repr=False)
    nonce: bytes = b""

    def participant(self) -> Participant:
        """Return the public side of this request; the nonce is fresh until it has been signed with."""
        self.nonce = self.nonce or self.entropy(NONCE)
        return Participant(self.identity.public, self.nick, self.nonce)


class Agreement:
    """Terms on their way to being binding: which seats have signed. Our own sign at once, once per nonce."""

    def __init__(self, terms: Terms, seat_requests: Sequence[SeatRequest]) -> None:
        """Sign for our requests; their nonces are used up. TableRefused if one of them is not in the terms as it sat down."""
        self.terms = terms
        self.match = terms.match
        self.signatures: dict[int, bytes] = {}
        seats = {participant: seat for seat, participant in enumerate(terms.participants)}
        for seat_request in seat_requests:
            seat = (
                seats.get(Participant(seat_request.identity.public, seat_request.nick, seat_request.nonce))
                if seat_request.nonce
                else None
            )
            if seat is None:
                raise TableRefused("not-as-shown")
            self.signatures[seat] = terms.sign(seat_request.identity)
        self.own = dict(zip((seats[seat_request.participant()] for seat_request in seat_requests), seat_requests, strict=True))
        for seat_request in seat_requests:
            seat_request.nonce = b""

    def messages(self) -> list[Message]:
        """Return all signatures known so far, as they are flooded."""
        return [self._message(seat) for seat in sorted(self.signatures)]

    def receive(self, message: Message) -> bool:
        """Take a signature; return whether it is new. Malformed if it is none of a seat of this match."""
        fields = shape(message, t=str, match=bytes, seat=int, signature=bytes)
        seat, signature = fields["seat"], fields["signature"]
        if fields["match"] != self.match:
            return False
        if not 0 <= seat < len(self.terms.participants):
            raise Malformed("a signature of no seat")
        if seat in self.signatures:
            return False
        try:
            verify(self.terms.participants[seat].public, TERMS_CONTEXT, self.terms.encode(), signature)
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


@dataclass
class Guest:
    """A peer that sits here, and the seats that it has proven to be its own."""

    newcomer: Newcomer
    participants: list[Participant]

    @property
    def endpoint(self) -> Endpoint:
        """Where it can be reached."""
        return Endpoint(self.newcomer.peer, self.newcomer.port, (self.newcomer.host,))

    @property
    def keys(self) -> list[bytes]:
        """Its id and the keys of its seats."""
        return [self.newcomer.peer, *(participant.public for participant in self.participants)]

    @property
    def seat_keys(self) -> set[bytes]:
        """The keys of its seats."""
        return {participant.public for participant in self.participants}


class Host:
    """The side that opened the table: it hands out seats. Times are in milliseconds, by the clock of the caller."""

    def __init__(
        self,
        draft: Draft,
        seat_requests: Sequence[SeatRequest],
        secret: bytes = b"",
        wishes: Mapping[bytes, int] | None = None,
        spent: dict[bytes, bytes] | None = None,
        welcome: Collection[bytes] = (),
        *,
        private: bool = True,
    ) -> None:
        """Open a table with our own requests seated first. To a `private` one with a `secret` a guest needs that.

        It lets one guest in: from then on it is another one, and the old `secret` admits that guest
        alone. `wishes` are seats by public key: where those sit if they come, as long as the seat
        is free. `spent` are used secrets with the guests they admitted; they still admit these, and
        new ones are added. A peer in `welcome` needs none. Any other table refuses only the secrets
        of other tables: a guest with one has an old invite, and wants to go elsewhere.
        """
        self._private = private
        self.seat_requests, self.secret, self._wishes = tuple(seat_requests), secret, dict(wishes or {})
        self._spent = {} if spent is None else spent
        self._welcome = frozenset(welcome)
        self.draft = draft
        """The table as it is now: our requests, then guests in the order in which they came."""
        self._guests: dict[bytes, Guest] = {}
        self._failures = Failures()
        self._proposed = False
        self._signed: set[bytes] = set()
        """The keys that have signed what was proposed last."""
        self._used: set[bytes] = set()
        """Guests whose nonces stood in terms that came to nothing: they have to sit down anew."""
        self._told: dict[bytes, tuple[bytes, bytes]] = {}
        """The link over which each guest was last sent terms, by its nonces."""
        self._since = 0
        """Since when guests owe a signature, or have to sit down anew."""
        self._arrange()

    @property
    def full(self) -> bool:
        """Whether every seat is taken by somebody who can sign for it."""
        return self.draft.taken == len(self.draft.seats) and not self._used

    @property
    def guests(self) -> Mapping[bytes, Sequence[Participant]]:
        """The participants of each guest, by peer."""
        return {peer: tuple(guest.participants) for peer, guest in self._guests.items()}

    def endpoints(self) -> tuple[Endpoint, ...]:
        """Return where the guests can be reached."""
        return tuple(guest.endpoint for guest in self._guests.values())

    def propose(self, now: int) -> Terms:
        """Return the terms of the full table; after this its nonces count as used, and guests owe their signatures."""
        self._proposed, self._signed, self._since = True, set(), now
        return self.draft.terms()

    def note_told(self, peer: bytes, link: tuple[bytes, bytes]) -> None:
        """A guest has been sent the terms over the link with these nonces."""
        self._told[peer] = link

    def note_signed(self, public: bytes) -> None:
        """The seat with this key has signed what is proposed."""
        self._signed.add(public)

    def look(self, peer: bytes, message: Message) -> Message:
        """Return the table for a peer that asks to see it; a private one only if the peer knows the secret.

        Malformed or TableRefused.
        """
        self._admit(peer, shape(message, t=str, secret=bytes)["secret"])
        return self.draft.message()

    def sit(self, newcomer: Newcomer, message: Message, now: int) -> dict[bytes, str] | None:
        """Seat a guest, or seat it again. Malformed or TableRefused.

        Return the peers that lose their seats by that, and the id of the reason; None if nothing has changed.
        """
        peer, participants = newcomer.peer, self._read_sit(newcomer, message)
        before = self._guests.get(peer)
        guest = Guest(newcomer, participants)
        if before is None and self._failures.waits(guest.keys, newcomer.origin, now):
            raise TableRefused("too-soon")
        if before is not None and self._proposed:
            if before.participants != participants:
                raise TableRefused("already-seated")
            before.newcomer = newcomer
            return None
        if (
            before is not None
            and peer in self._used
            and before.participants == participants
            and self._told.get(peer) == newcomer.nonces
        ):
            return None  # it asked before it heard the terms, and its nonce is used: it will ask again with another
        if (
            before is not None
            and (before.participants, before.endpoint) == (participants, guest.endpoint)
            and peer not in self._used
        ):
            return None
        sent_away = dict.fromkeys(self._same_keys(guest), "already-seated")
        staying = [other for other in self._guests if other != peer and other not in sent_away]
        sent_away |= dict.fromkeys(self._giving_way(guest, staying), "full")
        self._spend(peer, message["secret"])
        for other in sent_away:
            self.unseat(other, now)
        self._guests[peer] = guest
        self._reopen(peer, now)
        return sent_away

    def stand(self, peer: bytes, now: int) -> bool:
        """Free the seats of a guest that goes: a failure while terms are proposed. Return whether it had any."""
        if self._proposed and peer in self._guests:
            self._note_failure(peer, now)
        return self.unseat(peer, now)

    def unseat(self, peer: bytes, now: int) -> bool:
        """Take its seats from a guest, without a failure. Return whether it had any."""
        if self._guests.pop(peer, None) is None:
            return False
        self._told.pop(peer, None)
        self._reopen(peer, now)
        return True

    def free_late(self, now: int, patience: int) -> tuple[bytes, ...]:
        """Free the seats of guests that owe a signature or a fresh nonce for so long; return these guests."""
        if now - self._since < patience:
            return ()
        late = tuple(peer for peer in self._guests if (not self._has_signed(peer) if self._proposed else peer in self._used))
        for peer in late:
            self._note_failure(peer, now)
        for peer in late:
            self.unseat(peer, now)
        return late

    def _read_sit(self, newcomer: Newcomer, message: Message) -> list[Participant]:
        """Read the seats that a peer asks for, and check its proofs. Malformed, or TableRefused without an invite."""
        fields = shape(message, t=str, seats=list, secret=bytes)
        if not 1 <= len(fields["seats"]) <= 16:
            raise Malformed("one sits down on one seat at least")
        if not 0 < newcomer.port < 65536:
            raise Malformed("a guest has a port at which the others can dial it")
        visit = Visit(self.draft.table, self.seat_requests[0].identity.id, newcomer.peer, *newcomer.nonces)
        participants = [_read_proven(seat, visit) for seat in fields["seats"]]
        if len({participant.public for participant in participants}) != len(participants):
            raise TableRefused("already-seated")
        self._admit(newcomer.peer, fields["secret"])
        return participants

    def _same_keys(self, guest: Guest) -> list[bytes]:
        """Return the other guests that have proven a key of this one: they lose their seats to it.

        TableRefused for our own keys, and while terms are proposed: two such guests could take them back again and again.
        """
        twice = [
            peer for peer, other in self._guests.items() if peer != guest.newcomer.peer and guest.seat_keys & other.seat_keys
        ]
        if guest.seat_keys & {seat_request.identity.public for seat_request in self.seat_requests} or (twice and self._proposed):
            raise TableRefused("already-seated")
        return twice

    def _giving_way(self, guest: Guest, staying: Sequence[bytes]) -> list[bytes]:
        """Return the guests that give way to this one where seats are lacking. TableRefused if too few do.

        A guest gives way to one that has failed less often, unless it has signed what was proposed last.
        """
        taken = len(self.seat_requests) + sum(len(self._guests[peer].participants) for peer in staying)
        lacking = taken + len(guest.participants) - len(self.draft.seats)
        failures = {peer: self._failures_of(self._guests[peer]) for peer in staying}
        worse = [peer for peer in staying if failures[peer] > self._failures_of(guest) and not self._has_signed(peer)]
        gone: list[bytes] = []
        for peer in sorted(worse, key=lambda peer: -failures[peer]):
            if lacking > 0:
                gone.append(peer)
                lacking -= len(self._guests[peer].participants)
        if lacking > 0:
            raise TableRefused("full")
        return gone

    def _has_signed(self, peer: bytes) -> bool:
        return self._guests[peer].seat_keys <= self._signed

    def _failures_of(self, guest: Guest) -> int:
        return self._failures.count(guest.keys, guest.newcomer.origin)

    def _note_failure(self, peer: bytes, now: int) -> None:
        guest = self._guests[peer]
        self._failures.note(guest.keys, guest.newcomer.origin, now)

    def _reopen(self, changed: bytes, now: int) -> None:
        """Show the table with a guest changed; the earlier proposal is withdrawn."""
        self._withdraw(now)
        self._used.discard(changed)
        self._arrange()

    def _withdraw(self, now: int) -> None:
        if self._proposed:
            self._used, self._proposed, self._since = set(self._guests), False, now

    def reseat(self, seat_requests: Sequence[SeatRequest], now: int) -> None:
        """Replace our requests with these: a computer player comes or goes. TableRefused if there is no seat for one more."""
        if len(seat_requests) + sum(len(guest.participants) for guest in self._guests.values()) > len(self.draft.seats):
            raise TableRefused("full")
        self.seat_requests = tuple(seat_requests)
        self._withdraw(now)
        self._arrange()

    def _arrange(self) -> None:
        participants = [seat_request.participant() for seat_request in self.seat_requests] + [
            participant for guest in self._guests.values() for participant in guest.participants
        ]
        seats: list[Participant | None] = [None] * len(self.draft.seats)
        left = []
        for participant in participants:
            wish = self._wishes.get(participant.public)
            if wish is not None and seats[wish] is None:
                seats[wish] = participant
            else:
                left.append(participant)
        for participant in left:
            seats[seats.index(None)] = participant
        self.draft = replace(self.draft, seats=tuple(seats))

    def _admit(self, peer: bytes, secret: bytes) -> None:
        if peer in self._welcome:
            return
        same = hmac.compare_digest(secret, self.secret)
        if self._private and self.secret and self._spent.get(secret) != peer and not same:
            raise TableRefused("not-invited")
        if not self._private and secret and not same:
            raise TableRefused("other-table")

    def _spend(self, peer: bytes, secret: bytes) -> None:
        if self._private and self.secret and hmac.compare_digest(secret, self.secret):
            self._spent[secret] = peer
            self.secret = self.seat_requests[0].entropy(len(secret))


def _read_proven(value: Any, visit: Visit) -> Participant:
    """Read a seat and the proof that the guest holds its key. Malformed."""
    if type(value) is not list or len(value) != 4:
        raise Malformed("a guest asks for a seat with a key, a nick, a nonce and a signature")
    participant = read_participant(value[:3])
    visit.check(participant, value[3])
    return participant


def sit_message(seat_requests: Sequence[SeatRequest], secret: bytes, visit: Visit) -> Message:
    """Return what a guest says to take seats."""
    seats = []
    for seat_request in seat_requests:
        participant = seat_request.participant()
        seats.append([participant.public, participant.nick, participant.nonce, visit.sign(seat_request.identity, participant)])
    return {"t": "sit", "seats": seats, "secret": secret}


def agree(shown: Draft, message: Message, seat_requests: Sequence[SeatRequest]) -> tuple[Agreement, tuple[Endpoint, ...]]:
    """Sign the terms that a host proposes, if they are what it has shown. Malformed or TableRefused if not."""
    fields = shape(message, t=str, terms=bytes, nodes=list)
    terms, endpoints = Terms.decode(fields["terms"]), read_endpoints(fields["nodes"])
    if None in shown.seats or terms != shown.terms():
        raise TableRefused("not-as-shown")
    return Agreement(terms, seat_requests), endpoints
