"""A table: bytes of entries in, events out; no network, disk or clock.

    receive   cheap: form, signature, duplicate? Returns whether to forward it to other peers
    proceed   judge received entries, sign what we owe, follow the rules as far as possible
    act       make the move that our player chose
    data_to_store, log_update, data_to_send, events     the results; store first, then send

An entry is judged only on the head that it names, and our own entries by the same code as others'.
A table without a seat (`seat` None) is a spectator's or a replay.

A record is *settled* when only equivocation of a seat can make us drop it. During play it is so at
once. During a change of members we still receive entries, but a step completed after our flush is
settled only when the change is made, or has become impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from crypto.chance import Entropy
from crypto.group import Group
from crypto.identity import Identity
from engine.core.moves import IllegalMove, Move, Seat
from p2p.table.changes import Changes
from p2p.table.events import Asked, Changing, Differs, Event, Sealed
from p2p.table.evidence import beyond, pair_of
from p2p.table.faults import BadForm, Desync, Fault, OutOfTurn, Unstored
from p2p.table.log import (
    LEAVE,
    VOTE,
    Entry,
    RecordName,
    entries_record,
    opening_record,
    read_entry,
    read_log,
)
from p2p.table.logbook import LogMark
from p2p.table.match import Match
from p2p.table.need import Need, answer, in_one_answer
from p2p.table.phase import Phase
from p2p.table.terms import Terms
from p2p.wire import Malformed


class Table(Match):
    """One seat's table of one match, or a spectator's."""

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self)

    def events(self) -> list[Event]:
        """Return the events since the last call, in order."""
        events, self.news = self.news, []
        return events

    def act(self, move: Move) -> None:
        """Make our player's move. If it is illegal, raise IllegalMove and sign nothing."""
        assert self.seat is not None
        turn = self.progress.asked
        if turn is None or not self.asked:
            raise IllegalMove(self.seat, move, ("not-your-turn",))
        self.run.judge(self.seat, move, self.progress.here.own_faces)
        turn.move = move
        self.proceed()

    def leave(self) -> None:
        """Leave the match for good.

        IllegalMove if the rules, a vote or the end of the match forbid it. A table that listens may
        leave too, since perhaps no peer will ever show it anything. If our disk lost a leave, a
        second one is identical.
        """
        assert self.seat is not None
        now = self.epochs.now
        if (
            self.over
            or self.out
            or not (self.may_sign or self.phase is Phase.LISTENING)
            or not self.run.game.may_leave(self.seat)
        ):
            raise IllegalMove(self.seat, None, ("may-not-leave",))
        if now.goes(now.round) > now.gone:  # a vote must end first
            raise IllegalMove(self.seat, None, ("vote-under-way",))
        self.sign_member_entry((LEAVE, now.number), {}, self.epochs.begins[now.number])
        self.proceed()

    def vote(self, seat: Seat) -> None:
        """Vote for continuing without a seat that the match waits for.

        IllegalMove if that is impossible, or would change nothing.
        """
        assert self.seat is not None
        if not self.may_vote(seat):
            raise IllegalMove(self.seat, None, ("may-not-vote",))
        epochs = self.epochs
        for number, (_seat, point) in epochs.votes_owed(seat, over=self.over):
            self.sign_member_entry((VOTE, number, point, seat), {}, epochs.begins[number])
        self.proceed()

    def receive(self, data: bytes) -> bool:
        """Take an entry from a peer and return whether it is new.

        Malformed or BadSignature if no seat of this match signed it.
        """
        return not self._is_known(data) and self.take_in(read_entry(self.terms, self.match, data))

    def _is_known(self, data: bytes) -> bool:
        return self.inbox.has(data) or self.epochs.has(data)

    def speak(self) -> None:
        """End listening: the peers that know our entries have shown all that they hold."""
        if self.phase is Phase.LISTENING:
            self.enter(Phase.PLAYING)
            if self.asked:
                self.news.append(Asked())
            self.proceed()

    def proceed(self) -> None:
        """Judge received entries, sign what we owe, and follow the rules as far as possible."""
        more = True
        while more and self.phase is not Phase.DIVERGED:
            more = self._try(self._one_thing)

    def make_ahead(self) -> bool:
        """Do one thing for the next deck, if its cards are certain; return whether it did."""
        if self.phase is Phase.DIVERGED:
            return False
        while self._try(self.progress.sort):
            pass
        may_sign = self.may_sign and not self.epochs.now.stopped
        return self._try(lambda: self.progress.make_ahead(self.sign if may_sign else None))

    def go_all_the_way(self) -> None:
        """Judge all received entries, including those of a deck made ahead."""
        self.proceed()
        while self.make_ahead():
            self.proceed()

    def data_to_store(self) -> bytes:
        """Return what to append to our journal; it must be on disk before anything is sent."""
        self.records_safe = self.steps  # the log is written after it
        return b"".join(self.journal.to_store())

    def log_update(self, mark: LogMark | None, *, seals: bool = True) -> tuple[int, bytes]:
        """Return what a log file with this mark lacks: an offset, and the bytes from there.

        It must be on disk before anything is sent. A mark of None means an empty file. Without
        `seals` they are left out. Only a new epoch, and further seals, replace existing bytes.
        """
        found = [self.seals[seat] for seat in sorted(self.seals)] if seals else []
        return self.book.update(mark, found)

    def data_to_send(self) -> list[bytes]:
        """Return our new entries, for every peer.

        Unstored if `data_to_store` was not called since they were made.
        """
        if self.to_send and self.journal.unstored:
            raise Unstored("store first, then send")
        data, self.to_send = self.to_send, []
        return data

    @property
    def need(self) -> Need:
        """The point and the seats that we wait for. A table that listens lacks everything."""
        if self.phase is Phase.LISTENING:
            return Need.of(self.trail, seats=() if self.seat is None else (self.seat,))
        return Need.of(self.trail, self.waiting_at, self.waiting, self.epochs.lacks())

    def lacking(self, need: Need) -> list[bytes]:
        """Return the entries that a peer needs, as many as fit one answer."""
        said = self.beyond_records()
        same = need.heads[0] == self.head and need.point == self.waiting_at
        if same and not self.epochs.now.flushed_rounds():  # these rest on many entries
            said = [one for one in said if need.names(one)]
        records = self.progress.records[need.shared(self.trail) :]
        return answer(records, self.epochs.all(), said, need)

    def shows_all(self, need: Need) -> bool:
        """Whether one answer has all our records that a peer lacks."""
        records = self.progress.records[need.shared(self.trail) :]
        return in_one_answer(records) == records

    def held_since(self, steps: int) -> list[bytes]:
        """Return all entries after the first `steps` records, and all about members."""
        return [entry.data for entry in self.entries_since(steps)]

    def replay(
        self, name: RecordName, entries: Sequence[Entry], more: Sequence[Entry] = ()
    ) -> None:
        """Process a record of a log, and `more` entries that we knew when it was made.

        Their signatures must have been checked.
        """
        before = self.phase
        self.enter(Phase.RESTORING)
        for entry in (*more, *entries):
            if not self._is_known(entry.data):
                self.take_in(entry)
        if name == "epoch":
            self._changes.make_recorded(entries, self.go_all_the_way)
        else:
            self.proceed()
        if name == "verdict":
            self.go_all_the_way()
        if self.phase is Phase.RESTORING:
            self.enter(before)
            phase = self.next_phase()
            if phase in (Phase.ENDED, Phase.SEALED):
                self.enter(phase)

    def beyond_now(self) -> Callable[[Entry], bool]:
        """Return a test whether an entry of this epoch is for a step or deck without a record."""
        return beyond(self.progress.records[: self.steps], self.epochs.now.number)

    def verdict(self, fault: Fault) -> bytes:
        """Return a log file that shows a known fault to anybody.

        It has the evidence, and as much of the log as it requires.
        """
        epoch = max(entry.epoch for entry in self.evidence_of(fault))
        conviction = self._named[fault.seat, epoch]
        opening = opening_record(self.terms, self.signatures)
        said = {entry.data: entry for entry in (*conviction.context, *conviction.evidence)}.values()
        if pair := pair_of(list(said), fault.seat):  # two contradicting entries need no log
            return opening + entries_record("verdict", pair)
        records = self.progress.records[: conviction.records]
        log = opening + b"".join(record.data for record in records)
        return log + entries_record("verdict", said)

    def take_up(
        self, journal: bytes, records: Sequence[tuple[RecordName, Sequence[Entry]]]
    ) -> None:
        """Restore our records while we listen: those of our log, then those only in our journal.

        Raises Malformed.
        """
        entries = self.journal.read(self.group, journal)
        own, held = (
            [read_entry(self.terms, self.match, data) for data in found]
            for found in (entries, self.journal.held)
        )
        logged = {entry.data for _, found in records for entry in found}
        for name, found in records:
            before = self.mark
            if name == "epoch":  # our knowledge of the epoch that ends: others may need it
                known = [one for one in (*own, *held) if one.epoch == before[0]]
                self.replay(name, found, [one for one in known if one.data not in logged])
            else:
                self.replay(name, found)
            if self.mark <= before:
                raise Malformed("this log does not follow from its entries and our journal")
        self.records_safe = self.steps
        for entry in own:  # all of them before anything follows from them: they bind us
            if entry.data not in logged and not self._is_known(entry.data):
                self.take_in(entry)
        for entry in held:
            if entry.data in logged or self._is_known(entry.data):
                continue
            self.inbox.from_journal.add(entry.key)
            self.take_in(entry)
            self.proceed()

    @classmethod
    def resumed(
        cls,
        terms: Terms,
        signatures: Sequence[bytes],
        seat: Seat,
        identity: Identity,
        entropy: Entropy,
        journal: bytes,
        log: bytes,
        group: Group | None = None,
        *,
        listening: bool = False,
    ) -> Table:
        """Resume after a crash, with our journal and the whole records of our log.

        Our earlier entries are sent again. With `listening` our seat signs nothing new until
        `speak`. Raises Malformed if these are no journal or log of this match, and Forgotten if the
        journal lacks secrets that the log needs.
        """
        table = cls(terms, signatures, seat, identity, entropy, group)
        table.enter(Phase.LISTENING)
        records = read_log(log).records if log else ()
        read = [
            (name, [read_entry(terms, table.match, data) for data in entries])
            for name, entries in records
        ]
        table.take_up(journal, read)
        if not listening and table.phase is Phase.LISTENING:
            table.enter(Phase.PLAYING)
        table.proceed()
        held, new = table.held_since(table.steps - 1), table.to_send
        table.to_send = [data for data in new if data not in held] + held
        return table

    def _try(self, thing: Callable[[], bool]) -> bool:
        """Do one thing; a fault that it reveals is an accusation, and counts as one thing."""
        try:
            return thing()
        except Fault as fault:
            self.accuse(fault)
            return True
        except Desync:
            self.enter(Phase.DIVERGED)
            self.news.append(Differs(None, self.progress.here.step, b"", self.head))
            return False

    def _one_thing(self) -> bool:
        """Do one thing that is due; return whether there was one."""
        self.epochs.learn()
        self.news += self.epochs.drain()
        if self.progress.sort() or self._take_waiting():
            return True
        self._show_differing()
        phase = self.next_phase()
        if phase is not self.phase:
            self.enter(phase)
            return True
        follows = self.phase is not Phase.SEALED  # otherwise our keys are gone
        if follows:
            self._changes.follow_branches()
        if (
            (follows and self._changes.judge_earlier())
            or self._changes.sign_owed()
            or (follows and self._changes.make_owed())
        ):
            return True
        self.settle()
        if self.over:
            return self.seal()
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

    def enter(self, phase: Phase) -> None:
        """Change the phase. Only this method does."""
        if phase is Phase.CHANGING and self.phase is not phase:
            now = self.epochs.now
            self.news.append(Changing(tuple(sorted(now.goes(now.round)))))
        if phase is Phase.SEALED and self.phase is not phase:
            self.journal.wipe()
            self.progress.here.masks.keep(())
            self._changes = Changes(self)  # the one before holds our keys
            self.news.append(Sealed())
        self.phase = phase

    def next_phase(self) -> Phase:
        """Return the phase that follows from the state of the match."""
        if self.phase in (Phase.RESTORING, Phase.SEALED, Phase.DIVERGED):
            return self.phase
        if self.over and set(self.staying) <= self.seals.keys():
            return Phase.SEALED  # also for a table that listens: nothing is left to sign
        if self.phase is Phase.LISTENING:
            return self.phase
        if self.over:
            return Phase.ENDED
        return Phase.CHANGING if self.stopped else Phase.PLAYING

    def _take_waiting(self) -> bool:
        """Take an entry about members that is needed now, and forward it."""
        entry = self.epochs.take_waiting()
        if entry is None:
            return False
        self.to_send.append(entry.data)
        self.news += self.epochs.drain()
        return True

    def _show_differing(self) -> None:
        """Show what we hold if a seat signed on another head, so that its peers do the same.

        Only so do the two stories of a liar meet. An entry is reported only if the match waits for
        it: any seat can sign unrequested entries on unknown heads, and they stop nothing.
        """
        for entry in self.progress.drain_differing():
            exchange = self.progress.exchange
            ours = exchange.head if exchange is not None else self.progress.head
            if self._waits_for(entry):
                self.news.append(Differs(entry.seat, self.progress.here.step, entry.head, ours))
            self.show_since(self.steps - 1)

    def _waits_for(self, entry: Entry) -> bool:
        """Whether the match waits for this entry, even on another head."""
        exchange = self.progress.exchange
        if exchange is None:
            due = set(self.staying) - self.seals.keys()
            return entry.stage_key == self.progress.sealing and entry.seat in due
        return entry.stage_key == exchange.stage_key and entry.seat in exchange.missing()

    def seal(self) -> bool:
        """Sign the last head once the rules have ended, and collect the others' seals."""
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
            self.journal.note_held(entry.data)  # the log takes the seals once all have arrived
