"""A table: bytes of entries in, events out. It joins rules, cards, signatures and membership; no network, disk or clock.

    receive   cheap: form, signature, seen before? It says whether the entry is news, to be passed on to other peers
    proceed   judge what has come in, say what we owe, go on with the rules as far as they go
    act       our player has chosen
    data_to_store, log_update, data_to_send, events     what came of it; store first, then send

Law: an entry is judged only on the head that it names, and local and remote entries by the same code. A table nobody sits
at (`seat` None) is a spectator's or a replay.

A record is *settled* when nothing but two stories of a seat can make us go back behind it: at once while we play. While a
view change is under way we hear on, but what becomes whole beyond our flush is no record of ours until the change is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import TypeAlias

from crypto.chance import Entropy
from crypto.group import Group, ristretto255
from crypto.identity import Identity
from engine.moves import Move, Seat
from engine.run import IllegalMove, Run
from engine.view import View, view_for
from p2p.table.branches import shared_records
from p2p.table.calls import Calls, Conviction, flush_place, in_order, read_call
from p2p.table.events import Accused, Asked, Changing, Differs, Event, Gone, Sealed, Voted, WentBack
from p2p.table.faults import BadForm, Desync, Equivocation, FalseFlush, Fault, OutOfTurn, Unstored
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.log import (
    FLUSH,
    LEAVE,
    SEAL,
    STAND,
    STEP,
    VOTE,
    Body,
    Entry,
    Spot,
    entries_record,
    is_call,
    make_entry,
    opening_record,
    read_entry,
    read_log,
)
from p2p.table.membership import Change, Membership
from p2p.table.progress import Progress
from p2p.table.terms import Terms
from p2p.wire import Malformed

LogMark: TypeAlias = tuple[int, int, int]
"""How far a log file has come: its view, its records, its seals. A file with a greater mark holds more."""


class Phase(Enum):
    """What a table is doing."""

    RESTORING = auto()
    """It is being set up from what is on disk: nothing is said."""
    LISTENING = auto()
    """It may have said more than its disk knows: it says nothing until `speak`."""
    PLAYING = auto()
    CHANGING = auto()
    """Our seat has stopped: a view change is under way."""
    ENDED = auto()
    """The rules have ended: seals are gathered."""
    SEALED = auto()
    DIVERGED = auto()
    """Good proofs gave a state that cannot be: a bug of ours, nobody's lie."""


