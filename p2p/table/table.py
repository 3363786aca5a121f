"""A table: bytes of entries in, events out. It joins rules, cards and signatures and knows no network, disk or clock.

    receive   cheap: form, signature, seen before? It says whether the entry is news, to be passed on to other peers
    proceed   judge what has come in, say what we owe, go on with the rules as far as they go
    act       our player has chosen
    data_to_store, data_to_send, events     what came of it; nothing is given out to be sent before it was to be stored

Law: an entry is judged only on the head that it names, and local and remote entries by the same code. A table nobody sits
at (`seat` None) is an onlooker or a replay.
"""

from __future__ import annotations

from collections.abc import Sequence

from crypto.chance import Entropy
from crypto.group import Group
from crypto.identity import Identity
from engine.moves import Move, Seat
from engine.run import IllegalMove
from engine.view import View, view_for
from p2p.table.choices import AskRound
from p2p.table.course import LEAVING, Course
from p2p.table.events import Event
from p2p.table.faults import Equivocation, Unstored
from p2p.table.log import Entry, read_entry, read_log
from p2p.table.terms import Terms
from p2p.wire import Malformed


class Table(Course):
    """One seat's table of one match, or an onlooker's."""

    # What a client reads.

    @property
    def head(self) -> bytes:
        """The running hash after the last whole step: 32 bytes."""
        return self._head

    @property
    def begun(self) -> bool:
        """Whether the match has begun: its log has an entry of every seat."""
        spoken = {entry.seat for step in self._record for entry in step}
        return spoken.issuperset(range(len(self.terms.places)))

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose word is awaited now."""
        if self._exchange is not None:
            return () if self.over else self._exchange.missing()
        return () if self.sealed or self.fault else tuple(seat for seat in self.run.game.seats if seat not in self._seals)

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
        if self.over or not self.run.game.may_leave(self.seat):
            raise IllegalMove(self.seat, None, ("may-not-leave",))
        self._inbox.put(self._say(LEAVING, self._head, {}))
        self.proceed()

    def receive(self, data: bytes) -> bool:
        """Take an entry from a peer and say whether it is new. Malformed or BadSignature if no seat of ours signed it."""
        if self._inbox.has(data):
            return False
        return self._take_in(read_entry(self.terms, self.match, data))

    def _take_in(self, entry: Entry) -> bool:
        """Take an entry whose signature is good, and say whether it is new."""
        known = self._inbox.said(entry.spot, entry.seat)
        if known is None:
            return self._inbox.put(entry)
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
        """Take in a record of a log, as it came to be: what convicts a seat stands last, after all that was heard before.

        Whoever read the entries has checked their signatures; that is not done again.
        """
        pair = len(entries) == 2 and entries[0].key == entries[1].key
        for entry in entries:
            if not self._inbox.has(entry.data):
                self._take_in(entry)
            if name == "end" and not pair:
                self._go_all_the_way()
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
    ) -> Table:
        """Sit down again after a crash, with our journal and the whole records of our log: what we said then we say again.

        Malformed if these are no journal or log of this match.
        """
        table = cls(terms, signatures, seat, identity, entropy, group)
        for data in table._journal.read(table._group, journal):
            table.receive(data)
        for name, entries in read_log(log).records if log else ():
            table.replay(name, [read_entry(terms, table.match, data) for data in entries])
        table.proceed()
        if not table._log.startswith(log):
            raise Malformed("this log does not follow from its entries and our journal")
        table._log = table._log[len(log) :]
        held, new = table.said_since(table.steps - 1), table._to_send
        table._to_send = [data for data in new if data not in held] + held
        return table
