"""The epochs of a match: the present one, and the one before while others may still be in it.

Entries about members arrive here. Those that the present stage or round needs are taken at once;
all others wait in a pool, where a sender displaces only its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from engine.core.moves import Seat
from p2p.table.epoch import Epoch
from p2p.table.epoch_entries import Call, ChangeRound, Outcome, Stand
from p2p.table.events import Gone, How, Voted, WasLate
from p2p.table.faults import Equivocation, FalseFlush
from p2p.table.known_records import KnownRecords
from p2p.table.log import FLUSH, LEAVE, STAND, VOTE, Entry, Place
from p2p.table.member_entries import Conviction, deny, is_on_its_epoch, read_member_entry, round_of
from p2p.table.need import LACKS
from p2p.table.pool import Pool


class Epochs:
    """The members of a match, as one table knows them."""

    def __init__(
        self, match: bytes, seats: Iterable[Seat], own: Seat | None, records: KnownRecords
    ) -> None:
        """Begin with epoch 0, whose members are all seats."""
        self._match, self._own = match, own
        self.now = Epoch(match, 0, seats, own, records)
        """The present epoch."""
        self.records_of_live = [records]
        """The records of each epoch that we take part in, the present one last."""
        self.earlier: Epoch | None = None
        """The epoch before, until all who stayed are known to have continued."""
        self.begins = [records.begin]
        """The head on which each epoch began."""
        self.gone: dict[Seat, Gone] = {}
        """The seats that have gone, and how."""
        self.convictions: dict[Seat, list[Conviction]] = {}
        self._entries: dict[tuple[Place, int, Seat], Entry] = {}
        self._others: dict[tuple[Place, int, Seat], list[Entry]] = {}
        """Second stories, which are evidence with the first; and further stands that outcomes need.
        """
        self._data: set[bytes] = set()
        self._pool: Pool[Entry] = Pool()
        self._spoken: dict[Seat, int] = {}
        """The last epoch in which each seat is known to have signed."""
        self._news: list[Voted | WasLate] = []
        self._told: set[tuple[int, Call]] = set()
        """The late calls already reported, each with its epoch."""
        self._late: dict[Seat, int] = {}
        """The late calls of each seat in earlier epochs."""

    def learn(self) -> None:
        """Note that more is known about records."""
        for epoch in self.live:
            epoch.learn()
        of = self.now.round
        for call in of.heard:
            if (self.now.number, call) not in self._told:
                self._told.add((self.now.number, call))
                if call[0] not in self.now.goes(of):
                    rows, calls = self.now.lateness(call[0], of.called)
                    self._news.append(WasLate(call[0], rows[-1], calls))

    def has(self, data: bytes) -> bool:
        """Whether exactly these bytes are here already."""
        return data in self._data

    def known(self, place: Place, seat: Seat) -> Entry | None:
        """Return what this seat is known to have signed for this place."""
        return self._entries.get((place, 0, seat))

    def note(self, entry: Entry) -> None:
        """Note in which epoch a seat signed."""
        self._spoken[entry.seat] = max(self._spoken.get(entry.seat, 0), entry.epoch)
        still = set(self.now.electorate) - {self._own}
        if self.earlier is not None and all(self._begun(seat) for seat in still):
            self._forget_earlier()

    def keep_reason(self, entry: Entry) -> bool:
        """Keep an entry if a flush names it as a reason; return whether it is new."""
        return any(one.keep(entry) for one in self.records_of_live)

    def receive(self, entry: Entry) -> bool:
        """Take an entry about members; return whether it is new and needed.

        Raises BadForm, Equivocation or FalseFlush.
        """
        if self.has(entry.data):
            return False
        read_member_entry(entry)
        if self._is_nowhere(entry):
            return False
        self._compare(entry)
        denied = self._denied(entry)
        needed = self._needs(entry)
        if needed:
            self._take(entry)
        else:
            self._pool.put(entry.seat, entry)
        if denied is not None:
            raise _false_flush(denied, entry)
        return needed

    def take_waiting(self) -> Entry | None:
        """Take an entry from the pool that is needed now, and return it. Raises FalseFlush."""
        entry = self._pool.take(self._needs)
        if entry is not None:
            self._take(entry)
        return entry

    def convict(self, seat: Seat, conviction: Conviction) -> None:
        """Note the proof of a seat's fault, unless a known one counts wherever this does."""
        known = self.convictions.setdefault(seat, [])
        if any(
            one.alone or (one.epoch == conviction.epoch and not conviction.alone) for one in known
        ):
            return
        known.append(conviction)
        for epoch in self.live:
            if conviction.counts_in(epoch.number):
                epoch.lose(seat)

    def drain(self) -> list[Voted | WasLate]:
        """Return the votes about awaited seats, and the late seats, since the last call."""
        news, self._news = self._news, []
        return news

    def all(self) -> list[Entry]:
        """Return all useful entries, and all evidence."""
        evidence = [
            entry
            for found in self.convictions.values()
            for one in found
            for entry in (*one.context, *one.evidence)
        ]
        reasons = [entry for one in self.records_of_live for entry in one.reasons]
        return [*self._entries.values(), *self._other_stories, *evidence, *reasons]

    def lacks(self) -> tuple[bytes, ...]:
        """Return the hashes of reasons that we lack, as many of each flush that does not count."""
        flushes = [
            lacking
            for epoch, records in zip(self.live, self.records_of_live, strict=True)
            for flush in epoch.idle
            if (lacking := records.lacking(flush))
        ]
        each = max(LACKS // len(flushes), 1) if flushes else 0
        found = {named: None for lacking in flushes for named in lacking[:each]}
        return tuple(found)[:LACKS]

    def story(self, place: Place, seat: Seat, like: bytes) -> Entry:
        """Return the entry of a seat for a place that has these bytes, or this head."""
        key = (place, 0, seat)
        told: tuple[Entry, ...] = (self._entries[key], *self._others.get(key, ()))
        return next(one for one in told if like in (one.data, one.head))

    def flushes_of(self, seat: Seat) -> list[Entry]:
        """Return the flushes of a seat that are here, needed or not."""
        kept = (*self._entries.values(), *self._other_stories, *self._pool)
        return [one for one in kept if one.seat == seat and one.kind == FLUSH]

    def waiting(self) -> Iterator[Entry]:
        """Give the entries that nothing needs yet."""
        return iter(self._pool)

    def how(self, seat: Seat) -> How:
        """Return how a seat has gone, or goes by the entries known now."""
        if seat in self.gone:
            return self.gone[seat].how
        if self._convictions(seat, self.now.number):
            return "convicted"
        return "left" if self._leave(seat, self.now.number) is not None else "voted"

    @property
    def records(self) -> KnownRecords:
        """The records of the present epoch."""
        return self.records_of_live[-1]

    @property
    def live(self) -> tuple[Epoch, ...]:
        """The epochs that we take part in."""
        return (self.now,) if self.earlier is None else (self.earlier, self.now)

    @property
    def has_lost_a_change(self) -> bool:
        """Whether our seat signed in a later epoch, so that our disk has lost a change."""
        return self._own is not None and self._spoken.get(self._own, 0) > self.now.number

    def names_more(self) -> bool:
        """Whether a waiting flush for the epoch before names as gone a seat that is not."""
        earlier = self.earlier
        return earlier is not None and any(
            (entry.kind, entry.epoch) == (FLUSH, earlier.number)
            and entry.seat in earlier.electorate
            and not set(round_of(entry.place).gone) <= earlier.gone
            for entry in self._pool
        )

    def spoke_later(self, seat: Seat) -> bool:
        """Whether a seat is known to have signed in a later epoch."""
        return self._spoken.get(seat, 0) > self.now.number

    def spoke_on(self, seat: Seat, head: bytes) -> bool:
        """Whether a seat signed a leave, vote or flush of the next epoch on this head."""
        return any(
            entry.seat == seat and entry.head == head and entry.epoch == self.now.number + 1
            for entry in self._pool
        )

    def owing(self) -> Iterator[Epoch]:
        """Give the epochs in which our seat may owe something."""
        if not self.has_lost_a_change:
            yield from self.live

    def missing(self) -> list[Seat]:
        """Return the seats that owe a flush or a stand in our epochs."""
        return [
            seat
            for epoch in self.live
            for seat, point in epoch.missing()
            if not epoch.records.owing(point)
        ]

    def votes_owed(self, seat: Seat, *, over: bool) -> list[tuple[int, Call]]:
        """Return the calls about a seat that our player may vote for, with their epochs.

        After the end of the rules these serve only other members, who may need our vote to get
        there.
        """
        return [
            (epoch.number, call)
            for epoch in self.live
            if not over or epoch is not self.now
            for call in epoch.votes_owed()
            if call[0] == seat
        ]

    def reasons(self, epoch: Epoch, of: ChangeRound, between: Sequence[Entry]) -> list[Entry]:
        """Return the entries that show why seats go in a round, sorted by their hashes.

        `between` are entries of our records on which evidence may rest and that others may lack,
        because other seats equivocated.
        """
        found = dict[bytes, Entry]()
        for seat in of.gone:
            convictions = self._convictions(seat, epoch.number)
            leave = self._leave(seat, epoch.number)
            if convictions:
                chosen = min(convictions, key=lambda one: not one.alone)
                rest = () if chosen.alone else (*between, *chosen.context)
                found |= {entry.hash: entry for entry in (*rest, *chosen.evidence)}
            elif leave is not None:
                found[leave.hash] = leave
        needed = (len(epoch.members) - len(of.gone)) // 2 + 1
        for seat in sorted(epoch.goes(of) - set(of.gone)):
            calls = [call for call in of.called if call[0] == seat]
            if not epoch.is_late(seat, of.called):
                calls = [call for call in calls if call in of.unheard][:1]
            for call in calls:
                for voter in sorted(epoch.voters(call) - set(of.gone))[:needed]:
                    vote = self._entries[((VOTE, epoch.number, call[1], seat), 0, voter)]
                    found[vote.hash] = vote
        return [found[one] for one in sorted(found)]

    def end(
        self, outcome: Outcome, reasons: Sequence[Entry], settled: Collection[bytes]
    ) -> list[Gone]:
        """Make a change; return how each seat that goes has gone.

        `settled` are the entries of the records before it.
        """
        change, members = outcome.change, self.now.members
        self._late = self.now.make(outcome, over=True)
        electorate = len(members) - len(change.round.gone)
        for seat in change.goes:
            how: How = self._how(seat, reasons, settled) if seat in change.round.gone else "voted"
            votes: dict[bytes, set[Seat]] = {}
            for entry in reasons:
                if entry.kind == VOTE and entry.call[0] == seat:
                    votes.setdefault(entry.call[1], set()).add(entry.seat)
            voters = max(votes.values(), key=len, default=set()) if how == "voted" else set()
            self.gone[seat] = Gone(seat, how, tuple(sorted(voters)), electorate)
        return [self.gone[seat] for seat in change.goes]

    def _how(self, seat: Seat, reasons: Sequence[Entry], settled: Collection[bytes]) -> How:
        """Return how a seat has gone, judged by the records alone."""
        shown = {*settled, *(entry.data for entry in reasons)}
        proofs = ({one.data for one in fault.evidence} for fault in self.convictions.get(seat, ()))
        left = any(one.kind == LEAVE and one.seat == seat for one in reasons)
        return "left" if left and not any(proof <= shown for proof in proofs) else "convicted"

    def begin(self, members: Iterable[Seat], records: KnownRecords) -> None:
        """Begin the next epoch on a head; known leaves and faults carry over."""
        number = self.now.number + 1
        if self.earlier is not None:
            self._forget_earlier()
        self.earlier = self.now
        self.begins.append(records.begin)
        self.records_of_live = [self.records, records]
        self.now = Epoch(self._match, number, members, self._own, records, self._late)
        for seat in self.now.members:
            if self._leave(seat, number) is not None or self._convictions(seat, number):
                self.now.lose(seat)

    @property
    def _other_stories(self) -> tuple[Entry, ...]:
        return tuple(entry for told in self._others.values() for entry in told)

    def _stands_on_outcome(self, entry: Entry) -> bool:
        """Whether this is a stand on the outcome of known flushes, on which others may rely."""
        epoch = self._epoch(entry.epoch)
        if entry.kind != STAND or epoch is None:
            return False
        return epoch.is_outcome(round_of(entry.place), entry.head)

    def _begun(self, seat: Seat) -> bool:
        return self._spoken.get(seat, 0) >= self.now.number

    def _epoch(self, number: int) -> Epoch | None:
        return next((epoch for epoch in self.live if epoch.number == number), None)

    def _is_nowhere(self, entry: Entry) -> bool:
        """Whether this is a leave or vote on a head with which its epoch did not begin."""
        kind, number = entry.kind, entry.epoch
        return (
            kind in (LEAVE, VOTE)
            and number < len(self.begins)
            and not is_on_its_epoch(entry, self.begins)
        )

    def _needs(self, entry: Entry) -> bool:
        """Whether anything waits for this entry. All of our own are needed: they bind us."""
        kind, number = entry.kind, entry.epoch
        if kind == LEAVE:
            lost = all(
                entry.seat in epoch.gone or entry.seat not in epoch.members
                for epoch in self.live
                if number <= epoch.number
            )
            return not lost and is_on_its_epoch(entry, self.begins)
        epoch = self._epoch(number)
        if epoch is None or self._is_nowhere(entry) or entry.seat not in epoch.members:
            return False
        if entry.seat == self._own:
            return True
        if kind == VOTE:
            return epoch.needs_vote(*entry.call)
        if kind == FLUSH:
            return epoch.needs_flush(entry.seat, round_of(entry.place))
        return epoch.needs_stand(entry.seat, round_of(entry.place))

    def _compare(self, entry: Entry) -> None:
        """Raise Equivocation if the seat signed another entry for this place.

        Both entries are kept if something needs them, or if they are the first two of the seat: a
        liar can sign any number of pairs.
        """
        first = self._entries.get(entry.key)
        if first is None:
            first = next((other for other in self._pool if other.key == entry.key), None)
        if first is not None and first.data != entry.data:
            known = {seat for _place, _stage, seat in self._others}
            new = entry.key not in self._others
            new = new and (entry.seat not in known or self._needs(entry))
            if new or self._stands_on_outcome(entry):
                self._others.setdefault(entry.key, []).append(entry)
                self._keep(first)
                self._data.add(entry.data)
                self._give(entry)
            raise Equivocation(
                entry.seat, "signed two stories for one place", (first.data, entry.data)
            )

    def _denied(self, entry: Entry) -> Entry | None:
        """Return a flush of this seat that contradicts this entry, needed or not."""
        mine = (*self._entries.values(), *self._pool)
        return next((one for one in mine if one.seat == entry.seat and deny(one, entry)), None)

    def _keep(self, entry: Entry) -> None:
        self._entries.setdefault(entry.key, entry)
        self._data.add(entry.data)

    def _take(self, entry: Entry) -> None:
        self._keep(entry)
        denied = self._give(entry)
        if denied is not None:
            raise _false_flush(denied, entry)

    def _give(self, entry: Entry) -> Entry | None:
        """Pass an entry to its epoch; return a flush that it contradicts."""
        kind, number, *rest = entry.place
        if kind == LEAVE and is_on_its_epoch(entry, self.begins):
            for epoch in self.live:
                if number <= epoch.number:
                    epoch.lose(entry.seat)
        epoch_of = self._epoch(number)
        if epoch_of is None or kind == LEAVE:
            return None
        if kind == VOTE:
            self._give_vote(epoch_of, entry, (rest[1], rest[0]))
        elif kind == STAND:
            epoch_of.receive_stand(Stand(entry.seat, round_of(entry.place), entry.head))
        elif (flush := read_member_entry(entry)) is not None:
            denied = epoch_of.receive_flush(flush)
            if denied is not None:
                kept = (*self._entries.values(), *self._other_stories)
                return next(other for other in kept if other.data == denied.data)
        return None

    def _give_vote(self, epoch: Epoch, entry: Entry, call: Call) -> None:
        seat, point = call
        waited = epoch is self.now and call in epoch.missing()
        epoch.receive_vote(entry.seat, seat, point)
        for key, other in list(self._entries.items()):
            if (
                other.seat == entry.seat
                and (other.kind, other.epoch) == (VOTE, epoch.number)
                and other.seat not in epoch.voters(other.call)
            ):
                del self._entries[key]
                self._data.discard(other.data)
        if waited:
            voters = epoch.voters(call) & set(epoch.electorate)
            needed = len(epoch.electorate) // 2 + 1
            self._news.append(Voted(entry.seat, seat, len(voters), needed))

    def _forget_earlier(self) -> None:
        """Forget the epoch before: nobody needs us there any more."""
        self.earlier = None
        del self.records_of_live[:-1]
        for key, entry in list(self._entries.items()):
            if entry.epoch < self.now.number and entry.kind != LEAVE:
                del self._entries[key]
                told = (entry, *self._others.pop(key, ()))
                self._data.difference_update(one.data for one in told)

    def _convictions(self, seat: Seat, epoch: int) -> list[Conviction]:
        return [one for one in self.convictions.get(seat, ()) if one.counts_in(epoch)]

    def _leave(self, seat: Seat, epoch: int) -> Entry | None:
        found = (self._entries.get(((LEAVE, at), 0, seat)) for at in range(epoch + 1))
        return next((entry for entry in found if entry is not None), None)


def _false_flush(one: Entry, other: Entry) -> FalseFlush:
    return FalseFlush(
        other.seat, "signs flushes that contradict each other", (one.data, other.data)
    )
