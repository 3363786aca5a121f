"""The host's side of the lobby: it gives out seats, proposes the terms, and frees late seats.

`p2p.table.lobby` describes the messages.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crypto.chance import fresh
from crypto.shuffle import draw_permutation
from p2p.table.admission import MOST_REMEMBERED, Failures, Invited, Newcomer, Visit
from p2p.table.lobby import Draft, Endpoint, Message, SeatRequest, TableRefused
from p2p.table.terms import Participant, Terms, read_participant
from p2p.wire import MOST_SEATS, Malformed, shape

MOST_SITS = 64
"""How often a peer may take seats at a table, as everybody there is shown it. It does not count if
the peer must, because another peer of the terms has gone."""


@dataclass
class Guest:
    """A peer with seats here, whose keys it has proven."""

    newcomer: Newcomer
    participants: list[Participant]

    @property
    def endpoint(self) -> Endpoint:
        """Where the guest can be reached."""
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
    """The side that opened the table: it gives out seats.

    Times are in milliseconds, by the caller's clock.
    """

    def __init__(
        self,
        draft: Draft,
        seat_requests: Sequence[SeatRequest],
        secret: bytes = b"",
        wishes: Mapping[bytes, int] | None = None,
        invited: Invited | None = None,
        welcome: Collection[bytes] = (),
        *,
        private: bool = True,
    ) -> None:
        """Open a table with our own requests seated first.

        A guest needs the `secret` once to join a `private` table: `invited` has those that used it,
        here or at an earlier table of ours. A peer in `welcome` needs none. Any other table refuses
        only secrets of other tables: their guests have an old invite. `wishes` are seats by public
        key: those guests get them if they are free.
        """
        self._private = private
        self.seat_requests, self.secret, self._wishes = (
            tuple(seat_requests),
            secret,
            dict(wishes or {}),
        )
        self._invited = Invited() if invited is None else invited
        self._welcome = frozenset(welcome)
        self.draft = draft
        """The table as it is now: our requests, then the guests in order of arrival."""
        self._places: dict[bytes, int] = {}
        """The seats by public key, once they are arranged; then all keep theirs."""
        self._arranged = False
        self._guests: dict[bytes, Guest] = {}
        self._failures = Failures()
        self._proposed = False
        self._signed: set[bytes] = set()
        """The keys that signed the last proposal."""
        self._used: set[bytes] = set()
        """Guests whose nonces were in failed terms; they must take their seats again."""
        self._sits: Counter[bytes] = Counter()
        """How often each peer took or changed its seats without having to."""
        self._told: dict[bytes, tuple[bytes, bytes]] = {}
        """The link over which each guest was last sent terms, by its nonces."""
        self._since = 0
        """Since when guests owe a signature, or must take their seats again."""
        self._arrange()

    @property
    def full(self) -> bool:
        """Whether every seat is taken by a player that can sign for it."""
        return self.draft.taken == len(self.draft.seats) and not self._used

    @property
    def guests(self) -> Mapping[bytes, Sequence[Participant]]:
        """The participants of each guest, by peer."""
        return {peer: tuple(guest.participants) for peer, guest in self._guests.items()}

    def endpoints(self) -> tuple[Endpoint, ...]:
        """Return where the guests can be reached."""
        return tuple(guest.endpoint for guest in self._guests.values())

    def propose(self, now: int) -> Terms:
        """Return the terms of the full table.

        From now on its nonces count as used, and guests owe their signatures.
        """
        self._proposed, self._signed, self._since = True, set(), now
        return self.draft.terms()

    def note_told(self, peer: bytes, link: tuple[bytes, bytes]) -> None:
        """Note that a guest was sent the terms over the link with these nonces."""
        self._told[peer] = link

    def note_signed(self, public: bytes) -> None:
        """Note that the seat with this key signed the proposal."""
        self._signed.add(public)

    def look(self, peer: bytes, message: Message) -> Message:
        """Return the table for a peer that asks to see it; a private one needs an invite.

        Raises Malformed or TableRefused.
        """
        self._admit(peer, shape(message, t=str, secret=bytes)["secret"])
        return self.draft.message()

    def may_watch(self, peer: bytes, secret: bytes) -> bool:
        """Whether a peer may watch; a private table needs an invite, now or before."""
        if self._opens(secret):
            self._invited.add_spectator(peer)
            return True
        if not self._private or peer in self._invited.spectators:
            return True
        try:
            self._admit(peer, secret)
        except TableRefused:
            return False
        return True

    def news_of(self, peer: bytes, secret: bytes) -> bool:
        """Whether a peer uses our invite and never joined with one before."""
        return self._opens(secret) and peer not in self._invited.guests

    def news_of_spectator(self, peer: bytes, secret: bytes) -> bool:
        """Whether a peer uses our invite and never watched or joined with one before."""
        return self.news_of(peer, secret) and peer not in self._invited.spectators

    def sit(self, newcomer: Newcomer, message: Message, now: int) -> dict[bytes, str] | None:
        """Seat a guest, or seat it again.

        Return the peers that lose their seats, each with the id of the reason; None if nothing
        changed. Raises Malformed or TableRefused.
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
            # It asked before it read the terms, and its nonce is used; it will ask again with
            # another.
            return None
        if (
            before is not None
            and (before.participants, before.endpoint) == (participants, guest.endpoint)
            and peer not in self._used
        ):
            return None
        if peer not in self._used and self._sits[peer] >= MOST_SITS:
            raise TableRefused("too-soon")
        sent_away = dict.fromkeys(self._same_keys(guest), "already-seated")
        staying = [other for other in self._guests if other != peer and other not in sent_away]
        sent_away |= dict.fromkeys(self._giving_way(guest, staying), "full")
        if self._opens(message["secret"]):
            self._invited.add_guest(peer)
        for other in sent_away:
            self.unseat(other, now)
        self._guests[peer] = guest
        if peer not in self._used:
            self._count(peer)
        self._reopen(peer, now)
        return sent_away

    def _count(self, peer: bytes) -> None:
        """Count that a peer took seats by itself; forget the one that did so longest ago."""
        self._sits[peer] = self._sits.pop(peer, 0) + 1
        if len(self._sits) > MOST_REMEMBERED:
            del self._sits[next(iter(self._sits))]

    def renew(self) -> None:
        """Replace the secret: the old invite admits nobody from now on.

        A guest with a seat may return.
        """
        if self._private:
            self._invited.guests |= self._guests.keys()
        self.secret = fresh(self.seat_requests[0].entropy, len(self.secret))

    def stand_up(self, peer: bytes, now: int) -> bool:
        """Free the seats of a guest that leaves; while terms are proposed that is a failure.

        Return whether it had any.
        """
        if self._proposed and peer in self._guests:
            self._note_failure(peer, now)
        return self.unseat(peer, now)

    def unseat(self, peer: bytes, now: int) -> bool:
        """Free the seats of a guest, without a failure. Return whether it had any."""
        if self._guests.pop(peer, None) is None:
            return False
        self._told.pop(peer, None)
        self._reopen(peer, now)
        return True

    def free_late(self, now: int, patience: int) -> tuple[bytes, ...]:
        """Free the seats of late guests, and return these guests.

        A guest is late if it has owed a signature or a fresh nonce for `patience`.
        """
        if now - self._since < patience:
            return ()
        late = tuple(
            peer
            for peer in self._guests
            if (not self._has_signed(peer) if self._proposed else peer in self._used)
        )
        for peer in late:
            self._note_failure(peer, now)
        for peer in late:
            self.unseat(peer, now)
        return late

    def _read_sit(self, newcomer: Newcomer, message: Message) -> list[Participant]:
        """Read the seats that a peer asks for, and check its proofs.

        Raises Malformed, or TableRefused without an invite.
        """
        fields = shape(message, t=str, seats=list, secret=bytes)
        if not 1 <= len(fields["seats"]) <= MOST_SEATS:
            raise Malformed("a guest asks for no seat, or for too many")
        if not 0 < newcomer.port < 65536:
            raise Malformed("a guest has a port at which the others can dial it")
        visit = Visit(
            self.draft.table, self.seat_requests[0].identity.id, newcomer.peer, *newcomer.nonces
        )
        own = _read_proven(fields["seats"][0], visit)
        if own.id != newcomer.peer:
            raise Malformed("a guest sits on the seat of its own key")
        self._admit(newcomer.peer, fields["secret"])
        if len(fields["seats"]) > 1 and not self.draft.several:  # checking its proofs takes time
            raise TableRefused("one-seat")
        participants = [own, *(_read_proven(seat, visit) for seat in fields["seats"][1:])]
        if any(seat.machine != own.public for seat in participants[1:]):
            raise Malformed("a guest vouches for its further seats")
        if len({participant.public for participant in participants}) != len(participants):
            raise TableRefused("already-seated")
        return participants

    def _same_keys(self, guest: Guest) -> list[bytes]:
        """Return the other guests that proved a key of this one; they lose their seats to it.

        TableRefused for our own keys, and while terms are proposed: two such guests could take the
        seats from each other for ever.
        """
        twice = [
            peer
            for peer, other in self._guests.items()
            if peer != guest.newcomer.peer and guest.seat_keys & other.seat_keys
        ]
        if guest.seat_keys & {
            seat_request.identity.public for seat_request in self.seat_requests
        } or (twice and self._proposed):
            raise TableRefused("already-seated")
        return twice

    def _giving_way(self, guest: Guest, staying: Sequence[bytes]) -> list[bytes]:
        """Return the guests that must give their seats to this one.

        A guest gives way to one that failed less often, unless it signed the last proposal.
        TableRefused if too few do.
        """
        taken = len(self.seat_requests) + sum(
            len(self._guests[peer].participants) for peer in staying
        )
        lacking = taken + len(guest.participants) - len(self.draft.seats)
        failures = {peer: self._failures_of(self._guests[peer]) for peer in staying}
        worse = [
            peer
            for peer in staying
            if failures[peer] > self._failures_of(guest) and not self._has_signed(peer)
        ]
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
        """Show the table with a changed guest; an earlier proposal is withdrawn."""
        self._withdraw(now)
        self._used.discard(changed)
        self._arrange()

    def _withdraw(self, now: int) -> None:
        if self._proposed:
            self._used, self._proposed, self._since = set(self._guests), False, now

    def reseat(self, seat_requests: Sequence[SeatRequest], now: int) -> None:
        """Replace our requests, when a computer player is added or removed.

        TableRefused if there are too few seats.
        """
        if len(seat_requests) + sum(
            len(guest.participants) for guest in self._guests.values()
        ) > len(self.draft.seats):
            raise TableRefused("full")
        self.seat_requests = tuple(seat_requests)
        self._withdraw(now)
        self._arrange()

    def arrange(self, order: Sequence[int]) -> None:
        """Put the player of seat `order[n]` in seat n; from now on all keep their seats.

        ValueError if `order` does not name each seat once, or while terms are proposed: a guest may
        have all signatures already.
        """
        if self._proposed:
            raise ValueError("seats stay while terms are proposed")
        if sorted(order) != list(range(len(self.draft.seats))):
            raise ValueError("an order names each seat once")
        order_of = {seat: place for place, seat in enumerate(order)}
        self._places = {
            participant.public: order_of[seat]
            for seat, participant in enumerate(self.draft.seats)
            if participant
        }
        self._arranged = True
        self._arrange()

    def drawn_order(self) -> list[int]:
        """Return a random order of the seats. Only this program draws: nobody can check it."""
        return list(draw_permutation(len(self.draft.seats), self.seat_requests[0].entropy))

    def _arrange(self) -> None:
        left = [seat_request.participant() for seat_request in self.seat_requests] + [
            participant for guest in self._guests.values() for participant in guest.participants
        ]
        seats: list[Participant | None] = [None] * len(self.draft.seats)
        for wishes in (self._places, self._wishes):
            wanting, left = left, []
            for participant in wanting:
                wish = wishes.get(participant.public)
                if wish is not None and seats[wish] is None:
                    seats[wish] = participant
                else:
                    left.append(participant)
        for participant in left:
            seats[seats.index(None)] = participant
        if self._arranged:
            self._places = {one.public: seat for seat, one in enumerate(seats) if one}
        self.draft = replace(self.draft, seats=tuple(seats))

    def _opens(self, secret: bytes) -> bool:
        """Whether this is the secret of the present invite."""
        return bool(self.secret) and hmac.compare_digest(secret, self.secret)

    def _admit(self, peer: bytes, secret: bytes) -> None:
        same = hmac.compare_digest(secret, self.secret)
        if same or peer in self._welcome or peer in self._invited.guests:
            return
        if self._private and self.secret:
            raise TableRefused("not-invited")
        if secret:
            raise TableRefused("other-table")


def _read_proven(value: Any, visit: Visit) -> Participant:
    """Read a seat and the proof that the guest holds its key. Raises Malformed."""
    if type(value) is not list or not value:
        raise Malformed("a seat is its fields in the terms, and a proof")
    *seat, proof = value
    participant = read_participant(seat)
    visit.check(participant, proof)
    return participant
