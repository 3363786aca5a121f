"""A table: bytes of entries in, events out.

It joins rules, cards, signatures and membership; no network, disk or clock.

    receive   cheap: form, signature, seen before? Returns whether to forward it to other peers
    proceed   judge what has come in, say what we owe, go on with the rules as far as they go
    act       our player has chosen
    data_to_store, log_update, data_to_send, events     what came of it; store first, then send

Law: an entry is judged only on the head that it names, and local and remote entries by the same
code. A table nobody sits at (`seat` None) is a spectator's or a replay.

A record is *settled* when nothing but two stories of a seat can make us go back behind it: at once
while we play. While a view change is under way we receive on, but a step completed beyond our flush
is no record of ours until the change is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from crypto.chance import Entropy
from crypto.group import Group
from crypto.identity import Identity
from crypto.masking import DeckKey
from engine.core.moves import Face, Move, Seat, Slot
from engine.core.run import IllegalMove, Run
from engine.core.view import View, view_for
from p2p.table.calls import Conviction
from p2p.table.changes import make_recorded, stands_on
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
        """How many settled records there are: steps and view changes."""
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
        return self._held.may_sign_steps and self._held.progress.asked is not None

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
        return tuple(sorted(self._held.views.gone))

    def how(self, seat: Seat) -> str:
        """Return how a seat has gone: `left`, `convicted` or `voted`."""
        views = self._held.views
        return views.gone[seat].how if seat in views.gone else views.calls.how(seat, views.now.view)

    @property
    def out(self) -> bool:
        """Whether our seat has given up its place, or is convicted, or voted out."""
        seat = self.seat
        return seat is not None and (
            seat in self._held.views.gone or seat in self._held.views.now.gone
        )

    @property
    def going(self) -> tuple[Seat, ...]:
        """The seats that are called to go while a view change is under way."""
        now = self._held.views.now.round if self._held.stopped else None
        return tuple(sorted(now.leaving)) if now is not None else ()

    @property
    def fault(self) -> Fault | None:
        """The first fault for which a seat must go."""
        return self._held.faults[0] if self._held.faults else None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose word is awaited now: an answer, a flush, or a seal."""
        if self._held.stopped:
            return self._held.views.missing(partial(stands_on, self._held))
        if self.over:
            return (
                ()
                if self.sealed
                else tuple(seat for seat in self.staying if seat not in self._held.seals)
            )
        exchange = self._held.progress.exchange
        missing = exchange.missing() if exchange is not None else ()
        return tuple(sorted({*missing, *self._held.views.missing_earlier()}))

    @property
    def waiting_at(self) -> bytes:
        """Where the match waits for `waiting`: 32 bytes.

        They differ at every stage and every round of a view change.
        """
        membership = self._held.views.now
        now = membership.round if self._held.stopped else None
        return membership.id_of(now) if now is not None else (membership.step_point or self.head)

    @property
    def votes(self) -> dict[Seat, tuple[Seat, ...]]:
        """The members that have voted to go on without each seat that the match waits for."""
        found = {seat: self._held.views.now.votes(seat) for seat in self.waiting}
        return {seat: voters for seat, voters in found.items() if voters}

    @property
    def votes_needed(self) -> int:
        """How many votes remove a seat now; 0 where no vote can."""
        electorate = len(self._held.views.now.electorate)
        return electorate // 2 + 1 if electorate > 2 and not self.over else 0

    def may_vote(self, seat: Seat) -> bool:
        """Whether our seat may vote now to go on without this one."""
        return (
            self._held.may_sign
            and not self.out
            and bool(self._held.views.points_for(seat, over=self.over))
        )

    def view(self) -> View:
        """Return what our seat sees."""
        return view_for(self.run, self.seat, self._held.progress.here.own_faces)

    @property
    def group(self) -> Group:
        """The group in which the cards are masked."""
        return self._held.group

    @property
    def deck_keys(self) -> tuple[bytes, ...]:
        """Our secret keys of all decks so far, in their order; none once the match is sealed."""
        return self._held.journal.deck_keys(self._held.group)

    def dealt_face(
        self, slot: Slot, seat: Seat, keys: Mapping[bytes, DeckKey]
    ) -> tuple[Face, DeckKey] | None:
        """Return the face of a slot that was dealt to a seat, and the seat's key that opens it.

        `keys` are deck keys by their public parts. None if that key is not among them.
        """
        return self._held.progress.here.masks.dealt_face(slot, seat, keys)

    def events(self) -> list[Event]:
        """Return what has happened since the last call, in order."""
        events, self._held.events = self._held.events, []
        return events

    def act(self, move: Move) -> None:
        """Make our player's move. IllegalMove, and nothing is said, if it may not be made."""
        assert self.seat is not None
        turn = self._held.progress.asked if self._held.may_sign_steps else None
        if turn is None:
            raise IllegalMove(self.seat, move, ("not-your-turn",))
        self.run.judge(self.seat, move, self._held.progress.here.own_faces)
        turn.move = move
        self.proceed()

    def leave(self) -> None:
        """Give up our place for good.

        IllegalMove if the rules, a vote or the end of the match do not allow it.

        A table that listens may leave too, because perhaps no peer ever shows it anything. Our disk
        may have lost a leave, or a flush by which another seat goes. A second leave can contradict
        only these two, and that costs our seat no more than the place that it gives up.
        """
        assert self.seat is not None
        mine = self._held.views.now.flushes_of(self.seat)
        if (
            self.over
            or self.out
            or not (self._held.may_sign or self.phase is Phase.LISTENING)
            or not self.run.game.may_leave(self.seat)
        ):
            raise IllegalMove(self.seat, None, ("may-not-leave",))
        # we have signed that another goes: that must come to an end first
        if any(flush.round.voted for flush in mine):
            raise IllegalMove(self.seat, None, ("vote-under-way",))
        self._held.sign_call((LEAVE, self._held.views.now.view), {})
        self.proceed()

    def vote(self, seat: Seat) -> None:
        """Vote to go on without a seat that the match waits for.

        IllegalMove if that cannot be, or would change nothing.
        """
        assert self.seat is not None
        if not self.may_vote(seat):
            raise IllegalMove(self.seat, None, ("may-not-vote",))
        for view, point in self._held.views.points_for(seat, over=self.over):
            self._held.sign_call((VOTE, view, point, seat), {})
        self.proceed()

    def receive(self, data: bytes) -> bool:
        """Take an entry from a peer and return whether it is new.

        Malformed or BadSignature if no seat of ours signed it.
        """
        return not self._is_known(data) and self._held.take_in(
            read_entry(self.terms, self.match, data)
        )

    def _is_known(self, data: bytes) -> bool:
        return self._held.inbox.has(data) or self._held.views.calls.has(data)

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

    def turned_away(self) -> bool:
        """Whether an entry was turned away for lack of space since the last call.

        The client asks for it again when steps have ended.
        """
        held = self._held
        turned_away = held.inbox.turned_away or held.views.turned_away
        held.inbox.turned_away = held.views.turned_away = False
        return turned_away

    def data_to_store(self) -> bytes:
        """Return what must be added to our journal, and be on disk, before anything is sent."""
        self._held.journalled = self.steps  # the log is written after it
        return b"".join(self._held.journal.to_store())

    @property
    def mark(self) -> LogMark:
        """How far our log has come."""
        return (self._held.views.now.view, self.steps, len(self._held.seals))

    def log_update(self, mark: LogMark | None, *, seals: bool = True) -> tuple[int, bytes]:
        """Return what a log file with this mark lacks: a byte offset, and the bytes from there.

        A mark of None means an empty file. Without `seals` they are left out.

        It must be on disk before anything is sent. Only a change to a new view, and seals after
        other seals, replace bytes that were there.
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

    def lacking(self, steps: int, head: bytes) -> list[bytes]:
        """Return what a peer lacks that stands on this head after so many records.

        It is all there is if we never stood there.

        Two who were told different stories do not stand on one head: each then shows the other its
        own from the beginning.
        """
        return self.held_since(
            steps if 0 <= steps <= self.steps and self._held.progress.trail[steps] == head else 0
        )

    def held_since(self, steps: int) -> list[bytes]:
        """Return all entries that we hold beyond so many records, in order.

        All entries about membership come too.
        """
        return self._held.held_since(steps)

    def replay(self, name: str, entries: Sequence[Entry]) -> None:
        """Take in a record of a log.

        The reader of the entries has checked their signatures already.
        """
        before, self._held.phase = self._held.phase, Phase.RESTORING
        for entry in entries:
            if not self._is_known(entry.data):
                self._held.take_in(entry)
        if name == "view":
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
        """Whether an entry of the present view is for a step or deck that no record of ours has."""
        records = self._held.progress.records[: self.steps]
        return beyond(records, self._held.views.now.view, self.head)(entry)

    def verdict(self, fault: Fault) -> bytes:
        """Return a log file that shows a fault, to be judged by anybody.

        It has as much of the log as that takes, and the evidence.
        """
        evidence = self._held.read(fault)
        found = [
            one
            for one in self._held.views.calls.convictions.get(fault.seat, ())
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
        own = {data: read_entry(self.terms, self.match, data) for data in entries}
        for name, found in records:
            before = self.mark
            self.replay(name, found)
            if self.mark <= before:
                raise Malformed("this log does not follow from its entries and our journal")
        self._held.journalled = self.steps
        logged = {entry.data for _, found in records for entry in found}
        for entry in own.values():  # all before anything follows from them: they bind us
            if entry.data not in logged and not self._is_known(entry.data):
                self._held.take_in(entry)
        for data in self._held.journal.held:
            if data in logged or self._is_known(data):
                continue
            held = read_entry(self.terms, self.match, data)
            self._held.inbox.journalled.add(held.key)
            self._held.take_in(held)
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
