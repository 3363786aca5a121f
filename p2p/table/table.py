"""A table: bytes of entries in, events out.

It joins rules, cards, signatures and membership; no network, disk or clock.

    receive   cheap: form, signature, seen before? Returns whether to forward it to other peers
    proceed   judge what has come in, say what we owe, go on with the rules as far as they go
    act       our player has chosen
    data_to_store, log_update, data_to_send, events     what came of it; store first, then send

Law: an entry is judged only on the head that it names, and local and remote entries by the same
code. A table nobody sits at (`seat` None) is a spectator's or a replay.

A record is *settled* when nothing but two stories of a seat can make us go back behind it: at once
while we play. While a change of members is under way we receive on, but a step completed beyond our
flush is no record of ours until the change is made, or cannot be made any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crypto.chance import Entropy
from crypto.group import Group
from crypto.identity import Identity
from engine.core.moves import Move, Seat
from engine.core.run import IllegalMove
from p2p.table.changes import make_owed, make_recorded, sign_owed
from p2p.table.events import Asked, Differs, Event
from p2p.table.evidence import beyond, pair_of
from p2p.table.faults import BadForm, Desync, Fault, OutOfTurn, Unstored
from p2p.table.log import (
    LEAVE,
    VOTE,
    Entry,
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

    def events(self) -> list[Event]:
        """Return what has happened since the last call, in order."""
        events, self.news = self.news, []
        return events

    def act(self, move: Move) -> None:
        """Make our player's move. IllegalMove, and nothing is said, if it may not be made."""
        assert self.seat is not None
        turn = self.progress.asked
        if turn is None or not self.asked:
            raise IllegalMove(self.seat, move, ("not-your-turn",))
        self.run.judge(self.seat, move, self.progress.here.own_faces)
        turn.move = move
        self.proceed()

    def leave(self) -> None:
        """Give up our place for good.

        IllegalMove if the rules, a vote or the end of the match do not allow it.

        A table that listens may leave too, because perhaps no peer ever shows it anything. Our disk
        may have lost a leave: a second one is the same.
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
        if now.goes(now.round) > now.gone:  # a vote must come to an end first
            raise IllegalMove(self.seat, None, ("vote-under-way",))
        self.sign_call((LEAVE, now.number), {}, self.epochs.begins[now.number])
        self.proceed()

    def vote(self, seat: Seat) -> None:
        """Vote to go on without a seat that the match waits for.

        IllegalMove if that cannot be, or would change nothing.
        """
        assert self.seat is not None
        if not self.may_vote(seat):
            raise IllegalMove(self.seat, None, ("may-not-vote",))
        epochs = self.epochs
        for number, (_seat, point) in epochs.votes_owed(seat, over=self.over):
            self.sign_call((VOTE, number, point, seat), {}, epochs.begins[number])
        self.proceed()

    def receive(self, data: bytes) -> bool:
        """Take an entry from a peer and return whether it is new.

        Malformed or BadSignature if no seat of ours signed it.
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

    def data_to_store(self) -> bytes:
        """Return what must be added to our journal, and be on disk, before anything is sent."""
        self.journalled = self.steps  # the log is written after it
        return b"".join(self.journal.to_store())

    def log_update(self, mark: LogMark | None, *, seals: bool = True) -> tuple[int, bytes]:
        """Return what a log file with this mark lacks: a byte offset, and the bytes from there.

        A mark of None means an empty file. Without `seals` they are left out.

        It must be on disk before anything is sent. Only a new epoch, and seals after other seals,
        replace bytes that were there.
        """
        found = [self.seals[seat] for seat in sorted(self.seals)] if seals else []
        return self.book.update(mark, found)

    def data_to_send(self) -> list[bytes]:
        """Return our new entries, for every peer.

        Unstored if `data_to_store` has not been called since they were made.
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
        """Return the entries that a peer needs, as far as one answer goes."""
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
        """Return all entries that we hold beyond so many records, and all about membership."""
        return [entry.data for entry in self.entries_since(steps)]

    def replay(self, name: str, entries: Sequence[Entry], more: Sequence[Entry] = ()) -> None:
        """Take in a record of a log, and `more` entries that we knew when it was made.

        The reader of the entries has checked their signatures already.
        """
        before, self.phase = self.phase, Phase.RESTORING
        for entry in (*more, *entries):
            if not self._is_known(entry.data):
                self.take_in(entry)
        if name == "epoch":
            make_recorded(self, entries, self.go_all_the_way)
        else:
            self.proceed()
        if name == "verdict":
            self.go_all_the_way()
        if self.phase is Phase.RESTORING:
            self.enter(before)
            phase = self.next_phase()
            if phase in (Phase.ENDED, Phase.SEALED):
                self.enter(phase)
                if self.next_phase() is Phase.SEALED:
                    self.enter(Phase.SEALED)

    def beyond_now(self) -> Callable[[Entry], bool]:
        """Return whether an entry of this epoch is for a step or deck that no record of now has."""
        return beyond(self.progress.records[: self.steps], self.epochs.now.number)

    def verdict(self, fault: Fault) -> bytes:
        """Return a log file that shows a fault that we have named, to be judged by anybody.

        It has as much of the log as that takes, and the evidence.
        """
        epoch = max(entry.place[1] for entry in self.evidence_of(fault))
        conviction = self._named[fault.seat, epoch]
        opening = opening_record(self.terms, self.signatures)
        said = {entry.data: entry for entry in (*conviction.context, *conviction.evidence)}.values()
        if pair := pair_of(list(said), fault.seat):  # which stands alone
            return opening + entries_record("verdict", pair)
        records = self.progress.records[: conviction.records]
        log = opening + b"".join(record.data for record in records)
        return log + entries_record("verdict", said)

    def take_up(self, journal: bytes, records: Sequence[tuple[str, Sequence[Entry]]]) -> None:
        """Restore our records while we listen.

        First come those of our log, then those that only our journal has. Raises Malformed.
        """
        entries = self.journal.read(self.group, journal)
        own, held = (
            [read_entry(self.terms, self.match, data) for data in found]
            for found in (entries, self.journal.held)
        )
        logged = {entry.data for _, found in records for entry in found}
        for name, found in records:
            before = self.mark
            if name == "epoch":  # our knowledge of the epoch that ends: others may still need it
                known = [one for one in (*own, *held) if one.place[1] == before[0]]
                self.replay(name, found, [one for one in known if one.data not in logged])
            else:
                self.replay(name, found)
            if self.mark <= before:
                raise Malformed("this log does not follow from its entries and our journal")
        self.journalled = self.steps
        for entry in own:  # all before anything follows from them: they bind us
            if entry.data not in logged and not self._is_known(entry.data):
                self.take_in(entry)
        for entry in held:
            if entry.data in logged or self._is_known(entry.data):
                continue
            self.inbox.journalled.add(entry.key)
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
        """Sit down again after a crash, with our journal and the whole records of our log.

        Our earlier entries are sent again.

        With `listening` our seat signs nothing new until `speak`. Raises Malformed if these are no
        journal or log of this match, and Forgotten if the journal lacks secrets that the log needs.
        """
        table = cls(terms, signatures, seat, identity, entropy, group)
        table.phase = Phase.LISTENING
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

    # One thing at a time.

    def _try(self, thing: Callable[[], bool]) -> bool:
        """Do one thing; a fault that it shows names a seat, and counts as something done."""
        try:
            return thing()
        except Fault as fault:
            return self.accuse(fault) or True
        except Desync:
            self.enter(Phase.DIVERGED)
            self.news.append(Differs(None, self.progress.here.step, b"", self.head))
            return False

    def _one_thing(self) -> bool:
        """Do one thing that is due; return whether there was any."""
        self.epochs.learn()
        self.news += self.epochs.drain()
        if self.progress.sort() or self._take_waiting():
            return True
        self._show_differing()
        phase = self.next_phase()
        if phase is not self.phase:
            self.enter(phase)
            return True
        follows = self.phase is not Phase.SEALED  # then our keys are gone, and nobody goes any more
        if follows:
            self._follow_branches()
        if (follows and self.judge_earlier()) or sign_owed(self) or (follows and make_owed(self)):
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

    def _take_waiting(self) -> bool:
        """Take in an entry about members that is needed now, and pass it on."""
        entry = self.epochs.take_waiting()
        if entry is None:
            return False
        self.to_send.append(entry.data)
        self.news += self.epochs.drain()
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
            for branch in self.search_branches():
                line.note(branch.progress)
                if all(line.known(head) for head in strange):
                    break
            now = self.epochs.now
            flushed = [flush.head for seat in now.members for flush in now.signed_by(seat)]
            self.branches.forget(flushed)
            self.epochs.learn()

    def _show_differing(self) -> None:
        """Show what we hold where somebody wrote on another head, and let the other side do so.

        Two stories of one seat will meet.

        It is told only of the word that the match waits for. Any seat can sign words that nobody
        has asked for, on heads that nobody has: they stop nothing.
        """
        for entry in self.progress.drain_differing():
            exchange = self.progress.exchange
            ours = exchange.head if exchange is not None else self.progress.head
            if self._waits_for(entry):
                self.news.append(Differs(entry.seat, self.progress.here.step, entry.head, ours))
            self.show_since(self.steps - 1)

    def _waits_for(self, word: Entry) -> bool:
        """Whether the match waits for this word, be it on another head."""
        exchange = self.progress.exchange
        if exchange is None:
            due = set(self.staying) - self.seals.keys()
            return word.stage_key == self.progress.sealing and word.seat in due
        return word.stage_key == exchange.stage_key and word.seat in exchange.missing()

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
