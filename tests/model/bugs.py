"""Rules of view changes, each broken on purpose: the search must find every one."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from engine.core.moves import Seat
from p2p.table.membership import Membership
from p2p.table.view_change import Call, Change, ChangeRound, Flush, Point
from p2p.table.votes import Votes
from tests.model.member import Local, Members
from tests.model.world import Bounds, Entry, World


def counted(voters: dict[Call, Set[Seat]]) -> Votes:
    """Return votes as a broken count sees them."""
    votes = Votes(None, lambda _point: False)
    votes._voters = {call: set(seats) for call, seats in voters.items()}
    return votes


class HalfIsEnough(Membership):
    """Half of the electorate votes a member out."""

    @property
    def round(self) -> ChangeRound | None:
        electorate, kept = set(self.electorate), self._votes
        enough = (
            call
            for call, voters in kept.by_call()
            if 2 * len(voters & electorate) >= len(electorate)
        )
        self._votes = counted(dict.fromkeys(enough, electorate))
        try:
            return super().round
        finally:
            self._votes = kept


class TheGoneVote(Membership):
    """The votes of members that have gone are counted."""

    @property
    def round(self) -> ChangeRound | None:
        electorate, kept = set(self.electorate), self._votes
        self._votes = counted(
            {
                call: electorate if 2 * len(voters) > len(electorate) else voters
                for call, voters in kept.by_call()
            }
        )
        try:
            return super().round
        finally:
            self._votes = kept


class AnythingIsConfirmed(Membership):
    """A member that has made a change confirms others too."""

    @property
    def owes_confirm(self) -> Change | None:
        before, self.completed = self.completed, None
        try:
            return super().owes_confirm
        finally:
            self.completed = before


class DoneIsIgnored(AnythingIsConfirmed):
    """A change that somebody has made already is not made by the others."""

    def _outcome(self, now: ChangeRound, asking: frozenset[Flush] = frozenset()) -> Change | None:
        change = super()._outcome(now, asking)
        if change is None or change.round == now:
            return change
        return Change(now, tuple(self._flushes[seat][now] for seat in self._staying(now)))


class WordsInTimeAreIgnored(Membership):
    """A word that turns up keeps no seat."""

    def _is_answered(self, call: Call, asking: frozenset[Flush] = frozenset()) -> bool:
        return False


class FlushedMembersSpeak(Membership):
    """A member goes on with its records after a flush."""

    @property
    def stopped(self) -> bool:
        return self.completed is not None


class AnybodyOwes(Membership):
    """Votes count at a point where the member owes nothing, and when it has spoken."""

    def wait_at(self, point: Point, owed: Iterable[Seat]) -> None:
        super().wait_at(point, self.members)


class AMinorityStays(Membership):
    """Members that stay may be half of the electorate, or fewer."""

    def _outcome(self, now: ChangeRound, asking: frozenset[Flush] = frozenset()) -> Change | None:
        before, self.members = (
            self.members,
            tuple(seat for seat in self.members if seat not in now.voted),
        )
        try:
            return super()._outcome(now, asking)
        finally:
            self.members = before


class WithdrawnRoundsAreCompleted(Membership):
    """A member completes a round for which it has flushed although it has come to a larger one."""

    def decide(self) -> Change | None:
        if self.completed is None and self.own is not None:
            for mine in self._flushes.get(self.own, {}):
                if self.own in self._staying(mine) and (change := self._outcome(mine)) is not None:
                    return change
        return super().decide()


class DoneIsNotNamed(AnythingIsConfirmed):
    """A member that has completed a round does not name it."""

    @property
    def done(self) -> bytes:
        return b""


class ConfirmsAreNotAwaited(Membership):
    """A member makes a change as soon as it has all flushes."""

    def _unconfirmed(self, now: ChangeRound, change: Change) -> tuple[Seat, ...]:
        return ()


class LeavesOfLaterViewsCount(Members):
    """A leave of a later view counts in an earlier one."""

    @staticmethod
    def _left(known: list[Entry], seat: int, view: int) -> bool:
        return any(entry.kind == "leave" and entry.seat == seat for entry in known)


class LeavesWhileVotesAreCarriedOut(Members):
    """A member leaves although it has flushed for a round with votes."""

    def _may_leave(self, own: list[Entry], view: int) -> bool:
        return True


class ARestartForgetsFlushes(Members):
    """A member that starts again has forgotten its own flushes."""

    def _disk(self, local: Local) -> int:
        world = self.world
        own = world.those(local.known & world.by_seat[local.seat])
        return super()._disk(local) & ~sum(
            world.bit(entry) for entry in own if entry.kind == "flush"
        )


class LowestHead(World):
    """A view change goes back to the records that all had."""

    def base(self, heads: list[int]) -> int:
        shared = 0
        for level in zip(*(self.heads[head].line for head in heads), strict=False):
            if len(set(level)) > 1:
                break
            shared = level[0]
        return shared


USUAL = Bounds()


@dataclass(frozen=True)
class Bug:
    """A broken rule, the guarantees of which one must be found broken, and the bounds within which
    it is looked for."""

    what: type
    breaks: tuple[str, ...]
    bounds: Bounds = USUAL
    members: int = 3
    states: int = 50_000
    """A fifth of them is met by depth, so that more are no help where rare ones matter."""
    schedule: tuple[tuple[int, ...], ...] = ()
    """The seats that owe a word in each step, if not those of other searches."""


TWO_FLUSHES = Bounds(votes=1, leaves=0, crashes=0, lies=3, views=1, stories=1)
VOTING = Bounds(votes=1, leaves=0, crashes=0, lies=1, views=1)
ALONE = Bounds(votes=0, leaves=0, crashes=0, lies=1, views=1)

BUGS = (
    Bug(HalfIsEnough, ("G2",)),
    Bug(TheGoneVote, ("G2",)),
    Bug(DoneIsIgnored, ("G1", "G3"), VOTING),
    Bug(WordsInTimeAreIgnored, ("G2",)),
    Bug(FlushedMembersSpeak, ("G1", "G7")),
    Bug(AnybodyOwes, ("G2",)),
    Bug(AMinorityStays, ("G2", "G3"), Bounds(votes=2, leaves=0, crashes=0, lies=1, views=1)),
    Bug(WithdrawnRoundsAreCompleted, ("G1", "G3"), VOTING),
    Bug(DoneIsNotNamed, ("G1", "G3"), VOTING),
    Bug(ConfirmsAreNotAwaited, ("G3",), TWO_FLUSHES, states=600_000, schedule=((1,), (0, 1, 2))),
    Bug(LeavesOfLaterViewsCount, ("G2", "G3")),
    Bug(
        LeavesWhileVotesAreCarriedOut,
        ("G7",),
        Bounds(votes=1, leaves=1, crashes=0, lies=1, views=1),
    ),
    Bug(
        ARestartForgetsFlushes, ("G1", "G7"), Bounds(votes=1, leaves=1, crashes=1, lies=1, views=1)
    ),
    Bug(LowestHead, ("G1",), ALONE, schedule=((0,), (0, 1, 2))),
)
