"""How a match goes on, from one entry to the next: who speaks, what is heard, when a stage, a step and the match end.

`Course` is the machine under a `Table`: it looks at one thing at a time and never waits. What goes in and comes out is the
table's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crypto.chance import Entropy
from crypto.group import Group, ristretto255
from crypto.identity import Identity
from engine.games import new_game
from engine.moves import Seat
from engine.requests import Ask, Deck, Request, Shuffle
from engine.run import IllegalMove, Run
from p2p.table.choices import AskRound
from p2p.table.events import Accused, Asked, Differs, Event, Gone, Over, Sealed, Shuffling, Told
from p2p.table.faults import BadForm, Desync, Equivocation, Fault, IllegalPlay, OutOfTurn
from p2p.table.heads import Heads
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.log import LEAVE, SEAL, Body, Entry, Spot, entries_record, make_entry, opening_record, read_entry
from p2p.table.masks import Masks
from p2p.table.round import Here
from p2p.table.steps import Exchange
from p2p.table.terms import Terms

LEAVING: Spot = (LEAVE, 0)
SEALING: Spot = (SEAL, 0)


class Course:
    """A match under way, as one seat or an onlooker has it."""

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
        """Whole steps so far."""
        self.fault: Fault | None = None
        self.gone: tuple[Seat, ...] = ()
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
        """The head after each whole step."""
        self._inbox = Inbox(seat)
        self._seals: dict[Seat, Entry] = {}
        self._heads = Heads()
        self._shown: set[Spot] = set()
        self._named: set[Seat] = set()
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
        """Whether nothing more will be played: the rules have ended, a seat has gone, or one is convicted."""
        return self.run.over or self.fault is not None or bool(self.gone)

    @property
    def asked(self) -> bool:
        """Whether our player must choose."""
        exchange = self._exchange
        if exchange is None or self.over or exchange.stage or self.seat not in exchange.missing():
            return False
        return isinstance(exchange.round, AskRound) and not exchange.round.request.auto and exchange.round.move is None

    def proceed(self) -> None:
        """Judge what has come in, say what we owe, and go on as far as the rules go."""
        try:
            while self.fault is None and not self.astray and self._one_thing():
                pass
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
        if deck is None or self.fault or self.astray:
            return False
        if self._ahead is not None and self._ahead.round.request.deck != deck:
            self._ahead = None
        try:
            while (entry := self._inbox.arrived()) is not None:
                self._sort(entry)
            if self._ahead is None:
                self._ahead = Exchange(self._here, Shuffle(deck), self._head)
                self._inbox.recall(self._ahead.place)
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
        held = [entry.data for step in self._record[max(steps, 0) :] for entry in step]
        for exchange in (self._exchange, self._ahead):
            if exchange is not None:
                held += [entry.data for entry in (*exchange.past, *exchange.said.values())]
        return held + [entry.data for entry in (*self._seals.values(), *self._inbox)]

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
        if self._hear_leaving():
            return True
        if self.gone:
            return False
        if self._exchange is None:
            return self._seal()
        return self._speak(self._exchange) or self._listen(self._exchange) or self._close(self._exchange)

    def _speak(self, exchange: Exchange) -> bool:
        """Say what our seat owes; what our journal says we have said already is taken as it is."""
        if self.seat is None or self._inbox.said(exchange.spot, self.seat):
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
        said = self._inbox.at(exchange.spot)
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

    def _show_unready(self, exchange: Exchange) -> None:
        """Show once what we hold if all who have yet to be heard name an entry that we lack: somebody has it."""
        said, spot = self._inbox.at(exchange.spot), exchange.spot
        if said and spot not in self._shown and set(exchange.missing()) == set(said):
            self._shown.add(spot)
            self._differ(said[min(said)])

    def _close(self, exchange: Exchange) -> bool:
        """End the stage if all have spoken, and the step if it was the last."""
        closed = self._close_stage(exchange)
        if not exchange.done:
            return closed
        exchange.finish()
        if exchange.place[0] == "deck":
            self._inbox.clear_decks(exchange.place[1])
        self._head = exchange.next_head(self._head, self.run.fingerprint())
        self._log += entries_record("step", exchange.past)
        self._record.append(exchange.past)
        self.steps += 1
        self._trail.append(self._head)
        self._here.step += 1
        self._tell(exchange)
        self._begin()
        return True

    def _close_stage(self, exchange: Exchange) -> bool:
        """End the stage if all have spoken; return whether it did."""
        if exchange.done or exchange.missing():
            return False
        self._heads.close(exchange.spot)
        exchange.close_stage()
        if not exchange.done:
            self._await(exchange)
        return True

    def _begin(self) -> None:
        """Begin the exchange that the rules now wait for; one in which nobody owes a word is over at once."""
        here, run = self._here, self.run
        self._events += [Told(str(what), tuple(details)) for what, *details in run.game.told]
        here.masks.keep(deck.number for deck in run.game.decks)
        here.journal.forget((deck.number for deck in run.game.decks), here.step)
        here.own_faces = {slot: face for slot, face in here.own_faces.items() if slot in run.game.holder}
        self._exchange = None
        if run.request is None:
            self._events.append(Over(run.game.winners, tuple(run.game.score)))
            self._heads.learn(self._head, SEALING, self._inbox)
            return
        self._exchange = self._exchange_for(run.request)
        if not self._exchange.round.speakers(0):
            self._exchange.finish()
            self._tell(self._exchange)
            self._begin()
            return
        if isinstance(run.request, Shuffle):
            self._heads.learn(self._head, None, self._inbox)
            self._events.append(Shuffling(run.request.deck.number, run.request.deck.seats))
        elif isinstance(run.request, Ask) and self.asked:
            self._events.append(Asked())
        self._await(self._exchange)

    def _exchange_for(self, request: Request[Any]) -> Exchange:
        """Return the exchange that answers a request: the one begun ahead, if it is for this very deck."""
        if isinstance(request, Shuffle) and self._ahead is not None:
            ahead = self._ahead
            self._ahead = None
            if ahead.round.request.deck == request.deck:
                return ahead
        exchange = Exchange(self._here, request, self._head)
        if isinstance(request, Shuffle):
            self._inbox.recall(exchange.place)
        return exchange

    def _next_deck(self) -> Deck | None:
        """Return the deck of the next shuffle, if the rules already know it; None while one is being made."""
        run, game = self.run, self.run.game
        pack = None if self.over or isinstance(run.request, Shuffle) else game.next_pack()
        return Deck(game.shuffles + 1, game.slots_used, *pack) if pack is not None else None

    def _await(self, exchange: Exchange) -> None:
        self._heads.learn(exchange.head, exchange.spot, self._inbox)

    def _sort(self, entry: Entry) -> None:
        """Look whether an entry that has just come in is for a stage that is over, or on a head that means something else."""
        self._heads.check(entry)
        if self._heads.closed(entry.spot):
            self._inbox.take(entry.spot, entry.seat)
            if self._heads.known(entry.head):  # the stage is over, and this seat had no part in it
                raise OutOfTurn(entry.seat, "speaks where it has nothing to say", (entry.data,))
            self._stray(entry)
        elif entry.place[0] == "deck" and entry.place[1] <= self.run.game.shuffles:
            self._inbox.take(entry.spot, entry.seat)  # of a deck that was begun and never played

    def _stray(self, entry: Entry) -> None:
        """An entry for this spot on another head: not judged."""
        self._heads.check(entry)
        self._differ(entry)

    def _differ(self, entry: Entry) -> None:
        """Show what we hold, and let the other side do so: what was said twice will meet."""
        ours = self._exchange.head if self._exchange else self._head
        self._events.append(Differs(entry.seat, self._here.step, entry.head, ours))
        self._to_send += self.said_since(self.steps - 1)

    def _hear_leaving(self) -> bool:
        """A seat that leaves says so on a head that it knows; with this version that ends the match for all."""
        for seat, entry in sorted(self._inbox.at(LEAVING).items()):
            known = entry.head == self._head or self._heads.known(entry.head)
            if known and not self.over:
                self._let_go(self._inbox.take(LEAVING, seat))
                return True
        return False

    def _let_go(self, entry: Entry) -> None:
        """Let a seat leave, if the rules do."""
        if entry.body:
            raise BadForm(entry.seat, "adds words to its leaving", (entry.data,))
        try:
            self.run.leave(entry.seat)
        except IllegalMove as error:
            # A leave on an older head was perhaps allowed there, so it is not judged here.
            if entry.head in (self._head, self._exchange.head if self._exchange else None):
                raise IllegalPlay(entry.seat, str(error), (entry.data,)) from error
            self._differ(entry)
            return
        self.gone = (*self.gone, entry.seat)
        self._log += entries_record("end", [entry])
        self._record.append([entry])
        self._events += [Gone(entry.seat), Over(self.run.game.winners, tuple(self.run.game.score))]

    def _seal(self) -> bool:
        """Sign the last head when the rules have ended, and gather the others' seals."""
        seats, seat = self.run.game.seats, self.seat
        if self.sealed:
            return False
        if seat is not None and seat in seats and not self._inbox.said(SEALING, seat):
            self._seals[seat] = self._say(SEALING, self._head, {})
            return True
        if said := self._inbox.at(SEALING):
            self._hear_seal(self._inbox.take(SEALING, min(said)))
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
        elif entry.seat not in self.run.game.seats:
            raise OutOfTurn(entry.seat, "seals a match that it has left", (entry.data,))
        elif entry.body:
            raise BadForm(entry.seat, "adds words to its seal", (entry.data,))
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

    def _accuse(self, fault: Fault) -> bool:
        """Name the seat whose signed entries show a fault; return whether it had not been named before.

        The match is over, the log keeps the evidence, and the others are shown it. After the end of the match it is said all
        the same, and undoes nothing.
        """
        if self.fault or fault.seat in self._named:
            return False
        self._named.add(fault.seat)
        self._events.append(Accused(fault))
        self._to_send += [*self.said_since(self.steps - 1), *fault.evidence]
        if self.sealed or self.gone:
            return True
        self.fault = fault
        evidence = [read_entry(self.terms, self.match, data) for data in fault.evidence]
        places = {entry.place for entry in evidence}
        step = self._ahead if self._ahead and self._ahead.place in places else self._exchange
        before = [*step.past, *(step.said[seat] for seat in sorted(step.said))] if step and not step.done else []
        if isinstance(fault, Equivocation):
            before = []  # the pair alone convinces
        self._log += entries_record("end", [*(entry for entry in before if entry not in evidence), *evidence])
        return True
