"""Leaving: who is called to go and by what right, and how those who remain agree on where the match stood.

A seat goes by its own `leave`, by evidence of a fault, or by `expel`, signed by all others. Each can come while others are
still speaking, so it calls a cut: every seat that remains stops speaking and signs a *flush*, the last thing it says on the
old heads. It names what its seat holds; when all have flushed for the same seats gone, what they name together is all that
counts, and every table makes the same of it. `p2p.table.calling` and `p2p.table.cutting` act on what is decided here.

    flush = {"step": the number of the step it may have spoken in, "first": whole records before the trail,
             "trail": heads, the last one that of its last whole step, "held": hashes of the entries held beyond the first}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.moves import Seat
from p2p.table.faults import BadForm, FalseFlush
from p2p.table.log import CUT, EXPEL, LEAVE, NUMBER_LIMIT, Body, Entry, Place, Spot, cut_place
from p2p.table.terms import HASH
from p2p.wire import Malformed, shape

STALE = 8
"""Steps after which a vote no longer counts against a seat that has spoken on."""
VOTES = 64
"""Votes of each seat that are kept, those for the latest steps: a flush must have room for all."""


@dataclass(frozen=True)
class Flush:
    """What a seat says last before a cut; see above. `held` are the entries' hashes."""

    entry: Entry
    step: int
    first: int
    trail: tuple[bytes, ...]
    held: frozenset[bytes]

    @classmethod
    def read(cls, entry: Entry) -> Flush:
        """Read a flush. BadForm if it is none."""
        try:
            body = shape(entry.body, step=int, first=int, trail=bytes, held=bytes)
            trail, held = _hashes(body["trail"]), _hashes(body["held"])
        except Malformed as error:
            raise BadForm(entry.seat, str(error), (entry.data,)) from error
        numbers = 0 <= body["first"] < NUMBER_LIMIT and 1 <= body["step"] < NUMBER_LIMIT
        if not numbers or not trail or trail[-1] != entry.head or list(held) != sorted(set(held)):
            raise BadForm(entry.seat, "signs a flush that cannot be", (entry.data,))
        return cls(entry, body["step"], body["first"], trail, frozenset(held))

    @property
    def last(self) -> int:
        """Whole records that its seat had."""
        return self.first + len(self.trail) - 1

    def hides(self, entry: Entry) -> bool:
        """Whether its seat has said this too, and does not tell."""
        if entry.seat != self.entry.seat or entry.place[0] != "step":
            return False
        step = entry.place[1]
        return bool(step > self.step or (step == self.step and entry.hash not in self.held))

    def stood_on(self, index: int, head: bytes) -> bool:
        """Whether its seat stood on this head after so many whole records."""
        return self.first <= index <= self.last and self.trail[index - self.first] == head


def flush_body(step: int, first: int, trail: Sequence[bytes], held: Iterable[Entry]) -> Body:
    """Return the body of a flush."""
    hashes = sorted({entry.hash for entry in held})
    return {"step": step, "first": first, "trail": b"".join(trail), "held": b"".join(hashes)}


def _hashes(data: bytes) -> tuple[bytes, ...]:
    if len(data) % HASH:
        raise Malformed("hashes have 32 bytes")
    return tuple(data[at : at + HASH] for at in range(0, len(data), HASH))


