"""The stages of a round, in order: the seats that must sign, their entries, and the heads.

    k  = H("stage", h, entries of the stage)          between the stages of a step
    h' = H("step", k, entries of the last stage, F)   at its end

F is the fingerprint of the public state after the step.

A deck has a chain of its own, so that it can be made ahead. It begins on d0 = H("deck", match,
epoch, number, head, pack, holders), where `head` is the head after the deck before, or the one with
which the epoch began. When the rules ask for the deck, its whole chain is the step:
h' = H("step", h, all its entries, F).
"""

from __future__ import annotations

from typing import Any

from crypto.errors import CryptoError
from engine.core.moves import IllegalMove, NotAMove, Seat
from engine.core.requests import Request, Shuffle
from p2p.table.faults import BadForm, BadProof, Fault, IllegalPlay, OutOfTurn
from p2p.table.hashing import h
from p2p.table.log import DECK, STEP, Body, Entry, Place, StageKey
from p2p.table.round import Here, Round
from p2p.table.rounds import round_for
from p2p.wire import Malformed


class Exchange:
    """A request under way: its round, its stage, and the entries of that stage."""

    def __init__(self, here: Here, request: Request[Any], head: bytes) -> None:
        self.round: Round[Any] = round_for(here, request)
        self.place: Place = (STEP, here.epoch, here.step)
        self.head = head
        if isinstance(request, Shuffle):
            deck = request.deck
            start = here.match, here.epoch, deck.number, head, list(deck.cards), list(deck.seats)
            self.head = h("deck", *start)
            self.place = (DECK, here.epoch, deck.number, self.head)
        self.stage = 0
        self.signed: dict[Seat, Entry] = {}
        self.closed_entries: list[Entry] = []
        """The entries of closed stages, in order of stage and seat."""
        self.void = False
        """Whether it cannot end, because its entries convict a seat."""
        self._seat = here.seat

    @property
    def stage_key(self) -> StageKey:
        """The place and the stage for which seats may sign now."""
        return (self.place, self.stage)

    @property
    def makes_deck(self) -> bool:
        """Whether it makes a deck, which has a chain of its own."""
        return isinstance(self.round.request, Shuffle)

    @property
    def done(self) -> bool:
        """Whether every stage is closed."""
        return self.stage == self.round.stages

    def missing(self) -> tuple[Seat, ...]:
        """Return the seats that have yet to sign in this stage."""
        return (
            ()
            if self.done
            else tuple(seat for seat in self.round.speakers(self.stage) if seat not in self.signed)
        )

    def own_body(self) -> Body | None:
        """Return the body of our entry; None if it is not our turn or our player has not chosen."""
        if self._seat is None or self._seat not in self.missing():
            return None
        return self.round.own(self.stage, self.head, self.signed)

    def ready(self, entry: Entry) -> bool:
        """Whether an entry for this stage, on this head, can be judged now."""
        return entry.seat not in self.missing() or self.round.ready(entry, self.signed)

    def receive(self, entry: Entry, *, trusted: bool = False) -> None:
        """Take an entry for this stage, on this head.

        Fault if it does not belong here or is invalid.
        """
        seat = entry.seat
        if seat not in self.missing():
            raise OutOfTurn(seat, "speaks where it has nothing to say", (entry.data,))
        try:
            self.round.receive(self.stage, self.head, entry, trusted=trusted)
        except (Malformed, NotAMove) as error:
            raise BadForm(seat, str(error), (entry.data,)) from error
        except CryptoError as error:
            raise BadProof(seat, str(error), (entry.data,)) from error
        except IllegalMove as error:
            raise IllegalPlay(seat, error, (entry.data,)) from error
        self.signed[seat] = entry

    def close_stage(self) -> None:
        """End a stage in which all seats have signed.

        The next stage is on a head that names the entries of this one.
        """
        assert not self.missing(), "a stage ends when all seats have signed"
        try:
            self.round.close(self.stage, self.signed)
        except Fault:
            self.void = True
            raise
        entries = [self.signed[seat] for seat in sorted(self.signed)]
        self.closed_entries += entries
        self.signed = {}
        self.stage += 1
        if not self.done or self.makes_deck:
            self.head = h("stage", self.head, [entry.data for entry in entries])

    def finish(self) -> None:
        """Answer the run. Fault if the state now public convicts a seat of an earlier lie."""
        try:
            self.round.finish()
        except IllegalMove as error:
            self.void = True
            evidence = tuple(entry.data for entry in self.closed_entries)
            raise IllegalPlay(error.seat, error, evidence) from error

    def next_head(self, head: bytes, state: bytes) -> bytes:
        """Return the head after this step, from the head before and the new state's fingerprint."""
        if self.makes_deck:
            return h("step", head, [entry.data for entry in self.closed_entries], state)
        last = self.round.stages - 1
        return h(
            "step",
            self.head,
            [entry.data for entry in self.closed_entries if entry.stage == last],
            state,
        )
