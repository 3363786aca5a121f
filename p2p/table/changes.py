"""View changes in a table: the flush it owes, the change decided, and its record in the log."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from engine.core.moves import Seat
from p2p.table.branches import PAIRS, shared_records
from p2p.table.calls import flush_place, in_order, read_call
from p2p.table.evidence import is_needed
from p2p.table.faults import BadForm
from p2p.table.log import CONFIRM, STEP, Entry
from p2p.table.phase import Phase
from p2p.table.progress import Progress, parts_of
from p2p.table.view_change import Change

if TYPE_CHECKING:
    from p2p.table.match import Match


def flush_owed(held: Match) -> bool:
    """Sign a flush that our seat owes, and show what it rests on.

    The flush may be for this view or an earlier one.
    """
    if not held.may_sign:
        return False
    found = held.views.owed(over=held.over)
    if found is None or held.views.has_lost_a_change:
        return False
    membership, owed = found
    before = membership.flushes_of(held.seat)
    records, head = (before[0].records, before[0].head) if before else (held.steps, held.head)
    if records < _last_word(held, membership.view):
        return False  # our disk has lost what we had before that
    body = {"records": records, "done": membership.done}
    # first what it rests on: before that is known it is no flush
    held.show_since(records)
    held.sign_call(flush_place(membership.view, owed), body, head)
    return True


def confirm_owed(held: Match) -> bool:
    """Confirm the change that our seat will make.

    By these flushes it is made after a crash too, even if more entries turn up.
    """
    if not held.may_sign:
        return False
    found = held.views.owed_confirm()
    if found is None:
        return False
    membership, change = found
    assert membership.round is not None
    body = {"change": membership.id_of_change(change)}
    held.sign_call(
        flush_place(membership.view, membership.round, CONFIRM),
        body,
        membership.flushes_of(held.seat)[0].head,
    )
    return True


def _last_word(held: Match, view: int) -> int:
    """Return how many records our seat had when it last spoke in a view."""
    own = (entry.place for entry in held.inbox.known() if entry.seat == held.seat)
    return max((place[2] - 1 for place in own if place[0] == STEP and place[1] == view), default=0)


def make_decided(held: Match) -> bool:
    """Make the view change that is decided, if there is one and all that it needs is here."""
    if held.over or held.phase is Phase.RESTORING:
        return False
    change = held.views.decided(partial(stands_on, held))
    if change is None:
        return False
    found = _shared(held, change)
    if found is None:
        return False
    progress, base = found
    between = [entry for record in progress.records[base:] for entry in record.entries]
    calls = held.views.calls.justify(change, held.views.now, between)
    _make(held, change, progress, base, calls)
    return True


def _shared(held: Match, change: Change) -> tuple[Progress, int] | None:
    """Return the progress from which a change goes on, and how many of its records count.

    Return None while that is not known.
    """
    return shared_records(
        held.progress,
        change.flushes,
        held.inbox,
        lambda inbox: held.new_progress(inbox, ours=False),
    )


def stands_on(held: Match, change: Change, seat: Seat) -> bool:
    """Whether a seat is known to have spoken on the head that follows from a change."""
    found = _shared(held, change)
    if found is None:
        return False
    progress, base = found
    after = held.new_progress(held.inbox.afresh(held.views.now.view, ()), ours=False)
    for record in progress.records[:base]:
        after.take_any(record)
    if not after.run.over:
        after.change(
            sorted(change.round.leaving), (), held.views.calls.flushes(change, held.views.now.view)
        )
    calls = held.views.calls.all()
    return held.inbox.spoke(after.here.view, after.head, seat) or any(
        call.seat == seat and call.head == after.head for call in calls
    )


def _make(
    held: Match, change: Change, progress: Progress, base: int, calls: Sequence[Entry]
) -> None:
    """Go on from the first `base` records of this progress, without the seats that go.

    `calls` justify the change.
    """
    view, views = held.views.now.view, held.views
    _go_to(held, progress, base)
    held.write_down()
    if held.progress.run.over:  # somebody had come to the end: nobody goes any more
        views.now.complete(change.round)
        return
    gone = views.end(change)
    held.emit(gone)
    held.book.begin_view(view + 1)
    held.progress.change([one.seat for one in gone], calls, views.calls.flushes(change, view))
    views.begin(held.progress.run.game.seats)
    held.progress.begin_view()
    held.write_down()
    views.feed_all()
    held.drain()


def _go_to(held: Match, progress: Progress, base: int) -> None:
    """Let the first `base` records of a progress be ours, and nothing beyond.

    All other records of the log are dropped.
    """
    ours = held.progress
    pairs = enumerate(zip(progress.trail[: base + 1], ours.trail[: held.steps + 1], strict=False))
    shared = max(at for at, (one, other) in pairs if one == other)
    # the events of the records that stay have been emitted if there are others
    untold = progress.drain_events() if len(progress.records) == base else []
    # nothing stays of a step that is dropped
    if progress is not ours or len(progress.records) > base or progress.context():
        first = {one.data for one, _ in progress.inbox.pairs()}
        second = [two.data for _, two in held.inbox.pairs() if two.data in first]
        held.stand_on(progress.records[:base], second)
    if shared < held.steps:
        held.go_back(shared)
    held.emit(untold)


def _stories(held: Match) -> Iterator[tuple[bytes, ...]]:
    """Give the choices of stories by which a record may convict.

    The proof against one seat may rest on either story of another.

    A record has both in the order of their bytes. First come those that were told on heads of ours.
    """
    known = held.progress.heads.known
    pairs = [(one, two) for one, two in held.inbox.pairs() if one.place[1] == held.views.now.view][
        -PAIRS:
    ]
    yield ()
    yield tuple(
        two.data if known(two.head) and not known(one.head) else one.data for one, two in pairs
    )
    yield from product(*((one.data, two.data) for one, two in pairs))


def _replay_from(held: Match, base: int, chosen: Collection[bytes]) -> None:
    """Replay from the first `base` records, with these of all second stories."""
    if held.steps > base:
        held.book.truncate(base)
    held.stand_on(held.progress.records[:base], chosen)
    held.go_all_the_way()


def make_recorded(held: Match, entries: Sequence[Entry]) -> None:
    """Make the view change of a record, if the record justifies it.

    Its other entries convict those who go.
    """
    base = held.steps
    held.go_all_the_way()
    calls, flushes = parts_of(entries)
    try:
        signed = [flush for flush in map(read_call, flushes) if flush is not None]
    except BadForm:
        return
    change, tried = None, set[tuple[bytes, ...]]()
    for chosen in [*_stories(held)]:
        if change is None and chosen not in tried:
            tried.add(chosen)
            if chosen:
                _replay_from(held, base, chosen)
            change = held.views.now.recorded(signed)
    if change is None or calls != sorted(calls, key=in_order) or not _follows(held, change, base):
        return
    enough = held.views.calls.justify(change, held.views.now, ())
    if not is_needed(calls, change.round.gone, enough):
        return
    progress = held.progress
    if len(progress.records) > base:  # words that only served to convict
        held.book.truncate(base)
    _make(held, change, progress, base, calls)


def _follows(held: Match, change: Change, base: int) -> bool:
    """Whether a change may stand after `base` records.

    It may on the furthest of its flushes, or where two stories part them. Each flush that is on one
    of our heads must say how many records that head has.
    """
    trail = held.progress.trail[: base + 1]
    heads = [flush.head for flush in change.flushes]
    if any(
        flush.head in trail and trail.index(flush.head) != flush.records for flush in change.flushes
    ):
        return False
    if all(head in trail for head in heads):
        return max(trail.index(head) for head in heads) == base
    return any(
        one.alone
        for seat in change.round.gone
        for one in held.views.calls.convictions.get(seat, ())
    )
