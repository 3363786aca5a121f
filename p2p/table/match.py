"""A match as one seat or one spectator holds it: its state, entries and records.

It joins progress, epochs, journal and log book. `p2p.table.table.Table` advances the match, and its
`p2p.table.changes.Changes` changes the members.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from crypto.chance import Entropy
from crypto.group import Group, ristretto255
from crypto.identity import Identity
from engine.core.moves import Face, Seat, Slot
from engine.core.run import Run
from engine.core.view import View, view_for
from p2p.table.epochs import Epochs
from p2p.table.events import Accused, Event, How, WentBack
from p2p.table.faults import Equivocation, FalseFlush, Fault
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.known_records import KnownRecords
from p2p.table.log import (
    Body,
    Entry,
    StageKey,
    is_about_members,
    make_entry,
    opening_record,
    read_entry,
)
from p2p.table.logbook import LogBook, LogMark
from p2p.table.member_entries import Conviction, is_behind
from p2p.table.phase import Phase
from p2p.table.progress import Arrive, Progress
from p2p.table.record import Record
from p2p.table.terms import Terms


class Match:
    """A match as one seat or one spectator holds it."""

    def __init__(
        self,
        terms: Terms,
        signatures: Sequence[bytes],
        seat: Seat | None,
        identity: Identity | None,
        entropy: Entropy,
        group: Group | None = None,
    ) -> None:
        """Begin the match. Raises what Terms.check_game and check_signatures raise."""
        terms.check_game()
        terms.check_signatures(signatures)
        self.terms, self.signatures, self.seat = terms, tuple(signatures), seat
        self.match = terms.match
        self.phase = Phase.PLAYING
        self.identity, self.entropy, self.group = identity, entropy, group or ristretto255()
        self.journal = Journal()
        self.records_safe = 0
        """The number of records that are in the log, or whose entries of others are in the journal.
        """
        self.inbox = Inbox(seat)
        records = KnownRecords(self, 0, 0, terms.first_head())
        self.epochs = Epochs(self.match, range(len(terms.participants)), seat, records)
        self.progress = self.new_progress(self.inbox, self._arrive, self.journal)
        self.seals: dict[Seat, Entry] = {}
        self.faults: list[Fault] = []
        self._named: dict[tuple[Seat, int], Conviction] = {}
        self.news: list[Event] = []
        self.to_send: list[bytes] = []
        self.book = LogBook(opening_record(terms, signatures))
        self.settle()

    def new_progress(self, inbox: Inbox, arrive: Arrive, journal: Journal) -> Progress:
        """Return a progress at the beginning of the match; `arrive` is told its stages."""
        return Progress(self.terms, self.group, self.seat, self.entropy, journal, inbox, arrive)

    def anew(self, inbox: Inbox, arrive: Arrive = lambda _epoch, _head, _owed: None) -> Progress:
        """Return a new progress at the beginning of the match, besides our own."""
        return self.new_progress(inbox, arrive, self.journal.copy())

    def _arrive(self, epoch: int, head: bytes, owed: frozenset[Seat]) -> None:
        if epoch == self.epochs.now.number:
            self.epochs.records.arrive(head, owed)

    @property
    def run(self) -> Run:
        """The game in progress."""
        return self.progress.run

    @property
    def steps(self) -> int:
        """The number of settled records: steps, and epochs except the first."""
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
        """The seats still in the match, in seat order."""
        return tuple(seat for seat in self.run.game.seats if seat not in self.epochs.gone)

    @property
    def trail(self) -> tuple[bytes, ...]:
        """The head of the terms, then the head after each settled record."""
        return tuple(self.progress.trail[: self.steps + 1])

    @property
    def sealed(self) -> bool:
        """Whether every seat still in the match has sealed it."""
        return self.phase is Phase.SEALED

    @property
    def begun(self) -> bool:
        """Whether the log has an entry of every seat."""
        silent = set(range(len(self.terms.participants)))
        for record in self.progress.records[: self.steps]:
            silent -= {entry.seat for entry in record.entries}
            if not silent:
                return True
        return False

    @property
    def gone(self) -> tuple[Seat, ...]:
        """The seats that have gone, in seat order."""
        return tuple(sorted(self.epochs.gone))

    def how(self, seat: Seat) -> How:
        """Return how a seat has gone."""
        return self.epochs.how(seat)

    @property
    def out(self) -> bool:
        """Whether our seat has left, is convicted, or is voted out."""
        epochs = self.epochs
        return self.seat in epochs.gone or self.seat in epochs.now.gone

    @property
    def going(self) -> tuple[Seat, ...]:
        """The seats that go in the change under way."""
        now = self.epochs.now
        return tuple(sorted(now.goes(now.round))) if self.stopped else ()

    @property
    def fault(self) -> Fault | None:
        """The first fault for which a seat must go."""
        return self.faults[0] if self.faults else None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that the match waits for: an entry of a step, a flush, stand or seal."""
        now = self.epochs.now
        if self.over:
            return (
                ()
                if self.sealed
                else tuple(seat for seat in self.staying if seat not in self.seals)
            )
        if self.stopped:
            missing = {seat for seat, _point in now.missing()} - {self.seat}
            return tuple(sorted(missing)) or tuple(
                seat for seat in now.stays(now.round) if seat != self.seat
            )
        exchange = self.progress.exchange
        silent = exchange.missing() if exchange is not None else ()
        return tuple(sorted({*silent, *self.epochs.missing()}))

    @property
    def waiting_at(self) -> bytes:
        """The point at which the match waits for `waiting`: 32 bytes.

        It differs for every stage, round and stand.
        """
        now = self.epochs.now
        if not self.stopped:
            return self.epochs.records.stage or self.head
        return min((point for _seat, point in now.missing()), default=now.id_of(now.round))

    @property
    def votes(self) -> dict[Seat, tuple[Seat, ...]]:
        """The voters for each seat that the match waits for."""
        now, found = self.epochs.now, dict[Seat, set[Seat]]()
        for call in now.missing():
            voters = now.voters(call) & set(now.electorate)
            if voters:
                found.setdefault(call[0], set()).update(voters)
        return {seat: tuple(sorted(voters)) for seat, voters in sorted(found.items())}

    @property
    def votes_needed(self) -> int:
        """The number of votes that remove a seat now; 0 if no vote can."""
        electorate = len(self.epochs.now.electorate)
        return electorate // 2 + 1 if electorate > 2 and not self.over else 0

    def may_vote(self, seat: Seat) -> bool:
        """Whether our seat may vote for continuing without this one."""
        return self.may_sign and not self.out and bool(self.epochs.votes_owed(seat, over=self.over))

    def view(self) -> View:
        """Return what our seat sees."""
        return view_for(self.run, self.seat, self.progress.here.own_faces)

    @property
    def kept_shares(self) -> Mapping[Slot, bytes]:
        """Our shares, with proofs, of slots dealt to us whose faces are not public.

        Each opens its slot only. They stay when the match is sealed.
        """
        return dict(self.progress.here.masks.kept)

    def kept_face(self, slot: Slot, seat: Seat, data: bytes) -> Face | None:
        """Return the face of a slot dealt to a seat, using the share that this seat kept.

        None if the deck is no longer in play; a CryptoError if the share is false.
        """
        return self.progress.here.masks.kept_face(slot, seat, data)

    @property
    def mark(self) -> LogMark:
        """How far our log has come."""
        return (self.epochs.now.number, self.steps, len(self.seals))

    @property
    def _takes_part(self) -> bool:
        """Whether our seat is a member of the present epoch, in a match that continues."""
        if self.phase in (Phase.RESTORING, Phase.SEALED, Phase.DIVERGED) or self.over:
            return False
        return self.seat in self.epochs.now.members

    @property
    def stopped(self) -> bool:
        """Whether our seat is a member that stopped for a change."""
        return self._takes_part and self.epochs.now.stopped

    @property
    def may_sign(self) -> bool:
        """Whether our seat may sign: we have one, and are not restoring, listening or diverged."""
        return self.seat is not None and self.phase not in (
            Phase.RESTORING,
            Phase.LISTENING,
            Phase.DIVERGED,
        )

    def may_sign_on(self, head: bytes) -> bool:
        """Whether our seat may sign its entry on the head of a stage."""
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
        """Return how many records lead to a head; None if no live epoch had it."""
        known = (one for one in self.epochs.records_of_live if one.known(head))
        return next((one.number_of(head) for one in known), None)

    def beyond_records(self) -> list[Entry]:
        """Return the entries of steps, the seals and the waiting entries beyond our records."""
        said = [*self.progress.context(), *self.seals.values(), *self.inbox]
        return [*said, *self.epochs.waiting()]

    def entries_since(self, steps: int) -> list[Entry]:
        """Return all entries after the first `steps` records, and all about members."""
        records = self.progress.records[max(steps, 0) :]
        held = (entry for record in records for entry in record.entries)
        found = (*held, *self.epochs.all(), *self.beyond_records())
        return list({entry.data: entry for entry in found}.values())

    def sign(self, stage_key: StageKey, head: bytes, body: Body) -> Entry:
        """Sign an entry of our seat, and add it to the journal and the send queue."""
        assert self.identity is not None
        assert self.seat is not None
        entry = make_entry(self.identity, self.match, stage_key, self.seat, head, body)
        if not is_about_members(entry.place):
            self.inbox.note(entry)
        self._note_held()
        self.journal.note_entry(entry.data)
        self.to_send.append(entry.data)
        return entry

    def _note_held(self) -> None:
        """Journal the entries of others on which one of ours may rest, except those in our log.

        Waiting entries count if they are on known heads: one may be the late entry that our flush
        names. During a change all entries of the epoch count, because flushes may rest on another
        branch.
        """
        safe, records = self.records_safe, self.progress.records
        held = [entry for record in records[safe:] for entry in record.entries]
        held += [*self.epochs.all(), *self.progress.context(), *self.seals.values()]
        if self.epochs.now.stopped:
            logged = {entry.data for record in records[:safe] for entry in record.entries}
            signed = (*self.inbox.known(), *(second for _first, second in self.inbox.stories()))
            held += [
                entry
                for entry in signed
                if entry.epoch == self.epochs.now.number and entry.data not in logged
            ]
        else:
            held += [entry for entry in self.inbox if self.progress.heads.known(entry.head)]
        for entry in held:
            if entry.seat != self.seat:
                self.journal.note_held(entry.data)

    def sign_member_entry(self, place: tuple[object, ...], body: Body, head: bytes) -> None:
        """Sign an entry about members, once."""
        assert self.seat is not None
        if self.epochs.known(place, self.seat) is None:
            self.take_in(self.sign((place, 0), head, body))

    def take_in(self, entry: Entry) -> bool:
        """Take an entry with a valid signature; return whether it is new."""
        self.epochs.note(entry)
        named = self.epochs.keep_reason(entry)
        return (
            self._take_member_entry(entry)
            if is_about_members(entry.place)
            else self._take_step_entry(entry)
        ) or named

    def _take_step_entry(self, entry: Entry) -> bool:
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

    def _take_member_entry(self, entry: Entry) -> bool:
        try:
            new = self.epochs.receive(entry)
        except Fault as fault:
            new = self.accuse(fault)
        self._look_behind(entry, [one for one in self.inbox.known() if one.seat == entry.seat])
        self.news += self.epochs.drain()
        return new

    def _look_behind(self, entry: Entry, others: Iterable[Entry]) -> None:
        """Accuse a seat if a flush precedes entries that it signed before."""
        for other in others:
            if is_behind(entry, other) or is_behind(other, entry):
                pair = (other.data, entry.data)
                self.accuse(FalseFlush(entry.seat, "flushes from before its own words", pair))

    def accuse(self, fault: Fault, progress: Progress | None = None) -> bool:
        """Accuse the seat whose entries show a fault, and send the entries to the others.

        `progress` is where it was found, by default our own. Return whether it is new in its epoch.
        """
        evidence = self.evidence_of(fault)
        epoch = max(entry.epoch for entry in evidence)
        if (key := (fault.seat, epoch)) in self._named:
            return False
        settled = len(progress.records) if progress else self.steps  # a change may drop the rest
        progress = progress or self.progress
        beyond = [entry for record in progress.records[settled:] for entry in record.entries]
        alone = isinstance(fault, Equivocation | FalseFlush)
        context = () if alone else (*beyond, *progress.context())
        conviction = self._named[key] = Conviction(epoch, settled, tuple(evidence), context)
        self.news.append(Accused(fault))
        self.to_send += [entry.data for entry in (*context, *evidence)]
        if self.phase is not Phase.SEALED:
            self.epochs.convict(fault.seat, conviction)
            if not self.over and fault.seat not in self.epochs.gone:
                self.faults.append(fault)
        return True

    def evidence_of(self, fault: Fault) -> list[Entry]:
        """Return the entries that show a fault."""
        return [read_entry(self.terms, self.match, data) for data in fault.evidence]

    def settle(self) -> None:
        """Settle whole records, and report them, unless a change may still drop them."""
        if not (self._takes_part and self.epochs.now.bound):
            self.write_down()

    def write_down(self) -> None:
        """Settle all whole records."""
        for record in self.progress.records[self.steps :]:
            self.book.add(record.data)
        self.news += self.progress.drain_events()

    def go_back(self, steps: int) -> None:
        """Drop all but the first `steps` settled records."""
        self.news.append(WentBack(steps))
        self.book.truncate(steps)
        self.records_safe = min(self.records_safe, steps)

    def restart_from(self, records: Sequence[Record], second: Collection[bytes] = ()) -> None:
        """Start again, and replay these records without reporting them.

        The other entries of this epoch wait again: of two stories the first, or the second if it is
        in `second`.
        """
        taken = {entry.data for record in records for entry in record.entries}
        self.inbox = self.inbox.afresh(self.epochs.now.number, taken, second)
        self.seals = {}
        self.progress = self.new_progress(self.inbox, self._arrive, self.journal)
        for record in records:
            self.progress.take(record)
        self.progress.drain_events()

    def show_since(self, steps: int) -> None:
        """Send all entries after the first `steps` records, except those that nothing needs.

        Liars may have signed more of these than fit into the queue of a link.
        """
        idle = {entry.data for entry in (*self.inbox.idle(), *self.epochs.waiting())}
        idle.difference_update(entry.data for entry in self.epochs.all())
        shown = (entry.data for entry in self.entries_since(steps))
        self.to_send += [data for data in shown if data not in idle]
