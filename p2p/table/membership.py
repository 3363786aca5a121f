"""Membership: which seats are in play, and when the others may go on without one (protocol 5).

Pure and small: it receives leaves, faults, votes, flushes and confirms of one view. It tells which
entries our seat owes and which view change is decided. It knows no rules, cards, proofs or records.
A *point* is what a seat is waited for at, 32 bytes: the head of a stage (its word is missing), the
id of a round (its flush is missing), or the confirm point of a round (its confirm is missing). A
*call* is a seat with a point.

A `ChangeRound` is the purpose of a view change. It is a function of the knowledge of a member, and
it only grows: every member that stays signs a flush for each round that it comes to. When it has
the flushes of all who stay for exactly its own round it confirms the change that they come to, and
makes it when all who stay have confirmed the same: a member that tells two flushes splits nobody.
If one of the flushes names a change as done already, that change is made instead. Therefore two
members that stay never complete different changes of one view (decision 0014).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from p2p.table.terms import h
from p2p.table.view_change import Call, Change, ChangeRound, Flush, Point, Seat
from p2p.table.votes import Votes

LATE = 3
"""So many calls of a member may be answered in a round; a member called at that round goes, even if
it signs."""
FLUSHES = 32
"""Flushes of one member that are kept in a view: the first ones."""


class Membership:
    """The members of one view, as one of them, or a spectator (`own` is None), knows them."""

    def __init__(
        self,
        match: bytes,
        view: int,
        members: Iterable[Seat],
        own: Seat | None,
        spoke: Callable[[Point, Seat], bool],
        stands: Callable[[Flush], bool] = lambda _flush: True,
    ) -> None:
        """Begin a view. `spoke` says whether a word of a seat on the head of a stage is known.

        `stands` says whether records are known, as many as a flush says, that lead to its head.
        """
        self.match, self.view, self.own = match, view, own
        self.members = tuple(sorted(members))
        self.completed: ChangeRound | None = None
        """The round of this view that we have completed: then we only answer who has not."""
        self._spoke, self._stands = spoke, stands
        self._standing: set[Flush] = set()
        """The flushes whose records have been known: they may be forgotten, and count all the
        same."""
        self._shown: set[Flush] = set()
        """The flushes for which all that they rest on is known: that only grows."""
        self._gone: set[Seat] = set()
        self._owed: dict[Point, frozenset[Seat]] = {}
        self._point: Point | None = None
        self._votes = Votes(own, self._is_over)
        self._flushes: dict[Seat, dict[ChangeRound, Flush]] = {}
        self._confirms: dict[Seat, dict[ChangeRound, bytes]] = {}
        self._ids: dict[ChangeRound, Point] = {}

    # Input.

    def lose(self, seat: Seat) -> None:
        """A member has left by its own word, or signed what convicts it."""
        if seat in self.members:
            self._gone.add(seat)

    def wait_at(self, point: Point, owed: Iterable[Seat]) -> None:
        """The match has come to a stage, on this head, in which these members owe a word."""
        self._point, self._owed[point] = point, frozenset(owed)

    def has_space(self, voter: Seat, seat: Seat, point: Point) -> bool:
        """Whether another vote of this member is kept.

        A dropped vote must not count as new when it comes again.
        """
        return self._votes.has_space(voter, seat, point)

    def cast(self, voter: Seat, seat: Seat) -> tuple[Point, ...]:
        """Return the points of the votes that are kept of a member about another."""
        return self._votes.points(voter, seat)

    def may_owe(self, seat: Seat, point: Point) -> bool:
        """Whether a member may owe a word at a point.

        It may not if the point is a stage of ours in which it owes nothing.

        A vote about a round is no fault: a stranger who has only the log need not know the round.
        """
        return point not in self._owed or seat in self._owed[point]

    def receive_vote(self, voter: Seat, seat: Seat, point: Point) -> None:
        """Take a vote, if there is space."""
        self._votes.receive(voter, seat, point)

    def receive_flush(self, flush: Flush) -> Flush | None:
        """Take a flush; return an earlier one of its seat that contradicts it.

        An honest member cannot have signed both.

        Both are kept: others may have made a change with the one or the other. Of two for one round
        the first is.
        """
        mine = self._flushes.setdefault(flush.seat, {})
        of = flush.round
        denied = next(
            (
                old
                for old in mine.values()
                if not old.round.precedes(of) and not of.precedes(old.round)
            ),
            None,
        )
        if len(mine) < FLUSHES or flush.seat == self.own:
            mine.setdefault(of, flush)
        return denied

    def receive_confirm(self, seat: Seat, of: ChangeRound, change: bytes) -> None:
        """Take the confirm of a member that has come to this round.

        The confirm is the id of the change that the member will make.
        """
        mine = self._confirms.setdefault(seat, {})
        if len(mine) < FLUSHES or seat == self.own:
            mine.setdefault(of, change)

    # Results.

    @property
    def gone(self) -> frozenset[Seat]:
        """Members that have left or are convicted."""
        return frozenset(self._gone)

    @property
    def electorate(self) -> tuple[Seat, ...]:
        """The members that may vote: all but those who have left or are convicted."""
        return tuple(seat for seat in self.members if seat not in self._gone)

    @property
    def round(self) -> ChangeRound | None:
        """The round that we have come to; None while nobody is called."""
        if not self._gone and not self._votes.by_call():
            return None  # most of the time
        electorate = set(self.electorate)
        calls = {
            call
            for call, voters in self._votes.by_call()
            if call[0] in electorate
            and 2 * len(voters & electorate) > len(electorate)
            and self._counts(call)
        }
        if not calls and not self._gone:
            return None
        answered = sorted(call for call in calls if self._is_answered(call))
        return ChangeRound(tuple(sorted(self._gone)), tuple(sorted(calls)), tuple(answered))

    @property
    def stopped(self) -> bool:
        """Whether our seat says nothing more in this view but flushes."""
        if self.completed is not None or self.own is None or self.own not in self.members:
            return True
        now = self.round
        return bool(self._flushes.get(self.own)) or (now is not None and self.own not in now.voted)

    @property
    def owes(self) -> ChangeRound | None:
        """The round for which our seat must sign a flush now.

        A member that is voted out for a flush signs one all the same: the flush answers the call.
        """
        now = self.round
        if now is None or self.own is None or self.own not in self.members or self.own in now.gone:
            return None
        if self.own in now.voted:
            mine = {call for call in now.called if call[0] == self.own}
            if any(point in self._owed for _, point in mine - set(now.answered)):
                return None  # it is waited for with a word, and may still say it
            if not all(self._may_still_answer(call) for call in mine - set(now.answered)):
                return None
            now = ChangeRound(now.gone, now.called, tuple(sorted({*now.answered, *mine})))
        flushed = self._flushes.get(self.own, {})
        # we have yet to receive our earlier knowledge again
        late = any(not earlier.precedes(now) for earlier in flushed)
        late = late or (self.completed is not None and not self.completed.precedes(now))
        return None if now in flushed or late else now

    def complete(self, of: ChangeRound) -> None:
        """Note that we have completed this round."""
        self.completed = of

    @property
    def done(self) -> bytes:
        """The field `done` of our flush: the id of the round that we have completed."""
        return self.id_of(self.completed) if self.completed is not None else b""

    def id_of(self, of: ChangeRound) -> Point:
        """Return the id of a round: 32 bytes."""
        if of not in self._ids:
            lists = [[list(call) for call in calls] for calls in (of.called, of.answered)]
            self._ids[of] = h("round", self.match, self.view, list(of.gone), *lists)
        return self._ids[of]

    def confirm_point(self, of: ChangeRound) -> Point:
        """Return the 32-byte point at which we wait for a member's missing confirm of a round."""
        return h("confirm", self.id_of(of))

    def id_of_change(self, change: Change) -> bytes:
        """Return the id of a change, by which members confirm it: 32 bytes."""
        return h("change", [flush.entry for flush in change.flushes])

    def missing(self) -> tuple[Seat, ...]:
        """Return the members whose flush, or after all flushes whose confirm, our round awaits."""
        now = self.round
        if now is None:
            return ()
        late = tuple(seat for seat in self._staying(now) if not self._has_flushed(seat, now))
        change = self._outcome(now) if not late else None
        return self._unconfirmed(now, change) if change is not None else late

    def point_for(self, seat: Seat) -> Point | None:
        """Return the point at which we wait for a member, for a vote, or None.

        It is None if we do not wait, or a vote can change nothing.
        """
        now = self.round
        if len(self.electorate) < 3 or self.own not in self.electorate or seat == self.own:
            return None
        if now is not None:
            if seat not in self.missing():
                return None
            return self.confirm_point(now) if self._has_flushed(seat, now) else self.id_of(now)
        if self.completed is not None:
            return None
        if (
            self._point is None
            or seat not in self._owed[self._point]
            or self._spoke(self._point, seat)
        ):
            return None
        return self._point

    def votes(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the members that have voted to go on without a member.

        The votes are those at the point at which we wait for that member.
        """
        point = self.point_for(seat) or (self._point if self.round is None else None)
        return self.votes_at(seat, point) if point is not None else ()

    def votes_at(self, seat: Seat, point: Point) -> tuple[Seat, ...]:
        """Return the members that have voted, at a point, to go on without a member."""
        return tuple(sorted(self._votes.of((seat, point)) & set(self.electorate)))

    def voters(self, of: ChangeRound, seat: Seat) -> dict[Point, tuple[Seat, ...]]:
        """Return the voters that remove a member in a round, for each point with enough votes."""
        electorate = set(self.members) - set(of.gone)
        calls = [call for call in of.called if call[0] == seat and call not in of.answered]
        found = {point: self._votes.of((seat, point)) & electorate for _, point in calls}
        return {point: tuple(sorted(voters)) for point, voters in found.items()}

    def decide(self) -> Change | None:
        """Return the view change decided, for a member that stays; None while we must wait."""
        now = self.round
        if now is None or self.completed is not None or self.own not in self._staying(now):
            return None
        change = self._outcome(now)
        if change is None or self._unconfirmed(now, change):
            return None
        # if it is without us we follow, or wait
        return change if self.own in self._staying(change.round) else None

    @property
    def owes_confirm(self) -> Change | None:
        """The change that our seat must confirm now.

        Our seat has the flushes of all who stay in its round.
        """
        now = self.round
        if (
            now is None
            or self.own is None
            or now not in self._flushes.get(self.own, {})
            or now in self._confirms.get(self.own, {})
        ):
            return None
        change = self._outcome(now)
        if change is not None and self.completed is not None and change.round != self.completed:
            return None  # some flush names another change than ours: that would be made without us
        return change

    def follow(self, stand: Callable[[Change, Seat], bool]) -> Change | None:
        """Return the view change that all others who stay, or we ourselves, have made.

        The change of the others counts for a seat that goes, or that looks on.

        `stand` says whether a seat is known to have spoken on the head that follows from a change:
        of two rounds that are complete only that tells which one was made. A member may have left
        after its flush: those who stay have made the change with it, and then it goes by its leave.
        """
        for change, others in self._complete():
            ours = (
                self.own is not None
                and self.own in self._staying(change.round)
                and stand(change, self.own)
            )
            if ours or (others and all(stand(change, seat) for seat in others)):
                return change
        return None

    def silent_since(self, stand: Callable[[Change, Seat], bool]) -> tuple[Seat, ...]:
        """Return the members whose word on the next head a seat that goes waits for.

        That word tells which change was made.
        """
        for change, others in self._complete():
            silent = tuple(seat for seat in others if not stand(change, seat))
            if silent and self.own not in self._staying(change.round):
                return silent
        return ()

    def recorded(self, flushes: Sequence[Flush]) -> Change | None:
        """Return the change that a record shows; or None.

        A record holds flushes of all who stay for one round, and the reasons for which the others
        go.
        """
        if not flushes:
            return None
        of = flushes[0].round
        if any(flush.round != of or flush.done for flush in flushes):
            return None
        if tuple(flush.seat for flush in flushes) != self._staying(of) or not self._is_justified(
            of
        ):
            return None
        return Change(of, tuple(flushes))

    def flushes_of(self, seat: Seat | None) -> tuple[Flush, ...]:
        """Return the flushes of a member that are known, in the order in which they came."""
        return tuple(self._flushes.get(seat, {}).values()) if seat is not None else ()

    def all_flushes(self) -> list[Flush]:
        """Return the flushes of the members that may vote."""
        return [flush for seat in self.electorate for flush in self.flushes_of(seat)]

    @property
    def step_point(self) -> Point | None:
        """The head of the stage that the match has come to."""
        return self._point

    # Internals.

    def _staying(self, of: ChangeRound) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.members if seat not in of.leaving)

    def _may_stay(self, of: ChangeRound) -> bool:
        """Whether those who stay may go on: by votes only more than half of the electorate may."""
        staying = len(self._staying(of))
        return staying > 0 and (not of.voted or 2 * staying > len(self.members) - len(of.gone))

    def _is_justified(self, of: ChangeRound) -> bool:
        """Whether we can show to anybody that these members may go."""
        electorate = len(self.members) - len(of.gone)
        enough = [
            any(2 * len(voters) > electorate for voters in self.voters(of, seat).values())
            for seat in of.voted
        ]
        return set(of.gone) <= self._gone and all(enough) and self._may_stay(of)

    def _complete(self) -> Iterator[tuple[Change, list[Seat]]]:
        """Give the change of each complete round, and the other members that stay in it.

        These members have not left since.
        """
        for now in self._rounds():
            change = self._outcome(now) if self._is_justified(now) else None
            if change is not None:
                yield (
                    change,
                    [
                        seat
                        for seat in self._staying(change.round)
                        if seat != self.own and seat not in self._gone
                    ],
                )

    def _rounds(self) -> list[ChangeRound]:
        found = {now: None for mine in self._flushes.values() for now in mine}
        return [
            *found,
            *(
                [self.completed]
                if self.completed is not None and self.completed not in found
                else []
            ),
        ]

    def _round_at(self, point: Point) -> ChangeRound | None:
        return next(
            (
                found
                for found in self._rounds()
                if point in (self.id_of(found), self.confirm_point(found))
            ),
            None,
        )

    def _owes(self, point: Point) -> frozenset[Seat] | None:
        """Return the members that owe a word at a point; None if we do not know it."""
        if point in self._owed:
            return self._owed[point]
        found = self._round_at(point)
        return frozenset(self._staying(found)) if found is not None else None

    def _is_over(self, point: Point) -> bool:
        """Whether this is a stage that the match has left behind, and nobody has stopped there."""
        if point not in self._owed or point == self._point:
            return False
        return all(point != at for found in self._rounds() for _, at in found.called)

    def _counts(self, call: Call) -> bool:
        """Whether a call with enough votes counts.

        It must be for a word that we know to be owed, and that somebody waits for.

        We wait for it ourselves, or somebody has stopped for it: old votes by themselves count for
        nothing. A call for a flush or a confirm counts until more are gone: of one who has gone,
        members may have had different flushes.
        """
        seat, point = call
        if seat not in (self._owes(point) or ()):
            return False
        if point not in self._owed:
            found = self._round_at(point)
            return found is not None and set(found.gone) == self._gone
        return point == self._point or any(call in found.called for found in self._rounds())

    def _may_still_answer(self, call: Call) -> bool:
        """Whether a flush or confirm that comes late still keeps its seat.

        It does not if the seat was late too often in this change.
        """
        seat, point = call
        found = None if point in self._owed else self._round_at(point)
        return found is None or sum(of == seat for of, _ in found.answered) < LATE

    def _is_answered(self, call: Call, asking: frozenset[Flush] = frozenset()) -> bool:
        """Whether the word that was missing is known, or cannot come.

        It cannot come if its seat had stopped for a change before it was called.
        """
        seat, point = call
        if point in self._owed:
            stopped = (
                flush
                for found, flush in self._flushes.get(seat, {}).items()
                if call not in found.called
            )
            return self._spoke(point, seat) or any(
                self._is_shown(flush, asking) for flush in stopped
            )
        found = self._round_at(point)
        if found is None or not self._may_still_answer(call):
            return False
        if point == self.id_of(found):
            return self._has_flushed(seat, found, asking)
        change = self._outcome(found, asking)
        if change is not None and seat not in self._unconfirmed(found, change):
            return True
        later = (
            flush
            for of, flush in self._flushes.get(seat, {}).items()
            if of != found and found.precedes(of)
        )
        return any(self._is_shown(flush, asking) for flush in later)

    def _unconfirmed(self, now: ChangeRound, change: Change) -> tuple[Seat, ...]:
        """Return the members that stay in a round and have not confirmed this change of it."""
        wanted = self.id_of_change(change)
        return tuple(
            seat for seat in self._staying(now) if self._confirms.get(seat, {}).get(now) != wanted
        )

    def _has_flushed(
        self, seat: Seat, of: ChangeRound, asking: frozenset[Flush] = frozenset()
    ) -> bool:
        """Whether a member's flush is known for this round or one it may have reached from it."""
        mine = self._flushes.get(seat, {})
        return any(
            of.precedes(found) and self._is_shown(flush, asking) for found, flush in mine.items()
        )

    def _is_shown(self, flush: Flush, asking: frozenset[Flush] = frozenset()) -> bool:
        """Whether all that a flush rests on is known.

        If not it is no flush yet: anybody can make up a later round.

        `asking` are the flushes about which this is being asked: none of them rests on itself.
        """
        of = flush.round
        if flush in self._shown:
            return True
        if flush not in self._standing and self._stands(flush):
            self._standing.add(flush)
        if flush not in self._standing:
            return False
        if flush in asking or not of.can_be or not set(of.gone) <= self._gone:
            return False
        if flush.done and self._named(flush) is None:
            return False
        electorate = set(self.members) - set(of.gone)
        if any(2 * len(self._votes.of(call) & electorate) <= len(electorate) for call in of.called):
            return False
        for call in of.answered:
            found = None if call[1] in self._owed else self._round_at(call[1])
            itself = (
                call[0] == flush.seat
                and found is not None
                and found.precedes(of)
                and self._may_still_answer(call)
            )
            if not itself and not self._is_answered(call, asking | {flush}):
                return False
        self._shown.add(flush)
        return True

    def unshown(self) -> bool:
        """Whether some flush is on a head that nobody has shown."""
        return not all(
            flush in self._standing or self._stands(flush) for flush in self.all_flushes()
        )

    def _named(self, flush: Flush) -> ChangeRound | None:
        """Return the round that a flush names as done, if that was completed.

        The flushes of all who stay in the round complete it.
        """
        found = self._round_at(flush.done)
        if found is None or self.id_of(found) != flush.done or not self._may_stay(found):
            return None
        if found == flush.round or not found.precedes(flush.round):
            return None
        if flush.seat not in self._staying(found):
            return None  # a member that goes in it has not completed it
        signed = [self._flushes.get(seat, {}).get(found) for seat in self._staying(found)]
        return found if all(one is not None and not one.done for one in signed) else None

    def _outcome(self, now: ChangeRound, asking: frozenset[Flush] = frozenset()) -> Change | None:
        """Return what a round comes to, None while flushes are missing."""
        staying = self._staying(now)
        if not self._may_stay(now):
            return None
        signed = [self._flushes.get(seat, {}).get(now) for seat in staying]
        flushes = tuple(one for one in signed if one is not None)
        if len(flushes) < len(staying) or not all(self._is_shown(one, asking) for one in flushes):
            return None
        done = [found for one in flushes if one.done and (found := self._named(one)) is not None]
        last = [found for found in done if all(other.precedes(found) for other in done)]
        if last and not self._is_justified(last[0]):
            return None
        if last:
            return Change(
                last[0], tuple(self._flushes[seat][last[0]] for seat in self._staying(last[0]))
            )
        return Change(now, flushes)
