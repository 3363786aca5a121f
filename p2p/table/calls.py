"""The signed entries about membership, and contradictions among them.

They are leaves, votes, flushes, confirms and evidence of faults.

`p2p.table.membership` works out what follows from it; this module keeps the entries, to show them
and to write them down.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from engine.core.moves import Seat
from p2p.table.faults import BadForm, Equivocation, FalseFlush
from p2p.table.log import CONFIRM, FLUSH, LEAVE, NUMBER_LIMIT, STEP, VOTE, Entry, Place, is_call
from p2p.table.membership import FLUSHES, Membership
from p2p.table.terms import HASH
from p2p.table.view_change import Change, ChangeRound, Flush
from p2p.table.votes import VOTES
from p2p.wire import Malformed, shape

KEPT = 64
"""Leaves of each seat that are kept, and entries of each other kind of views in which we take no
part: the first ones."""


@dataclass(frozen=True)
class Conviction:
    """The proof of a seat's fault: its evidence, and the entries of the step in which it was found.

    `records` is the number of records before that step.
    """

    view: int
    records: int
    evidence: tuple[Entry, ...]
    context: tuple[Entry, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether the evidence convinces alone: two entries that contradict each other.

        It then needs no context.
        """
        return len(self.evidence) == 2

    def counts_in(self, view: int) -> bool:
        """Whether the seat is gone from a view by this."""
        return self.view == view or (self.view < view and self.alone)


