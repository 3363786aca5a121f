"""The rounds that move cards: one small class per request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from crypto.chance import fresh
from crypto.errors import CryptoError
from crypto.group import Group
from crypto.masking import (
    Ciphers,
    decode_deck,
    encode_deck,
    joint_key,
    prove_key,
    starting_deck,
    verify_key,
)
from crypto.shuffle import draw_permutation, prove_shuffle, shuffle_deck, verify_shuffle
from engine.core.moves import Seat
from engine.core.requests import Ask, Deal, Open, Prove, Request, Shuffle, Toss
from p2p.table.choices import AskRound, TossRound
from p2p.table.events import Dealt, Mixed, Opened, OutOfKeys, Proved, Shuffled, Shuffling
from p2p.table.faults import BadProof, Forgotten
from p2p.table.log import Body, Entry
from p2p.table.masks import MaskedDeck
from p2p.table.round import Here, Round
from p2p.wire import Malformed, shape

BURNS = 3
"""How often a seat may burn its key for one deck: each burn costs all holders a shuffle."""
FRESH = 32
"""Bytes of the value with which a key is burnt."""
REMEMBERED = 8
"""Good shuffles that are remembered, for the other tables of this process: those of a deck."""


@lru_cache(REMEMBERED)
def _verify_once(
    group: Group, context: bytes, joint: bytes, before: Ciphers, after: Ciphers, proof: bytes
) -> None:
    """Verify a shuffle, unless a table of this process has found this very one good.

    One process may hold six seats, a person's and those of five computer players. An error is not
    remembered.
    """
    verify_shuffle(group, context, joint, before, after, proof)


class ShuffleRound(Round[Shuffle]):
    """Keys of all holders, one shuffle after the other, and the consent of all (protocol 4, 7).

    In the last stage each holder keeps the deck, or burns its key; then all start again with new
    keys. No share is given for a deck that not all have kept, so nobody knows a card of it.
    """

    def __init__(self, here: Here, request: Shuffle) -> None:
        super().__init__(here, request)
        self.deck = request.deck
        self._stages = 2 + len(self.deck.seats)
        """The stages of one try."""
        self._tries = 1
        self._burns = Counter[Seat]()
        self._burnt = False  # whether a key was burnt in this try
        self._chain = b""  # the head on which this try begins
        self._told = False  # whether our player knows that we cannot continue
        self._keys: dict[Seat, bytes] = {}
        self.joint = b""
        self.ciphers: Ciphers = ()

    @property
    def stages(self) -> int:
        return self._tries * self._stages

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        at, seats = stage % self._stages, self.deck.seats
        return (seats[at - 1],) if 0 < at <= len(seats) else tuple(sorted(seats))

    def own(self, stage: int, head: bytes, signed: Mapping[Seat, Entry]) -> Body | None:
        here, group, at = self.here, self.here.group, stage % self._stages
        assert here.seat is not None
        context = here.masks.context(self.deck, head)
        if at == 0:
            key = here.journal.deck_key(group, head, self.deck.number, here.entropy)
            owner = here.terms.participants[here.seat].id
            return {
                "key": key.public,
                "proof": prove_key(group, context, here.seat, owner, key, here.entropy),
            }
        if at == self._stages - 1:
            return self._keep(here.seat)
        permutation = draw_permutation(len(self.ciphers), here.entropy)
        masks = [group.random_scalar(here.entropy) for _ in self.ciphers]
        after = shuffle_deck(group, self.joint, self.ciphers, permutation, masks)
        proof = prove_shuffle(
            group, context, self.joint, self.ciphers, after, permutation, masks, here.entropy
        )
        return {"deck": encode_deck(after), "proof": proof}

    def receive(self, stage: int, head: bytes, entry: Entry, *, trusted: bool) -> None:
        here, group, at = self.here, self.here.group, stage % self._stages
        context = here.masks.context(self.deck, head)
        if at == 0:
            self._chain = head
            body = shape(entry.body, key=bytes, proof=bytes)
            owner = here.terms.participants[entry.seat].id
            self._keys[entry.seat] = verify_key(
                group, context, entry.seat, owner, body["key"], body["proof"]
            )
        elif at == self._stages - 1:
            self._receive_kept(entry)
        else:
            body = shape(entry.body, deck=bytes, proof=bytes)
            after = decode_deck(group, body["deck"], len(self.ciphers))
            if not trusted:
                _verify_once(group, context, self.joint, self.ciphers, after, body["proof"])
            self.ciphers = after
            self.news.append(Mixed(self.deck.number, entry.seat))

    def _keep(self, seat: Seat) -> Body | None:
        """Keep the deck if our key was made in this process; else burn it.

        An earlier process may have used it in ways that our disk does not know. If we may not burn
        it any more, do not sign.
        """
        if self.here.journal.remembers(self._chain):
            return {}
        if self._burns[seat] < BURNS:
            return {"burn": fresh(self.here.entropy, FRESH)}
        if not self._told:
            self._told = True
            self.news.append(OutOfKeys(self.deck.number))
        return None

    def _receive_kept(self, entry: Entry) -> None:
        if not entry.body:
            return
        if len(shape(entry.body, burn=bytes)["burn"]) != FRESH or self._burns[entry.seat] == BURNS:
            raise Malformed(f"a key is burnt with {FRESH} bytes, and at most {BURNS} times")
        self._burns[entry.seat] += 1
        self._burnt = True

    def close(self, stage: int, signed: Mapping[Seat, Entry]) -> None:
        if stage % self._stages == 0:
            group, masks = self.here.group, self.here.masks
            try:
                self.joint = joint_key(group, [self._keys[seat] for seat in sorted(self._keys)])
            except CryptoError as error:
                # keys are proven: only seats that share a secret can do this
                seat = _last_of_equals(self._keys)
                raise BadProof(seat, str(error), (signed[seat].data,)) from error
            self.ciphers = starting_deck(group, masks.points(self.deck), self.joint)
        elif self._burnt:  # the last stage of a try
            self._tries, self._burnt, self._keys = self._tries + 1, False, {}
            self.news.append(Shuffling(self.deck.number, self.deck.seats))

    def finish(self) -> None:
        here, deck = self.here, self.deck
        points = dict(zip(here.masks.points(deck), deck.cards, strict=True))
        secret = here.journal.known_key(self._chain) if here.seat in deck.seats else None
        # A key made again on this head, after our disk was set back, would make false shares.
        if here.seat in deck.seats and (secret is None or secret.public != self._keys[here.seat]):
            raise Forgotten(f"our key for deck {deck.number}")
        here.masks.add(MaskedDeck(deck, self._keys, self.ciphers, points, secret))
        self.news.append(Shuffled(deck.number, deck.seats, len(deck.cards)))
        here.run.answer()


class DealRound(Round[Deal]):
    """Every holder publishes its shares of all slots but its own (protocol 7.5)."""

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

    def receive(self, stage: int, head: bytes, entry: Entry, *, trusted: bool) -> None:
        body = shape(entry.body, shares=list)
        self.here.masks.take(
            entry.seat, self.owed[entry.seat], head, body["shares"], trusted=trusted
        )

    def finish(self) -> None:
        here = self.here
        own = self.request.to.get(here.seat, ()) if here.seat is not None else ()
        mine = {slot: here.masks.own_face(slot) for slot in own}
        here.own_faces.update(mine)
        self.news.append(Dealt(dict(self.request.to), mine))
        here.run.answer()


class OpenRound(Round[Open]):
    """Publish missing shares: of a dealt slot's holder, or of every holder (protocol 7.6)."""

    def __init__(self, here: Here, request: Open) -> None:
        super().__init__(here, request)
        self.owed = here.masks.owing(request.slots, {})

    def speakers(self, stage: int) -> tuple[Seat, ...]:
        return tuple(sorted(self.owed))

    own = DealRound.own
    receive = DealRound.receive

    def finish(self) -> None:
        faces = {slot: self.here.masks.face(slot) for slot in self.request.slots}
        self.here.masks.forget_kept(faces)
        self.news.append(Opened(faces))
        self.here.run.opened(faces)


