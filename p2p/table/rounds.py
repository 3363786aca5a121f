"""The rounds that move cards: one small class per request, and the class for each request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crypto.errors import CryptoError
from crypto.masking import Deck as Ciphers
from crypto.masking import decode_deck, encode_deck, joint_key, prove_key, starting_deck, verify_key
from crypto.shuffle import draw_permutation, prove_shuffle, shuffle_deck, verify_shuffle
from engine.core.moves import Seat
from engine.core.requests import Ask, Deal, Open, Prove, Request, Shuffle, Toss
from p2p.table.choices import AskRound, TossRound
from p2p.table.events import Dealt, Mixed, Opened, Proved, Shuffled
from p2p.table.faults import BadProof, Forgotten
from p2p.table.log import Body, Entry
from p2p.table.masks import MaskedDeck
from p2p.table.round import Here, Round
from p2p.wire import Malformed, shape


@dataclass(frozen=True)
class StandRequest(Request[None]):
    """The first step of a view: every member signs where the match now stands.

    It is the table's request, not the rules'.
    """

    seats: tuple[Seat, ...]


class StandRound(Round[StandRequest]):
    """Every member says an empty word on the new head (protocol 5)."""

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return self.request.seats

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        return {}

    def receive(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        shape(entry.body)

    def finish(self) -> None:
        """Nothing follows from it but that all stand here."""


class ShuffleRound(Round[Shuffle]):
    """Keys of all holders at once, then one shuffle after the other (protocol 7, items 1 to 4)."""

    def __init__(self, here: Here, request: Shuffle) -> None:
        super().__init__(here, request)
        self.deck = request.deck
        self._chain = b""  # the head on which this deck's chain begins
        self._keys: dict[Seat, bytes] = {}
        self._joint = b""
        self._ciphers: Ciphers = ()

    @property
    def stages(self) -> int:
        return 1 + len(self.deck.seats)

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.deck.seats)) if stage == 0 else (self.deck.seats[stage - 1],)

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        here, group = self.here, self.here.group
        assert here.seat is not None
        context = here.masks.context(self.deck, head)
        if stage == 0:
            key = here.journal.deck_key(group, head, self.deck.number, here.entropy)
            owner = here.terms.participants[here.seat].id
            return {
                "key": key.public,
                "proof": prove_key(group, context, here.seat, owner, key, here.entropy),
            }
        permutation = draw_permutation(len(self._ciphers), here.entropy)
        masks = [group.random_scalar(here.entropy) for _ in self._ciphers]
        after = shuffle_deck(group, self._joint, self._ciphers, permutation, masks)
        proof = prove_shuffle(
            group, context, self._joint, self._ciphers, after, permutation, masks, here.entropy
        )
        return {"deck": encode_deck(after), "proof": proof}

    def receive(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        here, group = self.here, self.here.group
        context = here.masks.context(self.deck, head)
        if stage == 0:
            self._chain = head
            body = shape(entry.body, key=bytes, proof=bytes)
            owner = here.terms.participants[entry.seat].id
            self._keys[entry.seat] = verify_key(
                group, context, entry.seat, owner, body["key"], body["proof"]
            )
            return
        body = shape(entry.body, deck=bytes, proof=bytes)
        after = decode_deck(group, body["deck"], len(self._ciphers))
        if not ours:
            verify_shuffle(group, context, self._joint, self._ciphers, after, body["proof"])
        self._ciphers = after
        self.news.append(Mixed(self.deck.number, entry.seat))

    def close(self, stage: int, signed: Mapping[Seat, Entry]) -> None:
        if stage == 0:
            group, masks = self.here.group, self.here.masks
            try:
                self._joint = joint_key(group, [self._keys[seat] for seat in sorted(self._keys)])
            except CryptoError as error:
                # keys are proven: only seats that share a secret can do this
                seat = _last_of_equals(self._keys)
                raise BadProof(seat, str(error), (signed[seat].data,)) from error
            self._ciphers = starting_deck(group, masks.points(self.deck), self._joint)

    def finish(self) -> None:
        here, deck = self.here, self.deck
        points = dict(zip(here.masks.points(deck), deck.cards, strict=True))
        secret = here.journal.known_key(self._chain) if here.seat in deck.seats else None
        if here.seat in deck.seats and secret is None:
            raise Forgotten(f"our key for deck {deck.number}")
        here.masks.add(MaskedDeck(deck, self._keys, self._ciphers, points, secret))
        self.news.append(Shuffled(deck.number, deck.seats, len(deck.cards)))
        here.run.answer()


class DealRound(Round[Deal]):
    """Every holder publishes its shares of all slots but its own, once (protocol 7.5)."""

    def __init__(self, here: Here, request: Deal) -> None:
        super().__init__(here, request)
        spared = {slot: seat for seat, slots in request.to.items() for slot in slots}
        self.owed = here.masks.owing(sorted(spared), spared)

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.owed))

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        here = self.here
        assert here.seat is not None
        return {"shares": here.masks.give(self.owed[here.seat], head, here.entropy)}

    def receive(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        body = shape(entry.body, shares=list)
        self.here.masks.take(entry.seat, self.owed[entry.seat], head, body["shares"], ours=ours)

    def finish(self) -> None:
        here = self.here
        own = self.request.to.get(here.seat, ()) if here.seat is not None else ()
        mine = {slot: here.masks.own_face(slot) for slot in own}
        here.own_faces.update(mine)
        self.news.append(Dealt(dict(self.request.to), mine))
        here.run.answer()


class OpenRound(Round[Open]):
    """A round for the missing shares: a dealt slot's holder's, or every holder's (protocol 7.6)."""

    def __init__(self, here: Here, request: Open) -> None:
        super().__init__(here, request)
        self.owed = here.masks.owing(request.slots, {})

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.owed))

    own = DealRound.own
    receive = DealRound.receive

    def finish(self) -> None:
        faces = {slot: self.here.masks.face(slot) for slot in self.request.slots}
        self.news.append(Opened(faces))
        self.here.run.opened(faces)