class Calls:
    """The entries about membership that one table knows."""

    def __init__(self, own: Seat | None) -> None:
        self._own = own
        self._entries: dict[tuple[object, ...], Entry] = {}
        self._data: set[bytes] = set()
        self.convictions: dict[Seat, list[Conviction]] = {}
        self._settled: dict[Seat, deque[Entry]] = {}
        """The last entries of each seat that came in after their view was settled."""

    def has(self, data: bytes) -> bool:
        """Whether exactly these bytes are here already."""
        return data in self._data

    def known(self, place: Place, seat: Seat) -> Entry | None:
        """Return what this seat is known to have signed for this place."""
        return self._entries.get((place, 0, seat))

    def add(self, entry: Entry, live: Collection[int]) -> bool:
        """Keep an entry if there is space, and return whether there was. BadForm if it is none.

        `live` are the views in which we take part: of these as much is kept as membership counts.
        No entry is dropped for a later one: it would count as new when it comes again, and passed
        on for ever.
        """
        read_call(entry)
        kind = _kind(entry, live)
        alike = sum(_kind(other, live) == kind for other in self._entries.values())
        if alike >= _CAPACITY.get(str(kind[1]), KEPT) and entry.seat != self._own:
            return False
        self._entries[entry.key] = entry
        self._data.add(entry.data)
        return True

    def keep_votes(self, voter: Seat, view: int, seat: Seat, points: Collection[bytes]) -> None:
        """Drop the votes of a member about another, except those at these points.

        Membership no longer counts the dropped votes.
        """
        for key, entry in list(self._entries.items()):
            place = entry.place
            if (
                entry.seat == voter
                and place[:2] == (VOTE, view)
                and place[3] == seat
                and place[2] not in points
            ):
                del self._entries[key]
                self._data.discard(entry.data)

    def check(self, entry: Entry) -> None:
        """Raise FalseFlush if an entry contradicts another one of its seat."""
        for other in self._entries.values():
            if other.seat == entry.seat and other is not entry and _denies(other, entry):
                raise FalseFlush(
                    entry.seat,
                    "signs flushes that contradict each other or its leave",
                    (other.data, entry.data),
                )

    def check_settled(self, entry: Entry) -> None:
        """Compare an entry of a settled view with the last ones of its seat.

        Equivocation, FalseFlush.

        They count for nothing but as evidence: others may have convicted the seat by them while
        that view was theirs. They are not new to anybody, so the oldest can make way for the next.
        """
        if entry.place[0] not in (FLUSH, CONFIRM, STEP):
            return
        try:
            if is_call(entry.place):
                read_call(entry)
        except BadForm:
            return
        recent = self._settled.setdefault(entry.seat, deque(maxlen=KEPT))
        if entry in recent:
            return
        for other in recent:
            if other.key == entry.key:
                raise Equivocation(
                    entry.seat, "signed two stories for one place", (other.data, entry.data)
                )
            if entry.place[1] == other.place[1] and (
                _is_flush_behind(other, entry) or _is_flush_behind(entry, other)
            ):
                raise FalseFlush(
                    entry.seat, "flushes from before its own words", (other.data, entry.data)
                )
        leaves = (
            other
            for other in self._entries.values()
            if other.seat == entry.seat and other.place[0] == LEAVE
        )
        for other in (*recent, *leaves):
            if _denies(other, entry):
                raise FalseFlush(
                    entry.seat,
                    "signs flushes that contradict each other or its leave",
                    (other.data, entry.data),
                )
        recent.append(entry)

    def check_word(self, word: Entry) -> None:
        """Raise FalseFlush if a flush of the seat denies the progress that this word shows.

        The word shows how far the seat had come.
        """
        # a seat that has flushed may still learn that the match is over, and seal it further on
        if word.place[0] == STEP:
            for other in self._entries.values():
                if (
                    other.seat == word.seat
                    and other.place[:2] == (FLUSH, word.place[1])
                    and _is_behind(other, word)
                ):
                    raise FalseFlush(
                        word.seat, "flushes from before its own words", (word.data, other.data)
                    )

    def check_words(self, flush: Entry, words: Iterable[Entry]) -> None:
        """Raise FalseFlush if a flush denies the progress that one of these words shows.

        The words show how far its seat had come.
        """
        if flush.place[0] == FLUSH:
            for word in words:
                same = (
                    word.seat == flush.seat
                    and word.place[0] == STEP
                    and word.place[1] == flush.place[1]
                )
                if same and _is_behind(flush, word):
                    raise FalseFlush(
                        word.seat, "flushes from before its own words", (word.data, flush.data)
                    )

    def of_view(self, view: int) -> Iterator[Entry]:
        """Give the entries of a view, and the leaves of earlier ones, in the order of arrival."""
        for entry in list(self._entries.values()):
            if entry.place[1] == view or (entry.place[0] == LEAVE and entry.place[1] < view):
                yield entry

    def all(self) -> list[Entry]:
        """Return all entries, and all evidence."""
        evidence = [
            entry
            for found in self.convictions.values()
            for one in found
            for entry in (*one.context, *one.evidence)
        ]
        return [*self._entries.values(), *evidence]

    def forget(self, view: int) -> None:
        """Drop what was signed in views before this one, but for leaves."""
        for key, entry in list(self._entries.items()):
            if entry.place[1] < view and entry.place[0] != LEAVE:
                del self._entries[key]
                self._data.discard(entry.data)

    def how(self, seat: Seat, view: int) -> str:
        """Return how a seat goes in the change of a view: `convicted`, `left` or `voted`."""
        if self._convicted(seat, view):
            return "convicted"
        return "left" if self._leave(seat, view) is not None else "voted"

    def justify(
        self, change: Change, membership: Membership, between: Iterable[Entry]
    ) -> list[Entry]:
        """Return what shows that the seats of a change may go, in canonical order.

        `between` are the words of our records beyond the one that the match goes on from: evidence
        may rest on them.
        """
        view, found = membership.view, dict[bytes, Entry]()
        for seat in change.round.gone:
            convictions, leave = self._convicted(seat, view), self._leave(seat, view)
            if convictions:
                alone = [one for one in convictions if one.alone]
                chosen = (alone or convictions)[0]
                rest = () if chosen.alone else (*between, *chosen.context)
                found |= {entry.data: entry for entry in (*rest, *chosen.evidence)}
            elif leave is not None:
                found[leave.data] = leave
        for seat in change.round.voted:
            point, voters = min(
                membership.voters(change.round, seat).items(),
                key=lambda item: (-len(item[1]), item[0]),
            )
            for voter in voters:
                entry = self._entries[((VOTE, view, point, seat), 0, voter)]
                found[entry.data] = entry
        return sorted(found.values(), key=in_order)

    def flushes(self, change: Change, view: int) -> list[Entry]:
        """Return the flushes of a change, in seat order."""
        place = flush_place(view, change.round)
        return [self._entries[(place, 0, flush.seat)] for flush in change.flushes]

    def _convicted(self, seat: Seat, view: int) -> list[Conviction]:
        return [one for one in self.convictions.get(seat, ()) if one.counts_in(view)]

    def _leave(self, seat: Seat, view: int) -> Entry | None:
        found = [self._entries.get(((LEAVE, at), 0, seat)) for at in range(view + 1)]
        return next((entry for entry in found if entry is not None), None)