class Table:
    """One seat's table of one match, or a spectator's."""

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
        self.match = terms.match
        self.phase = Phase.PLAYING
        self._identity, self._entropy, self._group = identity, entropy, group or ristretto255()
        self._journal = Journal()
        self._inbox = Inbox(seat)
        self._calls = Calls(seat)
        self._later: dict[Seat, int] = {}
        """The last view in which each seat is known to have spoken."""
        self._gone: dict[Seat, Gone] = {}
        self._earlier: list[Membership] = []
        """Views that we have left, while others may still need our flushes there."""
        self._membership = self._new_view(0, range(len(terms.places)))
        self._progress = self._new_progress(self._inbox)
        self._seals: dict[Seat, Entry] = {}
        self._faults: list[Fault] = []
        self._told: set[tuple[Seat, int]] = set()
        self._events: list[Event] = []
        self._to_send: list[bytes] = []
        self._log = bytearray(opening_record(terms, signatures))
        self._ends = [len(self._log)]
        """Where each settled record ends in the log file, the first being the opening."""
        self._bases: dict[int, int] = {}
        """On how many records each view began."""
        self._settle()

    def _new_view(self, view: int, members: Iterable[Seat]) -> Membership:
        return Membership(self.match, view, members, self.seat, lambda head, seat: self._inbox.spoke(head, seat))  # noqa: PLW0108 (the inbox is made anew)

    def _new_progress(self, inbox: Inbox, *, ours: bool = True) -> Progress:
        """Return a progress at the beginning of the match; our membership hears of it if it is to be `ours`."""

        def arrive(head: bytes, owed: frozenset[Seat]) -> None:
            if ours:
                self._membership.wait_at(head, owed)

        return Progress(self.terms, self._group, self.seat, self._entropy, self._journal, inbox, arrive)

    # What a client reads.

    @property
    def run(self) -> Run:
        """The game in progress."""
        return self._progress.run

    @property
    def steps(self) -> int:
        """How many settled records there are: steps and view changes."""
        return len(self._ends) - 1

    @property
    def head(self) -> bytes:
        """The running hash after the last settled record: 32 bytes."""
        return self._progress.trail[self.steps]

    @property
    def trail(self) -> tuple[bytes, ...]:
        """The head after each settled record, after that of the terms."""
        return tuple(self._progress.trail[: self.steps + 1])

    @property
    def over(self) -> bool:
        """Whether the rules have ended."""
        return self.run.over and self.steps == len(self._progress.records)

    @property
    def sealed(self) -> bool:
        """Whether every seat that is still in the match has sealed it."""
        return self.phase is Phase.SEALED

    @property
    def asked(self) -> bool:
        """Whether our player must choose."""
        return self._may_speak and self._progress.asked is not None

    @property
    def begun(self) -> bool:
        """Whether the match has begun: its log has an entry of every seat."""
        records = self._progress.records[: self.steps]
        return {entry.seat for record in records for entry in record.entries}.issuperset(range(len(self.terms.places)))

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that are still in the match, in seat order."""
        return tuple(seat for seat in self.run.game.seats if seat not in self._gone)

    @property
    def gone(self) -> tuple[Seat, ...]:
        """The seats that have gone, in seat order."""
        return tuple(sorted(self._gone))

    def how(self, seat: Seat) -> str:
        """Return how a seat has gone: `left`, `convicted` or `voted`."""
        return self._gone[seat].how if seat in self._gone else self._calls.how(seat, self._membership.view)

    @property
    def out(self) -> bool:
        """Whether our seat has given up its place, or is convicted, or voted out."""
        seat = self.seat
        return seat is not None and (seat in self._gone or seat in self._membership.gone)

    @property
    def going(self) -> tuple[Seat, ...]:
        """The seats that are called to go while a view change is under way."""
        now = self._membership.round if self._stopped else None
        return tuple(sorted(now.leaving)) if now is not None else ()

    @property
    def fault(self) -> Fault | None:
        """The first fault for which a seat must go."""
        return self._faults[0] if self._faults else None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose word is awaited now: an answer, a flush, or a seal."""
        if self._stopped:
            return self._membership.missing()
        if self.over:
            return () if self.sealed else tuple(seat for seat in self.staying if seat not in self._seals)
        exchange = self._progress.exchange
        return exchange.missing() if exchange is not None else ()

    @property
    def votes(self) -> dict[Seat, tuple[Seat, ...]]:
        """The members that have voted to go on without each seat that the match waits for."""
        found = {seat: self._membership.votes(seat) for seat in self.waiting}
        return {seat: voters for seat, voters in found.items() if voters}

    @property
    def votes_needed(self) -> int:
        """How many votes remove a seat now; 0 where no vote can."""
        electorate = len(self._membership.electorate)
        return electorate // 2 + 1 if electorate > 2 and not self.over else 0

    def may_vote(self, seat: Seat) -> bool:
        """Whether our seat may vote now to go on without this one."""
        return self._is_heard and not self.out and not self.over and self._membership.point_for(seat) is not None

    def view(self) -> View:
        """Return what our seat sees."""
        return view_for(self.run, self.seat, self._progress.here.own_faces)

    def events(self) -> list[Event]:
        """Return what has happened since the last call, in order."""
        events, self._events = self._events, []
        return events

    # What a client does.

    def act(self, move: Move) -> None:
        """Make our player's move. IllegalMove, and nothing is said, if it may not be made."""
        assert self.seat is not None
        turn = self._progress.asked if self._may_speak else None
        if turn is None:
            raise IllegalMove(self.seat, move, ("not-your-turn",))
        self.run.judge(self.seat, move, self._progress.here.own_faces)
        turn.move = move
        self.proceed()

    def leave(self) -> None:
        """Give up our place for good. IllegalMove if the rules, a vote or the end of the match do not allow it."""
        assert self.seat is not None
        mine = self._membership.flushes_of(self.seat)
        if self.over or self.out or not self._is_heard or not self.run.game.may_leave(self.seat):
            raise IllegalMove(self.seat, None, ("may-not-leave",))
        if any(flush.round.voted for flush in mine):  # we have signed that another goes: that must come to an end first
            raise IllegalMove(self.seat, None, ("vote-under-way",))
        self._sign_call((LEAVE, self._membership.view), {})
        self.proceed()

    def vote(self, seat: Seat) -> None:
        """Vote to go on without a seat that the match waits for. IllegalMove if that cannot be, or would change nothing."""
        assert self.seat is not None
        point = self._membership.point_for(seat)
        if not self.may_vote(seat) or point is None:
            raise IllegalMove(self.seat, None, ("may-not-vote",))
        self._sign_call((VOTE, self._membership.view, point, seat), {})
        self.proceed()

    def receive(self, data: bytes) -> bool:
        """Take an entry from a peer and say whether it is new. Malformed or BadSignature if no seat of ours signed it."""
        if self._inbox.has(data) or self._calls.has(data):
            return False
        return self._take_in(read_entry(self.terms, self.match, data))

    def speak(self) -> None:
        """Listen no longer: those who have heard us have shown all that they hold."""
        if self.phase is Phase.LISTENING:
            self._enter(Phase.PLAYING)
            if self.asked:
                self._events.append(Asked())
            self.proceed()

    def proceed(self) -> None:
        """Judge what has come in, say what we owe, and go on as far as the rules go."""
        more = True
        while more and self.phase is not Phase.DIVERGED:
            more = self._try(self._one_thing)

    def make_ahead(self) -> bool:
        """Do one thing for the next deck, where its cards are already certain; return whether there was any."""
        if self.phase is Phase.DIVERGED:
            return False
        while self._try(self._progress.sort):
            pass
        return self._try(lambda: self._progress.make_ahead(self._sign if self._may_speak else None))

    def turned_away(self) -> bool:
        """Whether an entry has found no room since the last call: it is to be asked for again when steps have ended."""
        turned_away, self._inbox.turned_away = self._inbox.turned_away, False
        return turned_away

    # What a client stores and sends.

    def data_to_store(self) -> bytes:
        """Return what must be added to our journal, and be on disk, before anything is sent."""
        return b"".join(self._journal.to_store())

    @property
    def mark(self) -> LogMark:
        """How far our log has come."""
        return (self._membership.view, self.steps, len(self._seals))

    def log_update(self, mark: LogMark | None) -> tuple[int, bytes]:
        """Return what a log file with this mark (None: an empty one) lacks: from which byte on it must hold these bytes.

        It must be on disk before anything is sent. Only a change to a new view, and seals, replace bytes that were there.
        """
        at = 0
        if mark is not None:
            view, records, _seals = mark
            at = self._ends[min([records, self.steps, *(base for began, base in self._bases.items() if began > view)])]
        seals = entries_record("seals", [self._seals[seat] for seat in sorted(self._seals)]) if self._seals else b""
        return at, bytes(self._log[at:]) + seals

    def data_to_send(self) -> list[bytes]:
        """Return our new entries, for every peer. Unstored if `data_to_store` has not been called since they were made."""
        if self._to_send and self._journal.unstored:
            raise Unstored("store first, then send")
        data, self._to_send = self._to_send, []
        return data

    def lacking(self, steps: int, head: bytes) -> list[bytes]:
        """Return what a peer lacks that stands on this head after so many records; all there is if we never stood there.

        Two who were told different stories do not stand on one head: each then shows the other its own from the beginning.
        """
        return self.said_since(steps if 0 <= steps <= self.steps and self._progress.trail[steps] == head else 0)

    def said_since(self, steps: int) -> list[bytes]:
        """Return all that we hold beyond so many records, in order, and all that was said about membership."""
        records = self._progress.records[max(steps, 0) :]
        held = [entry for record in records for entry in record.entries]
        held += [*self._calls.all(), *self._progress.context(), *self._seals.values(), *self._inbox]
        return list(dict.fromkeys(entry.data for entry in held))

    # How it goes on.

    @property
    def _stopped(self) -> bool:
        """Whether our seat is a member that has stopped for a view change."""
        if self.phase in (Phase.RESTORING, Phase.SEALED, Phase.DIVERGED) or self.over:
            return False
        return self.seat in self._membership.members and self._membership.stopped

    @property
    def _is_heard(self) -> bool:
        """Whether our seat may sign anything: it sits here, and is not being set up or listening."""
        return self.seat is not None and self.phase not in (Phase.RESTORING, Phase.LISTENING, Phase.DIVERGED)

    @property
    def _may_speak(self) -> bool:
        """Whether our seat may sign words of steps."""
        return self._is_heard and not self._membership.stopped

    def _enter(self, phase: Phase) -> None:
        """Change the phase: the only place where that is done."""
        if phase is Phase.CHANGING and self.phase is not phase:
            self._events.append(Changing(tuple(sorted(now.leaving)) if (now := self._membership.round) else ()))
        if phase is Phase.SEALED and self.phase is not phase:
            self._journal.wipe()
            self._progress.here.masks.keep(())
            self._events.append(Sealed())
        self.phase = phase

    def _next_phase(self) -> Phase:
        """Return what follows from where the match stands."""
        if self.phase in (Phase.RESTORING, Phase.LISTENING, Phase.SEALED, Phase.DIVERGED):
            return self.phase
        if self.over:
            return Phase.SEALED if set(self.staying) <= self._seals.keys() else Phase.ENDED
        return Phase.CHANGING if self._stopped else Phase.PLAYING

    def _try(self, thing: object) -> bool:
        """Do one thing; a fault that it shows names a seat, and counts as something done."""
        assert callable(thing)
        try:
            return bool(thing())
        except Fault as fault:
            return self._accuse(fault) or True
        except Desync:
            self._enter(Phase.DIVERGED)
            self._events.append(Differs(None, self._progress.here.step, b"", self.head))
            return False

    def _one_thing(self) -> bool:
        """Do one thing that is due; return whether there was any."""
        if self._progress.sort():
            return True
        self._show_differing()
        phase = self._next_phase()
        if phase is not self.phase:
            self._enter(phase)
            return True
        if self._flush() or self._change():
            return True
        if self.over:
            return self._seal()
        if self._progress.listen() or (self._may_speak and self._progress.speak(self._sign)):
            self._settle()
            return True
        if self._stopped and self._progress.ready_to_end and len(self._progress.records) >= self._farthest:
            return False
        closed = self._progress.close()
        self._settle()
        return closed

    @property
    def _farthest(self) -> int:
        """How many records some member has by its flush: as far as we must hear on while a change is under way."""
        return max((flush.records for flush in self._membership.all_flushes()), default=0)

    def _settle(self) -> None:
        """Write down what is whole, and tell of it; while a change is under way nothing settles."""
        progress = self._progress
        if self._stopped:
            return
        for record in progress.records[self.steps :]:
            self._log += record.data
            self._ends.append(len(self._log))
            if record.entries[0].place[0] == STAND:
                self._earlier = []
                self._calls.forget(self._membership.view)
        self._events += progress.events
        progress.events = []

    def _show_differing(self) -> None:
        """Show what we hold where somebody wrote on another head, and let the other side do so: what was said twice will meet."""
        for entry in self._progress.differing:
            exchange = self._progress.exchange
            ours = exchange.head if exchange is not None else self._progress.head
            self._events.append(Differs(entry.seat, self._progress.here.step, entry.head, ours))
            self._to_send += self.said_since(self.steps - 1)
        self._progress.differing = []

    def _sign(self, spot: Spot, head: bytes, body: Body) -> Entry:
        """Sign what our seat says, and put it into the journal and the post."""
        assert self._identity is not None
        assert self.seat is not None
        entry = make_entry(self._identity, self.match, spot, self.seat, head, body)
        if not is_call(entry.place):
            self._inbox.note(entry)
        self._journal.note_entry(entry.data)
        self._to_send.append(entry.data)
        return entry

    def _sign_call(self, place: tuple[object, ...], body: Body, head: bytes | None = None) -> None:
        """Sign something about membership, once; on the head of our last record if no other is given."""
        assert self.seat is not None
        if self._calls.known(place, self.seat) is None:
            self._take_in(self._sign((place, 0), self.head if head is None else head, body))

    # What comes in.

    def _take_in(self, entry: Entry) -> bool:
        """Take an entry whose signature is good, and say whether it is new."""
        self._later[entry.seat] = max(self._later.get(entry.seat, 0), entry.place[1])
        if is_call(entry.place):
            return self._take_call(entry)
        known = self._inbox.said(entry.spot, entry.seat)
        if known is not None:
            self._inbox.note_second(entry)
            return self._accuse(Equivocation(entry.seat, "signed two stories for one place", (known.data, entry.data)))
        try:
            self._calls.check_word(entry)
        except FalseFlush as fault:
            self._accuse(fault)
        return self._inbox.put(entry, late=self._progress.is_late(entry))

    def _take_call(self, entry: Entry) -> bool:
        known = self._calls.known(entry.place, entry.seat)
        if known is not None:
            return self._accuse(Equivocation(entry.seat, "signed two stories for one place", (known.data, entry.data)))
        try:
            self._calls.add(entry, {one.view for one in (*self._earlier, self._membership)})
            self._calls.check_words(entry, self._inbox.known())
        except FalseFlush as fault:
            self._accuse(fault)
        except BadForm as fault:
            return self._accuse(fault)
        for membership in (*self._earlier, self._membership):
            self._feed(membership, entry)
        return True

    def _feed(self, membership: Membership, entry: Entry) -> None:
        """Let a membership hear an entry, if it is of its view."""
        view, seat = entry.place[1], entry.seat
        if seat not in membership.members:
            return
        if entry.place[0] == LEAVE and view <= membership.view:
            membership.lose(seat)
        elif view != membership.view:
            return
        elif entry.place[0] == VOTE:
            point, named = entry.place[2:]
            if not membership.hear_vote(seat, named, point):
                self._accuse(OutOfTurn(seat, "votes about a seat that owes nothing", (entry.data,)))
            elif membership is self._membership and point in (membership.point_for(named), membership.step_point):
                votes = len(membership.votes(named))
                self._events.append(Voted(seat, named, votes, self.votes_needed))
        elif entry.place[0] == FLUSH:
            flush = read_call(entry)
            assert flush is not None
            if set(flush.round.leaving) <= set(membership.members):
                membership.hear_flush(flush)

    def _accuse(self, fault: Fault) -> bool:
        """Name the seat whose signed entries show a fault, and show the others; return whether that is new in its view."""
        evidence = self._read(fault)
        view = max(entry.place[1] for entry in evidence)
        if (fault.seat, view) in self._told:
            return False
        self._told.add((fault.seat, view))
        alone = isinstance(fault, Equivocation | FalseFlush)
        context = () if alone else tuple(self._progress.context())
        conviction = Conviction(view, len(self._progress.records), tuple(evidence), context)
        self._events.append(Accused(fault))
        self._to_send += [entry.data for entry in (*context, *evidence)]
        known = self._calls.convictions.get(fault.seat, ())
        if fault.seat in self._gone or self.sealed or any(one.alone for one in known):
            return True
        self._calls.convictions.setdefault(fault.seat, []).append(conviction)
        if not self.over:
            self._faults.append(fault)
        for membership in (*self._earlier, self._membership):
            if view == membership.view or (view < membership.view and conviction.alone):
                membership.lose(fault.seat)
        return True

    def _read(self, fault: Fault) -> list[Entry]:
        return [read_entry(self.terms, self.match, data) for data in fault.evidence]

    # View changes.

    def _flush(self) -> bool:
        """Sign a flush that our seat owes, in this view or an earlier one, and show what it rests on."""
        if not self._is_heard:
            return False
        for membership in (*self._earlier, self._membership):
            owed = membership.owes
            if owed is None or (self.over and not membership.all_flushes()):
                continue
            before = membership.flushes_of(self.seat) if self.seat is not None else ()
            records, head = (before[0].records, before[0].head) if before else (self.steps, self.head)
            if records < self._last_word(membership.view):
                continue  # our disk has lost what we had before that
            for entry in self._calls.of_view(membership.view):
                if entry.seat != self.seat:
                    self._journal.note_held(entry.data)
            body = {"records": records, "done": membership.done}
            self._sign_call(flush_place(membership.view, owed), body, head)
            self._to_send += self.said_since(records)
            return True
        return False

    def _last_word(self, view: int) -> int:
        """Return how many records our seat had when it last spoke in a view."""
        own = (entry.place for entry in self._inbox.known() if entry.seat == self.seat)
        return max((place[2] - 1 for place in own if place[0] in (STEP, SEAL) and place[1] == view), default=0)

    def _change(self) -> bool:
        """Make the view change that is decided, if there is one and all that it needs is here."""
        if self.over or self.phase is Phase.RESTORING:
            return False
        change = self._membership.decide()
        if change is None:
            change = self._membership.follow(lambda seat: self._later.get(seat, 0) > self._membership.view)
        if change is None:
            return False
        found = shared_records(self._progress, change.flushes, self._inbox, lambda inbox: self._new_progress(inbox, ours=False))
        if found is None:
            return False
        progress, base = found
        between = [entry for record in progress.records[base:] for entry in record.entries]
        self._make(change, progress, base, self._calls.justify(change, self._membership, between))
        return True

    def _make(self, change: Change, progress: Progress, base: int, calls: Sequence[Entry]) -> None:
        """Go on from the first `base` records of this progress, without the seats that go; `calls` justify it."""
        membership = self._membership
        self._go_to(progress, base)
        membership.completed = change.round
        if self._progress.run.over:  # somebody had come to the end: nobody goes any more
            self._enter(Phase.ENDED)
            self._settle()
            return
        leaving = sorted(change.round.leaving)
        voters = {seat: max(membership.voters(change.round, seat).values(), key=len) for seat in change.round.voted}
        electorate = len(membership.members) - len(change.round.gone)
        for seat in leaving:
            how = self._calls.how(seat, membership.view) if seat in change.round.gone else "voted"
            self._gone[seat] = Gone(seat, how, voters.get(seat, ()), electorate)
        self._enter(Phase.PLAYING if self.phase is Phase.CHANGING else self.phase)
        self._settle()
        self._events += [self._gone[seat] for seat in leaving]
        self._earlier.append(membership)
        self._bases[membership.view + 1] = base
        self._progress.change(leaving, calls, self._calls.flushes(change, membership.view))
        seats = [seat for seat in self._progress.run.game.seats if seat not in self._gone]
        self._membership = self._new_view(membership.view + 1, seats)
        self._progress.begin_view()
        self._settle()
        for entry in self._calls.of_view(self._membership.view):
            self._feed(self._membership, entry)
        for seat, convictions in self._calls.convictions.items():
            if any(one.alone and one.view <= self._membership.view for one in convictions):
                self._membership.lose(seat)

    def _go_to(self, progress: Progress, base: int) -> None:
        """Let a progress be ours, as far as so many records; drop what is beyond, in the log too."""
        common = base
        if progress is not self._progress:
            pairs = zip(progress.trail, self.trail, strict=False)
            common = next((at for at, (one, other) in enumerate(pairs) if one != other), self.steps + 1) - 1
            common = min(common, base)
        if progress is not self._progress or len(progress.records) > base or progress.context():  # of a dropped step nothing stays
            taken = {entry.data for record in progress.records[:base] for entry in record.entries}
            second = [one.data for _, one in progress.inbox.pairs()]
            records, keeping = (
                progress.records[:base],
                [data for _, data in ((one, two.data) for one, two in self._inbox.pairs())],
            )
            chosen = [data for data in keeping if data not in second]  # second for us, first for that branch
            self._inbox = self._inbox.afresh(self._membership.view, taken, chosen)
            self._progress = self._new_progress(self._inbox)
            for record in records:
                self._progress.take_any(record)
            kept = [event for event in progress.events if progress is not self._progress]
            self._progress.events = kept if len(progress.records) == base else []
        if common < self.steps:
            self._events.append(WentBack(common))
            del self._log[self._ends[common] :]
            del self._ends[common + 1 :]

    # The end.

    def _seal(self) -> bool:
        """Sign the last head when the rules have ended, and gather the others' seals."""
        seats, seat, spot = self.staying, self.seat, self._progress.sealing
        if self._is_heard and seat is not None and seat in seats and not self._inbox.said(spot, seat):
            self._seals[seat] = self._sign(spot, self.head, {})
            return True
        if said := self._inbox.at(spot):
            self._hear_seal(said[min(said)])
            return True
        return False

    def _hear_seal(self, entry: Entry) -> None:
        if entry.head != self.head:
            self._progress.stray(entry)
            return
        self._inbox.take(entry.spot, entry.seat)
        if entry.body:
            raise BadForm(entry.seat, "adds words to its seal", (entry.data,))
        if entry.seat not in self.staying:
            raise OutOfTurn(entry.seat, "seals a match that it has left", (entry.data,))
        self._seals[entry.seat] = entry

    # Logs.

    def replay(self, name: str, entries: Sequence[Entry]) -> None:
        """Take in a record of a log. Whoever read the entries has checked their signatures; that is not done again."""
        before, self.phase = self.phase, Phase.RESTORING
        for entry in entries:
            if not self._inbox.has(entry.data) and not self._calls.has(entry.data):
                self._take_in(entry)
        if name == "view":
            self._replay_change(entries)
        else:
            self.proceed()
        if name == "verdict":
            self._go_all_the_way()
        if self.phase is Phase.RESTORING:
            self._enter(before)
            phase = self._next_phase()
            if phase in (Phase.ENDED, Phase.SEALED):
                self._enter(phase)
                if self._next_phase() is Phase.SEALED:
                    self._enter(Phase.SEALED)

    def _replay_change(self, entries: Sequence[Entry]) -> None:
        """Make the view change of a record, if it justifies that; what else it holds convicts those who go."""
        base = self.steps
        self._go_all_the_way()
        flushes = [read_call(entry) for entry in entries if entry.place[0] == FLUSH]
        signed = [flush for flush in flushes if flush is not None]
        change = self._membership.recorded(signed)
        calls = list(entries[: -len(signed)]) if signed else []
        if change is None or calls != sorted(calls, key=in_order) or any(entry.place[0] == FLUSH for entry in calls):
            return
        progress = self._progress
        if len(progress.records) > base:  # words that only served to convict
            del self._log[self._ends[base] :]
            del self._ends[base + 1 :]
        self._make(change, progress, base, calls)

    def _go_all_the_way(self) -> None:
        """Judge all that has come in, of a deck made ahead too."""
        self.proceed()
        while self.make_ahead():
            self.proceed()

    def verdict(self, fault: Fault) -> bytes:
        """Return a log file that shows a fault, to be judged by anybody: as much of the log as that takes, and the evidence."""
        evidence = self._read(fault)
        found = [one for one in self._calls.convictions.get(fault.seat, ()) if list(one.evidence) == evidence]
        conviction = found[0] if found else Conviction(0, self.steps, tuple(evidence), tuple(self._progress.context()))
        records, context = (0, ()) if conviction.alone else (conviction.records, conviction.context)
        log = opening_record(self.terms, self.signatures)
        log += b"".join(record.data for record in self._progress.records[:records])
        return log + entries_record("verdict", list({entry.data: entry for entry in (*context, *evidence)}.values()))

    def take_up(self, journal: bytes, records: Iterable[tuple[str, Sequence[Entry]]]) -> None:
        """Take in what we had: the records of our log, then our journal. Nothing is said meanwhile. Malformed."""
        own = [read_entry(self.terms, self.match, data) for data in self._journal.read(self._group, journal)]
        for name, entries in records:
            before = self.mark
            self.replay(name, entries)
            if self.mark <= before:
                raise Malformed("this log does not follow from its entries and our journal")
        phase, self.phase = self.phase, Phase.RESTORING
        for data in (*self._journal.held, *(entry.data for entry in own)):
            self.receive(data)
        self.phase = phase
        self._events = [] if not records else self._events

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
        mute: bool = False,
    ) -> Table:
        """Sit down again after a crash, with our journal and the whole records of our log: what we said then we say again.

        With `mute` nothing new is said until `speak`. Malformed if these are no journal or log of this match; Forgotten if the
        journal lacks secrets that the log needs.
        """
        table = cls(terms, signatures, seat, identity, entropy, group)
        table.phase = Phase.LISTENING if mute else Phase.PLAYING
        records = read_log(log).records if log else ()
        table.take_up(journal, [(name, [read_entry(terms, table.match, data) for data in entries]) for name, entries in records])
        table.proceed()
        held, new = table.said_since(table.steps - 1), table._to_send
        table._to_send = [data for data in new if data not in held] + held
        return table
