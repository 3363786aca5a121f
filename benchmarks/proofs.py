"""The proofs by themselves: shuffles of several sizes, and claims about hidden slots."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.cost import Timed, timed
from benchmarks.settings import BenchSettings, Row, ms
from crypto.group import Group
from crypto.masking import (
    Ciphers,
    card_points,
    decode_deck,
    encode_deck,
    joint_key,
    key_from_secret,
    new_key,
    starting_deck,
)
from crypto.shuffle import draw_permutation, prove_shuffle, shuffle_deck, verify_shuffle
from crypto.sigma import prove_one_of, verify_one_of

SIZES = (28, 40, 52, 165)
"""Cards of a domino set, a Spanish pack, a French pack, and three packs with jokers."""
PROTOTYPE = {
    "shuffle": {28: 2.4, 40: 3.6, 52: 4.6, 165: 15.0},
    "prove": {28: 9.8, 40: 14.0, 52: 18.0, 165: 55.0},
    "verify": {28: 14.0, 40: 20.0, 52: 25.0, 165: 78.0},
}
"""Milliseconds that a prototype took on another machine: the aim."""
CLAIM = {"prove": 27.0, "verify": 27.0}
"""The same for seven slots that each hold one of 21 faces."""
SLOTS, FACES = 7, 21
RATIO = 1.25
"""How much longer than its operations a proof may take."""
CONTEXT = b"sobremesa bench"


class SecondShuffle:
    """A deck shuffled once, and its second shuffle: the work of any seat but the first."""

    def __init__(self, group: Group, cards: int) -> None:
        self.group, self.cards = group, cards
        self.joint = joint_key(group, [new_key(group, os.urandom).public for _ in range(2)])
        start = starting_deck(group, card_points(group, "bench", cards), self.joint)
        self.permutation, self.masks = self._draw()
        self.before = shuffle_deck(group, self.joint, start, self.permutation, self.masks)
        self.permutation, self.masks = self._draw()

    def shuffle(self) -> Ciphers:
        """Shuffle."""
        return shuffle_deck(self.group, self.joint, self.before, self.permutation, self.masks)

    def prove(self, after: Ciphers) -> bytes:
        """Prove it."""
        return prove_shuffle(
            self.group,
            CONTEXT,
            self.joint,
            self.before,
            after,
            self.permutation,
            self.masks,
            os.urandom,
        )

    def verify(self, data: bytes, proof: bytes) -> None:
        """Read a deck as it comes from a peer, and check that it is a shuffle."""
        after = decode_deck(self.group, data, self.cards)
        verify_shuffle(self.group, CONTEXT, self.joint, self.before, after, proof)

    def anew(self) -> tuple[bytes, bytes]:
        """Shuffle otherwise than before, and return the deck and the proof as a peer sends them."""
        self.permutation, self.masks = self._draw()
        after = self.shuffle()
        return encode_deck(after), self.prove(after)

    def all(self) -> None:
        """Do all three."""
        self.verify(*self.anew())

    def _draw(self) -> tuple[tuple[int, ...], list[int]]:
        return draw_permutation(self.cards, os.urandom), [
            self.group.random_scalar(os.urandom) for _ in range(self.cards)
        ]


def shuffle(settings: BenchSettings) -> dict[str, Any]:
    """Measure shuffling, proving and verifying for every size."""
    sizes = []
    for cards in SIZES:
        settings.say(f"{cards} cards")
        sizes.append(_shuffle(settings, cards))
    return {"sizes": sizes}


def _shuffle(settings: BenchSettings, cards: int) -> dict[str, Any]:
    times = settings.times(15 if cards < 100 else 9)
    work = SecondShuffle(settings.group, cards)
    shuffled, after = timed(settings.group, work.shuffle, times)
    proven, _proof = timed(settings.group, lambda: work.prove(after), times)
    data, proof = work.anew()
    verified, _nothing = timed(settings.group, times=times, **checking(work))
    found = {"shuffle": shuffled, "prove": proven, "verify": verified}
    return {"cards": cards, "deck_bytes": len(data), "proof_bytes": len(proof), **_json(found)}


def checking(work: SecondShuffle) -> dict[str, Callable[[], object]]:
    """Return the check of a shuffle, and a step that makes a new shuffle before it.

    A new shuffle is needed because a backend may remember elements.
    """
    sent: list[bytes] = []

    def before() -> None:
        sent[:] = work.anew()

    return {"work": lambda: work.verify(*sent), "before": before}


def shuffle_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the shuffles."""
    for size in found["sizes"]:
        for part, about in (
            ("shuffle", "shuffle"),
            ("prove", "prove"),
            ("verify", "verify"),
        ):
            name = f"{size['cards']} cards: {about}"
            yield _row(name, size[part], PROTOTYPE[part][size["cards"]])
        name = f"{size['cards']} cards: proof"
        yield Row(name, f"{size['proof_bytes']:,} bytes")


class Claims:
    """Hidden slots of one player, and a claim about each: that it holds one of the same faces."""

    def __init__(self, group: Group) -> None:
        self.group, self.key = group, key_from_secret(group, group.random_scalar(os.urandom))
        self.points = card_points(group, "bench", 28)[:FACES]
        self.firsts = [group.base(group.random_scalar(os.urandom)) for _ in range(SLOTS)]
        self.seconds = [
            group.add(self.points[3 * slot], group.mult(self.key.secret, a))
            for slot, a in enumerate(self.firsts)
        ]

    def prove(self) -> list[bytes]:
        """Prove them all."""
        group, key = self.group, self.key.secret
        return [
            prove_one_of(group, CONTEXT, slot, key, a, c, self.points, 3 * slot, os.urandom)
            for slot, (a, c) in enumerate(zip(self.firsts, self.seconds, strict=True))
        ]

    def verify(self, proofs: list[bytes]) -> None:
        """Check them all."""
        for slot, (a, c, proof) in enumerate(zip(self.firsts, self.seconds, proofs, strict=True)):
            verify_one_of(self.group, CONTEXT, slot, self.key.public, a, c, self.points, proof)


def claims(settings: BenchSettings) -> dict[str, Any]:
    """Measure proving, and checking, that each of 7 hidden slots holds one of 21 faces."""
    work = Claims(settings.group)
    proven, proofs = timed(settings.group, work.prove, settings.times(15))
    verified, _nothing = timed(settings.group, lambda: work.verify(proofs), settings.times(15))
    size = sum(map(len, proofs))
    return {
        "slots": SLOTS,
        "faces": FACES,
        "proof_bytes": size,
        **_json({"prove": proven, "verify": verified}),
    }


def claims_rows(found: dict[str, Any]) -> Iterator[Row]:
    """Return the rows of the claims."""
    what = f"{found['slots']} slots of {found['faces']} faces"
    for part, about in (("prove", "prove"), ("verify", "verify")):
        yield _row(f"{what}: {about}", found[part], CLAIM[part])
    yield Row(
        f"{what}: proof",
        f"{found['proof_bytes']:,} bytes",
    )


def _json(parts: dict[str, Timed]) -> dict[str, Any]:
    units = {name: dict(part.units) for name, part in parts.items()}
    return {**{name: part.json() for name, part in parts.items()}, "units_us": units}


def _row(name: str, part: dict[str, Any], prototype: float) -> Row:
    aim = f"ratio {RATIO}; elsewhere {ms(prototype)}"
    missed = part["ratio"] is not None and part["ratio"] > RATIO
    return Row(name, ms(part["ms"]), ms(part["ops_ms"]), part["ratio"], aim, missed)
