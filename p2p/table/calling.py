"""Who is called to go, at a table: by its own word, by evidence, or by the votes of all others.

`p2p.table.leaving` has what is signed and how it is decided; this file hears it, and says for which seats a cut is under way
(`going`). What is done then is in `p2p.table.cutting`.
"""

from __future__ import annotations

from typing import Any

from engine.moves import Seat
from p2p.table.course import Course
from p2p.table.events import Voted
from p2p.table.faults import BadForm, Equivocation, Fault
from p2p.table.leaving import Calls, Flush, Flushes, is_call
from p2p.table.log import CUT, EXPEL, LEAVE, SEAL, Entry, Place, read_entry
from p2p.table.steps import Exchange

Key = tuple[Place, int, int]


class Calling(Course):
    """A match under way, in which seats may be called to go."""

    def __init__(self, *args: Any) -> None:
        """Sit down, as `Course` does."""
        self.gone: tuple[Seat, ...] = ()
        """Who has gone, and the rules know."""
        self.going: tuple[Seat, ...] = ()
        """While a cut is under way: all who have gone when it is done."""
        self.fault: Fault | None = None
        """The first fault for which a seat must go."""
        self._calls = Calls()
        self._flushes = Flushes()
        self._pairs: dict[Key, Entry] = {}
        """The second story of a seat, by where it was told."""
        self._stood: dict[Seat, int] = {}
        """On how many whole records each seat is known to have stood."""
        self._in_play: list[tuple[Seat, ...]] = []
        self._set_up = False
        """Whether this table is being set up from what it had: then nothing is said."""
        self.mute = False
        """Whether our seat says nothing yet: it may have said more than its disk knows; what it hears of itself it has said."""
        self._only: tuple[Seat, ...] | None = None
        """The cut that a log has next, when one is replayed."""
        super().__init__(*args)
        self._in_play.append(tuple(self.run.game.seats))

    @property
    def out(self) -> bool:
        """Whether our seat has given up its place, or is called to."""
        return self.seat in self.gone or self.seat in self._calls.called(self.staying)

    @property
    def silent(self) -> bool:
        """Whether nothing is said here: nobody of ours sits at this table, or it has said its last word before a cut."""
        seat = self.seat
        if seat is None or seat in self.gone or self._set_up or self.mute or self.going:
            return True
        return self._flushes.silenced(seat) or self._has_left(seat)

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that are still in the match, in seat order; who leaves when the rules have ended is no longer."""
        return tuple(seat for seat in self.run.game.seats if seat not in self.gone)

    @property
    def votes(self) -> dict[Seat, frozenset[Seat]]:
        """For each seat that some want to go on without now, who does."""
        return self._calls.votes(self._here.step)

    def how(self, seat: Seat) -> str:
        """Return by what right a seat has gone."""
        return self._calls.how(seat)

    def said_since(self, steps: int) -> list[bytes]:
        """Return all that we hold beyond so many whole records, and all that was said of leaving and convicts somebody."""
        held = super().said_since(steps)
        return list(dict.fromkeys([*held, *(entry.data for entry in self._calls.words())]))

    def _has_left(self, seat: Seat) -> bool:
        return self._inbox.said((LEAVE, 0), seat) is not None

    def _sort(self, entry: Entry) -> None:
        if not self._inbox.waits(entry):
            return
        if self._is_settled(entry):
            self._inbox.lay_aside(entry.spot, entry.seat)
            return
        try:
            if is_call(entry.spot):
                self._hear_call(entry)
                return
            if entry.place[0] == SEAL and entry.body:
                raise BadForm(entry.seat, "adds words to its seal", (entry.data,))
        except Fault:
            self._inbox.take(entry.spot, entry.seat)
            raise
        if fault := self._flushes.contradicted(entry, self._heads.known(entry.head)):
            self._accuse(fault)  # the flush counts for nothing; what it hides does
        super()._sort(entry)

    def _is_settled(self, entry: Entry) -> bool:
        """Whether this comes too late to matter: from who has gone, or for a cut that is done."""
        late = entry.seat in self.gone and not self.run.over and not self.going
        return late or (entry.place[0] == CUT and set(entry.place[1:]) <= set(self.gone))

    def _is_late(self, entry: Entry) -> bool:
        """The same of what is settled by a cut. What the flush of another seat names is never late: a cut may wait for it."""
        if not self._is_settled(entry) and not super()._is_late(entry):
            return False
        flushes = [flush for flush in self._inbox if flush.place[0] == CUT and flush.seat != entry.seat]
        held = (flush.body.get("held") for flush in flushes)  # some are not read yet
        return not any(isinstance(hashes, bytes) and entry.hash in hashes for hashes in held)

    def _hear_call(self, entry: Entry) -> None:
        """Somebody leaves, votes, or flushes. A vote need not wait once it is heard: one can vote in every step."""
        if entry.place[0] == CUT:
            flush = Flush.read(entry)
            self._flushes.hear(flush)
            self._check_past(flush)
        else:
            self._calls.hear(entry)
            if entry.place[0] == EXPEL and entry.place[1] == self._here.step:
                self._events.append(Voted(entry.seat, entry.place[2:]))
            if entry.place[0] == EXPEL and entry.place[1] <= self._here.step:
                self._inbox.take(entry.spot, entry.seat)
        self._count()

    def _check_past(self, flush: Flush) -> None:
        """Raise FalseFlush if a flush hides what its seat has said on heads that we know."""
        for known in self._inbox.known():
            fault = self._flushes.contradicted(known, self._heads.known(known.head))
            if fault and known.seat == flush.entry.seat:
                raise fault

    def _count(self) -> None:
        """See who is called to go. When the rules have ended, who has sealed goes only if others need it.

        A vote may be too old for one seat and not for another, which has seen less: what one has flushed for counts for all, and
        whoever does not flush counts no votes of its own.
        """
        staying = set(self.staying)
        called = self._calls.called(staying)
        if self.seat not in staying - called:
            called = self._calls.proven
        called &= staying
        if self.run.over:
            called -= self._seals.keys()
        for seats in self._flushes.wanted():
            if self._calls.justify(seats & staying, staying - seats):
                called |= seats & staying
        called |= set(self.gone)
        if self._only is not None and called > set(self._only):
            called = frozenset(self._only)  # more are called already, but the log has these go first
        going = () if self.sealed or called <= set(self.gone) else tuple(sorted({*self.gone, *called}))
        if going != self.going:
            self.going = going
            self._inbox.look_again()

    def _listen(self, exchange: Exchange) -> bool:
        heard = super()._listen(exchange)
        if heard:  # a head may be known only now
            for flush in self._flushes.about(self.gone):
                if flush.entry.seat not in self.going:
                    self._check_past(flush)
        return heard

    def _close(self, exchange: Exchange) -> bool:
        before = self.steps
        closed = super()._close(exchange)
        if self.steps > before:
            for entry in exchange.past:
                if entry.place[0] == "step":
                    self._stood[entry.seat] = before
                    self._calls.spoke(entry.seat, entry.place[1])
            if self._calls.words():
                self._count()
        return closed

    def _write(self, name: str, entries: list[Entry], head: bytes) -> None:
        super()._write(name, entries, head)
        self._in_play.append(tuple(self.run.game.seats))

    def _accuse(self, fault: Fault) -> bool:
        if isinstance(fault, Equivocation):
            first, second = self._read(fault)
            self._pairs.setdefault(first.key, second)
        if not super()._accuse(fault):
            return False
        if not self.sealed and fault.seat not in self.gone:
            self._calls.convict(fault.seat, self._read(fault))
            if not self.run.over:
                self.fault = self.fault or fault
            self._count()
        return True

    def _read(self, fault: Fault) -> list[Entry]:
        return [read_entry(self.terms, self.match, data) for data in fault.evidence]
