"""What a table does when seats go: it stops speaking, flushes, hears what counts, and goes on without them.

`p2p.table.leaving` has what is signed and how it is decided; this file acts on it. Who stood further on than all share, on
something that does not count, must go back: `rewinding` says so, and `Table.rewound` gives the table that has.
"""

from __future__ import annotations

from typing import Any

from engine.moves import Seat
from p2p.table.calling import Calling
from p2p.table.events import Gone
from p2p.table.leaving import Agreed, Flush, agreed, flush_body, in_order
from p2p.table.log import Entry, Spot, cut_place
from p2p.table.terms import h

BACK = 32
"""Whole records that a flush goes back behind the last one on which all are known to have stood."""
AHEAD = 8
"""Steps beyond ours of which a flush may name entries that wait."""
EACH = 4
"""Entries that wait which a flush names of each seat."""


class Cutting(Calling):
    """A match under way, in which seats may go."""

    def __init__(self, *args: Any) -> None:
        """Sit down, as `Course` does."""
        self.rewinding: int | None = None
        """How many whole records may stay, if we must go back."""
        super().__init__(*args)

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
        flush = self._say(spot, self._head, flush_body(max(self._here.step, self._last_word), first, self._trail[first:], held))
        self._to_send += [entry.data for entry in held]  # after it: of what it names nothing is turned away
        self._inbox.put(flush)
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
        about = {place for entry in self._calls.evidence() for place in (entry.place, self._heads.place(entry.head))}
        for exchange in (self._exchange, self._ahead):
            if exchange is not None and (exchange is self._exchange or exchange.place in about):
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
        beyond = {entry.hash for entries in (*records, now) for entry in entries}
        if not beyond <= first.whole - self._void(done.named):
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
        leaving = [seat for seat in new if seat in run.game.seats]
        if not run.over and run.game.may_leave(*leaving):
            run.leave(leaving)
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
