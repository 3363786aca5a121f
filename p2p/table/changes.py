"""Changes of members at a table: its flushes and stands, and the record of the next epoch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice

from engine.core.moves import Seat
from p2p.table.branches import BRANCHES, Branch, Branches
from p2p.table.epoch_entries import LATE_ALL, LATE_ROW, Change, ChangeRound, Outcome, base_of
from p2p.table.faults import BadForm
from p2p.table.hindsight import Hindsight
from p2p.table.known_records import KnownRecords
from p2p.table.log import FLUSH, STAND, STEP, VOTE, Entry
from p2p.table.match import Match
from p2p.table.member_entries import flush_place, in_order, read_member_entry, round_of
from p2p.table.owed import flush_owed, followed, stand_owed
from p2p.table.phase import Phase
from p2p.table.progress import Progress
from p2p.table.record import Parts, parts_of


class Changes:
    """The changes of members at one table, and the records on other branches that they may need."""

    def __init__(self, match: Match) -> None:
        self._match, self._epochs = match, match.epochs
        self._after: dict[bytes, tuple[Progress, Sequence[bytes]]] = {}
        """For changes that others may have made: a progress after each, and its heads."""
        self._branches = Branches(match.anew)
        self._followed: tuple[int, set[bytes]] = 0, set()
        """At the last search for branches: how many entries we had, and the heads we looked for."""
        self._hindsight = Hindsight(match.anew)

    def follow_branches(self) -> None:
        """Follow second stories if a seat flushed on a head that is not ours.

        The search is repeated whenever more is known.
        """
        records = self._epochs.records
        strange = {flush.head for flush in self._epochs.now.idle if not records.known(flush.head)}
        sought = self._match.inbox.learned, strange
        if strange and sought != self._followed and self._match.inbox.pairs():
            self._followed = sought
            for branch in self._search_branches():
                records.note(branch.progress)
                if all(records.known(head) for head in strange):
                    break
            now = self._epochs.now
            flushed = [flush.head for seat in now.members for flush in now.signed_by(seat)]
            self._branches.forget(flushed)
            self._epochs.learn()

    def judge_earlier(self) -> bool:
        """Judge the entries of the epoch before if a flush asks for it; return whether one lied."""
        found = self._hindsight.faults(self._epochs, self._match.inbox, self._match.progress)
        accused = [self._match.accuse(*one) for one in found]  # every one, even after the first
        return any(accused)

    def sign_owed(self) -> bool:
        """Sign a flush or a stand that our seat owes, with its basis; return whether it did."""
        if not self._match.may_sign:
            return False
        for epoch in self._epochs.owing():
            flush = flush_owed(epoch)
            if flush is None or (self._match.over and not epoch.flushed_rounds()):
                continue
            at = self._match.number_of(flush.head)
            if at is None or at < self._last_word(epoch.number):
                return False  # our disk has lost what we had before
            reasons = self._epochs.reasons(epoch, flush.round, self._since_stories())
            body = {"records": at, "done": flush.done, "reasons": [entry.hash for entry in reasons]}
            # Show what it rests on first: without that it counts for nothing.
            self._match.show_since(at)
            self._match.sign_member_entry(flush_place(epoch.number, flush.round), body, flush.head)
            # Once more: only now do others keep these, if their seats signed more than two stories.
            self._match.to_send.extend(entry.data for entry in reasons)
            return True
        for epoch in self._epochs.owing():
            stand = stand_owed(epoch)
            if stand is not None:
                self._match.sign_member_entry(
                    flush_place(epoch.number, stand.round, STAND), {}, stand.on
                )
                return True
        return False

    def _last_word(self, epoch: int) -> int:
        """Return how many records our seat had when it last signed in an epoch."""
        known = self._match.inbox.known()
        own = (entry.place for entry in known if entry.seat == self._match.seat)
        before = (place[2] - 1 for place in own if place[0] == STEP and place[1] == epoch)
        return max(before, default=0)

    def _since_stories(self) -> list[Entry]:
        """Return the entries of our records since some seat equivocated.

        Evidence may rest on them, and the next epoch may begin before them. All who stay share the
        records before the last in which each has signed; older stories fork nothing. Without this
        bound, a flush could not name all entries.
        """
        second = {two.key for _one, two in self._match.inbox.pairs()}
        records = self._match.progress.records
        for at in range(self._spoken_by_holders(), len(records)):
            if any(entry.key in second for entry in records[at].entries):
                return [entry for later in records[at:] for entry in later.entries]
        return []

    def _spoken_by_all(self) -> int:
        """Return how many records all who stay share: those before the last that each signed.

        Entries for a deck do not count: it may have been made ahead.
        """
        return self._spoken_by(self._epochs.now.electorate)

    def _spoken_by_holders(self) -> int:
        """Return how many records the holders of the last deck share, of those who stay.

        Others have no say in where an epoch begins.
        """
        records = self._epochs.records
        trail = self._match.progress.trail[records.begins_at :]
        decks = (records.holders(head) for head in reversed(trail))
        electorate = self._epochs.now.electorate
        holders = next((held for held in decks if held), electorate)
        return self._spoken_by(set(electorate) & set(holders))

    def _spoken_by(self, seats: Collection[Seat]) -> int:
        begins = self._epochs.records.begins_at
        spoken = dict.fromkeys(sorted(seats), begins)
        for at, record in enumerate(self._match.progress.records[begins:], begins):
            said = (entry for entry in record.entries if entry.kind == STEP)
            spoken |= {entry.seat: at for entry in said if entry.seat in spoken}
        return min(spoken.values(), default=begins)

    def _search_branches(self, since: int | None = None) -> Iterator[Branch]:
        """Give the branches after the first `since` records, by default those that all share."""
        since = self._spoken_by_all() if since is None else since
        return self._branches.search(self._match.progress, self._match.inbox, since)

    def make_owed(self) -> bool:
        """Make the change that is owed, or that others made, if everything for it is here."""
        if self._match.phase is Phase.RESTORING:
            return False
        now = self._epochs.now
        outcome = None if self._epochs.has_lost_a_change else now.change_owed
        outcome = outcome or followed(now, self._begun)
        if outcome is None or (self._match.over and self._match.seat not in outcome.change.goes):
            return False
        progress = self._progress_to(outcome.change.base)
        if progress is None:
            return False
        self._make(outcome, progress, self._parts(outcome.change))
        return True

    def _progress_to(self, head: bytes) -> Progress | None:
        """Return a progress that reached a head, on our branch or another."""
        if head in self._match.progress.trail:
            return self._match.progress
        found = (branch.progress for branch in self._search_branches())
        return next((progress for progress in found if head in progress.trail), None)

    def _parts(self, change: Change) -> Parts:
        """Return a change's record: its reasons, its flushes, and the stands of all who stay."""
        epochs = self._epochs
        named = {reason for flush in change.flushes for reason in flush.reasons}
        flushes, stands = (
            [
                epochs.story(flush_place(epochs.now.number, change.round, kind), seat, like)
                for seat, like in zip(change.stays, likes, strict=True)
            ]
            for kind, likes in (
                (FLUSH, [flush.data for flush in change.flushes]),
                (STAND, [change.k] * len(change.flushes)),
            )
        )
        return Parts(sorted(map(epochs.records.reason, named), key=in_order), flushes, stands)

    def _begun(self, change: Change, seat: Seat) -> bool:
        """Whether a seat is known to have signed in the epoch that a change begins."""
        if not self._epochs.spoke_later(seat):
            return False
        return any(
            self._epochs.spoke_on(seat, head)
            or self._match.inbox.spoke(self._epochs.now.number + 1, head, seat)
            for head in self._heads_after(change)
        )

    def _heads_after(self, change: Change) -> Sequence[bytes]:
        """Return the heads that our entries lead to after a change."""
        progress = self._progress_to(change.base)
        if change.k not in self._after and progress is not None:
            self._after[change.k] = self._begin_after(change, progress)
        if change.k not in self._after:
            return ()
        after, heads = self._after[change.k]
        after.inbox.hear(self._match.inbox)
        after.go_on()
        return heads

    def _begin_after(self, change: Change, progress: Progress) -> tuple[Progress, Sequence[bytes]]:
        """Return a progress after a change, and the heads that it reaches then."""
        heads = list[bytes]()
        inbox = self._match.inbox.afresh(self._epochs.now.number, ())
        after = self._match.anew(inbox, lambda _epoch, head, _owed: heads.append(head))
        for record in progress.records[: progress.trail.index(change.base)]:
            after.take(record)
        heads.clear()
        if not after.run.over:
            after.change(self._parts(change), lambda: heads.append(after.head))
        return after, heads

    def _make(self, outcome: Outcome, progress: Progress, parts: Parts) -> None:
        """Continue after the base of a change, without the seats that go."""
        epochs, base = self._epochs, progress.trail.index(outcome.change.base)
        epochs.records.end(outcome.change.base)
        self._go_to(progress, base)
        self._match.write_down()
        if self._match.progress.run.over:  # a member had reached the end: nobody goes any more
            epochs.now.make(outcome)
            return
        records = self._match.progress.records
        settled = {entry.data for record in records for entry in record.entries}
        self._match.news.extend(epochs.end(outcome, parts.reasons, settled))
        self._after.clear()
        self._match.book.begin_epoch(epochs.now.number + 1)
        self._match.progress.change(parts, self._begin_epoch)
        self._match.write_down()

    def _begin_epoch(self) -> None:
        """Begin the next epoch on the record of a change."""
        epochs, progress = self._epochs, self._match.progress
        number, begins_at = epochs.now.number + 1, len(progress.trail) - 1
        records = KnownRecords(self._match, number, begins_at, progress.head)
        epochs.begin(progress.members, records)

    def _go_to(self, progress: Progress, base: int) -> None:
        """Adopt the first `base` records of a progress, and drop all other records of the log."""
        ours = self._match.progress
        pairs = zip(progress.trail[: base + 1], self._match.trail, strict=False)
        shared = max(at for at, (one, other) in enumerate(pairs) if one == other)
        # the events of kept records were emitted already, unless these are all
        untold = progress.drain_events() if len(progress.records) == base else []
        # nothing is kept of a dropped step
        if progress is not ours or len(progress.records) > base or progress.context():
            first = {one.data for one, _ in progress.inbox.stories()}
            second = [two.data for _, two in self._match.inbox.stories() if two.data in first]
            self._match.restart_from(progress.records[:base], second)
        if shared < self._match.steps:
            self._match.go_back(shared)
        self._match.news.extend(untold)

    def make_recorded(self, entries: Sequence[Entry], go: Callable[[], None]) -> None:
        """Make the change of a record if it is valid (protocol 6); `go` lets the match proceed."""
        base, head = self._match.steps, self._match.head
        go()
        parts = parts_of(entries)
        change = self._recorded(parts, head)
        if change is None:
            return
        # The proof against one seat may rest on either story of another.
        for chosen in [branch.goes_by for branch in islice(self._search_branches(base), BRANCHES)]:
            if set(change.round.gone) <= self._epochs.now.gone:
                break
            if self._match.steps > base:
                self._match.book.truncate(base)
            self._match.restart_from(self._match.progress.records[:base], chosen)
            go()
        if not set(change.round.gone) <= self._epochs.now.gone:
            return
        if len(self._match.progress.records) > base:  # these entries only served to convict
            self._match.book.truncate(base)
        self._make(Outcome(change.round, change.flushes, change), self._match.progress, parts)

    def _recorded(self, parts: Parts, head: bytes) -> Change | None:
        """Return the change that a record shows, apart from faults of the seats gone; or None."""
        now = self._epochs.now
        try:
            flushes = [
                flush for flush in map(read_member_entry, parts.flushes) if flush is not None
            ]
        except BadForm:
            return None
        if not flushes or parts.flushes[0].epoch != now.number:
            return None
        of, stays = flushes[0].round, parts.stays
        goes = tuple(seat for seat in now.members if seat not in stays)
        called = {seat for seat, _ in of.called}
        good = (
            bool(goes)
            and set(of.gone) <= set(goes)
            and called <= set(now.members)
            and list(stays) == sorted(set(stays) & set(now.members))
            and not any(flush.done for flush in flushes)
        )
        change = Change(of, tuple(flushes), head, goes)
        if not good or not self._follows(change) or not _stand(parts, change):
            return None
        reasons = {entry.hash for entry in parts.reasons}
        once = {entry.data: entry for entry in parts.reasons}.values()
        named = {reason for flush in flushes for reason in flush.reasons}
        if reasons != named or parts.reasons != sorted(once, key=in_order):
            return None
        voted = set(goes) - set(of.gone)
        electorate = set(now.members) - set(of.gone)
        if voted and 2 * len(stays) <= len(electorate):
            return None
        votes = [
            entry
            for entry in parts.reasons
            if entry.kind == VOTE
            and entry.epoch == now.number
            and entry.head == self._epochs.begins[now.number]
            and not entry.body
        ]
        if not all(_may_go(seat, of, electorate, votes, now.late.get(seat, 0)) for seat in voted):
            return None
        return change

    def _follows(self, change: Change) -> bool:
        """Whether a change may follow our last record.

        Either that is the furthest record of its flushes, and the others lead to it; or a seat that
        goes equivocated, and so forked them.
        """
        records = self._epochs.records
        flushes = change.flushes
        known = [flush for flush in flushes if records.known(flush.head)]
        if any(flush.records != records.number_of(flush.head) for flush in known):
            return False
        if len(known) == len(flushes):
            chains = {flush.seat: records.heads_to(flush.head) for flush in flushes}
            return base_of(chains, records.holders) == change.base
        return any(
            one.alone
            for seat in change.round.gone
            for one in self._epochs.convictions.get(seat, ())
        )


def _may_go(
    seat: Seat, of: ChangeRound, electorate: Collection[Seat], votes: Sequence[Entry], late: int
) -> bool:
    """Whether votes show that a seat goes in a round: an entry is missing, or too many late."""
    carried = [
        call
        for call in of.called
        if call[0] == seat
        and 2 * len({one.seat for one in votes if one.call == call} & set(electorate))
        > len(electorate)
    ]
    if any(call in of.unheard for call in carried):
        return True
    return len(carried) >= LATE_ROW or (bool(carried) and late + len(carried) >= LATE_ALL)


def _stand(parts: Parts, change: Change) -> bool:
    """Whether all who stay stood on a change."""
    return all(
        round_of(stand.place) == change.round and stand.head == change.k and not stand.body
        for stand in parts.stands
    )
