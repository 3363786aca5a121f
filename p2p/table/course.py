"""How a match goes on, from one entry to the next: who speaks, what is heard, when a stage, a step and the match end.

`Course` is the machine under a `Table`: it looks at one thing at a time and never waits. What goes in and comes out is the
table's business.
"""

from __future__ import annotations

from typing import Any

from engine.requests import Ask, Deck, Request, Shuffle
from p2p.table.choices import AskRound
from p2p.table.events import Asked, Differs, Over, Sealed, Shuffling, Told
from p2p.table.faults import Desync, Fault, OutOfTurn
from p2p.table.holding import Holding
from p2p.table.log import Entry, Spot, entries_record, seal_place
from p2p.table.steps import Exchange


class Course(Holding):
    """A match under way, as one seat or an onlooker has it. `p2p.table.cutting` has what is done when seats go."""

    def __init__(self, *args: Any) -> None:
        """Sit down, as `Holding` does."""
        super().__init__(*args)
        self._begin()

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
        entry = said[min(ready)]
        if entry.head != exchange.head:
            self._stray(entry)
        else:
            exchange.hear(self._inbox.take(entry.spot, entry.seat))
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
            self._hear_seal(said[min(said)])
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
            return
        self._inbox.take(entry.spot, entry.seat)
        if entry.seat not in self.staying:
            raise OutOfTurn(entry.seat, "seals a match that it has left", (entry.data,))
        self._seals[entry.seat] = entry
