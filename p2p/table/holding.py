"""What one seat, or an onlooker, holds of a match: whole records, what has come in, what it has said, and whom it has named.

`p2p.table.course` drives it on; here is what an entry is looked at for before it is judged, and what is shown to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crypto.chance import Entropy
from crypto.group import Group, ristretto255
from crypto.identity import Identity
from engine.games import new_game
from engine.moves import Seat
from engine.run import Run
from p2p.table.events import Accused, Differs, Event
from p2p.table.faults import Fault, OutOfTurn
from p2p.table.heads import Heads
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.log import Body, Entry, Spot, entries_record, make_entry, opening_record
from p2p.table.masks import Masks
from p2p.table.round import Here
from p2p.table.steps import Exchange
from p2p.table.terms import Terms


class Holding:
    """A match as one seat or an onlooker holds it."""

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
        self.steps = 0
        """Whole records so far: steps, and cuts."""
        self.sealed = False
        self.astray = False
        """Whether good proofs gave a state that cannot be: a bug of ours, nobody's lie."""
        self._identity = identity
        self._group = group or ristretto255()
        game = new_game(terms.game, len(terms.places), terms.options)
        self._journal = Journal()
        masks = Masks(terms, self._group, seat)
        self._here = Here(terms, self.match, self._group, seat, entropy, Run(game), masks, self._journal)
        self._exchange: Exchange | None = None
        self._ahead: Exchange | None = None
        self._head = terms.first_head(signatures)
        self._trail = [self._head]
        """The head after each whole record."""
        self._inbox = Inbox(seat)
        self._seals: dict[Seat, Entry] = {}
        self._heads = Heads()
        self._shown: set[Spot] = set()
        self._strays: dict[bytes, list[Entry]] = {}
        """Entries for what is over, by the heads they name, which we do not know: perhaps only not yet."""
        self._named: set[Seat] = set()
        self._hushed: frozenset[Seat] = frozenset()
        self._record: list[list[Entry]] = []
        self._events: list[Event] = []
        self._to_send: list[bytes] = []
        self._log = opening_record(terms, signatures)

    @property
    def run(self) -> Run:
        """The game in progress."""
        return self._here.run

    @property
    def over(self) -> bool:
        """Whether the rules have ended."""
        return self.run.over

    @property
    def silent(self) -> bool:
        """Whether nothing is said here: nobody of ours sits at this table."""
        return self.seat is None

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that are still in the match, in seat order."""
        return tuple(self.run.game.seats)

    def lacking(self, steps: int, head: bytes) -> list[bytes]:
        """Return what a peer lacks that stands on this head after so many whole steps; all there is if we never stood there.

        Two who were told different stories do not stand on one head: each then shows the other its own from the beginning.
        """
        return self.said_since(steps if 0 <= steps < len(self._trail) and self._trail[steps] == head else 0)

    def said_since(self, steps: int) -> list[bytes]:
        """Return all that we hold beyond so many whole steps, in order: what a returning peer lacks."""
        held = [entry for entries in self._record[max(steps, 0) :] for entry in entries]
        for exchange in (self._exchange, self._ahead):
            if exchange is not None:
                held += [*exchange.past, *exchange.said.values()]
        return [entry.data for entry in (*held, *self._seals.values(), *self._inbox)]

    def hush(self, named: Iterable[Seat]) -> None:
        """Say nothing of what has happened so far, and do not accuse these seats: all that has been told already."""
        self._events = []
        self._hushed = frozenset(named)

    def _write(self, name: str, entries: list[Entry], head: bytes) -> None:
        """Add a record to the log; we now stand on this head."""
        self._head = head
        self._log += entries_record(name, entries)
        self._record.append(entries)
        self.steps += 1
        self._trail.append(head)

    def _await(self, exchange: Exchange) -> None:
        self._learn(exchange.head, exchange.spot)

    def _learn(self, head: bytes, spot: Spot | None) -> None:
        """Note what a head stands for; what waits, or came too late, is looked at again: it may have been written on it."""
        self._heads.learn(head, spot)
        self._inbox.look_again()
        for entry in self._strays.pop(head, ()):
            self._inbox.put_back(entry)

    def _sort(self, entry: Entry) -> None:
        """Look whether an entry that has just come in is for a stage that is over, or on a head that means something else."""
        if not self._inbox.waits(entry):
            return
        try:
            self._heads.check(entry)
        except OutOfTurn:
            self._inbox.take(entry.spot, entry.seat)
            raise
        if self._heads.closed(entry.spot):
            if self._heads.known(entry.head):  # the stage is over, and this seat had no part in it
                self._inbox.take(entry.spot, entry.seat)
                raise OutOfTurn(entry.seat, "speaks where it has nothing to say", (entry.data,))
            if self._inbox.lay_aside(entry.spot, entry.seat):
                self._strays.setdefault(entry.head, []).append(entry)
            self._differ(entry)
        elif entry.place[0] == "deck" and entry.place[1] <= self.run.game.shuffles:
            self._inbox.lay_aside(entry.spot, entry.seat)  # of a deck that was begun and never played

    def _is_late(self, entry: Entry) -> bool:
        """Whether this is for something that is over, on a head that we have never had: hardly anything will come of it."""
        over = entry.place[0] == "deck" and entry.place[1] <= self.run.game.shuffles
        return (over or self._heads.closed(entry.spot)) and not self._heads.known(entry.head)

    def _stray(self, entry: Entry) -> None:
        """An entry for the spot where we stand, on another head than ours: not judged, unless we come to that head."""
        self._inbox.lay_aside(entry.spot, entry.seat, always=True)  # there is one of each seat
        self._strays.setdefault(entry.head, []).append(entry)
        self._differ(entry)

    def _differ(self, entry: Entry) -> None:
        """Show what we hold, and let the other side do so: what was said twice will meet."""
        ours = self._exchange.head if self._exchange else self._head
        self._events.append(Differs(entry.seat, self._here.step, entry.head, ours))
        self._to_send += self.said_since(self.steps - 1)

    def _say(self, spot: Spot, head: bytes, body: Body) -> Entry:
        """Sign what our seat says, and put it into the journal and the post."""
        assert self._identity is not None
        assert self.seat is not None
        entry = make_entry(self._identity, self.match, spot, self.seat, head, body)
        self._inbox.note(entry)
        self._journal.note_entry(entry.data)
        self._to_send.append(entry.data)
        return entry

    def _tell(self, exchange: Exchange) -> None:
        """Pass on what a round has to tell; of a deck made ahead only when it is wanted."""
        if exchange is self._ahead:
            return
        self._events += exchange.round.news
        exchange.round.news = []

    def _accuse(self, fault: Fault) -> bool:
        """Name the seat whose signed entries show a fault, and show the others; return whether it had not been named before."""
        if fault.seat in self._named:
            return False
        self._named.add(fault.seat)
        if fault.seat not in self._hushed:
            self._events.append(Accused(fault))
        self._to_send += [*self.said_since(self.steps - 1), *fault.evidence]
        return True