class Calls:
    """Who is called to go: by its own word, by evidence, or by the votes of all others."""

    def __init__(self) -> None:
        self._leaves: dict[Seat, Entry] = {}
        self._convicted: dict[Seat, tuple[Entry, ...]] = {}
        self._votes: dict[Place, dict[Seat, Entry]] = {}
        self._spoke: dict[Seat, int] = {}
        self._since = 0
        """The step that followed the last cut: older votes are too old."""

    def hear(self, entry: Entry) -> None:
        """Take a `leave` or a vote. BadForm if it is not as it must be."""
        leave = entry.place == LEAVE
        if entry.body or entry.seat in entry.place[2:]:
            raise BadForm(entry.seat, "adds words to its leaving" if leave else "votes what cannot be", (entry.data,))
        if leave:
            self._leaves[entry.seat] = entry
        else:
            self._votes.setdefault(entry.place, {})[entry.seat] = entry
            cast = sorted(place[1:] for place, votes in self._votes.items() if entry.seat in votes)
            if len(cast) > VOTES:
                self._votes[(EXPEL, *cast[0])].pop(entry.seat)

    def convict(self, seat: Seat, evidence: Sequence[Entry]) -> None:
        """Note what shows a seat's fault."""
        self._convicted[seat] = tuple(evidence)

    def spoke(self, seat: Seat, step: int) -> None:
        """Note in which step a seat was last heard: votes from long before no longer count against it."""
        self._spoke[seat] = max(step, self._spoke.get(seat, 0))

    def cut(self, step: int) -> None:
        """Note that a cut was made, which this step follows: votes from before are too old."""
        self._since = step

    @property
    def proven(self) -> frozenset[Seat]:
        """Who is called by its own words: sooner or later all see that."""
        return frozenset({*self._leaves, *self._convicted})

    def called(self, in_play: Iterable[Seat]) -> frozenset[Seat]:
        """Return who is called to go, of all seats of the match; `in_play` must all have voted, but for those."""
        going = set(self.proven)
        for place in sorted(self._votes):
            named = set(place[2:])
            others = set(in_play) - going - named
            stale = place[1] < self._since or any(self._spoke.get(seat, 0) >= place[1] + STALE for seat in named)
            if others and others <= set(self._votes[place]) and not stale:
                going |= named
        return frozenset(going)

    def justify(self, going: Iterable[Seat], staying: Iterable[Seat]) -> bool:
        """Whether these seats may go if all these stay: a vote counts here however old it is."""
        stay, named = set(staying), set(self.proven)
        for place, votes in self._votes.items():
            if stay and stay <= set(votes):
                named |= set(place[2:])
        return named.issuperset(going)

    def how(self, seat: Seat) -> str:
        """Return by what right a seat goes: `convicted`, `left` or `expelled`."""
        return "convicted" if seat in self._convicted else "left" if seat in self._leaves else "expelled"

    def votes(self, step: int) -> dict[Seat, frozenset[Seat]]:
        """Return who has voted, in this step, to go on without whom: for each seat named, the voters."""
        found: dict[Seat, frozenset[Seat]] = {}
        for place, votes in sorted(self._votes.items()):
            if place[1] == step:
                for seat in place[2:]:
                    found[seat] = found.get(seat, frozenset()) | frozenset(votes)
        return found

    def evidence(self) -> list[Entry]:
        """Return all entries that convict somebody."""
        return [entry for entries in self._convicted.values() for entry in entries]

    def words(self) -> list[Entry]:
        """Return all that was said of leaving: the leaves, the votes and the evidence."""
        votes = [entry for votes in self._votes.values() for entry in votes.values()]
        return [*self._leaves.values(), *votes, *self.evidence()]


