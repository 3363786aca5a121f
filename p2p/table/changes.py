"""Changes of members at a table: its flushes and stands, and the record of the next epoch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice

from engine.core.moves import Seat
from p2p.table.branches import BRANCHES
from p2p.table.epoch_entries import LATE_ALL, LATE_ROW, Change, ChangeRound, Outcome, base_of
from p2p.table.faults import BadForm
from p2p.table.known_records import KnownRecords
from p2p.table.log import FLUSH, STAND, STEP, VOTE, Entry
from p2p.table.match import Match
from p2p.table.member_entries import flush_place, in_order, read_member_entry, round_of
from p2p.table.owed import flush_owed, followed, stand_owed
from p2p.table.phase import Phase
from p2p.table.progress import Progress
from p2p.table.record import Parts, parts_of


def sign_owed(held: Match) -> bool:
    """Sign a flush or a stand that our seat owes, with its basis; return whether it did."""
    if not held.may_sign:
        return False
    for epoch in held.epochs.owing():
        flush = flush_owed(epoch)
        if flush is None or (held.over and not epoch.flushed_rounds()):
            continue
        at = held.number_of(flush.head)
        if at is None or at < _last_word(held, epoch.number):
            return False  # our disk has lost what we had before
        reasons = held.epochs.reasons(epoch, flush.round, _since_stories(held))
        body = {"records": at, "done": flush.done, "reasons": [entry.hash for entry in reasons]}
        held.show_since(at)  # show what it rests on first: without that it counts for nothing
        held.sign_member_entry(flush_place(epoch.number, flush.round), body, flush.head)
        # Once more: only now do others keep these, if their seats signed more than two stories.
        held.to_send.extend(entry.data for entry in reasons)
        return True
    for epoch in held.epochs.owing():
        stand = stand_owed(epoch)
        if stand is not None:
            held.sign_member_entry(flush_place(epoch.number, stand.round, STAND), {}, stand.on)
            return True
    return False


def _last_word(held: Match, epoch: int) -> int:
    """Return how many records our seat had when it last signed in an epoch."""
    own = (entry.place for entry in held.inbox.known() if entry.seat == held.seat)
    return max((place[2] - 1 for place in own if place[0] == STEP and place[1] == epoch), default=0)


def _since_stories(held: Match) -> list[Entry]:
    """Return the entries of our records since some seat equivocated.

    Evidence may rest on them, and the next epoch may begin before them. All who stay share the
    records before the last in which each has signed; older stories fork nothing. Without this
    bound, a flush could not name all entries.
    """
    second, records = {two.key for _one, two in held.inbox.pairs()}, held.progress.records
    for at in range(held.spoken_by_holders(), len(records)):
        if any(entry.key in second for entry in records[at].entries):
            return [entry for later in records[at:] for entry in later.entries]
    return []


def make_owed(held: Match) -> bool:
    """Make the change that is owed, or that others made, if everything for it is here."""
    if held.phase is Phase.RESTORING:
        return False
    now = held.epochs.now
    outcome = None if held.epochs.has_lost_a_change else now.change_owed
    outcome = outcome or followed(now, lambda change, seat: _begun(held, change, seat))
    if outcome is None or (held.over and held.seat not in outcome.change.goes):
        return False
    progress = _progress_to(held, outcome.change.base)
    if progress is None:
        return False
    _make(held, outcome, progress, _parts(held, outcome.change))
    return True


def _progress_to(held: Match, head: bytes) -> Progress | None:
    """Return a progress that reached a head, on our branch or another."""
    if head in held.progress.trail:
        return held.progress
    found = (branch.progress for branch in held.search_branches())
    return next((progress for progress in found if head in progress.trail), None)


def _parts(held: Match, change: Change) -> Parts:
    """Return the record of a change: its reasons, its flushes, and the stands of all who stay."""
    epochs = held.epochs
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


def _begun(held: Match, change: Change, seat: Seat) -> bool:
    """Whether a seat is known to have signed in the epoch that a change begins."""
    if not held.epochs.spoke_later(seat):
        return False
    return any(
        held.epochs.spoke_on(seat, head) or held.inbox.spoke(held.epochs.now.number + 1, head, seat)
        for head in _heads_after(held, change)
    )


def _heads_after(held: Match, change: Change) -> Sequence[bytes]:
    """Return the heads that our entries lead to after a change."""
    progress = _progress_to(held, change.base)
    if change.k not in held.after and progress is not None:
        held.after[change.k] = _begin_after(held, change, progress)
    if change.k not in held.after:
        return ()
    after, heads = held.after[change.k]
    after.inbox.hear(held.inbox)
    after.go_on()
    return heads


def _begin_after(
    held: Match, change: Change, progress: Progress
) -> tuple[Progress, Sequence[bytes]]:
    """Return a progress after a change, and the heads that it reaches then."""
    heads = list[bytes]()
    inbox = held.inbox.afresh(held.epochs.now.number, ())
    after = held.anew(inbox, lambda _epoch, head, _owed: heads.append(head))
    for record in progress.records[: progress.trail.index(change.base)]:
        after.take(record)
    heads.clear()
    if not after.run.over:
        after.change(_parts(held, change), lambda: heads.append(after.head))
    return after, heads


def _make(held: Match, outcome: Outcome, progress: Progress, parts: Parts) -> None:
    """Continue after the base of a change, without the seats that go."""
    epochs, base = held.epochs, progress.trail.index(outcome.change.base)
    epochs.records.end(outcome.change.base)
    _go_to(held, progress, base)
    held.write_down()
    if held.progress.run.over:  # a member had reached the end: nobody goes any more
        epochs.now.make(outcome)
        return
    settled = {entry.data for record in held.progress.records for entry in record.entries}
    held.news.extend(epochs.end(outcome, parts.reasons, settled))
    held.after.clear()
    held.book.begin_epoch(epochs.now.number + 1)
    held.progress.change(parts, lambda: _begin_epoch(held))
    held.write_down()


def _begin_epoch(held: Match) -> None:
    """Begin the next epoch on the record of a change."""
    epochs, progress = held.epochs, held.progress
    records = KnownRecords(held, epochs.now.number + 1, len(progress.trail) - 1, progress.head)
    epochs.begin(progress.members, records)


def _go_to(held: Match, progress: Progress, base: int) -> None:
    """Adopt the first `base` records of a progress, and drop all other records of the log."""
    ours = held.progress
    pairs = enumerate(zip(progress.trail[: base + 1], ours.trail[: held.steps + 1], strict=False))
    shared = max(at for at, (one, other) in pairs if one == other)
    # the events of kept records were emitted already, unless these are all
    untold = progress.drain_events() if len(progress.records) == base else []
    # nothing is kept of a dropped step
    if progress is not ours or len(progress.records) > base or progress.context():
        first = {one.data for one, _ in progress.inbox.stories()}
        second = [two.data for _, two in held.inbox.stories() if two.data in first]
        held.restart_from(progress.records[:base], second)
    if shared < held.steps:
        held.go_back(shared)
    held.news.extend(untold)


def make_recorded(held: Match, entries: Sequence[Entry], go: Callable[[], None]) -> None:
    """Make the change of a record if it is valid (protocol 6); `go` lets the match proceed."""
    base, head = held.steps, held.head
    go()
    parts = parts_of(entries)
    change = _recorded(held, parts, head)
    if change is None:
        return
    # The proof against one seat may rest on either story of another.
    for chosen in [branch.goes_by for branch in islice(held.search_branches(base), BRANCHES)]:
        if set(change.round.gone) <= held.epochs.now.gone:
            break
        if held.steps > base:
            held.book.truncate(base)
        held.restart_from(held.progress.records[:base], chosen)
        go()
    if not set(change.round.gone) <= held.epochs.now.gone:
        return
    if len(held.progress.records) > base:  # these entries only served to convict
        held.book.truncate(base)
    _make(held, Outcome(change.round, change.flushes, change), held.progress, parts)


def _recorded(held: Match, parts: Parts, head: bytes) -> Change | None:
    """Return the change that a record shows, apart from faults of the seats gone; or None."""
    now = held.epochs.now
    try:
        flushes = [flush for flush in map(read_member_entry, parts.flushes) if flush is not None]
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
    if not good or not _follows(held, change) or not _stand(parts, change):
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
        and entry.head == held.epochs.begins[now.number]
        and not entry.body
    ]
    if not all(_may_go(seat, of, electorate, votes, now.late.get(seat, 0)) for seat in voted):
        return None
    return change


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


def _follows(held: Match, change: Change) -> bool:
    """Whether a change may follow our last record.

    Either that is the furthest record of its flushes, and the others lead to it; or a seat that
    goes equivocated, and so forked them.
    """
    records = held.epochs.records
    flushes = change.flushes
    known = [flush for flush in flushes if records.known(flush.head)]
    if any(flush.records != records.number_of(flush.head) for flush in known):
        return False
    if len(known) == len(flushes):
        chains = {flush.seat: records.heads_to(flush.head) for flush in flushes}
        return base_of(chains, records.holders) == change.base
    return any(
        one.alone for seat in change.round.gone for one in held.epochs.convictions.get(seat, ())
    )


def _stand(parts: Parts, change: Change) -> bool:
    """Whether all who stay stood on a change."""
    return all(
        round_of(stand.place) == change.round and stand.head == change.k and not stand.body
        for stand in parts.stands
    )
