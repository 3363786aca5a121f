"""An epoch of a match, from one change of its members to the next (protocol 5).

It is pure: it receives leaves, faults, votes, flushes and stands, and says what our seat owes and
which change to make. It knows no rules, cards or proofs, and asks its table about the records of
the match (`Records`).

A member signs a flush for each round that it reaches: a promise to make no change of an earlier
one. With the flushes of all who stay, it stands on their outcome, and makes that change once all
who stay have stood on it. Until then it continues only if the others promised not to make it.
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
"""Entries of a seat kept for one place: two convict it."""


class Epoch:
    """The members of one epoch, as a member or a spectator (`own` is None) knows them."""

    def __init__(
        self,
        match: bytes,
        number: int,
        members: Iterable[Seat],
        own: Seat | None,
        records: Records,
        late: Mapping[Seat, int] | None = None,
    ) -> None:
        """Begin an epoch. `late` counts the late calls of each member in earlier changes."""
        self.match, self.number, self.own = match, number, own
        self.members = tuple(sorted(members))
        self.late = dict(late or {})
        self.records = records
        self.over = False
        """Whether the next epoch has begun here; then we only answer the others."""
        self.made: ChangeRound | None = None
        """The round whose change ended this epoch for us."""
        self.stood: ChangeRound | None = None
        """The last round for which we stood, unless nobody can have made its change."""
        self.gone: frozenset[Seat] = frozenset()
        """The members that left or are convicted."""
        self._votes = Votes()
        self._rounds: dict[Point, ChangeRound] = {}
        """The rounds for which a flush is known."""
        self._stand_points: dict[Point, tuple[ChangeRound, bytes]] = {}
        self._outcomes: set[tuple[ChangeRound, bytes]] = set()
        """The outcomes of known flushes: rounds, and the ids on which members may stand."""
        self._flushes: dict[ChangeRound, dict[Seat, list[Flush]]] = {}
        self._signed: dict[Seat, list[Flush]] = {}
        self.stood_on: dict[ChangeRound, dict[Seat, list[bytes]]] = {}
        self._counting: set[Flush] = set()
        """The flushes that count. They count for ever, because a member's knowledge only grows."""
        self.idle: list[Flush] = []
        """The flushes that do not count yet, because something they rest on is unknown."""
        self._whole: dict[ChangeRound, Outcome] = {}
        self.cached: dict[tuple[Any, ...], Any] = {}

    def learn(self) -> None:
        """Note that more is known, here or about records."""
        if not (self.gone or self._flushes or self.stood_on or any(self._votes)):
            # without any of these, only `missing` can have changed
            self.cached.pop(("missing",), None)
            return
        self.cached.clear()
        self._weigh()
        if self.stood is not None and not self.goes(self.round) and self.released(self.round):
            self.stood = None

    def lose(self, seat: Seat) -> None:
        """Note that a member left, or is convicted."""
        if seat in self.members and seat not in self.gone:
            self.gone |= {seat}
            self.learn()

    def needs_vote(self, seat: Seat, point: Point) -> bool:
        """Whether we take a vote: its seat owes an entry at a known point."""
        return self._owes((seat, point), self.gone)

    def needs_flush(self, seat: Seat, of: ChangeRound) -> bool:
        """Whether we take a seat's flush for a round.

        The flushes of an honest seat form a chain. A seat that is gone may have signed one for any
        round, but others can only have made a change where one of them flushed.
        """
        if not self.needs_round(of):
            return False
        return seat not in self.gone or bool(set(self._flushes.get(of, ())) - self.gone)

    def needs_stand(self, seat: Seat, of: ChangeRound) -> bool:
        """Whether we take a seat's stand: the seat flushed for this round."""
        return self.needs_round(of) and seat in self._flushes.get(of, {})

    def needs_round(self, of: ChangeRound) -> bool:
        """Whether everything that a round names is known."""
        gone = frozenset(of.gone)
        known = gone <= self.gone and all(call in self.carried(gone) for call in of.called)
        return known and of.can_be

    def is_outcome(self, of: ChangeRound, on: bytes) -> bool:
        """Whether known flushes for a round lead to this id."""
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
        """Take a needed flush; return an earlier flush of its seat that contradicts it.

        Of a seat's flushes for a round we use the first; others may have made a change with the
        second.
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
        """Take a needed stand; a third one too if it is on an outcome others may have made."""
        if stand.seat not in self.members:
            return
        stories = self.stood_on.setdefault(stand.round, {}).setdefault(stand.seat, [])
        full = len(stories) >= STORIES and not self.is_outcome(stand.round, stand.on)
        if stand.on in stories or full:
            return
        stories.append(stand.on)
        self._stand_points[stand_point(self.id_of(stand.round), stand.on)] = stand.round, stand.on
        if stand.seat == self.own:
            self.stood = stand.round
        self.learn()

    def make(self, outcome: Outcome, *, over: bool = False) -> dict[Seat, int]:
        """Note that we make a change; return the late calls of all who stay, including these."""
        self.made, self.over = outcome.round, over
        self.learn()
        change = outcome.change
        calls = [seat for seat, _ in change.round.called]
        return {seat: self.late.get(seat, 0) + calls.count(seat) for seat in change.stays}

    @property
    def electorate(self) -> tuple[Seat, ...]:
        """The members that may vote: all except those that left or are convicted."""
        return tuple(seat for seat in self.members if seat not in self.gone)

    @remembered
    def carried(self, gone: frozenset[Seat]) -> frozenset[Call]:
        """Return the calls for which more than half of the electorate voted.

        Once a seat is gone, calls at stages do not count: those who stay may be on two branches.
        """
        electorate = set(self.members) - gone
        return frozenset(
            call
            for call, voters in self._votes.items()
            if call[0] in electorate
            and 2 * len(voters & electorate) > len(electorate)
            and self._owes(call, gone)
            and self.counts_when(call, gone)
        )

    @property
    @remembered
    def round(self) -> ChangeRound:
        """The round that we have reached; without calls, that of an undisturbed match."""
        called = sorted(self.carried(self.gone))
        heard = tuple(call for call in called if self.is_heard(call))
        return ChangeRound(tuple(sorted(self.gone)), tuple(called), heard)

    @remembered
    def goes(self, of: ChangeRound) -> frozenset[Seat]:
        """Return the seats that go in a round.

        These are seats that are gone, that were late too often, or that owe a flush or a stand. If
        there are none, they are the seats that owe a step's entry: a seat that promised cannot
        sign.
        """
        found = {*of.gone, *(seat for seat, _ in of.called if self.is_late(seat, of.called))}
        found |= {seat for seat, point in of.unheard if not self.records.owing(point)}
        return frozenset(found or {seat for seat, _ in of.unheard})

    def stays(self, of: ChangeRound) -> tuple[Seat, ...]:
        """Return the members that stay in a round."""
        goes = self.goes(of)
        return tuple(seat for seat in self.members if seat not in goes)

    def is_late(self, seat: Seat, called: tuple[Call, ...]) -> bool:
        """Whether a seat goes for late calls: too many in a row, or in the match."""
        return is_too_late(*self.lateness(seat, called))

    def lateness(self, seat: Seat, called: tuple[Call, ...]) -> tuple[list[int], int]:
        """Return a seat's late calls: the length of each row, and the number in the match."""
        points = [point for who, point in called if who == seat]
        turns = [self.records.turn(seat, point) for point in points if self.records.owing(point)]
        rows = rows_of(turns, len(points) - len(turns))
        return rows, self.late.get(seat, 0) + len(points)

    def counts(self, flush: Flush) -> bool:
        """Whether everything that a flush rests on is known; until then it is ignored."""
        return flush in self._counting

    def flush_of(self, seat: Seat, of: ChangeRound) -> Flush | None:
        """Return the flush of a seat for a round, if it counts; or None."""
        stories = self._flushes.get(of, {}).get(seat)
        return stories[0] if stories and self.counts(stories[0]) else None

    def stands(self, seat: Seat, outcome: Outcome) -> bool:
        """Whether a seat stood on the outcome of a round."""
        return outcome.id in self.stood_on.get(outcome.round, {}).get(seat, ())

    @remembered
    def outcome(self, of: ChangeRound) -> Outcome | None:
        """Return the outcome of a round; None if nobody goes, or flushes are missing."""
        found = {seat: self.flush_of(seat, of) for seat in self.stays(of)}
        return self._come_to(of, {seat: one for seat, one in found.items() if one is not None})

    def released(self, of: ChangeRound) -> bool:
        """Whether nobody can have made the change for which we last stood.

        All others who stay in it have flushed for this later round, which is their promise.
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
        """Whether our seat may not sign for the step: a seat goes, or may have gone."""
        return bool(self.goes(self.round)) or not self.released(self.round)

    @property
    def bound(self) -> bool:
        """Whether a record completed now may still be dropped."""
        signed = self.stood is not None or self.own in self._flushes.get(self.round, {})
        return self.stopped and (signed or any(old.round.gone for old in self.signed_by(self.own)))

    def may_speak(self, head: bytes) -> bool:
        """Whether our seat may sign its entry on the head of a stage.

        It may if we are not stopped, or if the others wait for this very entry.
        """
        return not self.stopped or (self.own, head) in self.round.unheard

    @property
    def change_owed(self) -> Outcome | None:
        """The change that our seat must make now, as all who stay have stood on it."""
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
                seat for seat in self.records.owing(here) if not self.records.has_entry(seat, here)
            )
            found += [(seat, here) for seat in silent]
        return tuple(sorted(found))

    def votes_owed(self) -> tuple[Call, ...]:
        """Return the calls that our player may vote for: we wait there ourselves."""
        if len(self.electorate) < 3 or self.own not in self.electorate:
            return ()
        ours = ((call, {call[0], *self.voters(call)}) for call in self.missing())
        return tuple(call for call, others in ours if self.own not in others)

    def voters(self, call: Call) -> frozenset[Seat]:
        """Return the seats known to have voted for a call."""
        return frozenset(self._votes.of(call))

    def calls(self) -> Iterator[Call]:
        """Give each call with a known vote."""
        yield from self._votes

    def signed_by(self, seat: Seat | None) -> tuple[Flush, ...]:
        """Return the flushes of a seat, in the order in which they arrived."""
        return tuple(self._signed.get(seat, ())) if seat is not None else ()

    @property
    def done(self) -> bytes:
        """The id of the round whose change ended this epoch for us, or empty."""
        return self.id_of(self.made) if self.made is not None else b""

    def flushed_rounds(self) -> tuple[ChangeRound, ...]:
        """Return the rounds for which a flush is known."""
        return tuple(self._flushes)

    def whole(self, of: ChangeRound) -> Outcome | None:
        """Return the outcome of a round on which all who stay are known to have stood, or None."""
        if of in self._whole:
            return self._whole[of]
        stood = {on for stories in self.stood_on.get(of, {}).values() for on in stories}
        if stood:
            for chosen in self._stories(of):
                outcome = self._come_to(of, chosen)
                if outcome is not None and outcome.id in stood and self._has_all_stands(outcome):
                    return self._whole.setdefault(of, outcome)
        return None

    def id_of(self, of: ChangeRound) -> Point:
        """Return the id of a round: 32 bytes."""
        return of.id(self.match, self.number)

    def _decides(self, call: Call) -> bool:
        """Whether a vote matters: we wait there, or more than half have voted."""
        return 2 * len(self._votes.of(call)) > len(self.electorate) or call in self.missing()

    def counts_when(self, call: Call, gone: frozenset[Seat]) -> bool:
        """Whether a call counts in a round in which these seats are gone."""
        return not gone or not self.records.owing(call[1])

    def _round_at(self, point: Point) -> ChangeRound | None:
        """Return the round whose flushes or stands are due at a point."""
        if point in self._stand_points:
            of = self._stand_points[point][0]
            return of if of in self._flushes else None
        return self._rounds.get(point)

    def _owes(self, call: Call, gone: frozenset[Seat]) -> bool:
        """Whether a seat owes an entry at a known point.

        At a round, only while the same seats are gone: otherwise members may hold other flushes.
        """
        seat, point = call
        if seat in self.records.owing(point):
            return True
        of = self._round_at(point)
        return of is not None and set(of.gone) == gone

    def is_heard(self, call: Call) -> bool:
        """Whether the entry that a call misses is known, or its seat flushed since."""
        seat, point = call
        if self.records.owing(point):
            return self.records.has_entry(seat, point)
        of = self._round_at(point)
        if of is None:
            return False
        stand = self._stand_points.get(point)
        if stand is not None and stand[1] in self.stood_on.get(of, {}).get(seat, ()):
            return True
        return any(
            of.precedes(flush.round) and (stand is None or flush.round != of)
            for flush in self._signed.get(seat, ())
            if flush in self._counting
        )

    def _weigh(self) -> None:
        """Find the flushes that count now, and the points of their stands."""
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
            if more:  # calls at these points may have a majority already
                self.cached.clear()

    def _can_count(self, flush: Flush) -> bool:
        of, seat = flush.round, flush.seat
        if not self.needs_round(of) or seat in self.goes(of):
            return False
        if not (self.records.leads_to(flush) or self._is_beside_done(flush)):
            return False
        if not self.records.explains(flush) or (flush.done and not self._is_done(flush)):
            return False
        return all(
            self.is_heard(call) or (call[0] == seat and self._is_its_own(call[1], of))
            for call in of.heard
        )

    def _is_its_own(self, point: Point, of: ChangeRound) -> bool:
        """Whether a flush for a round is itself the entry missing at a point."""
        called = self._round_at(point)
        return called is not None and called != of and called.precedes(of)

    def _is_beside_done(self, flush: Flush) -> bool:
        """Whether another seat's flush says that it made a change in which this flush's seat stays.

        If so, this flush need not lead to a known head: members that made the change may never
        reach it.
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
        """Give each combination of counting flushes for a round, one per seat that has any."""
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
            if not self.may_go_on(of, stays) or not all(map(self.records.leads_to, signed)):
                return None
            chains = {flush.seat: self.records.heads_to(flush.head) for flush in signed}
            base = base_of(chains, self.records.holders)
            change = Change(of, signed, base, tuple(sorted(self.goes(of))))
        return Outcome(of, signed, change)

    def may_go_on(self, of: ChangeRound, stays: Collection[Seat]) -> bool:
        """Whether a seat goes; by votes only if more than half of the electorate stay."""
        goes = self.goes(of)
        if goes <= set(of.gone):
            return bool(goes)
        return 2 * len(stays) > len(self.members) - len(of.gone)
