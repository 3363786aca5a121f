"""A match as one seat or one spectator holds it, and its progress, one input at a time.

It joins progress, views, journal and log book; `p2p.table.table` is what a client sees of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from crypto.chance import Entropy
from crypto.group import Group, ristretto255
from crypto.identity import Identity
from engine.core.moves import Seat
from engine.core.run import Run
from p2p.table.branches import branches
from p2p.table.calls import Conviction
from p2p.table.changes import confirm_owed, flush_owed, make_decided
from p2p.table.events import Accused, Changing, Differs, Event, Sealed, WentBack
from p2p.table.faults import BadForm, Desync, Equivocation, FalseFlush, Fault, OutOfTurn
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.log import (
    STAND,
    Body,
    Entry,
    StageKey,
    is_call,
    make_entry,
    opening_record,
    read_entry,
)
from p2p.table.logbook import LogBook
from p2p.table.phase import Phase
from p2p.table.progress import Progress, Record
from p2p.table.terms import Terms
from p2p.table.view_change import Flush
from p2p.table.views import Views


class Match:
    """One seat's hold of a match."""

    def __init__(
        self,
        terms: Terms,
        signatures: Sequence[bytes],
        seat: Seat | None,
        identity: Identity | None,
        entropy: Entropy,
        group: Group | None = None,
    ) -> None:
        """Sit down. Raises what Terms.check_game and check_signatures raise."""
        terms.check_game()
        terms.check_signatures(signatures)
        self.terms, self.signatures, self.seat = terms, tuple(signatures), seat
        self.id = terms.match
        self.phase = Phase.PLAYING
        self.identity, self.entropy, self.group = identity, entropy, group or ristretto255()
        self.journal = Journal()
        self.journalled = 0
        """The first so many records are in the log, or the journal has what others have signed in
        them."""
        self.inbox = Inbox(seat)
        seats = range(len(terms.participants))
        self._branches: set[tuple[int, bytes]] = set()
        """Heads that follow from second stories, each with the number of its records."""
        self._looked = 0
        self.views = Views(self.id, seats, seat, self._spoke, self._stands)
        self.progress = self.new_progress(self.inbox)
        self.seals: dict[Seat, Entry] = {}
        self.faults: list[Fault] = []
        self._reported: set[tuple[Seat, int]] = set()
        self.events: list[Event] = []
        self.to_send: list[bytes] = []
        self.book = LogBook(opening_record(terms, signatures))
        self.settle()

    def new_progress(self, inbox: Inbox, *, ours: bool = True) -> Progress:
        """Return a progress at the beginning of the match.

        Our membership follows it if it is to be `ours`.
        """

        def arrive(view: int, head: bytes, owed: frozenset[Seat]) -> None:
            if ours:
                self.views.arrive(view, head, owed)

        return Progress(
            self.terms, self.group, self.seat, self.entropy, self.journal, inbox, arrive
        )

    @property
    def run(self) -> Run:
        """The game in progress."""
        return self.progress.run

    @property
    def steps(self) -> int:
        """How many settled records there are: steps and view changes."""
        return self.book.records

    @property
    def head(self) -> bytes:
        """The running hash after the last settled record: 32 bytes."""
        return self.progress.trail[self.steps]

    @property
    def over(self) -> bool:
        """Whether the rules have ended."""
        return self.run.over and self.steps == len(self.progress.records)

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that are still in the match, in seat order."""
        return tuple(seat for seat in self.run.game.seats if seat not in self.views.gone)

    @property
    def stopped(self) -> bool:
        """Whether our seat is a member that has stopped for a view change."""
        if self.phase in (Phase.RESTORING, Phase.SEALED, Phase.DIVERGED) or self.over:
            return False
        return self.seat in self.views.now.members and self.views.now.stopped

    @property
    def may_sign(self) -> bool:
        """Whether our seat may sign: it sits here, and is not being set up or listening."""
        return self.seat is not None and self.phase not in (
            Phase.RESTORING,
            Phase.LISTENING,
            Phase.DIVERGED,
        )

    @property
    def may_sign_steps(self) -> bool:
        """Whether our seat may sign entries of steps."""
        return self.may_sign and not self.views.now.stopped

    def held_since(self, steps: int) -> list[bytes]:
        """Return all entries that we hold beyond so many records, in order.

        All entries about membership come too.
        """
        records = self.progress.records[max(steps, 0) :]
        held = [entry for record in records for entry in record.entries]
        held += [
            *self.views.calls.all(),
            *self.progress.context(),
            *self.seals.values(),
            *self.inbox,
        ]
        return list(dict.fromkeys(entry.data for entry in held))

    def proceed(self) -> None:
        """Judge received entries, sign what we owe, and go on as far as the rules go."""
        more = True
        while more and self.phase is not Phase.DIVERGED:
            more = self._try(self._one_thing)

    def make_ahead(self) -> bool:
        """Do one thing for the next deck; return whether there was any.

        Its cards must already be certain.
        """
        if self.phase is Phase.DIVERGED:
            return False
        while self._try(self.progress.sort):
            pass
        return self._try(
            lambda: self.progress.make_ahead(self.sign if self.may_sign_steps else None)
        )

    def go_all_the_way(self) -> None:
        """Judge all that has come in, of a deck made ahead too."""
        self.proceed()
        while self.make_ahead():
            self.proceed()

    def enter(self, phase: Phase) -> None:
        """Change the phase: the only place where that is done."""
        if phase is Phase.CHANGING and self.phase is not phase:
            self.events.append(
                Changing(tuple(sorted(now.leaving)) if (now := self.views.now.round) else ())
            )
        if phase is Phase.SEALED and self.phase is not phase:
            self.journal.wipe()
            self.progress.here.masks.keep(())
            self.events.append(Sealed())
        self.phase = phase

    def next_phase(self) -> Phase:
        """Return what follows from where the match stands."""
        if self.phase in (Phase.RESTORING, Phase.SEALED, Phase.DIVERGED):
            return self.phase
        if self.over and set(self.staying) <= self.seals.keys():
            return Phase.SEALED  # for a table that only listens, too: nothing is left to be said
        if self.phase is Phase.LISTENING:
            return self.phase
        if self.over:
            return Phase.ENDED
        return Phase.CHANGING if self.stopped else Phase.PLAYING

    def _try(self, thing: object) -> bool:
        """Do one thing; a fault that it shows names a seat, and counts as something done."""
        assert callable(thing)
        try:
            return bool(thing())
        except Fault as fault:
            return self.accuse(fault) or True
        except Desync:
            self.enter(Phase.DIVERGED)
            self.events.append(Differs(None, self.progress.here.step, b"", self.head))
            return False

    def _one_thing(self) -> bool:
        """Do one thing that is due; return whether there was any."""
        if self.progress.sort() or self.drain():
            return True
        self._show_differing()
        phase = self.next_phase()
        if phase is not self.phase:
            self.enter(phase)
            return True
        self._look_for_branches()
        if flush_owed(self) or confirm_owed(self) or make_decided(self):
            return True
        if self.over:
            return self._seal()
        if self.progress.listen() or (self.may_sign_steps and self.progress.speak(self.sign)):
            self.settle()
            return True
        if (
            self.stopped
            and self.progress.ready_to_end
            and len(self.progress.records) >= self._farthest
        ):
            return False
        closed = self.progress.close()
        self.settle()
        return closed

    def _spoke(self, view: int, head: bytes, seat: Seat) -> bool:
        """Whether a word of a seat on this head is known.

        The inbox is made anew when we go back.
        """
        return self.inbox.spoke(view, head, seat)

    def _stands(self, flush: Flush) -> bool:
        """Whether records are known, as many as a flush says, that lead to its head."""
        trail = self.progress.trail
        on = flush.records < len(trail) and trail[flush.records] == flush.head
        return on or (flush.records, flush.head) in self._branches

    def _look_for_branches(self) -> None:
        """Follow second stories if somebody has flushed on a head that is none of ours.

        This is done whenever more is known.
        """
        if self.phase is Phase.SEALED:
            return  # our keys are wiped, and we go nowhere any more
        if self.inbox.size != self._looked and self.inbox.pairs() and self.views.now.unshown():
            self._looked = self.inbox.size
            for progress in branches(
                self.progress, self.inbox, lambda inbox: self.new_progress(inbox, ours=False)
            ):
                self._branches |= set(enumerate(progress.trail))

    @property
    def _farthest(self) -> int:
        """How many records the furthest member has by its flush.

        While a change is under way, we must receive that far.
        """
        return max((flush.records for flush in self.views.now.all_flushes()), default=0)

    def settle(self) -> None:
        """Write down what is whole, and tell of it; while a change is under way nothing settles."""
        if not self.stopped:
            self.write_down()

    def write_down(self) -> None:
        """Let all records that are whole be settled."""
        for record in self.progress.records[self.steps :]:
            self.book.add(record.data)
            if record.entries[0].place[0] == STAND:
                self.views.stood()
        self.events += self.progress.drain_events()

    def emit(self, events: Iterable[Event]) -> None:
        """Tell of these events."""
        self.events += events

    def go_back(self, steps: int) -> None:
        """Drop all settled records but the first so many."""
        self.events.append(WentBack(steps))
        self.book.truncate(steps)
        self.journalled = min(self.journalled, steps)

    def stand_on(self, records: Sequence[Record], second: Collection[bytes] = ()) -> None:
        """Begin anew, and come to the end of these records, of which all is told already.

        The entries of this view that are not in them wait again: of two stories the first, or the
        second where it is among `second`.
        """
        taken = {entry.data for record in records for entry in record.entries}
        self.inbox = self.inbox.afresh(self.views.now.view, taken, second)
        self.progress = self.new_progress(self.inbox)
        for record in records:
            self.progress.take_any(record)
        self.progress.drain_events()

    def _show_differing(self) -> None:
        """Show what we hold where somebody wrote on another head, and let the other side do so.

        Two stories of one seat will meet.
        """
        for entry in self.progress.drain_differing():
            exchange = self.progress.exchange
            ours = exchange.head if exchange is not None else self.progress.head
            self.events.append(Differs(entry.seat, self.progress.here.step, entry.head, ours))
            self.show_since(self.steps - 1)

    def show_since(self, steps: int) -> None:
        """Send all entries that we hold beyond so many records."""
        self.to_send += self.held_since(steps)

    def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
        """Sign an entry of our seat, and add it to the journal and the send queue."""
        assert self.identity is not None
        assert self.seat is not None
        entry = make_entry(self.identity, self.id, stage_key, self.seat, head, body)
        if not is_call(entry.place):
            self.inbox.note(entry)
        self._note_held()
        self.journal.note_entry(entry.data)
        self.to_send.append(entry.data)
        return entry

    def _note_held(self) -> None:
        """Put the entries of others on which an entry of ours may rest into the journal.

        These are all that our log does not have.

        Of the waiting entries those on heads that we know count: one may be the late word that our
        flush names. During a view change all entries of the view count: flushes may rest on another
        branch.
        """
        held = [
            entry for record in self.progress.records[self.journalled :] for entry in record.entries
        ]
        held += [*self.views.calls.all(), *self.progress.context(), *self.seals.values()]
        if self.views.now.stopped:
            logged = {
                entry.data
                for record in self.progress.records[: self.journalled]
                for entry in record.entries
            }
            signed = (*self.inbox.known(), *(second for _first, second in self.inbox.pairs()))
            held += [
                entry
                for entry in signed
                if entry.place[1] == self.views.now.view and entry.data not in logged
            ]
        else:
            held += [entry for entry in self.inbox if self.progress.heads.known(entry.head)]
        for entry in held:
            if entry.seat != self.seat:
                self.journal.note_held(entry.data)

    def sign_call(self, place: tuple[object, ...], body: Body, head: bytes | None = None) -> None:
        """Sign something about membership, once, on `head` or else on our last record's head."""
        assert self.seat is not None
        if self.views.calls.known(place, self.seat) is None:
            self.take_in(self.sign((place, 0), self.head if head is None else head, body))

    def take_in(self, entry: Entry) -> bool:
        """Take an entry whose signature is good, and return whether it is new."""
        self.views.note(entry)
        try:
            self.views.check_settled(entry)
        except Fault as fault:
            return self.accuse(fault)
        if is_call(entry.place):
            return self._take_call(entry)
        known = self.inbox.signed(entry.stage_key, entry.seat)
        if known is not None:
            self.inbox.note_second(entry)
            return self.accuse(
                Equivocation(
                    entry.seat, "signed two stories for one place", (known.data, entry.data)
                )
            )
        try:
            self.views.calls.check_word(entry)
        except FalseFlush as fault:
            self.accuse(fault)
        return self.inbox.put(entry, late=self.progress.is_late(entry))

    def _take_call(self, entry: Entry) -> bool:
        try:
            new = self.views.receive(entry)
            self.views.calls.check_words(entry, self.inbox.known())
        except Fault as fault:
            new = self.accuse(fault)
        self.drain()
        return new

    def drain(self) -> bool:
        """Tell of votes and faults that have come to light; return whether any fault is new."""
        cast, faults = self.views.drain()
        self.events += cast
        new = [self.accuse(fault) for fault in faults]
        return any(new)

    def accuse(self, fault: Fault) -> bool:
        """Name the seat whose signed entries show a fault, and show the entries to the others.

        Return whether that is new in its view.
        """
        evidence = self.read(fault)
        view = max(entry.place[1] for entry in evidence)
        if (fault.seat, view) in self._reported:
            return False
        self._reported.add((fault.seat, view))
        alone = isinstance(fault, Equivocation | FalseFlush)
        context = () if alone else tuple(self.progress.context())
        conviction = Conviction(view, len(self.progress.records), tuple(evidence), context)
        self.events.append(Accused(fault))
        self.to_send += [entry.data for entry in (*context, *evidence)]
        if self.phase is not Phase.SEALED:
            self.views.convict(fault.seat, conviction)
            if not self.over and fault.seat not in self.views.gone:
                self.faults.append(fault)
        return True

    def read(self, fault: Fault) -> list[Entry]:
        """Return the entries that show a fault."""
        return [read_entry(self.terms, self.id, data) for data in fault.evidence]

    def _seal(self) -> bool:
        """Sign the last head when the rules have ended, and gather the others' seals."""
        seats, seat, stage_key = self.staying, self.seat, self.progress.sealing
        if (
            self.may_sign
            and seat is not None
            and seat in seats
            and not self.inbox.signed(stage_key, seat)
        ):
            self.seals[seat] = self.sign(stage_key, self.head, {})
            return True
        if signed := self.inbox.at(stage_key):
            self._receive_seal(signed[min(signed)])
            return True
        return False

    def _receive_seal(self, entry: Entry) -> None:
        if entry.head != self.head:
            self.progress.stray(entry)
            return
        self.inbox.take(entry.stage_key, entry.seat)
        if entry.body:
            raise BadForm(entry.seat, "adds words to its seal", (entry.data,))
        if entry.seat not in self.staying:
            raise OutOfTurn(entry.seat, "seals a match that it has left", (entry.data,))
        self.seals[entry.seat] = entry
        if self.seat is not None and entry.seat != self.seat:
            self.journal.note_held(entry.data)  # the log takes the seals when all have come