def flush_place(view: int, of: ChangeRound, kind: str = FLUSH) -> Place:
    """Return the place of the flushes, or confirms, for a round of a view."""
    return (kind, view, of.gone, of.called, of.answered)


def read_call(entry: Entry) -> Flush | None:
    """Check the form of an entry about membership, and return the flush if it is one. BadForm."""
    kind = entry.place[0]
    try:
        body = shape(entry.body, **_FIELDS.get(kind, {}))
    except Malformed as error:
        raise BadForm(entry.seat, str(error), (entry.data,)) from error
    if kind not in _FIELDS:
        return None
    of = ChangeRound(*entry.place[2:])
    good = (
        len(body["change"]) == HASH
        if kind == CONFIRM
        else 0 <= body["records"] < NUMBER_LIMIT and len(body["done"]) in (0, HASH)
    )
    if not good or not of.can_be or entry.seat in of.leaving:
        raise BadForm(entry.seat, f"signs a {kind} that cannot be", (entry.data,))
    return (
        Flush(entry.seat, of, body["records"], entry.head, body["done"], entry.hash)
        if kind == FLUSH
        else None
    )


def _denies(one: Entry, other: Entry) -> bool:
    """Whether no honest seat signs both of these in one view."""
    if one.place[1] != other.place[1]:
        return False
    kinds = {one.place[0], other.place[0]}
    rounds = [ChangeRound(*entry.place[2:]) for entry in (one, other) if entry.place[0] == FLUSH]
    if kinds == {FLUSH}:
        done = {entry.body["done"] for entry in (one, other)} - {b""}
        return len(done) > 1 or not (rounds[0].precedes(rounds[1]) or rounds[1].precedes(rounds[0]))
    return kinds == {FLUSH, LEAVE} and bool(rounds[0].voted)


def contradict(one: Entry, other: Entry) -> bool:
    """Whether these two entries of one seat convict it by themselves."""
    if one.seat != other.seat or one.data == other.data:
        return False
    behind = one.place[1] == other.place[1] and (
        _is_flush_behind(one, other) or _is_flush_behind(other, one)
    )
    return one.key == other.key or behind or _denies(one, other)


def _is_flush_behind(one: Entry, other: Entry) -> bool:
    """Whether the first is a flush that denies the word that the second is."""
    return one.place[0] == FLUSH and other.place[0] == STEP and _is_behind(one, other)


def _is_behind(flush: Entry, word: Entry) -> bool:
    records = flush.body.get("records")
    return type(records) is int and records < word.place[2] - 1


_FIELDS: dict[str, dict[str, type]] = {
    FLUSH: {"records": int, "done": bytes},
    CONFIRM: {"change": bytes},
}

_CAPACITY = {VOTE: VOTES, FLUSH: FLUSHES, CONFIRM: FLUSHES}
"""So many entries of a kind are kept of a view in which we take part."""


def _kind(entry: Entry, live: Collection[int]) -> tuple[object, ...]:
    """Return the group of entries that share a capacity.

    In a live view each kind of each seat, and each seat voted about, by itself.
    """
    kind, view = entry.place[:2]
    if view not in live or kind == LEAVE:
        return (entry.seat, "", kind)
    return (entry.seat, kind, view, entry.place[3] if kind == VOTE else None)


def in_order(entry: Entry) -> tuple[object, ...]:
    """Return the sort key of the entries that justify a change."""
    return (*entry.place[:2], entry.stage, entry.seat, entry.data)
