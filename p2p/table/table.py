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

from collections.abc import Mapping, Sequence
from typing import ClassVar

from crypto.chance import Entropy
from crypto.group import Group
from crypto.identity import Identity
from crypto.masking import DeckKey
from engine.core.moves import Face, Move, Seat, Slot
from engine.core.run import IllegalMove, Run
from engine.core.view import View, view_for
from p2p.table.calls import Conviction
from p2p.table.changes import make_recorded
from p2p.table.events import Asked, Event
from p2p.table.evidence import beyond
from p2p.table.faults import Fault, Unstored
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


class Table:
    """One seat's table of one match, or a spectator's."""

    kind: ClassVar[type[Match]] = Match
    """The class that holds the match; a test may put a liar there."""

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
        self.terms, self.signatures, self.seat, self.match = (
            terms,
            tuple(signatures),
            seat,
            terms.match,
        )
        self._held = self.kind(terms, signatures, seat, identity, entropy, group)

    # State for a client.

    @property
    def phase(self) -> Phase:
        """The phase of this table."""
        return self._held.phase

    @property
    def run(self) -> Run:
        """The game in progress."""
        return self._held.run

    @property
    def steps(self) -> int:
        """How many settled records there are: steps and epochs but the first."""
        return self._held.steps

    @property
    def head(self) -> bytes:
        """The running hash after the last settled record: 32 bytes."""
        return self._held.head

    @property
    def over(self) -> bool:
        """Whether the rules have ended."""
        return self._held.over

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that are still in the match, in seat order."""
        return self._held.staying

    @property
    def trail(self) -> tuple[bytes, ...]:
        """The head after each settled record, after that of the terms."""
        return tuple(self._held.progress.trail[: self.steps + 1])

    @property
    def sealed(self) -> bool:
        """Whether every seat that is still in the match has sealed it."""
        return self._held.phase is Phase.SEALED

    @property
    def asked(self) -> bool:
        """Whether our player must choose."""
        return self._held.asked

    @property
    def begun(self) -> bool:
        """Whether the match has begun: its log has an entry of every seat."""
        silent = set(range(len(self.terms.participants)))
        for record in self._held.progress.records[: self.steps]:
            silent -= {entry.seat for entry in record.entries}
            if not silent:
                return True
        return False

    @property
    def gone(self) -> tuple[Seat, ...]:
        """The seats that have gone, in seat order."""
        return tuple(sorted(self._held.epochs.gone))

    def how(self, seat: Seat) -> str:
        """Return how a seat has gone: `left`, `convicted` or `voted`."""
        return self._held.epochs.how(seat)

    @property
    def out(self) -> bool:
        """Whether our seat has given up its place, or is convicted, or voted out."""
        epochs = self._held.epochs
        return self.seat in epochs.gone or self.seat in epochs.now.gone

    @property
    def going(self) -> tuple[Seat, ...]:
        """The seats that go while a change is under way."""
        now = self._held.epochs.now
        return tuple(sorted(now.goes(now.round))) if self._held.stopped else ()

    @property
    def fault(self) -> Fault | None:
        """The first fault for which a seat must go."""
        return self._held.faults[0] if self._held.faults else None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose word is awaited now: an answer, a flush, or a seal."""
        now = self._held.epochs.now
        if self.over:
            return (
                ()
                if self.sealed
                else tuple(seat for seat in self.staying if seat not in self._held.seals)
            )
        if self._held.stopped:
            missing = {seat for seat, _point in now.missing()} - {self.seat}
            return tuple(sorted(missing)) or tuple(
                seat for seat in now.stays(now.round) if seat != self.seat
            )
        exchange = self._held.progress.exchange
        silent = exchange.missing() if exchange is not None else ()
        return tuple(sorted({*silent, *self._held.epochs.missing()}))

    @property
    def waiting_at(self) -> bytes:
        """Where the match waits for `waiting`: 32 bytes.

        They differ at every stage, and at every round and stand of a change.
        """
        now = self._held.epochs.now
        if not self._held.stopped:
            return self._held.epochs.line.stage or self.head
        return min((point for _seat, point in now.missing()), default=now.id_of(now.round))

    @property
    def votes(self) -> dict[Seat, tuple[Seat, ...]]:
        """The members that have voted to go on without each seat that the match waits for."""
        now, found = self._held.epochs.now, dict[Seat, set[Seat]]()
        for call in now.missing():
            voters = now.voters(call) & set(now.electorate)
            if voters:
                found.setdefault(call[0], set()).update(voters)
        return {seat: tuple(sorted(voters)) for seat, voters in sorted(found.items())}

    @property
    def votes_needed(self) -> int:
        """How many votes remove a seat now; 0 where no vote can."""
        electorate = len(self._held.epochs.now.electorate)
        return electorate // 2 + 1 if electorate > 2 and not self.over else 0

    def may_vote(self, seat: Seat) -> bool:
        """Whether our seat may vote now to go on without this one."""
        return (
            self._held.may_sign
            and not self.out
            and bool(self._held.epochs.votes_owed(seat, over=self.over))
        )

    def view(self) -> View:
        """Return what our seat sees."""
        return view_for(self.run, self.seat, self._held.progress.here.own_faces)

    @property
    def group(self) -> Group:
        """The group in which the cards are masked."""
        return self._held.group

    @property
    def kept_shares(self) -> Mapping[Slot, bytes]:
        """Our shares, with proofs, of the slots dealt to us whose faces are not public.

        Each opens its slot only. They stay when the match is sealed.
        """
        return dict(self._held.progress.here.masks.kept)

    def kept_share(self, slot: Slot, seat: Seat, keys: Mapping[bytes, DeckKey]) -> bytes | None:
        """Return a seat's kept share of a slot that was dealt to it, made with its deck key.

        `keys` are deck keys by their public parts. None if that key is not among them.
        """
        return self._held.progress.here.masks.kept_share(slot, seat, keys)

    def kept_face(self, slot: Slot, seat: Seat, data: bytes) -> Face | None:
        """Return the face of a slot that was dealt to a seat, by the seat's kept share of it.

        None if the deck is not in play any more; a CryptoError if the share is false.
        """
        return self._held.progress.here.masks.kept_face(slot, seat, data)

    def events(self) -> list[Event]:
        """Return what has happened since the last call, in order."""
        events, self._held.events = self._held.events, []
        return events

    def act(self, move: Move) -> None:
        """Make our player's move. IllegalMove, and nothing is said, if it may not be made."""
        assert self.seat is not None
        turn = self._held.progress.asked
        if turn is None or not self._held.asked:
            raise IllegalMove(self.seat, move, ("not-your-turn",))
        self.run.judge(self.seat, move, self._held.progress.here.own_faces)
        turn.move = move
        self.proceed()

    def leave(self) -> None:
        """Give up our place for good.

        IllegalMove if the rules, a vote or the end of the match do not allow it.

        A table that listens may leave too, because perhaps no peer ever shows it anything. Our disk
        may have lost a leave: a second one is the same.
        """
        assert self.seat is not None
        now = self._held.epochs.now
        if (
            self.over
            or self.out
            or not (self._held.may_sign or self.phase is Phase.LISTENING)
            or not self.run.game.may_leave(self.seat)
        ):
            raise IllegalMove(self.seat, None, ("may-not-leave",))
        if now.goes(now.round) > now.gone:  # a vote must come to an end first
            raise IllegalMove(self.seat, None, ("vote-under-way",))
        self._held.sign_call((LEAVE, now.number), {}, self._held.epochs.begins[now.number])
        self.proceed()

    def vote(self, seat: Seat) -> None:
        """Vote to go on without a seat that the match waits for.

        IllegalMove if that cannot be, or would change nothing.
        """
        assert self.seat is not None
        if not self.may_vote(seat):
            raise IllegalMove(self.seat, None, ("may-not-vote",))
        epochs = self._held.epochs
        for number, (_seat, point) in epochs.votes_owed(seat, over=self.over):
            self._held.sign_call((VOTE, number, point, seat), {}, epochs.begins[number])
        self.proceed()

    def receive(self, data: bytes) -> bool:
        """Take an entry from a peer and return whether it is new.

        Malformed or BadSignature if no seat of ours signed it.
        """
        return not self._is_known(data) and self._held.take_in(
            read_entry(self.terms, self.match, data)
        )

    def _is_known(self, data: bytes) -> bool:
        return self._held.inbox.has(data) or self._held.epochs.has(data)

    def speak(self) -> None:
        """End listening: the peers that know our entries have shown all that they hold."""
        if self._held.phase is Phase.LISTENING:
            self._held.enter(Phase.PLAYING)
            if self.asked:
                self._held.events.append(Asked())
            self.proceed()

    def proceed(self) -> None:
        """Judge received entries, sign what we owe, and go on as far as the rules go."""
        self._held.proceed()

    def make_ahead(self) -> bool:
        """Do one thing for the next deck; return whether there was any.

        Its cards must already be certain.
        """
        return self._held.make_ahead()

    def data_to_store(self) -> bytes:
        """Return what must be added to our journal, and be on disk, before anything is sent."""
        self._held.journalled = self.steps  # the log is written after it
        return b"".join(self._held.journal.to_store())

    @property
    def mark(self) -> LogMark:
        """How far our log has come."""
        return (self._held.epochs.now.number, self.steps, len(self._held.seals))

    def log_update(self, mark: LogMark | None, *, seals: bool = True) -> tuple[int, bytes]:
        """Return what a log file with this mark lacks: a byte offset, and the bytes from there.

        A mark of None means an empty file. Without `seals` they are left out.

        It must be on disk before anything is sent. Only a new epoch, and seals after other seals,
        replace bytes that were there.
        """
        found = [self._held.seals[seat] for seat in sorted(self._held.seals)] if seals else []
        return self._held.book.update(mark, found)

    def data_to_send(self) -> list[bytes]:
        """Return our new entries, for every peer.

        Unstored if `data_to_store` has not been called since they were made.
        """
        if self._held.to_send and self._held.journal.unstored:
            raise Unstored("store first, then send")
        data, self._held.to_send = self._held.to_send, []
        return data

    @property
    def need(self) -> Need:
        """The point and the seats that we wait for. A table that listens lacks everything."""
        if self.phase is Phase.LISTENING:
            return Need.of(self.trail, seats=() if self.seat is None else (self.seat,))
        return Need.of(self.trail, self.waiting_at, self.waiting)

    def lacking(self, need: Need) -> list[bytes]:
        """Return the entries that a peer needs, as far as one answer goes."""
        calls, said = self._held.beyond_records()
        same = need.heads[0] == self.head and need.point == self.waiting_at
        if same and not self._held.epochs.now.flushed_rounds():  # these rest on many entries
            said = [one for one in said if need.names(one)]
        records = self._held.progress.records[need.shared(self.trail) :]
        return answer(records, calls, said, need)

    def shows_all(self, need: Need) -> bool:
        """Whether one answer has all our records that a peer lacks."""
        records = self._held.progress.records[need.shared(self.trail) :]
        return in_one_answer(records) == records

    def held_since(self, steps: int) -> list[bytes]:
        """Return all entries that we hold beyond so many records, and all about membership."""
        return self._held.held_since(steps)

    def replay(self, name: str, entries: Sequence[Entry], more: Sequence[Entry] = ()) -> None:
        """Take in a record of a log, and `more` entries that we knew when it was made.

        The reader of the entries has checked their signatures already.
        """
        before, self._held.phase = self._held.phase, Phase.RESTORING
        for entry in (*more, *entries):
            if not self._is_known(entry.data):
                self._held.take_in(entry)
        if name == "epoch":
            make_recorded(self._held, entries)
        else:
            self.proceed()
        if name == "verdict":
            self._held.go_all_the_way()
        if self._held.phase is Phase.RESTORING:
            self._held.enter(before)
            phase = self._held.next_phase()
            if phase in (Phase.ENDED, Phase.SEALED):
                self._held.enter(phase)
                if self._held.next_phase() is Phase.SEALED:
                    self._held.enter(Phase.SEALED)

    def is_beyond_records(self, entry: Entry) -> bool:
        """Whether an entry of this epoch is for a step or deck that no record of ours has."""
        records = self._held.progress.records[: self.steps]
        return beyond(records, self._held.epochs.now.number)(entry)

    def verdict(self, fault: Fault) -> bytes:
        """Return a log file that shows a fault, to be judged by anybody.

        It has as much of the log as that takes, and the evidence.
        """
        evidence = self._held.read(fault)
        found = [
            one
            for one in self._held.epochs.convictions.get(fault.seat, ())
            if list(one.evidence) == evidence
        ]
        conviction = (
            found[0]
            if found
            else Conviction(0, self.steps, tuple(evidence), tuple(self._held.progress.context()))
        )
        records, context = (0, ()) if conviction.alone else (conviction.records, conviction.context)
        log = opening_record(self.terms, self.signatures)
        log += b"".join(record.data for record in self._held.progress.records[:records])
        return log + entries_record(
            "verdict", list({entry.data: entry for entry in (*context, *evidence)}.values())
        )

    def take_up(self, journal: bytes, records: Sequence[tuple[str, Sequence[Entry]]]) -> None:
        """Restore our records while we listen.

        First come those of our log, then those that only our journal has. Raises Malformed.
        """
        entries = self._held.journal.read(self._held.group, journal)
        own, held = (
            [read_entry(self.terms, self.match, data) for data in found]
            for found in (entries, self._held.journal.held)
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
        self._held.journalled = self.steps
        for entry in own:  # all before anything follows from them: they bind us
            if entry.data not in logged and not self._is_known(entry.data):
                self._held.take_in(entry)
        for entry in held:
            if entry.data in logged or self._is_known(entry.data):
                continue
            self._held.inbox.journalled.add(entry.key)
            self._held.take_in(entry)
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
        table._held.phase = Phase.LISTENING
        records = read_log(log).records if log else ()
        read = [
            (name, [read_entry(terms, table.match, data) for data in entries])
            for name, entries in records
        ]
        table.take_up(journal, read)
        if not listening and table.phase is Phase.LISTENING:
            table._held.enter(Phase.PLAYING)
        table.proceed()
        held, new = table.held_since(table.steps - 1), table._held.to_send
        table._held.to_send = [data for data in new if data not in held] + held
        return table
