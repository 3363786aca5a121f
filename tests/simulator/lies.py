"""Entries of a coalition of liars beyond those of its tables: each lie is rightly signed, by a name
that tells which attack it is.

A1 to A11 are the attacks that protocol 1 fell to (docs/threat-model.md); the rest is said because
the format allows it. A lie is entries of one seat or two of the coalition, made of the knowledge of
honest tables: the coalition has heard everything.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from crypto.identity import Identity
from engine.core.moves import Seat
from p2p.table.epoch_entries import ChangeRound
from p2p.table.log import Entry, Place, make_entry
from p2p.table.member_entries import flush_place
from p2p.table.pool import POOL
from p2p.table.table import Table
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
    """The points at which honest tables have waited, each with its epoch."""
    votes: dict[tuple[Seat, bytes], set[Seat]]

    @property
    def epoch(self) -> int:
        """The epoch of the honest table."""
        return self.table.mark[0]

    @property
    def begin(self) -> bytes:
        """The head on which that epoch began."""
        return self.table.epochs.begins[-1]

    @property
    def stage(self) -> bytes | None:
        """The head of the stage at which the honest table waits."""
        return self.table.epochs.records.stage

    @property
    def rounds(self) -> list[ChangeRound]:
        """The rounds for which somebody has flushed."""
        return list(self.table.epochs.now.flushed_rounds())

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

    def vote(self, seat: Seat, named: Seat, point: bytes, epoch: int | None = None) -> Entry:
        """Sign a vote."""
        number = self.epoch if epoch is None else epoch
        return self.sign(seat, ("vote", number, point, named), self.begin)

    def flush(self, seat: Seat, of: ChangeRound, head: bytes, done: bytes = b"") -> Entry:
        """Sign a flush, with reasons that may hold or not."""
        epochs, reasons = self.table.epochs, list[Entry]()
        if self.chance.random() < 0.8 and set(of.gone) <= epochs.now.gone:
            with suppress(KeyError):  # it has no vote for the round that is made up
                reasons = epochs.reasons(epochs.now, of, ())
        if self.chance.random() < 0.2:
            reasons = self.chance.sample(held := self.table.entries_since(0), min(2, len(held)))
        named = sorted({one.hash for one in reasons})
        trail = self.table.trail
        records = trail.index(head) if head in trail else self.table.steps
        if self.chance.random() < 0.1:
            records = self.chance.choice((MOST, records + 1, 0))
        place = flush_place(self.epoch, of)
        return self.sign(seat, place, head, records=records, done=done, reasons=named)

    def a_round(self, seat: Seat) -> ChangeRound:
        """Return a round in which this seat stays: one that is known, or one made up."""
        now = self.table.epochs.now
        known = [of for of in self.rounds if seat not in now.goes(of)]
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
        now = self.table.epochs.now
        found = [point for _, point in self.points[-40:]] + [now.id_of(of) for of in self.rounds]
        here = [self.stage] if self.stage else []
        return self.chance.choice([*here * (1 + len(found)), *found, self.chance.randbytes(32)])


def votes_against_all(know: Knowledge, seat: Seat) -> Told:
    """A1: one seat votes against all others, and flushes as if they had gone."""
    now = know.table.epochs.now
    point = know.stage or bytes(32)
    others = [other for other in now.members if other != seat]
    votes = [know.vote(seat, other, point) for other in others]
    gone = now.gone - {seat}
    of = ChangeRound(
        tuple(sorted(gone)), tuple((other, point) for other in others if other not in gone)
    )
    return "A1", [
        *votes,
        *([know.flush(seat, of, know.table.head)] if of.called or of.gone else []),
    ]


def flush_far_back(know: Knowledge, seat: Seat) -> Told:
    """A2: a flush on the head of long ago."""
    trail = know.table.trail
    at = know.chance.randrange(len(trail))
    return "A2", [know.flush(seat, know.a_round(seat), trail[at])]


def undo(know: Knowledge, seat: Seat) -> Told:
    """A3: one tells a second story for an old word, another flushes as if it had stood before it.
    It takes two."""
    old = [
        word for word in know.sent(seat) if word.place[0] == "step" and word.place[1] == know.epoch
    ]
    others = [other for other in know.liars if other != seat]
    if not old or not others:
        return "", []
    word = know.chance.choice(old)
    trail, at = know.table.trail, min(word.place[2] - 1, know.table.steps)
    of = ChangeRound(tuple(sorted({*know.table.epochs.now.gone, seat})))
    flushes = [know.flush(other, of, trail[at]) for other in others if other not in of.gone]
    return ("A3", [another_story(know, word), *flushes]) if flushes else ("", [])


def great_numbers(know: Knowledge, seat: Seat) -> Told:
    """A4: numbers chosen by one seat: of a step, of an epoch."""
    number = know.chance.choice((MOST - 1, MOST, 1 << 20, know.table.steps + 7))
    last = len(know.identities) - 1
    told = [
        know.sign(seat, ("step", know.epoch, number)),
        know.sign(seat, ("leave", last)),
        know.sign(seat, ("seal", know.epoch, number)),
        know.sign(seat, ("vote", know.epoch, bytes(32), (seat + 1) % len(know.identities))),
    ]
    return "A4", know.chance.sample(told, 2)


def burst(know: Knowledge, seat: Seat) -> Told:
    """A7: more than anybody has room for."""
    chance, told = know.chance, list[Entry]()
    others = [other for other in range(len(know.identities)) if other != seat]
    calls = sorted({(chance.choice(others), chance.randbytes(32)) for _ in range(BURST)})
    for number in range(BURST):
        told.append(know.vote(seat, chance.choice(others), chance.randbytes(32)))
        told.append(know.flush(seat, ChangeRound((), tuple(calls[: number + 1])), know.table.head))
        told.append(
            know.sign(
                seat, ("step", know.epoch, know.table.steps + number + 2), chance.randbytes(32)
            )
        )
    return "A7", told


def deafen(know: Knowledge, seat: Seat) -> Told:
    """B1: words that fit nowhere yet, more than a pool holds."""
    first = know.table.steps + 100 + know.chance.randrange(1 << 20)
    return "B1", [
        know.sign(seat, ("step", know.epoch, first + number), know.chance.randbytes(32))
        for number in range(POOL + 6)
    ]


def old_votes(know: Knowledge, seat: Seat) -> Told:
    """A8: honest votes of long ago are used, with one more."""
    now = know.table.epochs.now
    old = sorted(
        (
            call
            for call, voters in know.votes.items()
            if voters - set(know.liars) and call[1] != know.stage and call[0] != seat
        )
    )
    if not old:
        return "", []
    named, point = know.chance.choice(old)
    of = ChangeRound(tuple(sorted(now.gone - {seat})), ((named, point),))
    flush = [know.flush(seat, of, know.table.head)] if named not in of.gone else []
    return "A8", [
        *(know.vote(other, named, point) for other in know.liars if other != named),
        *flush,
    ]


def votes_anywhere(know: Knowledge, seat: Seat) -> Told:
    """A10: votes for stages that are over, that are to come, that never were; about oneself; of
    other epochs."""
    chance = know.chance
    named = chance.randrange(len(know.identities))
    return "A10", [
        know.vote(seat, named, know.a_point(), max(0, know.epoch + chance.choice((-1, 0, 0, 0, 1))))
    ]


def go_together(know: Knowledge, seat: Seat) -> Told:
    """A11: two accomplices go at once."""
    others = [other for other in know.liars if other != seat]
    if not others:
        return "", []
    other = know.chance.choice(others)
    words = [word for word in know.sent(other) if word.place[0] in ("step", "deck")]
    second = [another_story(know, words[-1])] if words and know.chance.random() < 0.5 else []
    return "A11", [
        know.sign(seat, ("leave", know.epoch), know.begin),
        *(second or [know.sign(other, ("leave", know.epoch), know.begin)]),
    ]


def second_story(know: Knowledge, seat: Seat) -> Told:
    """Another word for an old place."""
    words = know.sent(seat)
    return ("second story", [another_story(know, know.chance.choice(words))]) if words else ("", [])


def leave(know: Knowledge, seat: Seat) -> Told:
    """A leave, of this epoch or another one, on its head or another one."""
    epoch = max(0, know.epoch + know.chance.choice((-1, 0, 0, 1)))
    begins = know.table.epochs.begins
    head = know.chance.choice([*begins, begins[-1], begins[-1], *know.table.trail[-2:]])
    return "leave", [know.sign(seat, ("leave", epoch), head)]


def seal_anywhere(know: Knowledge, seat: Seat) -> Told:
    """A seal on any head."""
    head = know.chance.choice([*know.table.trail[-6:], know.chance.randbytes(32)])
    epoch = know.epoch + know.chance.choice((0, 1))
    return "seal", [know.sign(seat, ("seal", epoch, know.table.steps + 1), head)]


def flush_anything(know: Knowledge, seat: Seat) -> Told:
    """A flush for any round, with any change named as done; the votes that it takes come with
    it."""
    trail, chance = know.table.trail, know.chance
    at = chance.choice((len(trail) - 1, len(trail) - 1, chance.randrange(len(trail))))
    now, of = know.table.epochs.now, know.a_round(seat)
    done = chance.choice(
        [b"", *(now.id_of(other) for other in know.rounds), now.id_of(know.a_round(seat))]
    )
    votes = [
        know.vote(other, named, point)
        for named, point in of.called
        for other in know.liars
        if other != named
    ]
    return "flush", [*votes, know.flush(seat, of, trail[at], done)]


def two_flushes(know: Knowledge, seat: Seat) -> Told:
    """Two flushes for the round that the honest table has come to, on two heads or with another
    change named as done."""
    now, trail = know.table.epochs.now, know.table.trail
    of = now.round
    if not of.can_be or seat in now.goes(of) or seat not in now.members:
        return "", []
    at = know.chance.randrange(len(trail))
    done = know.chance.choice([b"", *(now.id_of(other) for other in know.rounds)])
    return "two flushes", [
        know.flush(seat, of, trail[-1]),
        know.flush(seat, of, trail[at], done),
    ]


def stand_anything(know: Knowledge, seat: Seat) -> Told:
    """A stand for any round, on any change."""
    now, of = know.table.epochs.now, know.a_round(seat)
    known = [on for seats in now.stood_on.values() for told in seats.values() for on in told]
    known += [outcome.id for outcome in map(now.outcome, know.rounds) if outcome is not None]
    on = know.chance.choice([*known, know.chance.randbytes(32)])
    return "stand", [know.sign(seat, flush_place(know.epoch, of, "stand"), on)]


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
    deafen,
    old_votes,
    votes_anywhere,
    votes_anywhere,
    go_together,
    second_story,
    leave,
    seal_anywhere,
    flush_anything,
    flush_anything,
    two_flushes,
    stand_anything,
    stand_anything,
)
"""All that is told under way. A5, A6 and A9 are told elsewhere: `tests.simulator.coalition`."""
