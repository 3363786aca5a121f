"""The progress of a match by its rules: requests, stages, steps and records, each on a head.

`Progress` processes one thing at a time and never waits. It knows nothing of members:
`p2p.table.match` joins the two, and builds a new progress from records to go back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from crypto.chance import Entropy
from crypto.group import Group
from engine.core.moves import Seat
from engine.core.requests import Ask, Deck, Request, Shuffle
from engine.core.run import Run
from engine.games import new_game
from p2p.table.choices import AskRound
from p2p.table.events import Asked, Event, Over, Shuffling, Told
from p2p.table.faults import Desync, Fault, Forgotten, OutOfTurn
from p2p.table.hashing import h
from p2p.table.heads import Heads
from p2p.table.inbox import Inbox, Key
from p2p.table.journal import Journal
from p2p.table.log import DECK, SEAL, Body, Entry, StageKey
from p2p.table.masks import Masks
from p2p.table.record import Parts, Record, parts_of
from p2p.table.round import Here
from p2p.table.steps import Exchange
from p2p.table.terms import Terms
from p2p.wire import Malformed

Sign: TypeAlias = Callable[[StageKey, bytes, Body], Entry]
"""Signs an entry of our seat for a stage, on a head."""
Arrive: TypeAlias = "Callable[[int, bytes, frozenset[Seat]], None]"
"""Called with the epoch, the head of each stage that is reached, and the seats that owe an entry.
"""


class Progress:
    """A match as far as it has come for one seat or spectator."""

    def __init__(
        self,
        terms: Terms,
        group: Group,
        seat: Seat | None,
        entropy: Entropy,
        journal: Journal,
        inbox: Inbox,
        arrive: Arrive,
    ) -> None:
        """Begin on the head of the terms."""
        game = new_game(terms.game, len(terms.participants), terms.options)
        masks = Masks(terms, group, seat)
        self.here = Here(terms, terms.match, group, seat, entropy, Run(game), masks, journal)
        self.inbox = inbox
        self.members = tuple(game.seats)
        """The seats in play when the present epoch began."""
        self.exchange: Exchange | None = None
        self.ahead: Exchange | None = None
        self.trail = [terms.first_head()]
        """The head of the terms, then the head after each record."""
        self._laid = self.head
        """The head after the last deck of this epoch, or that with which the epoch began. The next
        deck's chain is bound to it."""
        self.records: list[Record] = []
        self._recorded: dict[Key, bytes] = {}
        self.events: list[Event] = []
        self._differing: list[Entry] = []
        """Entries on other heads than ours: their seats may hold what we lack, or another story."""
        self.heads = Heads()
        self._last_told: list[Any] | None = None
        self._arrive = arrive
        self._differed: set[tuple[StageKey, Seat, bool]] = set()
        self._begin()

    @property
    def run(self) -> Run:
        """The game in progress."""
        return self.here.run

    @property
    def head(self) -> bytes:
        """The running hash after the last record: 32 bytes."""
        return self.trail[-1]

    @property
    def asked(self) -> AskRound | None:
        """The question to our player, if it must choose now."""
        exchange, seat = self.exchange, self.here.seat
        if exchange is None or exchange.stage or seat not in exchange.missing():
            return None
        turn = exchange.round
        return (
            turn
            if isinstance(turn, AskRound) and not turn.request.auto and turn.move is None
            else None
        )

    def drain_events(self) -> list[Event]:
        """Return the events since the last call."""
        events, self.events = self.events, []
        return events

    def drain_differing(self) -> list[Entry]:
        """Return the entries on other heads than ours, since the last call."""
        differing, self._differing = self._differing, []
        return differing

    # Each of these does one thing, and returns whether there was one. Fault if a seat lied.

    def sort(self) -> bool:
        """Examine one new entry: its stage may be over, or its head stand for something else."""
        entry = self.inbox.arrived()
        if entry is None:
            return False
        if self.inbox.waits(entry):
            self._sort(entry)
        return True

    def speak(self, sign: Sign) -> bool:
        """Sign the entry that our seat owes."""
        return self.exchange is not None and self._speak(self.exchange, sign)

    def listen(self) -> bool:
        """Take one entry for the present stage."""
        return self.exchange is not None and self._listen(self.exchange)

    def close(self, head: bytes | None = None) -> bool:
        """End the stage if all have signed, and the step if that was its last stage.

        `head` is the head after the step, if known.
        """
        exchange = self.exchange
        if exchange is None:
            return False
        closed = self._close_stage(exchange)
        if not exchange.done or exchange.void:
            return closed
        exchange.finish()
        if exchange.makes_deck:
            made = exchange.round.request.deck.number
            self.inbox.clear(lambda place: place[0] == DECK and place[2] <= made)
        record = Record("step", tuple(exchange.closed_entries))
        self._write(record, head or exchange.next_head(self.head, self.run.fingerprint()))
        if exchange.makes_deck:
            self._laid = self.head
        self._emit(exchange)
        self._begin()
        return True

    def make_ahead(self, sign: Sign | None) -> bool:
        """Do one thing for the next deck, if its cards are already certain.

        Without `sign` our seat signs nothing. This is optional: a deck not made ahead is made when
        the rules ask for it. At most one is made ahead, and it is dropped if its pack or holders
        change.
        """
        deck = self._next_deck()
        if deck is None:
            return False
        if self.ahead is not None and self.ahead.round.request.deck != deck:
            self.ahead = None
        if self.ahead is None:
            self.ahead = Exchange(self.here, Shuffle(deck), self._laid)
            self._recall(self.ahead)
            self._learn(self.ahead.head, self.ahead.stage_key)
        ahead = self.ahead
        return (
            (sign is not None and self._speak(ahead, sign))
            or self._listen(ahead)
            or self._close_stage(ahead)
        )

    def go_on(self) -> None:
        """Proceed as far as the entries lead, as an observer."""
        more = True
        while more:
            try:
                more = self.sort() or self.listen() or self.close()
            except Fault:
                more = True  # a liar's entries are removed one by one
            except (Desync, Forgotten):
                more = False  # no table stands on this branch, or not ours

    def take(self, record: Record, head: bytes | None = None) -> None:
        """Take the next record of a match that is restored, without its proofs.

        `head` is the head after it, if known. Malformed or Fault if it does not come next.
        """
        if record.name == "epoch":
            self.change(parts_of(record.entries))
            return
        for entry in record.entries:
            while (
                self.exchange is not None
                and not self.exchange.missing()
                and self._close_stage(self.exchange)
            ):
                continue
            if self.exchange is None or entry.stage_key != self.exchange.stage_key:
                raise Malformed("a record that does not come next")
            self.exchange.receive(entry, trusted=True)
        self.close(head)

    def change(self, parts: Parts, written: Callable[[], object] = lambda: None) -> None:
        """Make a change: tell the rules which seats go, and write the record of the epoch.

        Call `written`, then continue with the rules. The step under way is dropped.
        """
        run, here = self.run, self.here
        goes = [seat for seat in self.members if seat not in parts.stays]
        seats = [seat for seat in goes if seat in run.game.seats]
        if seats and run.game.may_leave(*seats):
            run.leave(seats)
        here.epoch += 1
        self.members = tuple(run.game.seats)
        self.exchange = self.ahead = None
        self.inbox.clear(lambda place: place[1] < here.epoch)
        k = h("stage", self.head, [flush.data for flush in parts.flushes])
        head = h("epoch", k, run.fingerprint())
        entries = (*parts.reasons, *parts.flushes, *parts.stands)
        self._write(Record("epoch", entries), head)
        self._laid = head
        written()
        self._begin()

    def heard(self, key: Key) -> bytes | None:
        """Return a seat's entry in a record, in the step under way, or in the next deck."""
        said = {entry.key: entry.data for entry in self.context()}
        return said.get(key) or self._recorded.get(key)

    def lacks(self, entry: Entry) -> bool:
        """Whether the step under way, or the deck made ahead, waits for this entry."""
        return any(
            (entry.stage_key, entry.head) == (exchange.stage_key, exchange.head)
            and entry.seat in exchange.missing()
            for exchange in self._exchanges
        )

    def names_what_we_lack(self, seat: Seat, head: bytes) -> bool:
        """Whether a seat's entry on the head of the present stage waits for another entry.

        The other entry may not exist, so such a seat has not answered yet.
        """
        exchange = self.exchange
        if exchange is None or exchange.head != head:
            return False
        entry = self.inbox.at(exchange.stage_key).get(seat)
        return entry is not None and entry.head == head and not exchange.ready(entry)

    def context(self) -> list[Entry]:
        """Return the entries beyond the last record: of the step, and of the deck made ahead."""
        return [
            entry
            for exchange in self._exchanges
            for entry in (*exchange.closed_entries, *exchange.signed.values())
        ]

    @property
    def _exchanges(self) -> list[Exchange]:
        return [exchange for exchange in (self.exchange, self.ahead) if exchange is not None]

    def _write(self, record: Record, head: bytes) -> None:
        self.records.append(record)
        self._recorded |= {entry.key: entry.data for entry in record.entries}
        self.trail.append(head)
        self.here.step = len(self.records) + 1

    def _await(self, exchange: Exchange) -> None:
        """Continue with an exchange, perhaps one made ahead.

        Others may still wait at its closed stages.
        """
        self.exchange = exchange
        heads = {entry.stage: entry.head for entry in exchange.closed_entries}
        for stage, head in sorted(heads.items()):
            self._arrive(self.here.epoch, head, frozenset(exchange.round.speakers(stage)))
        self._arrive_at(exchange)

    def _arrive_at(self, exchange: Exchange) -> None:
        owed = () if exchange.done else exchange.round.speakers(exchange.stage)
        self._arrive(self.here.epoch, exchange.head, frozenset(owed))
        self._learn(exchange.head, exchange.stage_key)

    def _learn(self, head: bytes, stage_key: StageKey | None) -> None:
        """Note the stage for which a head stands, and look at waiting entries again."""
        self.heads.learn(head, stage_key)
        self.inbox.need(self._needed())
        self.inbox.look_again(head)

    def _needed(self) -> set[Key]:
        """Return the keys of entries due now, in the step or in a deck."""
        due = {
            (*exchange.stage_key, seat)
            for exchange in self._exchanges
            if not exchange.done
            for seat in exchange.round.speakers(exchange.stage)
        }
        return {(*self.sealing, seat) for seat in self.members} if self.run.over else due

    def _sort(self, entry: Entry) -> None:
        try:
            self.heads.check(entry)
        except OutOfTurn:
            self.inbox.take(entry.stage_key, entry.seat)
            raise
        if self.heads.closed(entry.stage_key):
            self.stray(entry)
            if self.heads.known(entry.head):  # the stage is over, and this seat had no part in it
                raise OutOfTurn(entry.seat, "speaks where it has nothing to say", (entry.data,))
        elif entry.kind == DECK and entry.number <= self.run.game.shuffles:
            # of a deck begun but never played, or the seat believes it burnt
            self.inbox.take(entry.stage_key, entry.seat)
            if any(record.entries[0].place == entry.place for record in self.records):
                self._differ(entry)

    def stray(self, entry: Entry) -> None:
        """Stop an entry on another head from waiting; it is judged only if we get there."""
        self.inbox.take(entry.stage_key, entry.seat)
        self._differ(entry)

    def _differ(self, entry: Entry) -> None:
        """Note that a seat is on another head, or has what we lack: once for each stage of ours.

        Its entry for that very stage is noted even after another one.
        """
        here = self.exchange.stage_key if self.exchange is not None else self.sealing
        noted = here, entry.seat, entry.stage_key == here
        if noted not in self._differed:
            self._differed.add(noted)
            self._differing.append(entry)

    def _speak(self, exchange: Exchange, sign: Sign) -> bool:
        """Sign the entry that our seat owes, unless our journal has it."""
        seat = self.here.seat
        if seat is None or self.inbox.signed(exchange.stage_key, seat):
            return False
        body = exchange.own_body()
        if body is None:
            self._emit(exchange)
            return False
        entry = sign(exchange.stage_key, exchange.head, body)
        exchange.receive(entry, trusted=True)
        self._emit(exchange)
        return True

    def _listen(self, exchange: Exchange) -> bool:
        """Take one entry for this stage."""
        signed = self.inbox.at(exchange.stage_key)
        ready = [
            seat
            for seat in signed
            if signed[seat].head != exchange.head or exchange.ready(signed[seat])
        ]
        if not ready:
            self._show_unready(exchange)
            return False
        entry = signed[min(ready)]
        if entry.head != exchange.head:
            self.stray(entry)
        else:
            exchange.receive(self.inbox.take(entry.stage_key, entry.seat))
            self._emit(exchange)
        return True

    def _show_unready(self, exchange: Exchange) -> None:
        """Note if all who still owe an entry name one that we lack: somebody has it."""
        signed = self.inbox.at(exchange.stage_key)
        if signed and set(exchange.missing()) == set(signed):
            self._differ(signed[min(signed)])

    def _close_stage(self, exchange: Exchange) -> bool:
        """End the stage if all have signed; return whether it ended."""
        if exchange.done or exchange.void or exchange.missing():
            return False
        self.heads.close(exchange.stage_key)
        exchange.close_stage()
        if not exchange.done:
            if exchange is self.exchange:
                self._arrive_at(exchange)
            else:
                self._learn(exchange.head, exchange.stage_key)
        return True

    def _emit(self, exchange: Exchange) -> None:
        """Emit the events of a round; those of a deck made ahead only once it is wanted."""
        if exchange is not self.ahead:
            self.events += exchange.round.news
            exchange.round.news = []

    def _begin(self) -> None:
        """Begin the exchange that the rules wait for now.

        If no seat owes an entry, it ends at once.
        """
        run = self.run
        self._emit_told()
        self._tidy()
        self.exchange = None
        if run.request is None:
            self._end()
            return
        exchange = self._exchange_for(run.request)
        if not exchange.round.speakers(0):
            exchange.finish()
            self._emit(exchange)
            self._begin()
            return
        if isinstance(run.request, Shuffle):
            self._learn(self.head, None)
            self.events.append(Shuffling(run.request.deck.number, run.request.deck.seats))
        self._await(exchange)
        if isinstance(run.request, Ask) and self.asked:
            self.events.append(Asked())

    def _tidy(self) -> None:
        """Forget decks, secrets and faces that are out of play."""
        here, decks = self.here, [deck.number for deck in self.run.game.decks]
        here.masks.keep(decks)
        here.journal.forget(here.step)
        here.own_faces = {
            slot: face for slot, face in here.own_faces.items() if slot in self.run.game.holder
        }

    def _end(self) -> None:
        """End the rules: only seals follow."""
        game = self.run.game
        self.exchange = None
        self.events.append(Over(game.winners, tuple(game.score)))
        self._learn(self.head, self.sealing)

    @property
    def sealing(self) -> StageKey:
        """The stage key of the seals."""
        return ((SEAL, self.here.epoch, self.here.step), 0)

    def _emit_told(self) -> None:
        told = self.run.game.told  # a new list after each answer
        if told is not self._last_told:
            self._last_told = told
            pictures = self.run.game.pictures
            self.events += [Told(event, pictures.get(at)) for at, event in enumerate(told)]

    def _exchange_for(self, request: Request[Any]) -> Exchange:
        """Return the exchange for a request: the one made ahead, if it is for this very deck."""
        if isinstance(request, Shuffle) and self.ahead is not None:
            ahead, self.ahead = self.ahead, None
            if ahead.round.request.deck == request.deck:
                return ahead
        if not isinstance(request, Shuffle):
            return Exchange(self.here, request, self.head)
        exchange = Exchange(self.here, request, self._laid)
        self._recall(exchange)
        return exchange

    def _recall(self, exchange: Exchange) -> None:
        """Receive the entries of a deck again that was begun and dropped before."""
        self.heads.reopen(exchange.place)
        self.inbox.recall(exchange.place)

    def _next_deck(self) -> Deck | None:
        """Return the deck of the next shuffle, if the rules already know it.

        Return None while a deck is being made.
        """
        run, game = self.run, self.run.game
        pack = None if run.over or isinstance(run.request, Shuffle) else game.next_pack()
        return Deck(game.shuffles + 1, game.slots_used, *pack) if pack is not None else None