class ProveRound(Round[Prove]):
    """Each seat proves that its hidden slots hold faces in question (protocol 7.7)."""

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

    def receive(self, stage: int, head: bytes, entry: Entry, *, trusted: bool) -> None:
        slots = self.request.claims[entry.seat]
        claims = shape(entry.body, claims=list)["claims"]
        if len(claims) != len(slots) or any(type(claim) is not bytes for claim in claims):
            raise Malformed(f"{len(slots)} claims are due")
        if not trusted:
            for slot, proof in zip(slots, claims, strict=True):
                self.here.masks.check_claim(entry.seat, slot, self.request.among, head, proof)
        self.news.append(Proved(entry.seat, slots))

    def finish(self) -> None:
        self.here.run.answer()


def _last_of_equals(keys: Mapping[Seat, bytes]) -> Seat:
    """Return the last seat whose key another seat has too; otherwise the last seat."""
    values = list(keys.values())
    return max((seat for seat, key in keys.items() if values.count(key) > 1), default=max(keys))


def round_for(here: Here, request: Request[Any]) -> Round[Any]:
    """Return the round that answers a request."""
    kinds: dict[type[Request[Any]], type[Round[Any]]] = {
        Shuffle: ShuffleRound,
        Deal: DealRound,
        Open: OpenRound,
        Prove: ProveRound,
        Toss: TossRound,
        Ask: AskRound,
    }
    return kinds[type(request)](here, request)
