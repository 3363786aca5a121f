"""A match as one seat or one spectator holds it, and its progress, one input at a time.

It joins progress, epochs, journal and log book; `p2p.table.table` is what a client sees of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from crypto.chance import Entropy
from crypto.group import Group, ristretto255
from crypto.identity import Identity
from engine.core.moves import Seat
from engine.core.run import Run
from p2p.table.branches import branches
from p2p.table.calls import Conviction, is_behind
from p2p.table.changes import make_owed, sign_owed
from p2p.table.epoch_entries import Change
from p2p.table.epochs import Epochs
from p2p.table.events import Accused, Changing, Differs, Event, Sealed, WentBack
from p2p.table.faults import BadForm, Desync, Equivocation, FalseFlush, Fault, OutOfTurn
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.lines import Lines
from p2p.table.log import (
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
from p2p.table.progress import Arrive, Progress
from p2p.table.record import Record
from p2p.table.terms import Terms


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
        self._heads_after: tuple[object, tuple[bytes, ...]] = None, ()
        """The change about which we asked last who has begun after it, and the heads there."""
        line = Lines(self, 0, 0, terms.first_head())
        self.epochs = Epochs(self.id, range(len(terms.participants)), seat, line)
        self.progress = self.new_progress(self.inbox, self._arrive, self.journal)
        self._followed: tuple[int, set[bytes]] = 0, set()
        """How many entries we had when we followed other stories last, and the heads we sought."""
        self.seals: dict[Seat, Entry] = {}
        self.faults: list[Fault] = []
        self._reported: set[tuple[Seat, int]] = set()
        self.events: list[Event] = []
        self.to_send: list[bytes] = []
        self.book = LogBook(opening_record(terms, signatures))
        self.settle()

    def new_progress(self, inbox: Inbox, arrive: Arrive, journal: Journal) -> Progress:
        """Return a progress at the beginning of the match; `arrive` hears of its stages."""
        return Progress(self.terms, self.group, self.seat, self.entropy, journal, inbox, arrive)

    def anew(self, inbox: Inbox, arrive: Arrive = lambda _epoch, _head, _owed: None) -> Progress:
        """Return a progress at the beginning of the match that is not ours."""
        return self.new_progress(inbox, arrive, self.journal.copy())

    def _arrive(self, epoch: int, head: bytes, owed: frozenset[Seat]) -> None:
        if epoch == self.epochs.now.number:
            self.epochs.line.arrive(head, owed)

    @property
    def run(self) -> Run:
        """The game in progress."""
        return self.progress.run

    @property
    def steps(self) -> int:
        """How many settled records there are: steps and epochs but the first."""
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
        return tuple(seat for seat in self.run.game.seats if seat not in self.epochs.gone)

    @property
    def _takes_part(self) -> bool:
        """Whether our seat is a member of the present epoch, in a match that goes on."""
        if self.phase in (Phase.RESTORING, Phase.SEALED, Phase.DIVERGED) or self.over:
            return False
        return self.seat in self.epochs.now.members

    @property
    def stopped(self) -> bool:
        """Whether our seat is a member that has stopped for a change."""
        return self._takes_part and self.epochs.now.stopped

    @property
    def may_sign(self) -> bool:
        """Whether our seat may sign: it sits here, and is not being set up or listening."""
        return self.seat is not None and self.phase not in (
            Phase.RESTORING,
            Phase.LISTENING,
            Phase.DIVERGED,
        )

    def may_sign_on(self, head: bytes) -> bool:
        """Whether our seat may sign its word on the head of a stage."""
        whole = self.steps == len(self.progress.records)
        return self.may_sign and whole and self.epochs.now.may_speak(head)

    @property
    def asked(self) -> bool:
        """Whether our player must choose, and may sign the choice."""
        exchange = self.progress.exchange
        return (
            self.progress.asked is not None
            and exchange is not None
            and self.may_sign_on(exchange.head)
        )

    def number_of(self, head: bytes) -> int | None:
        """Return how many records lead to a head; None if no epoch that we are in has had it."""
        known = (line for line in self.epochs.lines if line.known(head))
        return next((line.number_of(head) for line in known), None)

    def entries_since(self, steps: int) -> list[Entry]:
        """Return all entries that we hold beyond so many records, in order, with second stories."""
        records = self.progress.records[max(steps, 0) :]
        return [
            *(entry for record in records for entry in record.entries),
            *self.epochs.all(),
            *self.progress.context(),
            *self.inbox.known(),
            *(two for _one, two in self.inbox.stories()),
        ]

    def beyond_records(self) -> tuple[list[Entry], list[Entry]]:
        """Return the entries beyond our records: those about membership, and all others."""
        said = [*self.progress.context(), *self.seals.values(), *self.inbox]
        return self.epochs.all(), [*said, *self.epochs.waiting()]

    def held_since(self, steps: int) -> list[bytes]:
        """Return all entries that we hold beyond so many records, and all about membership."""
        records = self.progress.records[max(steps, 0) :]
        held = [entry for record in records for entry in record.entries]
        calls, said = self.beyond_records()
        return list(dict.fromkeys(entry.data for entry in (*held, *calls, *said)))

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
        may_sign = self.may_sign and not self.epochs.now.stopped
        return self._try(lambda: self.progress.make_ahead(self.sign if may_sign else None))

    def go_all_the_way(self) -> None:
        """Judge all that has come in, of a deck made ahead too."""
        self.proceed()
        while self.make_ahead():
            self.proceed()

    def enter(self, phase: Phase) -> None:
        """Change the phase: the only place where that is done."""
        if phase is Phase.CHANGING and self.phase is not phase:
            now = self.epochs.now
            self.events.append(Changing(tuple(sorted(now.goes(now.round)))))
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
        self.epochs.learn()
        if self.progress.sort() or self._take_waiting():
            return True
        self._show_differing()
        phase = self.next_phase()
        if phase is not self.phase:
            self.enter(phase)
            return True
        self._follow_branches()
        if sign_owed(self) or make_owed(self):
            return True
        self.settle()
        if self.over:
            return self._seal()
        exchange = self.progress.exchange
        if self.progress.listen() or (
            exchange is not None
            and self.may_sign_on(exchange.head)
            and self.progress.speak(self.sign)
        ):
            self.settle()
            return True
        closed = self.progress.close()
        self.settle()
        return closed

    def _take_waiting(self) -> bool:
        """Take in an entry about members that is needed now, and pass it on."""
        entry = self.epochs.take_waiting()
        if entry is None:
            return False
        self.to_send.append(entry.data)
        self.events += self.epochs.drain()
        return True

    def _follow_branches(self) -> None:
        """Follow second stories if somebody has flushed on a head that is none of ours.

        This is done whenever more is known.
        """
        if self.phase is Phase.SEALED:
            return  # our keys are wiped, and we go nowhere any more
        line = self.epochs.line
        strange = {flush.head for flush in self.epochs.now.idle if not line.known(flush.head)}
        sought = self.inbox.learned, strange
        if strange and sought != self._followed and self.inbox.pairs():
            self._followed = sought
            for progress in branches(self.progress, self.inbox, self.anew):
                line.note(progress)
                if all(line.known(head) for head in strange):
                    break
            self.epochs.learn()

    def settle(self) -> None:
        """Write down what is whole, and tell of it, unless a change may still drop it."""
        if not (self._takes_part and self.epochs.now.bound):
            self.write_down()

    def write_down(self) -> None:
        """Let all records that are whole be settled."""
        for record in self.progress.records[self.steps :]:
            self.book.add(record.data)
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

        The entries of this epoch that are not in them wait again: of two stories the first, or the
        second where it is among `second`.
        """
        taken = {entry.data for record in records for entry in record.entries}
        self.inbox = self.inbox.afresh(self.epochs.now.number, taken, second)
        self.progress = self.new_progress(self.inbox, self._arrive, self.journal)
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

    def show(self, entries: Iterable[Entry]) -> None:
        """Send these entries."""
        self.to_send += [entry.data for entry in entries]

    def heads_after(
        self, change: Change, find: Callable[[], tuple[bytes, ...]]
    ) -> tuple[bytes, ...]:
        """Return the heads after a change; they are found again when more is known."""
        asked = change.k, self.inbox.learned, len(self.progress.trail)
        if self._heads_after[0] != asked:
            self._heads_after = asked, find()
        return self._heads_after[1]

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
        flush names. During a change all entries of the epoch count: flushes may rest on another
        branch.
        """
        held = [
            entry for record in self.progress.records[self.journalled :] for entry in record.entries
        ]
        held += [*self.epochs.all(), *self.progress.context(), *self.seals.values()]
        if self.epochs.now.stopped:
            logged = {
                entry.data
                for record in self.progress.records[: self.journalled]
                for entry in record.entries
            }
            signed = (*self.inbox.known(), *(second for _first, second in self.inbox.stories()))
            held += [
                entry
                for entry in signed
                if entry.place[1] == self.epochs.now.number and entry.data not in logged
            ]
        else:
            held += [entry for entry in self.inbox if self.progress.heads.known(entry.head)]
        for entry in held:
            if entry.seat != self.seat:
                self.journal.note_held(entry.data)

    def sign_call(self, place: tuple[object, ...], body: Body, head: bytes) -> None:
        """Sign something about members, once."""
        assert self.seat is not None
        if self.epochs.known(place, self.seat) is None:
            self.take_in(self.sign((place, 0), head, body))

    def take_in(self, entry: Entry) -> bool:
        """Take an entry whose signature is good, and return whether it is new."""
        self.epochs.note(entry)
        named = self.epochs.keep_reason(entry)
        return (self._take_call(entry) if is_call(entry.place) else self._take_word(entry)) or named

    def _take_word(self, entry: Entry) -> bool:
        self._look_behind(entry, self.epochs.flushes_of(entry.seat))
        known = self.inbox.signed(entry.stage_key, entry.seat)
        if known is not None:
            self.inbox.note_second(entry)
            return self.accuse(
                Equivocation(
                    entry.seat, "signed two stories for one place", (known.data, entry.data)
                )
            )
        return self.inbox.put(entry)

    def _take_call(self, entry: Entry) -> bool:
        try:
            new = self.epochs.receive(entry)
        except Fault as fault:
            new = self.accuse(fault)
        seconds = (two for _one, two in self.inbox.stories())
        words = [word for word in (*self.inbox.known(), *seconds) if word.seat == entry.seat]
        self._look_behind(entry, words)
        self.events += self.epochs.drain()
        return new

    def _look_behind(self, entry: Entry, others: Iterable[Entry]) -> None:
        """Accuse a seat of which a flush is from before its own words."""
        for other in others:
            if is_behind(entry, other) or is_behind(other, entry):
                pair = (other.data, entry.data)
                self.accuse(FalseFlush(entry.seat, "flushes from before its own words", pair))

    def accuse(self, fault: Fault) -> bool:
        """Name the seat whose signed entries show a fault, and show the entries to the others.

        Return whether that is new in its epoch.
        """
        evidence = self.read(fault)
        epoch = max(entry.place[1] for entry in evidence)
        if (fault.seat, epoch) in self._reported:
            return False
        self._reported.add((fault.seat, epoch))
        alone = isinstance(fault, Equivocation | FalseFlush)
        context = () if alone else tuple(self.progress.context())
        conviction = Conviction(epoch, len(self.progress.records), tuple(evidence), context)
        self.events.append(Accused(fault))
        self.to_send += [entry.data for entry in (*context, *evidence)]
        if self.phase is not Phase.SEALED:
            self.epochs.convict(fault.seat, conviction)
            if not self.over and fault.seat not in self.epochs.gone:
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
