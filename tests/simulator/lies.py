"""Entries of a coalition of liars beyond those of its tables: each lie is rightly signed, by a name
that tells which attack it is.

A1 to A11 are the attacks that protocol 1 fell to (docs/threat-model.md); the rest is said because
the format allows it. A lie is entries of one seat or two of the coalition, made of the knowledge of
honest tables: the coalition has heard everything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from crypto.identity import SIGN_CONTEXT, Identity
from crypto.plain import L
from engine.core.moves import Seat
from p2p.table.calls import flush_place
from p2p.table.log import Entry, Place, make_entry
from p2p.table.table import Table
from p2p.table.terms import TERMS_CONTEXT, Terms
from p2p.table.view_change import ChangeRound
from tests.simulator.records import Word

Told: TypeAlias = "tuple[str, list[Entry]]"
"""The name of a lie, and its entries."""

BURST = 40
MOST = (1 << 31) - 1


@dataclass
class Knowledge:
    """The material of which the coalition makes its lies."""

    chance: Random
    identities: list[Identity]
    liars: list[Seat]
    table: Table
    """An honest table."""
    sent: Callable[[Seat], list[Word]]
    """All that a seat has signed."""
    points: list[tuple[int, bytes]]
    """The points at which honest tables have waited, each with its view."""
    votes: dict[tuple[Seat, bytes], set[Seat]]

    @property
    def view(self) -> int:
        """The view of the honest table."""
        return self.table.mark[0]

    @property
    def rounds(self) -> list[ChangeRound]:
        """The rounds for which somebody has flushed."""
        return self.table._held.views.now._rounds()

    def sign(
        self, seat: Seat, place: Place, head: bytes | None = None, stage: int = 0, **body: Any
    ) -> Entry:
        """Sign as one of the coalition; on the head of the honest table if no other is given."""
        return make_entry(
            self.identities[seat],
            self.table.match,
            (place, stage),
            seat,
            head or self.table.head,
            body,
        )

    def vote(self, seat: Seat, named: Seat, point: bytes, view: int | None = None) -> Entry:
        """Sign a vote."""
        return self.sign(seat, ("vote", self.view if view is None else view, point, named))

    def flush(
        self, seat: Seat, of: ChangeRound, records: int, head: bytes, done: bytes = b""
    ) -> Entry:
        """Sign a flush."""
        return self.sign(seat, flush_place(self.view, of), head, records=records, done=done)

    def a_round(self, seat: Seat) -> ChangeRound:
        """Return a round in which this seat stays: one that is known, or one made up."""
        now = self.table._held.views.now
        known = [of for of in self.rounds if seat not in of.leaving]
        if known and self.chance.random() < 0.6:
            return self.chance.choice(known)
        others = [other for other in now.members if other != seat]
        gone = tuple(sorted(now.gone - {seat}))
        count = self.chance.randrange(1, 4) if others else 0
        called = {(self.chance.choice(others), self.a_point()) for _ in range(count)}
        received = [call for call in sorted(called) if self.chance.random() < 0.3]
        return ChangeRound(gone, tuple(sorted(called)), tuple(sorted(received)))

    def a_point(self) -> bytes:
        """Return a point: where the match waits, where it waited once, a round, or nothing at
        all."""
        now = self.table._held.views.now
        found = [point for _, point in self.points[-40:]] + [now.id_of(of) for of in self.rounds]
        here = [now.step_point] if now.step_point else []
        return self.chance.choice([*here * (1 + len(found)), *found, self.chance.randbytes(32)])


def votes_against_all(know: Knowledge, seat: Seat) -> Told:
    """A1: one seat votes against all others, and flushes as if they had gone."""
    now = know.table._held.views.now
    point = now.step_point or bytes(32)
    others = [other for other in now.members if other != seat]
    votes = [know.vote(seat, other, point) for other in others]
    gone = now.gone - {seat}
    of = ChangeRound(
        tuple(sorted(gone)), tuple((other, point) for other in others if other not in gone)
    )
    return "A1", [
        *votes,
        *(
            [know.flush(seat, of, know.table.steps, know.table.head)]
            if of.called or of.gone
            else []
        ),
    ]


def flush_far_back(know: Knowledge, seat: Seat) -> Told:
    """A2: a flush on the head of long ago."""
    trail = know.table.trail
    at = know.chance.randrange(len(trail))
    return "A2", [know.flush(seat, know.a_round(seat), at, trail[at])]


def undo(know: Knowledge, seat: Seat) -> Told:
    """A3: one tells a second story for an old word, another flushes as if it had stood before it.
    It takes two."""
    old = [
        word for word in know.sent(seat) if word.place[0] == "step" and word.place[1] == know.view
    ]
    others = [other for other in know.liars if other != seat]
    if not old or not others:
        return "", []
    word = know.chance.choice(old)
    trail, at = know.table.trail, min(word.place[2] - 1, know.table.steps)
    of = ChangeRound(tuple(sorted({*know.table._held.views.now.gone, seat})))
    flushes = [know.flush(other, of, at, trail[at]) for other in others if other not in of.gone]
    return ("A3", [another_story(know, word), *flushes]) if flushes else ("", [])


def great_numbers(know: Knowledge, seat: Seat) -> Told:
    """A4: numbers chosen by one seat: of a step, of a view, of records."""
    trail, number = (
        know.table.trail,
        know.chance.choice((MOST - 1, MOST, 1 << 20, know.table.steps + 7)),
    )
    last = len(know.identities) - 1
    told = [
        know.sign(seat, ("step", know.view, number)),
        know.sign(seat, ("leave", last)),
        know.sign(seat, ("stand", last)),
        know.sign(seat, ("seal", know.view, number)),
        know.flush(seat, know.a_round(seat), number, trail[-1]),
    ]
    return "A4", know.chance.sample(told, 2)


def burst(know: Knowledge, seat: Seat) -> Told:
    """A7: more than anybody has room for."""
    chance, told = know.chance, list[Entry]()
    others = [other for other in range(len(know.identities)) if other != seat]
    calls = sorted({(chance.choice(others), chance.randbytes(32)) for _ in range(BURST)})
    for number in range(BURST):
        told.append(know.vote(seat, chance.choice(others), chance.randbytes(32)))
        told.append(
            know.flush(
                seat, ChangeRound((), tuple(calls[: number + 1])), know.table.steps, know.table.head
            )
        )
        told.append(
            know.sign(
                seat, ("step", know.view, know.table.steps + number + 2), chance.randbytes(32)
            )
        )
    return "A7", told


def old_votes(know: Knowledge, seat: Seat) -> Told:
    """A8: honest votes of long ago are used, with one more."""
    now = know.table._held.views.now
    old = sorted(
        (
            call
            for call, voters in know.votes.items()
            if voters - set(know.liars) and call[1] != now.step_point and call[0] != seat
        )
    )
    if not old:
        return "", []
    named, point = know.chance.choice(old)
    of = ChangeRound(tuple(sorted(now.gone - {seat})), ((named, point),))
    flush = (
        [know.flush(seat, of, know.table.steps, know.table.head)] if named not in of.gone else []
    )
    return "A8", [
        *(know.vote(other, named, point) for other in know.liars if other != named),
        *flush,
    ]


def votes_anywhere(know: Knowledge, seat: Seat) -> Told:
    """A10: votes for stages that are over, that are to come, that never were; about oneself; of
    other views."""
    chance = know.chance
    named = chance.randrange(len(know.identities))
    return "A10", [
        know.vote(seat, named, know.a_point(), max(0, know.view + chance.choice((-1, 0, 0, 0, 1))))
    ]


def go_together(know: Knowledge, seat: Seat) -> Told:
    """A11: two accomplices go at once."""
    others = [other for other in know.liars if other != seat]
    if not others:
        return "", []
    other = know.chance.choice(others)
    words = [word for word in know.sent(other) if word.place[0] in ("step", "deck", "stand")]
    second = [another_story(know, words[-1])] if words and know.chance.random() < 0.5 else []
    return "A11", [
        know.sign(seat, ("leave", know.view)),
        *(second or [know.sign(other, ("leave", know.view))]),
    ]


def second_story(know: Knowledge, seat: Seat) -> Told:
    """Another word for an old place."""
    words = know.sent(seat)
    return ("second story", [another_story(know, know.chance.choice(words))]) if words else ("", [])


def leave(know: Knowledge, seat: Seat) -> Told:
    """A leave, of this view or another one."""
    view = max(0, know.view + know.chance.choice((-1, 0, 0, 1)))
    return "leave", [know.sign(seat, ("leave", view), know.chance.choice(know.table.trail))]


def stand_anywhere(know: Knowledge, seat: Seat) -> Told:
    """A stand, or a seal, on any head."""
    head = know.chance.choice([*know.table.trail[-6:], know.chance.randbytes(32)])
    view = know.view + know.chance.choice((0, 1))
    place: Place = (
        ("stand", view) if know.chance.random() < 0.5 else ("seal", view, know.table.steps + 1)
    )
    return "stand", [know.sign(seat, place, head)]


def flush_anything(know: Knowledge, seat: Seat) -> Told:
    """A flush for any round, with any change named as done; the votes that it takes come with
    it."""
    trail, chance = know.table.trail, know.chance
    at = chance.choice((len(trail) - 1, len(trail) - 1, chance.randrange(len(trail))))
    now, of = know.table._held.views.now, know.a_round(seat)
    done = chance.choice(
        [b"", *(now.id_of(other) for other in know.rounds), now.id_of(know.a_round(seat))]
    )
    votes = [
        know.vote(other, named, point)
        for named, point in of.called
        for other in know.liars
        if other != named
    ]
    return "flush", [*votes, know.flush(seat, of, at, trail[at], done)]


def two_flushes(know: Knowledge, seat: Seat) -> Told:
    """Two flushes for the round that the honest table has come to, on two heads or with another
    change named as done."""
    now, trail = know.table._held.views.now, know.table.trail
    of = now.round
    if of is None or seat in of.leaving or seat not in now.members:
        return "", []
    at = know.chance.randrange(len(trail))
    done = know.chance.choice([b"", *(now.id_of(other) for other in know.rounds)])
    return "two flushes", [
        know.flush(seat, of, len(trail) - 1, trail[-1]),
        know.flush(seat, of, at, trail[at], done),
    ]


def confirm_anything(know: Knowledge, seat: Seat) -> Told:
    """A confirm for any round, of any change."""
    now, of = know.table._held.views.now, know.a_round(seat)
    known = [change for seats in now._confirms.values() for change in seats.values()]
    change = know.chance.choice([*known, know.chance.randbytes(32)])
    return "confirm", [know.sign(seat, flush_place(know.view, of, "confirm"), change=change)]


def another_story(know: Knowledge, word: Word) -> Entry:
    """Say something else in the place of a word: its body spoiled, or the same on another head."""
    body, head = dict(word.body), word.head
    if body and know.chance.random() < 0.7:
        name = know.chance.choice(sorted(body))
        body[name] = _spoiled(body[name], know.chance)
    else:
        head = know.chance.choice([*know.table.trail, know.chance.randbytes(32)])
    return know.sign(word.seat, word.place, head, word.stage, **body)


def _spoiled(value: Any, chance: Random) -> Any:
    if type(value) is bytes and value:
        at = chance.randrange(len(value))
        return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
    if type(value) is int:
        return value + 1
    if type(value) is list and value:
        at = chance.randrange(len(value))
        return [*value[:at], _spoiled(value[at], chance), *value[at + 1 :]]
    return b"spoiled"


LIES: tuple[Callable[[Knowledge, Seat], Told], ...] = (
    votes_against_all,
    flush_far_back,
    undo,
    great_numbers,
    burst,
    old_votes,
    votes_anywhere,
    votes_anywhere,
    go_together,
    second_story,
    leave,
    stand_anywhere,
    flush_anything,
    flush_anything,
    two_flushes,
    confirm_anything,
)
"""All that is told under way. A5, A6 and A9 are told elsewhere: `tests.simulator.coalition`."""


def another_signature(identity: Identity, terms: Terms, turn: int) -> bytes:
    """A9: sign terms again, with another number behind the signature; it is as good as the first
    (RFC 8032, 5.1.6).

    The number is the secret scalar of another key, so that its public key is the number's point.
    """
    name = TERMS_CONTEXT.encode()
    message = SIGN_CONTEXT + len(name).to_bytes(2, "big") + name + terms.encode()
    other = Identity.from_seed(hashlib.sha256(identity.seed + bytes([turn])).digest())
    digest = hashlib.sha512(other.public + identity.public + message).digest()
    challenge = int.from_bytes(digest, "little") % L
    answer = (_scalar(other) + challenge * _scalar(identity)) % L
    return other.public + answer.to_bytes(32, "little")


def _scalar(identity: Identity) -> int:
    data = bytearray(hashlib.sha512(identity.seed).digest()[:32])
    data[0] &= 248
    data[31] = data[31] & 127 | 64
    return int.from_bytes(data, "little")
