"""A table: bytes of entries in, events out. It joins rules, cards and signatures and knows no network, disk or clock.

    receive   cheap: form, signature, seen before? It says whether the entry is news, to be passed on to other peers
    proceed   judge what has come in, say what we owe, go on with the rules as far as they go
    act       our player has chosen
    data_to_store, data_to_send, events     what came of it; nothing is given out to be sent before it was to be stored

Law: an entry is judged only on the head that it names, and local and remote entries by the same code. A table nobody sits
at (`seat` None) is an onlooker or a replay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crypto.chance import Entropy
from crypto.group import Group
from crypto.identity import Identity
from engine.moves import Move, Seat
from engine.run import IllegalMove
from engine.view import View, view_for
from p2p.table.choices import AskRound
from p2p.table.cutting import Cutting
from p2p.table.events import Asked, Event
from p2p.table.faults import Equivocation, Fault, Unstored
from p2p.table.leaving import in_order, is_call
from p2p.table.log import CUT, LEAVE, Entry, entries_record, expel_place, opening_record, read_entry, read_log
from p2p.table.terms import Terms
from p2p.wire import Malformed


class Table(Cutting):
    """One seat's table of one match, or an onlooker's."""

    # What a client reads.

    @property
    def head(self) -> bytes:
        """The running hash after the last whole step: 32 bytes."""
        return self._head

    @property
    def trail(self) -> tuple[bytes, ...]:
        """The head after each whole record, after that of the terms."""
        return tuple(self._trail)

    @property
    def begun(self) -> bool:
        """Whether the match has begun: its log has an entry of every seat."""
        spoken = {entry.seat for entries in self._record for entry in entries}
        return spoken.issuperset(range(len(self.terms.places)))

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose word is awaited now: an answer, a flush before a cut, or a seal."""
        if self.going:
            flushed = self._flushes.of(self.going)
            return tuple(seat for seat in self.run.game.seats if seat not in self.going and seat not in flushed)
        if self._exchange is not None:
            return self._exchange.missing()
        return () if self.sealed else tuple(seat for seat in self.staying if seat not in self._seals)

    def view(self) -> View:
        """Return what our seat sees."""
        return view_for(self.run, self.seat, self._here.own_faces)

    def events(self) -> list[Event]:
        """Return what has happened since the last call, in order."""
        events, self._events = self._events, []
        return events

    # What a client does.

    def act(self, move: Move) -> None:
        """Make our player's move. IllegalMove, and nothing is said, if it may not be made."""
        assert self.seat is not None
        turn = self._exchange.round if self._exchange else None
        if not self.asked or not isinstance(turn, AskRound):
            raise IllegalMove(self.seat, move, ("not-your-turn",))
        self.run.judge(self.seat, move, self._here.own_faces)
        turn.move = move
        self.proceed()

    def leave(self) -> None:
        """Give up our place for good. IllegalMove if the rules or the end of the match do not allow it."""
        assert self.seat is not None
        if self.over or self.out or not self.run.game.may_leave(self.seat):
            raise IllegalMove(self.seat, None, ("may-not-leave",))
        self._inbox.put(self._say((LEAVE, 0), self._head, {}))
        self.proceed()

    def expel(self, seats: Sequence[Seat]) -> None:
        """Vote, in this step, to go on without these seats; they go when all others have voted. IllegalMove if it cannot be.

        It may be done while a cut is under way, which waits for them.
        """
        assert self.seat is not None
        named, all_seats = set(seats), set(range(len(self.terms.places)))
        out = self.seat in self.gone or self._has_left(self.seat)
        if out or self.mute or self.over or not named or not named <= all_seats - {self.seat, *self.gone}:
            raise IllegalMove(self.seat, None, ("may-not-expel",))
        spot = (expel_place(self._here.step, named), 0)
        if self._inbox.said(spot, self.seat) is None:
            self._inbox.put(self._say(spot, self._head, {}))
        self.proceed()

    def receive(self, data: bytes) -> bool:
        """Take an entry from a peer and say whether it is new. Malformed or BadSignature if no seat of ours signed it."""
        if self._inbox.has(data):
            return False
        return self._take_in(read_entry(self.terms, self.match, data))

    def speak(self) -> None:
        """Be mute no longer: those who have heard us have shown all that they hold."""
        if self.mute:
            self.mute = False
            if self.asked:
                self._events.append(Asked())
            self.proceed()

    def turned_away(self) -> bool:
        """Whether an entry has found no room since the last call: it is to be asked for again when steps have ended."""
        turned_away, self._inbox.turned_away = self._inbox.turned_away, False
        return turned_away

    def _take_in(self, entry: Entry) -> bool:
        """Take an entry whose signature is good, and say whether it is new."""
        known = self._inbox.said(entry.spot, entry.seat)
        if known is None:
            return self._inbox.put(entry, late=self._is_late(entry))
        return self._accuse(Equivocation(entry.seat, "signed two stories for one place", (known.data, entry.data)))

    def data_to_store(self) -> tuple[bytes, bytes]:
        """Return what must be on disk before anything is sent: additions to our journal, and to the match's log."""
        log, self._log = self._log, b""
        return b"".join(self._journal.to_store()), log

    def data_to_send(self) -> list[bytes]:
        """Return our new entries, for every peer. Unstored if `data_to_store` has not been called since they were made."""
        if self._to_send and self._journal.unstored:
            raise Unstored("store first, then send")
        data, self._to_send = self._to_send, []
        return data

    def replay(self, name: str, entries: Sequence[Entry]) -> None:
        """Take in a record of a log. Whoever read the entries has checked their signatures; that is not done again."""
        self._only = entries[-1].place[1:] if name == "cut" and entries and entries[-1].place[0] == CUT else None
        for entry in entries:
            if not self._inbox.has(entry.data):
                self._take_in(entry)
        self._count()
        self.proceed()
        if name in ("cut", "verdict"):
            self._go_all_the_way()  # what convicts a seat may stand in a deck made ahead
        if self._only is not None:
            self._only = None
            self._count()

    def verdict(self, fault: Fault) -> bytes:
        """Return a log file that shows a fault, to be judged by anybody: as much of the log as that takes, and the evidence."""
        evidence = self._read(fault)
        if isinstance(fault, Equivocation):
            records, context = 0, []
        else:
            cuts = (
                at for at, entries in enumerate(self._record) if entries[-1].place[0] == CUT and fault.seat in entries[-1].place
            )
            records = next(cuts, self.steps)
            context = self._beyond() if records == self.steps else self._record[records]
        kept = {entry.data: entry for entry in (*evidence, *context) if entry in evidence or entry.place[0] != CUT}
        log = opening_record(self.terms, self.signatures) + self._first_records(records)
        return log + entries_record("verdict", in_order(kept.values()))

    def _beyond(self) -> list[Entry]:
        """Return what has been heard beyond the last whole step."""
        exchanges = [exchange for exchange in (self._exchange, self._ahead) if exchange is not None]
        return [entry for exchange in exchanges for entry in (*exchange.past, *exchange.said.values())]

    def _first_records(self, count: int) -> bytes:
        names = ("cut" if entries[-1].place[0] == CUT else "step" for entries in self._record)
        return b"".join(entries_record(name, entries) for name, entries in zip(names, self._record[:count], strict=False))

    def rewound(self, journal: bytes) -> tuple[Table, bytes]:
        """Return a table that stands where all share a head, with all that this one holds, and what then is the whole log.

        To be called when `rewinding` says so; `journal` is all of ours, nothing for an onlooker.
        """
        assert self.rewinding is not None
        here, log = self._here, opening_record(self.terms, self.signatures) + self._first_records(self.rewinding)
        table = type(self)(self.terms, self.signatures, self.seat, self._identity, here.entropy, here.group)
        table.hush(self._named)
        table.mute = self.mute
        calls = [
            entry for entry in (*self._inbox.known(), *self._pairs.values()) if is_call(entry.spot) or entry.key in self._pairs
        ]
        table.take_up(journal, calls, self._record[: self.rewinding])
        for entry in (*self._inbox.known(), *self._pairs.values()):
            table.receive(entry.data)
        table.drop_log(log)
        table.proceed()
        return table, log

    def take_up(self, journal: bytes, calls: Iterable[Entry], records: Iterable[Sequence[Entry]]) -> None:
        """Take in what we had: what is known of leaving, whole records, our journal. Nothing is said meanwhile.

        Our own words come last: some may not count, and our leaving and flushes change how all before is heard.
        """
        self._set_up = True
        own = [read_entry(self.terms, self.match, data) for data in self._journal.read(self._group, journal)]
        for entry in calls:
            self.receive(entry.data)
        for entries in records:
            self.replay("cut" if entries[-1].place[0] == CUT else "step", entries)
        for data in (*(entry.data for entry in own), *self._journal.held):
            self.receive(data)
        self._set_up = False

    def drop_log(self, log: bytes) -> None:
        """Leave out of what is to be stored the log that is on disk already. Malformed if it is another one."""
        if not self._log.startswith(log):
            raise Malformed("this log does not follow from its entries and our journal")
        self._log = self._log[len(log) :]

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
        table.mute = mute
        records = [
            [read_entry(terms, table.match, data) for data in entries] for _, entries in (read_log(log).records if log else ())
        ]
        table.take_up(journal, (), records)
        table.drop_log(log)
        table.proceed()
        held, new = table.said_since(table.steps - 1), table._to_send
        table._to_send = [data for data in new if data not in held] + held
        return table
