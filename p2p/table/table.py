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
from typing import Any

from crypto.chance import Entropy
from crypto.group import Group, ristretto255
from crypto.identity import Identity
from engine.games import new_game
from engine.moves import Move, Seat
from engine.requests import Ask, Deck, Request, Shuffle
from engine.run import IllegalMove, Run
from engine.view import View, view_for
from p2p.table.events import Accused, Asked, Differs, Event, Gone, Over, Sealed, Shuffling, Told
from p2p.table.faults import BadForm, Desync, Equivocation, Fault, IllegalPlay, OutOfTurn, Unstored
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.log import LEAVE, SEAL, Body, Entry, Spot, entries_record, make_entry, opening_record, read_entry, read_log
from p2p.table.masks import Masks
from p2p.table.rounds import AskRound, Here
from p2p.table.steps import Exchange
from p2p.table.terms import Terms
from p2p.wire import Malformed

LEAVING: Spot = (LEAVE, 0)
SEALING: Spot = (SEAL, 0)


class Table:
    """One seat's table of one match, or an onlooker's."""

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
        self._inbox = Inbox(seat)
        self._seals: dict[Seat, Entry] = {}
        self._spots: dict[bytes, Spot | None] = {}
        self._past: set[Spot] = set()
        self._shown: set[Spot] = set()
        self._named: set[Seat] = set()
        self._record: list[list[Entry]] = []
        self._events: list[Event] = []
        self._to_send: list[bytes] = []
        self._log = opening_record(terms, signatures)
        self._begin()

    # What a client reads.

    @property
    def run(self) -> Run:
        """The game in progress."""
        return self._here.run

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
    def over(self) -> bool:
        """Whether nothing more will be played: the rules have ended, a seat has gone, or one is convicted."""
        return self.run.over or self.fault is not None or bool(self.gone)

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats whose word is awaited now."""
        if self._exchange is not None:
            return () if self.over else self._exchange.missing()
        return () if self.sealed or self.fault else tuple(seat for seat in self.run.game.seats if seat not in self._seals)

    @property
    def asked(self) -> bool:
        """Whether our player must choose."""
        exchange = self._exchange
        if exchange is None or self.over or exchange.stage or self.seat not in exchange.missing():
            return False
        return isinstance(exchange.round, AskRound) and not exchange.round.request.auto and exchange.round.move is None

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
        or holders turn out otherwise is dropped, with its keys.
        """
        deck = self._next_deck()
        if self._ahead is not None and (deck is None or self._ahead.round.request.deck != deck):
            self._drop_ahead(self._ahead)
        if deck is None or self.fault or self.astray:
            return False
        try:
            while (entry := self._inbox.arrived()) is not None:
                self._sort(entry)
            if self._ahead is None:
                self._ahead = Exchange(self._here, Shuffle(deck), self._head)
                self._await(self._ahead)
            return self._speak(self._ahead) or self._listen(self._ahead) or self._close_stage(self._ahead)
        except Fault as fault:
            return self._accuse(fault)

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

    def _go_all_the_way(self) -> None:
        """Judge all that has come in, of a deck made ahead too."""
        self.proceed()
        while self.make_ahead():
            self.proceed()

    def said_since(self, steps: int) -> list[bytes]:
        """Return all that we hold beyond so many whole steps, in order: what a returning peer lacks."""
        held = [entry.data for step in self._record[max(steps, 0) :] for entry in step]
        for exchange in (self._exchange, self._ahead):
            if exchange is not None:
                held += [entry.data for entry in (*exchange.past, *exchange.said.values())]
        return held + [entry.data for entry in (*self._seals.values(), *self._inbox)]

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

    # How it goes on.

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
        self._head = exchange.next_head(self._head, self.run.fingerprint())
        self._log += entries_record("step", exchange.past)
        self._record.append(exchange.past)
        self.steps += 1
        self._here.step += 1
        self._tell(exchange)
        self._begin()
        return True

    def _close_stage(self, exchange: Exchange) -> bool:
        """End the stage if all have spoken; return whether it did."""
        if exchange.done or exchange.missing():
            return False
        self._past.add(exchange.spot)
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
            self._learn(self._head, SEALING)
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

    def _exchange_for(self, request: Request[Any]) -> Exchange:
        """Return the exchange that answers a request: the one begun ahead, if it is for this very deck."""
        if isinstance(request, Shuffle) and self._ahead is not None:
            ahead = self._ahead
            if ahead.round.request.deck == request.deck:
                self._ahead = None
                return ahead
            self._drop_ahead(ahead)
        return Exchange(self._here, request, self._head)

    def _next_deck(self) -> Deck | None:
        """Return the deck of the next shuffle, if the rules already know it; None while one is being made."""
        run, game = self.run, self.run.game
        pack = None if self.over or isinstance(run.request, Shuffle) else game.next_pack()
        return Deck(game.shuffles + 1, game.slots_used, *pack) if pack is not None else None

    def _drop_ahead(self, ahead: Exchange) -> None:
        """Forget a deck that was begun and will not be played."""
        self._journal.drop_key(ahead.round.request.deck.number)
        self._inbox.drop(ahead.place)
        self._ahead = None

    def _await(self, exchange: Exchange) -> None:
        self._learn(exchange.head, exchange.spot)

    def _learn(self, head: bytes, spot: Spot | None) -> None:
        """Note what a head stands for; None is nothing (a deck has heads of its own). Who wrote else on it is out of turn."""
        self._spots[head] = spot
        for entry in self._inbox:
            self._check_turn(entry)

    def _check_turn(self, entry: Entry) -> None:
        """Raise OutOfTurn if an entry is written on a head that stands for something else."""
        if entry.head in self._spots and entry.place != LEAVE and self._spots[entry.head] != entry.spot:
            raise OutOfTurn(entry.seat, "speaks where it has nothing to say", (entry.data,))

    def _sort(self, entry: Entry) -> None:
        """Look whether an entry that has just come in is for a stage that is over, or on a head that means something else."""
        self._check_turn(entry)
        if entry.spot in self._past:
            self._inbox.take(entry.spot, entry.seat)
            if entry.head in self._spots:  # the stage is over, and this seat had no part in it
                raise OutOfTurn(entry.seat, "speaks where it has nothing to say", (entry.data,))
            self._stray(entry)

    def _stray(self, entry: Entry) -> None:
        """An entry for this spot on another head: not judged."""
        self._check_turn(entry)
        self._differ(entry)

    def _differ(self, entry: Entry) -> None:
        """Show what we hold, and let the other side do so: what was said twice will meet."""
        ours = self._exchange.head if self._exchange else self._head
        self._events.append(Differs(entry.seat, self._here.step, entry.head, ours))
        self._to_send += self.said_since(self.steps - 1)

    def _hear_leaving(self) -> bool:
        """A seat that leaves says so on a head that it knows; with this version that ends the match for all."""
        for seat, entry in sorted(self._inbox.at(LEAVING).items()):
            known = entry.head == self._head or entry.head in self._spots
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