class Flushes:
    """The flushes of cuts that are under way."""

    def __init__(self) -> None:
        self._by_place: dict[Place, dict[Seat, Flush]] = {}

    def hear(self, flush: Flush) -> None:
        """Note a flush."""
        self._by_place.setdefault(flush.entry.place, {})[flush.entry.seat] = flush

    def forget(self, gone: Iterable[Seat]) -> None:
        """Drop those of cuts that are done."""
        done = set(gone)
        self._by_place = {place: found for place, found in self._by_place.items() if not done.issuperset(place[1:])}

    def of(self, going: Iterable[Seat]) -> Mapping[Seat, Flush]:
        """Return the flushes for exactly these seats gone, of others than these."""
        found = self._by_place.get(cut_place(going), {})
        return {seat: found[seat] for seat in sorted(found)}

    def wanted(self) -> list[frozenset[Seat]]:
        """Return the sets of seats gone for which somebody who stays has flushed."""
        return [frozenset(place[1:]) for place, found in sorted(self._by_place.items()) if set(found).difference(place[1:])]

    def within(self, going: Iterable[Seat]) -> list[Flush]:
        """Return the flushes for fewer seats than these: they may have been enough for somebody."""
        more = set(going)
        return [found[seat] for place, found in sorted(self._by_place.items()) if set(place[1:]) < more for seat in sorted(found)]

    def smaller(self, gone: Iterable[Seat], going: Iterable[Seat]) -> list[tuple[Seat, ...]]:
        """Return the sets of seats gone between these two for which somebody has flushed, larger ones first."""
        less, more = set(gone), set(going)
        found = [place[1:] for place in self._by_place if less < set(place[1:]) < more]
        return sorted(found, key=lambda seats: (-len(seats), seats))

    def silenced(self, seat: Seat) -> bool:
        """Whether this seat has flushed for a cut that is not done: it has said all."""
        return any(seat in found for found in self._by_place.values())

    def about(self, going: Iterable[Seat]) -> list[Flush]:
        """Return the flushes for these seats, or for more, of seats that stay: what they name may count."""
        gone = set(going)
        return [
            flush
            for place, found in sorted(self._by_place.items())
            if gone.issubset(place[1:])
            for seat, flush in sorted(found.items())
            if seat not in gone
        ]

    def contradicted(self, entry: Entry, known: bool) -> FalseFlush | None:
        """Return the fault of a seat whose flush hides this entry; `known`: this match has had the entry's head."""
        for found in self._by_place.values():
            flush = found.get(entry.seat)
            if flush is not None and known and flush.hides(entry):
                return FalseFlush(entry.seat, "has said more than its flush names", (flush.entry.data, entry.data))
        return None

    def all(self) -> list[Flush]:
        """Return every flush of a cut that is not done."""
        return [found[seat] for _, found in sorted(self._by_place.items()) for seat in sorted(found)]


@dataclass(frozen=True)
class Agreed:
    """That all who remain have flushed: the head they share, as a number of whole records, and what counts beyond it."""

    shared: int
    flushes: tuple[Flush, ...]

    @property
    def named(self) -> frozenset[bytes]:
        """The hashes of all that counts."""
        return frozenset[bytes]().union(*(flush.held for flush in self.flushes))

    @property
    def whole(self) -> frozenset[bytes]:
        """The hashes of all that counts, and of the flushes themselves."""
        return self.named | {flush.entry.hash for flush in self.flushes}

    @property
    def next_step(self) -> int:
        """The number of the first step after the cut: none that anybody has spoken in."""
        return max(flush.step for flush in self.flushes) + 1


def agreed(
    flushes: Mapping[Seat, Flush], going: Iterable[Seat], trail: Sequence[bytes], in_play: Sequence[Iterable[Seat]]
) -> Agreed | None:
    """Find the last head that all who were in play on it have stood on, having flushed; None while that cannot be said.

    `trail` and `in_play` are our heads and who was in play on them, by the number of whole records.
    """
    gone = set(going)
    for index in range(len(trail) - 1, -1, -1):
        quorum = sorted(set(in_play[index]) - gone)
        found = [flushes[seat] for seat in quorum if seat in flushes]
        if quorum and len(found) == len(quorum) and all(flush.stood_on(index, trail[index]) for flush in found):
            return Agreed(index, tuple(found))
    return None


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries of a cut as they stand in the log: what was said beyond the last whole step, then the flushes.

    Those for most seats gone, which end the cut, are the last.
    """

    def key(entry: Entry) -> tuple[Any, ...]:
        return (len(entry.place) if entry.place[0] == CUT else 0, entry.place, entry.stage, entry.seat, entry.data)

    return sorted(entries, key=key)


def is_call(spot: Spot) -> bool:
    """Whether something said there is about leaving."""
    return spot[0] == LEAVE or spot[0][0] in (EXPEL, CUT)