class ProveRound(Round[Prove]):
    """A proof by each seat that its hidden slots each hold a face in question (protocol 7.7)."""

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.request.claims))

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        here, among = self.here, self.request.among
        assert here.seat is not None
        slots = self.request.claims[here.seat]
        claims = [
            here.masks.claim(slot, here.own_faces[slot], among, head, here.entropy)
            for slot in slots
        ]
        return {"claims": claims}

    def receive(self, stage: int, head: bytes, entry: Entry, *, ours: bool) -> None:
        slots = self.request.claims[entry.seat]
        claims = shape(entry.body, claims=list)["claims"]
        if len(claims) != len(slots) or any(type(claim) is not bytes for claim in claims):
            raise Malformed(f"{len(slots)} claims are due")
        if not ours:
            for slot, proof in zip(slots, claims, strict=True):
                self.here.masks.check_claim(entry.seat, slot, self.request.among, head, proof)
        self.news.append(Proved(entry.seat, slots))

    def finish(self) -> None:
        self.here.run.answer()


def _last_of_equals(keys: Mapping[Seat, bytes]) -> Seat:
    """Return the last seat whose key another one has too; if none has, the last seat."""
    values = list(keys.values())
    return max((seat for seat, key in keys.items() if values.count(key) > 1), default=max(keys))


def round_for(here: Here, request: Request[Any]) -> Round[Any]:
    """Return the round that answers a request."""
    kinds: dict[type[Request[Any]], type[Round[Any]]] = {
        StandRequest: StandRound,
        Shuffle: ShuffleRound,
        Deal: DealRound,
        Open: OpenRound,
        Prove: ProveRound,
        Toss: TossRound,
        Ask: AskRound,
    }
    return kinds[type(request)](here, request)
