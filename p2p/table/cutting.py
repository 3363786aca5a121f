"""What a table does when seats go: it stops speaking, flushes, hears what counts, and goes on without them.

`p2p.table.leaving` has what is signed and how it is decided; this file acts on it. Who stood further on than all share, on
something that does not count, must go back: `rewinding` says so, and `Table.rewound` gives the table that has.
"""

from __future__ import annotations

from typing import Any

from engine.moves import Seat
from p2p.table.course import Course
from p2p.table.events import Gone, Voted
from p2p.table.faults import BadForm, Equivocation, Fault
from p2p.table.leaving import Agreed, Calls, Flush, Flushes, agreed, flush_body, in_order, is_call
from p2p.table.log import CUT, EXPEL, LEAVE, SEAL, Entry, Place, Spot, cut_place, read_entry
from p2p.table.steps import Exchange
from p2p.table.terms import h

BACK = 32
"""Whole records that a flush goes back behind the last one on which all are known to have stood."""
AHEAD = 8
"""Steps beyond ours of which a flush may name entries that wait."""
EACH = 4
"""Entries that wait which a flush names of each seat."""

Key = tuple[Place, int, int]


class Cutting(Course):
    """A match under way, in which seats may go."""

    def __init__(self, *args: Any) -> None:
        """Sit down, as `Course` does."""
        self.gone: tuple[Seat, ...] = ()
        """Who has gone, and the rules know."""
        self.going: tuple[Seat, ...] = ()
        """While a cut is under way: all who have gone when it is done."""
        self.fault: Fault | None = None
        """The first fault for which a seat must go."""
        self.rewinding: int | None = None
        """How many whole records may stay, if we must go back."""
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
        """Return all that we hold beyond so many whole records, and all that convicts somebody."""
        return [*super().said_since(steps), *(entry.data for entry in self._calls.evidence())]

    def _has_left(self, seat: Seat) -> bool:
        return self._inbox.said((LEAVE, 0), seat) is not None

    def _one_thing(self) -> bool:
        if not self.going:
            return super()._one_thing()
        if self.rewinding is not None:
            return False
        if (entry := self._inbox.arrived()) is not None:
            self._sort(entry)
            return True
        exchange = self._exchange
        heard = self._seal() if exchange is None else self._listen(exchange) or self._close(exchange)
        if self.sealed:
            self.going = ()
        return heard or bool(self.going and (self._flush() or self._end_cut()))

    def _sort(self, entry: Entry) -> None:
        if not self._inbox.waits(entry):
            return
        if self._is_settled(entry):
            self._inbox.take(entry.spot, entry.seat)
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

    def _hear_call(self, entry: Entry) -> None:
        """Somebody leaves, votes, or flushes."""
        if entry.place[0] == CUT:
            flush = Flush.read(entry)
            self._flushes.hear(flush)
            self._check_past(flush)
        else:
            self._calls.hear(entry)
            if entry.place[0] == EXPEL and entry.place[1] == self._here.step:
                self._events.append(Voted(entry.seat, entry.place[2:]))
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

    # A cut.

    def _flush(self) -> bool:
        """Say what we hold, if our seat stays, and show it to the others."""
        spot: Spot = (cut_place(self.going), 0)
        if self.seat is None or self.seat in self.going or self._set_up or self.mute or self._has_left(self.seat):
            return False
        if self._inbox.said(spot, self.seat) or self._behind:
            return False
        first = self._common()
        held = self._held(first)
        whole = {entry.hash for entries in self._record[first:] for entry in entries}
        for entry in held:
            if entry.seat != self.seat and entry.hash not in whole:
                self._journal.note_held(entry.data)
        self._to_send += [entry.data for entry in held]
        self._inbox.put(
            self._say(spot, self._head, flush_body(max(self._here.step, self._last_word), first, self._trail[first:], held))
        )
        return True

    @property
    def _last_word(self) -> int:
        """The last step in which our seat has said anything."""
        own = (entry.place[1] for entry in self._inbox.known() if entry.seat == self.seat and entry.place[0] == "step")
        return max(own, default=0)

    @property
    def _behind(self) -> bool:
        """Whether we, who stay, have spoken in a later step than ours: our disk has lost what was before that."""
        if self.seat is None or self.seat in self.going or self._flushes.silenced(self.seat):
            return False
        return self._last_word > self._here.step

    def _common(self) -> int:
        """Return a number of whole records on which all who stay have certainly stood."""
        stay = [seat for seat in self.run.game.seats if seat not in self.going and seat != self.seat]
        return max(min((self._stood.get(seat, 0) for seat in stay), default=self.steps) - BACK, 0)

    def _held(self, first: int) -> list[Entry]:
        """Return what we hold beyond so many whole records that may count."""
        held = [entry for entries in self._record[first:] for entry in entries]
        evidence = self._calls.evidence()
        for exchange in (self._exchange, self._ahead):
            if exchange is not None and (exchange is self._exchange or exchange.place in {entry.place for entry in evidence}):
                held += [*exchange.past, *exchange.said.values()]
        flushes = [flush.entry for flush in self._flushes.within(self.going)]
        held += [*self._near(), *flushes, *self._calls.words(), *self._pairs.values()]
        held += [known for known in self._inbox.known() if known.key in self._pairs]
        return list({entry.hash: entry for entry in held}.values())

    def _near(self) -> list[Entry]:
        """Return what waits for this step and the next ones: of each seat the first few."""
        now, found = self._here.step, []
        here = self._exchange.place if self._exchange is not None else None
        for seat in range(len(self.terms.places)):
            near = [
                entry
                for entry in self._inbox
                if entry.seat == seat
                and (entry.place == here or (entry.place[0] == "step" and now <= entry.place[1] < now + AHEAD))
            ]
            found += sorted(near, key=lambda entry: (entry.place[0] == "step", entry.place[1], entry.stage))[:EACH]
        return found

    def _agreed(self, going: tuple[Seat, ...]) -> Agreed | None:
        return agreed(self._flushes.of(going), going, self._trail, self._in_play)

    def _due(self) -> tuple[tuple[Seat, ...], Agreed] | None:
        """Return the cut that comes next, if all who stay have flushed; one for fewer seats first, if some could make that."""
        done = self._agreed(self.going)
        return None if done is None else self._first_before(self.going, done)

    def _first_before(self, going: tuple[Seat, ...], done: Agreed) -> tuple[tuple[Seat, ...], Agreed]:
        """Return the first of the cuts that lead to this one, or this one.

        What such a cut is made of must be named by the flushes for this one, and nothing of it may be void; but for what all have
        had whole since before it. The one for most seats leads here, and others only to that: who has flushed for it without
        all that they are made of has not made them.
        """
        void = self._void(done.named)
        for before in self._flushes.smaller(self.gone, going):
            earlier = self._agreed(before)
            if earlier is None:
                continue
            settled = {entry.hash for entries in self._record[: earlier.shared] for entry in entries}
            if earlier.whole - settled <= done.named - void:
                return self._first_before(before, earlier)
        return going, done

    def _counts(self, entry: Entry, head: bytes) -> bool:
        """While a cut is under way only what flushes name is heard; what lies behind them all have."""
        if not self.going:
            return True
        due = self._due()
        flushes = due[1].flushes if due else self._flushes.about(self.going)
        if entry.head != head:
            return False
        if self.steps < min((flush.first for flush in flushes), default=self.steps) or self._behind:
            return True
        done = self._agreed(self.going)
        named = frozenset[bytes]().union(*(flush.held for flush in flushes))
        return entry.hash in named - self._void(done.named if done else named)

    def _void(self, named: frozenset[bytes]) -> frozenset[bytes]:
        """Return what counts for nothing: two stories told for one place, if both are named, and flushes that are false."""
        void = {
            flush.entry.hash for flush in self._flushes.all() if flush.entry.seat in self.going and self._is_false(flush, named)
        }
        for second in self._pairs.values():
            first = self._inbox.said(second.spot, second.seat)
            if first is not None and {first.hash, second.hash} <= named:
                void |= {first.hash, second.hash}
        return frozenset(void)

    def _is_false(self, flush: Flush, named: frozenset[bytes]) -> bool:
        """Whether something that is named shows a flush to be false, whatever its seat is convicted of."""
        return any(flush.hides(e) and e.hash in named and self._heads.known(e.head) for e in self._inbox.known())

    def _end_cut(self) -> bool:
        """Go on without those who go, when all who stay have flushed, and we have heard all that counts."""
        due, done = self._due(), self._agreed(self.going)
        if due is None or done is None:
            return False
        held = {entry.hash: entry for entry in (*self._inbox.known(), *self._pairs.values())}
        if not done.named <= held.keys():
            return False
        going, first = due
        exchange, records = self._exchange, self._record[first.shared :]
        now = [*exchange.past, *exchange.said.values()] if exchange is not None else []
        # Of a cut its flushes were heard; the rest of it is what did not come to a step.
        heard = [e for entries in records for e in entries if entries[-1].place[0] != CUT or e.place == entries[-1].place]
        beyond = {entry.hash for entries in records for entry in entries} | {entry.hash for entry in now}
        if not {entry.hash for entry in (*heard, *now)} <= first.whole or beyond & self._void(done.named):
            self.rewinding = first.shared
            return False
        self._cut(going, first, held)
        return True

    def _cut(self, going: tuple[Seat, ...], done: Agreed, held: dict[bytes, Entry]) -> None:
        """Write what was said beyond the last whole step and the flushes, tell the rules who has gone, and go on."""
        run, here = self.run, self._here
        whole = {entry.hash for entries in self._record for entry in entries}
        named = {entry for entry in done.named if entry not in whole}
        entries = in_order([*(held[name] for name in named), *(flush.entry for flush in done.flushes)])
        new = [seat for seat in going if seat not in self.gone]
        self._events += [Gone(seat, self._calls.how(seat)) for seat in new]
        told = False
        for seat in new:
            if not run.over and run.game.may_leave(seat):  # the one before may have ended the match
                if told:
                    self._pass_on_told()
                run.leave(seat)
                told = True
        for entry in entries:  # what follows is said on a head that only these give
            if entry.seat != self.seat:
                self._journal.note_held(entry.data)
        here.step = max(done.next_step, here.step + 1)
        self.gone = going
        self._seals = {}
        self._flushes.forget(going)
        self._calls.cut(here.step)
        self._inbox.clear_steps(here.step, going)
        self._inbox.clear_decks(run.game.shuffles)
        self._write("cut", entries, h("cut", self._head, [entry.data for entry in entries], run.fingerprint()))
        self._count()
        self._begin()
