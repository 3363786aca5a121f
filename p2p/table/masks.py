"""The masked decks of a match: ciphers, keys, shares, and the faces they reveal.

The cryptography is in `crypto`. This file knows which slot is in which deck, who holds its keys,
and who published which share. A slot's face is public when every holder's share is. It is ours when
only our own share is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crypto.chance import Entropy
from crypto.group import Group
from crypto.masking import (
    Cipher,
    Ciphers,
    DeckKey,
    card_points,
    make_kept_share,
    make_shares,
    unmask,
    verify_kept_share,
    verify_shares,
)
from crypto.sigma import prove_one_of, verify_one_of
from engine.core.moves import Face, Seat, Slot
from engine.core.requests import Deck
from p2p.table.faults import Desync
from p2p.table.hashing import h
from p2p.table.terms import Terms
from p2p.wire import Malformed


@dataclass
class MaskedDeck:
    """One deck: its pack, its holders' keys, and the ciphers of the last shuffle."""

    deck: Deck
    keys: Mapping[Seat, bytes]
    ciphers: Ciphers = field(repr=False)
    points: Mapping[bytes, Face] = field(repr=False)
    secret: DeckKey | None = field(default=None, repr=False)
    """Our own key, if we are a holder."""

    def cipher(self, slot: Slot) -> Cipher:
        """Return the cipher in a slot."""
        return self.ciphers[slot - self.deck.first]


