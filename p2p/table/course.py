"""How a match goes on, from one entry to the next: who speaks, what is heard, when a stage, a step and the match end.

`Course` is the machine under a `Table`: it looks at one thing at a time and never waits. What goes in and comes out is the
table's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from crypto.chance import Entropy
from crypto.group import Group, ristretto255
from crypto.identity import Identity
from engine.games import new_game
from engine.moves import Seat
from engine.requests import Ask, Deck, Request, Shuffle
from engine.run import Run
from p2p.table.choices import AskRound
from p2p.table.events import Accused, Asked, Differs, Event, Over, Sealed, Shuffling, Told
from p2p.table.faults import Desync, Fault, OutOfTurn
from p2p.table.heads import Heads
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.log import Body, Entry, Spot, entries_record, make_entry, opening_record, seal_place
from p2p.table.masks import Masks
from p2p.table.round import Here
from p2p.table.steps import Exchange
from p2p.table.terms import Terms


class Course:
    """A match under way, as one seat or an onlooker has it. `p2p.table.cutting` has what is done when seats go."""

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
        self._begin()

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

    @property
    def asked(self) -> bool:
        """Whether our player must choose."""
        exchange = self._exchange
        if exchange is None or self.silent or exchange.stage or self.seat not in exchange.missing():
            return False
        return isinstance(exchange.round, AskRound) and not exchange.round.request.auto and exchange.round.move is None

    def proceed(self) -> None:
        """Judge what has come in, say what we owe, and go on as far as the rules go."""
        more = True
        while more and not self.astray:
            try:
                more = self._one_thing()
            except Fault as fault:
                self._accuse(fault)
            except Desync:
                self.astray = True
                self._events.append(Differs(None, self._here.step, b"", self._head))

    def make_ahead(self) -> bool:
        """Do one thing for the next deck, where its cards are already certain; return whether there was any.

        It is never needed: a deck that is not made ahead is made when the rules ask for it. At most one is, and one whose pack
        or holders turn out otherwise is dropped. While the rules do not know the next pack, nothing is done.
        """
        deck = self._next_deck()
        if deck is None or self.astray:
            return False
        if self._ahead is not None and self._ahead.round.request.deck != deck:
            self._ahead = None
        try:
            while (entry := self._inbox.arrived()) is not None:
                self._sort(entry)
            if self._ahead is None:
                self._ahead = Exchange(self._here, Shuffle(deck), self._head)
                self._recall(self._ahead)
                self._await(self._ahead)
            return self._speak(self._ahead) or self._listen(self._ahead) or self._close_stage(self._ahead)
        except Fault as fault:
            return self._accuse(fault)

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

    def _go_all_the_way(self) -> None:
        """Judge all that has come in, of a deck made ahead too."""
        self.proceed()
        while self.make_ahead():
            self.proceed()

    def _one_thing(self) -> bool:
        """Do one thing that is due; return whether there was any."""
        if (entry := self._inbox.arrived()) is not None:
            self._sort(entry)
            return True
        if self._exchange is None:
            return self._seal()
        return self._speak(self._exchange) or self._listen(self._exchange) or self._close(self._exchange)

    def _speak(self, exchange: Exchange) -> bool:
        """Say what our seat owes; what our journal says we have said already is taken as it is."""
        if self.silent or self.seat is None or self._inbox.said(exchange.spot, self.seat):
            return False
        body = exchange.own_word()
        if body is None:
            return False
        entry = self._say(exchange.spot, exchange.head, body)
        exchange.hear(entry, ours=True)
        self._tell(exchange)
        return True

    def _listen(self, exchange: Exchange) -> bool:
        """Hear one entry that has come in for this spot."""
        said = {seat: entry for seat, entry in self._inbox.at(exchange.spot).items() if self._counts(entry, exchange.head)}
        ready = [seat for seat in said if said[seat].head != exchange.head or exchange.ready(said[seat])]
        if not ready:
            self._show_unready(exchange)
            return False
        entry = self._inbox.take(exchange.spot, min(ready))
        if entry.head != exchange.head:
            self._stray(entry)
        else:
            exchange.hear(entry)
            self._tell(exchange)
        return True

    def _counts(self, entry: Entry, head: bytes) -> bool:
        """Whether an entry may be heard where this head stands."""
        del entry, head
        return True

    def _show_unready(self, exchange: Exchange) -> None:
        """Show once what we hold if all who have yet to be heard name an entry that we lack: somebody has it."""
        said, spot = self._inbox.at(exchange.spot), exchange.spot
        if said and spot not in self._shown and set(exchange.missing()) == set(said):
            self._shown.add(spot)
            self._differ(said[min(said)])

    def _close(self, exchange: Exchange) -> bool:
        """End the stage if all have spoken, and the step if it was the last."""
        closed = self._close_stage(exchange)
        if not exchange.done or exchange.void:
            return closed
        exchange.finish()
        if exchange.place[0] == "deck":
            self._inbox.clear_decks(exchange.place[1])
        self._write("step", exchange.past, exchange.next_head(self._head, self.run.fingerprint()))
        self._here.step += 1
        self._tell(exchange)
        self._begin()
        return True

    def _write(self, name: str, entries: list[Entry], head: bytes) -> None:
        """Add a record to the log; we now stand on this head."""
        self._head = head
        self._log += entries_record(name, entries)
        self._record.append(entries)
        self.steps += 1
        self._trail.append(head)

    def _close_stage(self, exchange: Exchange) -> bool:
        """End the stage if all have spoken; return whether it did."""
        if exchange.done or exchange.void or exchange.missing():
            return False
        self._heads.close(exchange.spot)
        exchange.close_stage()
        if not exchange.done:
            self._await(exchange)
        return True

    def _begin(self) -> None:
        """Begin the exchange that the rules now wait for; one in which nobody owes a word is over at once."""
        here, run = self._here, self.run
        self._pass_on_told()
        here.masks.keep(deck.number for deck in run.game.decks)
        here.journal.forget((deck.number for deck in run.game.decks), here.step)
        here.own_faces = {slot: face for slot, face in here.own_faces.items() if slot in run.game.holder}
        self._exchange = None
        if run.request is None:
            self._events.append(Over(run.game.winners, tuple(run.game.score)))
            self._learn(self._head, self._sealing)
            return
        self._exchange = self._exchange_for(run.request)
        if not self._exchange.round.speakers(0):
            self._exchange.finish()
            self._tell(self._exchange)
            self._begin()
            return
        if isinstance(run.request, Shuffle):
            self._learn(self._head, None)
            self._events.append(Shuffling(run.request.deck.number, run.request.deck.seats))
        elif isinstance(run.request, Ask) and self.asked:
            self._events.append(Asked())
        self._await(self._exchange)

    def _pass_on_told(self) -> None:
        self._events += [Told(str(what), tuple(details)) for what, *details in self.run.game.told]

    def _exchange_for(self, request: Request[Any]) -> Exchange:
        """Return the exchange that answers a request: the one begun ahead, if it is for this very deck."""
        if isinstance(request, Shuffle) and self._ahead is not None:
            ahead = self._ahead
            self._ahead = None
            if ahead.round.request.deck == request.deck:
                return ahead
        exchange = Exchange(self._here, request, self._head)
        if isinstance(request, Shuffle):
            self._recall(exchange)
        return exchange

    def _recall(self, exchange: Exchange) -> None:
        """A deck may have been begun and dropped before: what was said for it is heard anew."""
        self._heads.reopen(exchange.place)
        self._inbox.recall(exchange.place)

    def _next_deck(self) -> Deck | None:
        """Return the deck of the next shuffle, if the rules already know it; None while one is being made."""
        run, game = self.run, self.run.game
        pack = None if run.over or isinstance(run.request, Shuffle) else game.next_pack()
        return Deck(game.shuffles + 1, game.slots_used, *pack) if pack is not None else None

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
        """An entry for this spot on another head: not judged."""
        self._heads.check(entry)
        self._differ(entry)

    def _differ(self, entry: Entry) -> None:
        """Show what we hold, and let the other side do so: what was said twice will meet."""
        ours = self._exchange.head if self._exchange else self._head
        self._events.append(Differs(entry.seat, self._here.step, entry.head, ours))
        self._to_send += self.said_since(self.steps - 1)

    @property
    def _sealing(self) -> Spot:
        """Where the seals stand."""
        return (seal_place(self._here.step), 0)

    def _seal(self) -> bool:
        """Sign the last head when the rules have ended, and gather the others' seals."""
        seats, seat, spot = self.staying, self.seat, self._sealing
        if self.sealed:
            return False
        if not self.silent and seat is not None and seat in seats and not self._inbox.said(spot, seat):
            self._seals[seat] = self._say(spot, self._head, {})
            return True
        if said := self._inbox.at(spot):
            self._hear_seal(self._inbox.take(spot, min(said)))
            return True
        if set(seats) - set(self._seals):
            return False
        self._log += entries_record("seals", [self._seals[seat] for seat in sorted(self._seals)])
        self.sealed = True
        self._journal.wipe()
        self._here.masks.keep(())
        self._events.append(Sealed())
        return False

    def _hear_seal(self, entry: Entry) -> None:
        if entry.head != self._head:
            self._stray(entry)
        elif entry.seat not in self.staying:
            raise OutOfTurn(entry.seat, "seals a match that it has left", (entry.data,))
        else:
            self._seals[entry.seat] = entry

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

    def hush(self, named: Iterable[Seat]) -> None:
        """Say nothing of what has happened so far, and do not accuse these seats: all that has been told already."""
        self._events = []
        self._hushed = frozenset(named)

    def _accuse(self, fault: Fault) -> bool:
        """Name the seat whose signed entries show a fault, and show the others; return whether it had not been named before."""
        if fault.seat in self._named:
            return False
        self._named.add(fault.seat)
        if fault.seat not in self._hushed:
            self._events.append(Accused(fault))
        self._to_send += [*self.said_since(self.steps - 1), *fault.evidence]
        return True
