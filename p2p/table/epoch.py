"""An epoch of a match, from one change of its members to the next (protocol 5).

It is pure: it receives leaves, faults, votes, flushes and stands, and tells what our seat owes and
which change is to be made. It knows no rules, cards or proofs, and asks its table about the records
of the match (`Records`).

A member signs a flush for each round that it comes to: a promise to make no change of an earlier
one. When it has the flushes of all that stay, it stands on their result, and makes that change when
all that stay have stood on it. Until the others have promised not to make it, it does not go on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from engine.core.moves import Seat
from p2p.table.epoch_entries import (
    Call,
    Change,
    ChangeRound,
    Flush,
    Outcome,
    Point,
    Stand,
    base_of,
    is_too_late,
    rows_of,
    stand_point,
)
from p2p.table.epoch_records import Records
from p2p.table.remember import remembered
from p2p.table.votes import Votes

STORIES = 2
"""Entries of a seat for one place that are kept: two convict it."""


class Epoch:
    """The members of one epoch, as one of them, or a spectator (`own` is None), knows them."""

    def __init__(
        self,
        match: bytes,
        number: int,
        members: Iterable[Seat],
        own: Seat | None,
        records: Records,
        late: Mapping[Seat, int] | None = None,
    ) -> None:
        """Begin an epoch. `late` counts the late calls of each member in the changes so far."""
        self.match, self.number, self.own = match, number, own
        self.members = tuple(sorted(members))
        self.late = dict(late or {})
        self.records = records
        self.over = False
        """Whether the next epoch has begun here: then we only answer the others."""
        self.made: ChangeRound | None = None
        """The round in which we have made the change of this epoch."""
        self.stood: ChangeRound | None = None
        """The last round for which we stood, unless nobody can have made its change."""
        self.gone: frozenset[Seat] = frozenset()
        """The members that have left or are convicted."""
        self._votes = Votes()
        self._rounds: dict[Point, ChangeRound] = {}
        """The rounds for which somebody has flushed."""
        self._stand_points: dict[Point, tuple[ChangeRound, bytes]] = {}
        self._outcomes: set[tuple[ChangeRound, bytes]] = set()
        """The results of known flushes: the rounds and ids on which members may stand."""
        self._flushes: dict[ChangeRound, dict[Seat, list[Flush]]] = {}
        self._signed: dict[Seat, list[Flush]] = {}
        self._stands: dict[ChangeRound, dict[Seat, list[bytes]]] = {}
        self._counting: set[Flush] = set()
        """The flushes that count. That is so for ever: the knowledge of a member only grows."""
        self.idle: list[Flush] = []
        """The flushes that do not count yet: something that they rest on is not known."""
        self._whole: dict[ChangeRound, Outcome] = {}
        self._remembered: dict[tuple[Any, ...], Any] = {}

    # Input.

    def learn(self) -> None:
        """Note that more is known, here or about records."""
        if not (self.gone or self._flushes or self._stands or any(self._votes)):
            self._remembered.pop(("missing",), None)  # all else rests on these alone
            return
        self._remembered.clear()
        self._weigh()
        if self.stood is not None and not self.goes(self.round) and self.released(self.round):
            self.stood = None

    def lose(self, seat: Seat) -> None:
        """A member has left by its own word, or is convicted."""
        if seat in self.members and seat not in self.gone:
            self.gone |= {seat}
            self.learn()

    def needs_vote(self, seat: Seat, point: Point) -> bool:
        """Whether a vote counts here: it is about a seat that owes an entry at a known point."""
        return self._owes((seat, point), self.gone)

    def needs_flush(self, seat: Seat, of: ChangeRound) -> bool:
        """Whether a flush of a seat for a round counts here.

        The flushes of an honest seat form a chain. A seat that has gone may have signed one for
        any round, but others have made a change at most where one of them has flushed.
        """
        if not self.needs_round(of):
            return False
        return seat not in self.gone or bool(set(self._flushes.get(of, ())) - self.gone)

    def needs_stand(self, seat: Seat, of: ChangeRound) -> bool:
        """Whether a stand of a seat counts here: it has flushed for this round."""
        return self.needs_round(of) and seat in self._flushes.get(of, {})

    def needs_round(self, of: ChangeRound) -> bool:
        """Whether all that a round names is known."""
        gone = frozenset(of.gone)
        known = gone <= self.gone and all(call in self.carried(gone) for call in of.called)
        return known and of.can_be  # the form comes last: it takes long

    def is_outcome(self, of: ChangeRound, on: bytes) -> bool:
        """Whether known flushes for a round come to this."""
        return (of, on) in self._outcomes

    def receive_vote(self, voter: Seat, seat: Seat, point: Point) -> None:
        """Take a vote that is needed."""
        if voter not in self.members or voter in self.voters((seat, point)):
            return
        self._votes.add(voter, (seat, point))
        if voter != self.own:
            self._votes.forget(voter, self._decides)
        self.learn()

    def receive_flush(self, flush: Flush) -> Flush | None:
        """Take a flush that is needed; return an earlier one of its seat that it denies.

        We go by the first of a seat for a round; others may have made a change with the second.
        """
        if flush.seat not in self.members:
            return None
        stories = self._flushes.setdefault(flush.round, {}).setdefault(flush.seat, [])
        if flush in stories or len(stories) == STORIES:
            return None
        mine = self._signed.setdefault(flush.seat, [])
        denied = next((old for old in mine if old.denies(flush)), None)
        stories.append(flush)
        mine.append(flush)
        self.idle.append(flush)
        self._rounds[self.id_of(flush.round)] = flush.round
        self.learn()
        return denied

    def receive_stand(self, stand: Stand) -> None:
        """Take a needed stand. On an outcome a third one too: others may have made that change."""
        if stand.seat not in self.members:
            return
        stories = self._stands.setdefault(stand.round, {}).setdefault(stand.seat, [])
        full = len(stories) >= STORIES and not self.is_outcome(stand.round, stand.on)
        if stand.on in stories or full:
            return
        stories.append(stand.on)
        self._stand_points[stand_point(self.id_of(stand.round), stand.on)] = stand.round, stand.on
        if stand.seat == self.own:
            self.stood = stand.round
        self.learn()

    def make(self, outcome: Outcome, *, over: bool = False) -> dict[Seat, int]:
        """Note that we make a change; return the late calls of all that stay, with this one's."""
        self.made, self.over = outcome.round, over
        self.learn()
        change = outcome.change
        calls = [seat for seat, _ in change.round.called]
        return {seat: self.late.get(seat, 0) + calls.count(seat) for seat in change.stays}

    # Results.

    @property
    def electorate(self) -> tuple[Seat, ...]:
        """The members that may vote: all but those who have left or are convicted."""
        return tuple(seat for seat in self.members if seat not in self.gone)

    @remembered
    def carried(self, gone: frozenset[Seat]) -> frozenset[Call]:
        """Return the calls for which more than half of the electorate has voted.

        When somebody is gone none at a stage counts: those that stay may be on two branches.
        """
        electorate = set(self.members) - gone
        return frozenset(
            call
            for call, voters in self._votes.items()
            if call[0] in electorate
            and 2 * len(voters & electorate) > len(electorate)
            and self._owes(call, gone)
            and self._counts_when(call, gone)
        )

    @property
    @remembered
    def round(self) -> ChangeRound:
        """The round that we have come to; one without calls is that of an undisturbed match."""
        called = sorted(self.carried(self.gone))
        heard = tuple(call for call in called if self._is_heard(call))
        return ChangeRound(tuple(sorted(self.gone)), tuple(called), heard)

    @remembered
    def goes(self, of: ChangeRound) -> frozenset[Seat]:
        """Return the seats that go in a round.

        They are those gone, those that were late too often, and those that owe a flush or a stand.
        If that is nobody, they are those that owe a word: a seat that is bound cannot speak.
        """
        found = {*of.gone, *(seat for seat, _ in of.called if self.is_late(seat, of.called))}
        found |= {seat for seat, point in of.unheard if not self.records.owing(point)}
        return frozenset(found or {seat for seat, _ in of.unheard})

    def stays(self, of: ChangeRound) -> tuple[Seat, ...]:
        """Return the members that stay in a round."""
        goes = self.goes(of)
        return tuple(seat for seat in self.members if seat not in goes)

    def is_late(self, seat: Seat, called: tuple[Call, ...]) -> bool:
        """Whether a seat goes for these calls, heard or not: too many in a row, or in the match."""
        return is_too_late(*self.lateness(seat, called))

    def lateness(self, seat: Seat, called: tuple[Call, ...]) -> tuple[list[int], int]:
        """Return how often a seat is late by these calls: in each row, and in the match so far."""
        points = [point for who, point in called if who == seat]
        turns = [self.records.turn(seat, point) for point in points if self.records.owing(point)]
        rows = rows_of(turns, len(points) - len(turns))
        return rows, self.late.get(seat, 0) + len(points)

    def counts(self, flush: Flush) -> bool:
        """Whether all is known that a flush rests on; before that it is silence."""
        return flush in self._counting

    def flush_of(self, seat: Seat, of: ChangeRound) -> Flush | None:
        """Return the flush of a seat for a round that counts and that we go by, or None."""
        stories = self._flushes.get(of, {}).get(seat)
        return stories[0] if stories and self.counts(stories[0]) else None

    def stands(self, seat: Seat, outcome: Outcome) -> bool:
        """Whether a seat has stood on the outcome of a round."""
        return outcome.id in self._stands.get(outcome.round, {}).get(seat, ())

    @remembered
    def outcome(self, of: ChangeRound) -> Outcome | None:
        """Return the outcome of a round; None if nobody goes, or flushes are missing."""
        found = {seat: self.flush_of(seat, of) for seat in self.stays(of)}
        return self._come_to(of, {seat: one for seat, one in found.items() if one is not None})

    def released(self, of: ChangeRound) -> bool:
        """Whether nobody can have made the change for which we last stood.

        All others that stay in it have flushed for this later round: that is their promise.
        """
        bound = self.stood
        if bound is None:
            return True
        others = set(self.members) - self.goes(bound) - {self.own, *of.gone}
        flushes = [self.flush_of(seat, of) for seat in sorted(others)]
        return bound != of and all(one is not None and not one.done for one in flushes)

    @property
    @remembered
    def stopped(self) -> bool:
        """Whether our seat says nothing more about the step: somebody goes, or may have gone."""
        return bool(self.goes(self.round)) or not self.released(self.round)

    @property
    def bound(self) -> bool:
        """Whether a record that becomes whole now may still be dropped."""
        signed = self.stood is not None or self.own in self._flushes.get(self.round, {})
        return self.stopped and (signed or any(old.round.gone for old in self.signed_by(self.own)))

    def may_speak(self, head: bytes) -> bool:
        """Whether our seat may sign its word on the head of a stage.

        It may when we are not stopped, and when it is for this word that the others wait.
        """
        return not self.stopped or (self.own, head) in self.round.unheard

    @property
    def change_owed(self) -> Outcome | None:
        """The change that our seat must make now: all that stay have stood on it."""
        if self.over or self.made is not None or not self.stopped:
            return None
        found = self.outcome(self.round)
        owed = found is not None and self.own in found.stays and self._has_all_stands(found)
        return found if owed else None

    @remembered
    def missing(self) -> tuple[Call, ...]:
        """Return the seats that the match waits for, each with its point."""
        of, found = self.round, list[Call]()
        outcome = self.outcome(of)
        if outcome is not None:
            point = stand_point(self.id_of(of), outcome.id)
            found = [(seat, point) for seat in outcome.stays if not self.stands(seat, outcome)]
        elif of in self._flushes:
            point = self.id_of(of)
            found = [(seat, point) for seat in self.stays(of) if self.flush_of(seat, of) is None]
        here = self.records.stage
        if here is not None and not self.over and not self.stopped:
            silent = (
                seat for seat in self.records.owing(here) if not self.records.word(seat, here)
            )
            found += [(seat, here) for seat in silent]
        return tuple(sorted(found))

    def votes_owed(self) -> tuple[Call, ...]:
        """Return the calls that our person may sign a vote for: we wait there ourselves."""
        if len(self.electorate) < 3 or self.own not in self.electorate:
            return ()
        ours = ((call, {call[0], *self.voters(call)}) for call in self.missing())
        return tuple(call for call, others in ours if self.own not in others)

    def voters(self, call: Call) -> frozenset[Seat]:
        """Return the seats that are known to have voted for a call."""
        return frozenset(self._votes.of(call))

    def calls(self) -> Iterator[Call]:
        """Give each call for which a vote is known."""
        yield from self._votes

    def signed_by(self, seat: Seat | None) -> tuple[Flush, ...]:
        """Return the flushes of a seat, in the order in which they came."""
        return tuple(self._signed.get(seat, ())) if seat is not None else ()

    def has_flushed(self, seat: Seat | None, of: ChangeRound) -> bool:
        """Whether a flush of a seat for a round is here, counting or not."""
        return seat in self._flushes.get(of, {})

    def has_stood(self, seat: Seat | None, of: ChangeRound) -> bool:
        """Whether a stand of a seat for a round is here."""
        return seat in self._stands.get(of, {})

    @property
    def done(self) -> bytes:
        """The id of the round in which we have made the change of this epoch, or nothing."""
        return self.id_of(self.made) if self.made is not None else b""

    def flushed_rounds(self) -> tuple[ChangeRound, ...]:
        """Return the rounds for which somebody has flushed."""
        return tuple(self._flushes)

    def whole(self, of: ChangeRound) -> Outcome | None:
        """Return the outcome of a round on which all that stay are known to have stood, or None."""
        if of in self._whole:
            return self._whole[of]
        stood = {on for stories in self._stands.get(of, {}).values() for on in stories}
        if stood:
            for chosen in self._stories(of):
                outcome = self._come_to(of, chosen)
                if outcome is not None and outcome.id in stood and self._has_all_stands(outcome):
                    return self._whole.setdefault(of, outcome)
        return None

    def id_of(self, of: ChangeRound) -> Point:
        """Return the id of a round: 32 bytes."""
        return of.id(self.match, self.number)

    # Internals.

    def _decides(self, call: Call) -> bool:
        """Whether a vote may decide something: we wait there, or more than half have voted."""
        return 2 * len(self._votes.of(call)) > len(self.electorate) or call in self.missing()

    def _counts_when(self, call: Call, gone: frozenset[Seat]) -> bool:
        return not gone or not self.records.owing(call[1])

    def _round_at(self, point: Point) -> ChangeRound | None:
        """Return the round whose flushes or stands are waited for at a point."""
        if point in self._stand_points:
            of = self._stand_points[point][0]
            return of if of in self._flushes else None
        return self._rounds.get(point)

    def _owes(self, call: Call, gone: frozenset[Seat]) -> bool:
        """Whether a seat owes an entry at a point that we know.

        At a round it does while the same are gone: of others, members may have other flushes.
        """
        seat, point = call
        if seat in self.records.owing(point):
            return True
        of = self._round_at(point)
        return of is not None and set(of.gone) == gone

    def _is_heard(self, call: Call) -> bool:
        """Whether the entry that a call misses is known, or its seat has flushed since."""
        seat, point = call
        if self.records.owing(point):
            return self.records.word(seat, point)
        of = self._round_at(point)
        if of is None:
            return False
        stand = self._stand_points.get(point)
        if stand is not None and stand[1] in self._stands.get(of, {}).get(seat, ()):
            return True
        return any(
            of.precedes(flush.round) and (stand is None or flush.round != of)
            for flush in self._signed.get(seat, ())
            if flush in self._counting
        )

    def _weigh(self) -> None:
        """Find the flushes that count now, none by itself, and the points of their stands."""
        more = True
        while more:
            found = [flush for flush in self.idle if self._can_count(flush)]
            self._counting.update(found)
            self.idle = [flush for flush in self.idle if flush not in found]
            for of in {flush.round: None for flush in found}:
                for chosen in self._stories(of):
                    if (outcome := self._come_to(of, chosen)) is not None:
                        point = stand_point(self.id_of(of), outcome.id)
                        self._stand_points[point] = of, outcome.id
                        self._outcomes.add((of, outcome.id))
            more = bool(found)
            if more:  # calls at these points may have carried already
                self._remembered.clear()

    def _can_count(self, flush: Flush) -> bool:
        of, seat = flush.round, flush.seat
        if not self.needs_round(of) or seat in self.goes(of):
            return False
        if not (self.records.leads_to(flush) or self._is_beside_done(flush)):
            return False
        if not self.records.explains(flush) or (flush.done and not self._is_done(flush)):
            return False
        return all(
            self._is_heard(call) or (call[0] == seat and self._is_its_own(call[1], of))
            for call in of.heard
        )

    def _is_its_own(self, point: Point, of: ChangeRound) -> bool:
        """Whether a flush for a round is itself the entry that was missing at a point."""
        called = self._round_at(point)
        return called is not None and called != of and called.precedes(of)

    def _is_beside_done(self, flush: Flush) -> bool:
        """Whether a flush for its round names as done a change in which its seat stays.

        That change counts, not its head: the seats that have made it may never come there.
        """
        told = (one for stories in self._flushes[flush.round].values() for one in stories)
        done = [self.whole(self._rounds[one.done]) for one in told if one.done and self.counts(one)]
        return any(one is not None and flush.seat in one.change.stays for one in done)

    def _is_done(self, flush: Flush) -> bool:
        """Whether the change that a flush names as done is known to be whole."""
        of = self._rounds.get(flush.done)
        if of is None or of == flush.round or not of.precedes(flush.round):
            return False
        outcome = self.whole(of)
        return outcome is not None and flush.seat in outcome.stays

    def _stories(self, of: ChangeRound) -> Iterator[dict[Seat, Flush]]:
        """Give each choice of flushes for a round that count, one for each seat that has some."""
        counting = [
            [flush for flush in self._flushes.get(of, {}).get(seat, ()) if flush in self._counting]
            for seat in self.stays(of)
        ]
        for chosen in product(*(stories for stories in counting if stories)):
            yield {flush.seat: flush for flush in chosen}

    def _has_all_stands(self, outcome: Outcome) -> bool:
        return all(self.stands(seat, outcome) for seat in outcome.stays)

    def _come_to(self, of: ChangeRound, flushes: Mapping[Seat, Flush]) -> Outcome | None:
        """Return the outcome of these flushes for a round; None if some are missing."""
        stays = self.stays(of)
        done = [self._rounds[one.done] for one in flushes.values() if one.done]
        change = None
        if done:
            last = max(done, key=lambda one: (len(one.gone), len(one.called), len(one.heard)))
            found = self.whole(last)
            change = found.change if found is not None else None
            stays = tuple(seat for seat in stays if change is not None and seat in change.stays)
        if not stays or not all(seat in flushes for seat in stays):
            return None
        signed = tuple(flushes[seat] for seat in stays)
        if change is None:
            if not self._may_go_on(of, stays) or not all(map(self.records.leads_to, signed)):
                return None
            lines = {flush.seat: self.records.line(flush.head) for flush in signed}
            base = base_of(lines, self.records.holders)
            change = Change(of, signed, base, tuple(sorted(self.goes(of))))
        return Outcome(of, signed, change)

    def _may_go_on(self, of: ChangeRound, stays: Collection[Seat]) -> bool:
        """Whether somebody goes, and by votes only if more than half of the electorate stay."""
        goes = self.goes(of)
        if goes <= set(of.gone):
            return bool(goes)
        return 2 * len(stays) > len(self.members) - len(of.gone)
