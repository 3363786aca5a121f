"""The views of a match: the current membership, and earlier views that others may still be in.

Entries about membership come in here; `p2p.table.table` signs what is owed and makes the changes
that are decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from engine.core.moves import Seat
from p2p.table.calls import Calls, Conviction, read_call
from p2p.table.events import Gone, Voted
from p2p.table.faults import Equivocation, Fault, OutOfTurn
from p2p.table.log import CONFIRM, LEAVE, VOTE, Entry
from p2p.table.membership import Membership
from p2p.table.view_change import Change, ChangeRound, Flush


class Views:
    """The seats in play, as one table knows them."""

    def __init__(
        self,
        match: bytes,
        seats: Iterable[Seat],
        own: Seat | None,
        spoke: Callable[[int, bytes, Seat], bool],
        stands: Callable[[Flush], bool],
    ) -> None:
        """Begin in view 0, of which all seats are members.

        `spoke`, asked about a view, and `stands` are as in Membership.
        """
        self._match, self._own, self._spoke, self._stands = match, own, spoke, stands
        self.calls = Calls(own)
        self.now = self._membership(0, seats)
        """The present view."""
        self.gone: dict[Seat, Gone] = {}
        """The seats that have gone, and how."""
        self._earlier: list[Membership] = []
        self._spoken: dict[Seat, int] = {}
        """The last view in which each seat is known to have signed anything."""
        self._cast: list[Voted] = []
        """Votes that have come in about seats that we wait for."""
        self.turned_away = False
        """Whether an entry was turned away for lack of space."""
        self._faults: list[Fault] = []
        """Faults that came to light when a view received earlier entries."""

    def _membership(self, view: int, members: Iterable[Seat]) -> Membership:
        return Membership(
            self._match, view, members, self._own, partial(self._spoke, view), self._stands
        )

    def drain(self) -> tuple[list[Voted], list[Fault]]:
        """Return the votes and the faults that have come in since the last call."""
        cast, faults, self._cast, self._faults = self._cast, self._faults, [], []
        return cast, faults

    def note(self, entry: Entry) -> None:
        """Note in which view a seat has spoken."""
        self._spoken[entry.seat] = max(self._spoken.get(entry.seat, 0), entry.place[1])

    def check_settled(self, entry: Entry) -> None:
        """Raise a Fault if an entry of a settled view shows that its seat lied there.

        Nobody needs us in such a view any more.
        """
        if entry.place[1] < min(membership.view for membership in (*self._earlier, self.now)):
            self.calls.check_settled(entry)

    def receive(self, entry: Entry) -> bool:
        """Take an entry about membership, and return whether it is new.

        Fault if it, or it with another one, is a seat's fault.
        """
        known = self.calls.known(entry.place, entry.seat)
        if known is not None:
            if known.data == entry.data:
                return False
            raise Equivocation(
                entry.seat, "signed two stories for one place", (known.data, entry.data)
            )
        live = {membership.view: membership for membership in (*self._earlier, self.now)}
        if entry.place[1] < min(live) and entry.place[0] != LEAVE:
            return False  # that view is settled
        read_call(entry)
        kept = self._make_space(entry, live.get(entry.place[1])) and self.calls.add(entry, live)
        for membership in live.values() if kept else ():
            self._feed(membership, entry)
        self.turned_away |= not kept
        if entry.place[0] == VOTE and entry.place[1] in live:
            self._judge(live[entry.place[1]], entry)
        self.calls.check(entry)
        return kept

    def arrive(self, view: int, head: bytes, owed: frozenset[Seat]) -> None:
        """The match has come to the head of a stage of a view, in which these seats owe a word.

        Votes for it may have come in before: only now it shows whether they are about a seat that
        owes one.
        """
        if view != self.now.view:
            return
        self.now.wait_at(head, owed)
        for entry in self.calls.of_view(view):
            if entry.place[0] == VOTE and entry.place[2] == head:
                self._judge(self.now, entry)

    def _make_space(self, entry: Entry, membership: Membership | None) -> bool:
        """Whether membership has space for a vote; votes that it replaces are dropped."""
        if entry.place[0] != VOTE or membership is None or entry.seat not in membership.members:
            return True
        point, named = entry.place[2:]
        if not membership.has_space(entry.seat, named, point):
            return False
        membership.receive_vote(entry.seat, named, point)
        self.calls.keep_votes(
            entry.seat, membership.view, named, membership.cast(entry.seat, named)
        )
        return True

    def convict(self, seat: Seat, conviction: Conviction) -> None:
        """Note what shows a seat's fault, if nothing that is known counts wherever this does."""
        known = self.calls.convictions.setdefault(seat, [])
        if seat in self.gone or any(one.alone and one.counts_in(conviction.view) for one in known):
            return
        known.append(conviction)
        for membership in (*self._earlier, self.now):
            if conviction.counts_in(membership.view):
                membership.lose(seat)

    def owed(self, *, over: bool) -> tuple[Membership, ChangeRound] | None:
        """Return the view and the round for which our seat owes a flush.

        When the rules have ended, it owes one only if others have flushed.
        """
        for membership in (*self._earlier, self.now):
            owed = membership.owes
            if owed is not None and (not over or membership.all_flushes()):
                return membership, owed
        return None

    def owed_confirm(self) -> tuple[Membership, Change] | None:
        """Return the view, and the change in it, that our seat must confirm."""
        found = ((membership, membership.owes_confirm) for membership in (*self._earlier, self.now))
        return next(
            ((membership, change) for membership, change in found if change is not None), None
        )

    def points_for(self, seat: Seat, *, over: bool) -> list[tuple[int, bytes]]:
        """Return the views, and the points in them, at which we wait for a seat.

        We wait also for others who have not left a view.

        A point that has our vote already is left out. When the rules have ended for us it is for
        others alone: they may need our vote to get there.
        """
        found = [
            (one, one.point_for(seat)) for one in (*self._earlier, *([] if over else [self.now]))
        ]
        return [
            (one.view, point)
            for one, point in found
            if point is not None and self._own not in one.votes_at(seat, point)
        ]

    def missing_earlier(self) -> frozenset[Seat]:
        """Return the seats whose flush others wait for in a view that we have left."""
        return frozenset(seat for membership in self._earlier for seat in membership.missing())

    def decided(self, stand: Callable[[Change, Seat], bool]) -> Change | None:
        """Return the present view's change: decided, or made without us by all who stay.

        `stand` says whether a seat is known to have spoken on the head that follows from a change.
        """
        change = None if self.has_lost_a_change else self.now.decide()
        return change or self.now.follow(self._later(stand))

    def missing(self, stand: Callable[[Change, Seat], bool]) -> tuple[Seat, ...]:
        """Return the seats that the present view's change waits for; `stand` as in `decided`."""
        return self.now.silent_since(self._later(stand)) or self.now.missing()

    def _later(self, stand: Callable[[Change, Seat], bool]) -> Callable[[Change, Seat], bool]:
        """Return `stand`, asked only about seats that spoke in a later view: it costs much."""
        return lambda change, seat: (
            self._spoken.get(seat, 0) > self.now.view and stand(change, seat)
        )

    @property
    def has_lost_a_change(self) -> bool:
        """Whether our seat has spoken in a later view.

        Then our disk has lost that we had made a change of this one.
        """
        return self._own is not None and self._spoken.get(self._own, 0) > self.now.view

    def end(self, change: Change) -> list[Gone]:
        """Complete a change: the seats that go have gone."""
        membership, of = self.now, change.round
        membership.complete(of)
        voters = {seat: max(membership.voters(of, seat).values(), key=len) for seat in of.voted}
        electorate = len(membership.members) - len(of.gone)
        for seat in sorted(of.leaving):
            how = self.calls.how(seat, membership.view) if seat in of.gone else "voted"
            self.gone[seat] = Gone(seat, how, voters.get(seat, ()), electorate)
        return [self.gone[seat] for seat in sorted(of.leaving)]

    def begin(self, in_play: Iterable[Seat]) -> None:
        """Begin the next view; known leaves and faults go with it. `feed_all` must follow."""
        self._earlier.append(self.now)
        members = [seat for seat in in_play if seat not in self.gone]
        self.now = self._membership(self.now.view + 1, members)

    def feed_all(self) -> None:
        """Give the present view the entries that came in before it began."""
        for entry in self.calls.of_view(self.now.view):
            self._feed(self.now, entry)
        for seat, convictions in self.calls.convictions.items():
            if any(one.counts_in(self.now.view) for one in convictions):
                self.now.lose(seat)

    def stood(self) -> None:
        """Note that all members stand in the present view: nobody needs us in an earlier one."""
        self._earlier = []
        self.calls.forget(self.now.view)

    def _feed(self, membership: Membership, entry: Entry) -> None:
        """Give a membership an entry, if it is of its view."""
        kind, view, seat = entry.place[0], entry.place[1], entry.seat
        if seat not in membership.members:
            return
        if kind == LEAVE and view <= membership.view:
            membership.lose(seat)
        elif view != membership.view or kind == LEAVE:
            return
        elif kind == VOTE:
            self._feed_vote(membership, entry)
        elif kind == CONFIRM:
            membership.receive_confirm(seat, ChangeRound(*entry.place[2:]), entry.body["change"])
        else:
            flush = read_call(entry)
            assert flush is not None, "a flush has been read before"
            if flush.round.leaving <= set(membership.members):
                membership.receive_flush(flush)

    def _feed_vote(self, membership: Membership, entry: Entry) -> None:
        point, named = entry.place[2:]
        membership.receive_vote(entry.seat, named, point)
        counts = membership is self.now and membership.may_owe(named, point)
        if counts and point in (membership.point_for(named), membership.step_point):
            needed = len(membership.electorate) // 2 + 1
            self._cast.append(
                Voted(entry.seat, named, len(membership.votes_at(named, point)), needed)
            )

    def _judge(self, membership: Membership, vote: Entry) -> None:
        """Note the fault if a vote is about a seat that owes nothing at its point."""
        point, named = vote.place[2:]
        if vote.seat in membership.members and not membership.may_owe(named, point):
            self._faults.append(
                OutOfTurn(vote.seat, "votes about a seat that owes nothing", (vote.data,))
            )