class Masks:
    """All decks in play, and every share published for their slots."""

    def __init__(self, terms: Terms, group: Group, seat: Seat | None) -> None:
        self.terms, self.group, self.seat = terms, group, seat
        self.match = terms.match
        self.decks: dict[int, MaskedDeck] = {}
        self.shares: dict[Slot, dict[Seat, bytes]] = {}
        self.kept: dict[Slot, bytes] = {}
        """Our shares, with proofs, of slots dealt to us that are not public."""

    def context(self, deck: Deck, head: bytes) -> bytes:
        """Bind a proof to the match, the deck, its holders' ids and the head of its entry."""
        return h("context", *self._names(deck), head)

    def points(self, deck: Deck) -> tuple[bytes, ...]:
        """Return the group element of each card of a pack, in the pack's order."""
        return card_points(self.group, self.terms.game, len(deck.cards))

    def add(self, masked: MaskedDeck) -> None:
        """Add a deck to those in play."""
        self.decks[masked.deck.number] = masked

    def keep(self, numbers: Iterable[int]) -> None:
        """Forget all decks but these, and their shares and secrets."""
        kept = set(numbers)
        for number in [number for number in self.decks if number not in kept]:
            for slot in self.decks.pop(number).deck.slots:
                self.shares.pop(slot, None)

    def owing(self, slots: Iterable[Slot], spared: Mapping[Slot, Seat]) -> dict[Seat, list[Slot]]:
        """Return the slots for which each seat must publish a share.

        A slot's spared seat owes none.
        """
        owed: dict[Seat, list[Slot]] = {}
        for slot in slots:
            given = self.shares.get(slot, {})
            for seat in self.masked(slot).deck.seats:
                if seat not in given and spared.get(slot) != seat:
                    owed.setdefault(seat, []).append(slot)
        return owed

    def give(self, slots: Sequence[Slot], head: bytes, entropy: Entropy) -> list[Any]:
        """Return our shares of these slots: for each of their decks, the shares and one proof."""
        body = []
        for masked, own in self.by_deck(slots):
            assert masked.secret is not None, "we hold a key of every deck that we owe shares for"
            ciphers = [masked.cipher(slot) for slot in own]
            body.append(
                list(
                    make_shares(
                        self.group,
                        self.context(masked.deck, head),
                        masked.secret,
                        own,
                        ciphers,
                        entropy,
                    )
                )
            )
        return body

    def take(
        self,
        seat: Seat,
        slots: Sequence[Slot],
        head: bytes,
        body: list[Any],
        *,
        trusted: bool = False,
    ) -> None:
        """Verify a seat's shares of these slots and store them.

        Raises Malformed or a CryptoError. With `trusted` no proof is verified.
        """
        parts = self.by_deck(slots)
        if len(body) != len(parts):
            raise Malformed(f"shares of {len(parts)} decks are due, not of {len(body)}")
        found: dict[Slot, bytes] = {}
        for part, (masked, own) in zip(body, parts, strict=True):
            if type(part) is not list or [type(item) for item in part] != [bytes, bytes]:
                raise Malformed("shares are a string of bytes and its proof")
            data, proof = part
            if trusted and len(data) == 32 * len(own):
                shares: Sequence[bytes] = [data[at : at + 32] for at in range(0, len(data), 32)]
            else:
                ciphers = [masked.cipher(slot) for slot in own]
                context = self.context(masked.deck, head)
                shares = verify_shares(
                    self.group, context, masked.keys[seat], own, ciphers, data, proof
                )
            found.update(zip(own, shares, strict=True))
        for slot, share in found.items():
            self.shares.setdefault(slot, {})[seat] = share

    def face(self, slot: Slot) -> Face:
        """Return the face of a slot whose shares are all public.

        Desync if there is none although all proofs are valid.
        """
        masked = self.masked(slot)
        given = self.shares.get(slot, {})
        return self._named(masked, slot, [given[seat] for seat in masked.deck.seats])

    def own_face(self, slot: Slot) -> Face:
        """Return the face of a slot dealt to us.

        We make our own share, keep it, and do not publish it.
        """
        masked = self.masked(slot)
        assert masked.secret is not None, "a seat that is dealt cards holds a key of their deck"
        self.kept[slot] = self.kept_share(masked, slot, masked.secret)
        return self._opened(masked, slot, self.seat, self.kept[slot][:32])

    def forget_kept(self, slots: Iterable[Slot]) -> None:
        """Drop our shares of slots that became public: the log opens them."""
        for slot in slots:
            self.kept.pop(slot, None)

    def kept_face(self, slot: Slot, seat: Seat, data: bytes) -> Face | None:
        """Return the face of a slot dealt to a seat, using the share that this seat kept.

        None if the deck is no longer in play; a CryptoError if the share is false.
        """
        masked = self._in_play(slot)
        if masked is None:
            return None
        context, a = h("kept", *self._names(masked.deck)), masked.cipher(slot)[0]
        share = verify_kept_share(self.group, context, masked.keys[seat], slot, a, data)
        return self._opened(masked, slot, seat, share)

    def kept_share(self, masked: MaskedDeck, slot: Slot, key: DeckKey) -> bytes:
        """Return the share of a slot, with its proof, that the owner of a key keeps."""
        context, a = h("kept", *self._names(masked.deck)), masked.cipher(slot)[0]
        return make_kept_share(self.group, context, key, slot, a)

    def _names(self, deck: Deck) -> tuple[Any, ...]:
        """Return the names of a deck for the context of a proof."""
        holders = [self.terms.participants[seat].id for seat in deck.seats]
        return self.match, deck.number, self.terms.game, holders

    def _opened(self, masked: MaskedDeck, slot: Slot, seat: Seat | None, share: bytes) -> Face:
        """Return the face of a slot, with this share of a seat and all others public.

        Desync if there is none.
        """
        given = self.shares.get(slot, {})
        others = [given[one] for one in masked.deck.seats if one != seat]
        return self._named(masked, slot, [*others, share])

    def claim(
        self, slot: Slot, face: Face, among: Iterable[Face], head: bytes, entropy: Entropy
    ) -> bytes:
        """Prove that our slot, which has this face, holds one of `among`."""
        masked = self.masked(slot)
        assert masked.secret is not None, "a claim is made by a holder"
        a, c = self.last_mask(slot, masked.secret.public, masked)
        points = self._candidates(masked, among)
        own = self.group.mult(masked.secret.secret, a)
        real = points.index(self.group.sub(c, own))
        assert masked.points[points[real]] == face, "our face is what our share says"
        context = self.context(masked.deck, head)
        return prove_one_of(
            self.group, context, slot, masked.secret.secret, a, c, points, real, entropy
        )

    def check_claim(
        self, seat: Seat, slot: Slot, among: Iterable[Face], head: bytes, proof: bytes
    ) -> None:
        """Verify a seat's claim that its slot holds one of `among`.

        CryptoError if it fails.
        """
        masked = self.masked(slot)
        public = masked.keys[seat]
        a, c = self.last_mask(slot, public, masked)
        points = self._candidates(masked, among)
        verify_one_of(
            self.group, self.context(masked.deck, head), slot, public, a, c, points, proof
        )

    def last_mask(self, slot: Slot, public: bytes, masked: MaskedDeck) -> Cipher:
        """Return (A, C'): the slot's cipher with only the mask of the key `public` left."""
        a, b = masked.cipher(slot)
        given = self.shares.get(slot, {})
        others = [given[seat] for seat in masked.deck.seats if masked.keys[seat] != public]
        return a, unmask(self.group, (a, b), others)

    def _candidates(self, masked: MaskedDeck, among: Iterable[Face]) -> list[bytes]:
        faces = set(among)
        points = self.points(masked.deck)
        return [
            point for point, face in zip(points, masked.deck.cards, strict=True) if face in faces
        ]

    def _named(self, masked: MaskedDeck, slot: Slot, shares: Sequence[bytes]) -> Face:
        point = unmask(self.group, masked.cipher(slot), shares)
        if point not in masked.points:
            raise Desync(f"slot {slot} of deck {masked.deck.number} holds no card of the pack")
        return masked.points[point]

    def masked(self, slot: Slot) -> MaskedDeck:
        """Return the deck of a slot in play."""
        masked = self._in_play(slot)
        assert masked is not None, "the rules use slots in play only"
        return masked

    def _in_play(self, slot: Slot) -> MaskedDeck | None:
        return next((one for one in self.decks.values() if slot in one.deck.slots), None)

    def by_deck(self, slots: Sequence[Slot]) -> list[tuple[MaskedDeck, list[Slot]]]:
        """Return the decks of these slots, each with its own of them, in order."""
        parts: dict[int, list[Slot]] = {}
        for slot in slots:
            parts.setdefault(self.masked(slot).deck.number, []).append(slot)
        return [(self.decks[number], sorted(parts[number])) for number in sorted(parts)]
