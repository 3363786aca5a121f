"""Bugs on purpose: each is a mistake that somebody could make, with the seed of a match that shows
it.

That the simulator finds nothing means something only because it finds these (test_simulator.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import patch

from client.session.seats import LocalSeats
from client.session.work import Post
from crypto.chance import Entropy
from crypto.masking import new_key
from engine.core.moves import Seat
from engine.core.requests import Deal
from p2p.table import choices, journal, log, steps
from p2p.table.epoch import Epoch
from p2p.table.epoch_entries import Call
from p2p.table.inbox import Inbox
from p2p.table.journal import Journal
from p2p.table.known_records import KnownRecords
from p2p.table.log import Body, Entry, StageKey, make_entry
from p2p.table.need import Need
from p2p.table.pool import POOL
from p2p.table.progress import Progress
from p2p.table.replay import Verdict
from p2p.table.round import Here, Round
from p2p.table.rounds import DealRound, ShuffleRound
from p2p.table.table import Table
from tests.simulator.safety import Watch


class BadProver(Table):
    """A table whose shuffle is good, and its proof is not."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        sign = self.sign

        def spoil(stage_key: StageKey, head: bytes, body: Body) -> Entry:
            if stage_key[0][0] == "deck" and stage_key[1] > 0 and "proof" in body:
                proof = body["proof"]
                body = {**body, "proof": proof[:-1] + bytes([proof[-1] ^ 1])}
            return sign(stage_key, head, body)

        self.sign = spoil  # this is the planted bug


class Deafening(Table):
    """A table whose seat tells each who asks first words that fit nowhere yet (B1)."""

    answers = 0

    def lacking(self, need: Need) -> list[bytes]:
        held, self.answers = self, self.answers + 1
        assert held.identity is not None
        assert held.seat is not None
        told = []
        for number in range(POOL * self.answers, POOL * (self.answers + 1)):
            place = (("step", 0, 1000 + number), 0)
            head = number.to_bytes(32, "big")
            told.append(make_entry(held.identity, held.match, place, held.seat, head, {}).data)
        return [*told, *super().lacking(need)]


@dataclass(frozen=True)
class Bug:
    """A mistake that is made within `plant`, the match in which it comes to light, and a part of
    the finding."""

    plant: Callable[[], AbstractContextManager[object]]
    game: str
    seed: int
    found: str
    liars: Mapping[Seat, type[Table]] = field(default_factory=dict)
    coalition: bool = False
    """Whether it takes a coalition of liars to show it."""


def order_of_arrival() -> AbstractContextManager[object]:
    """Heads name the entries of a stage in the order in which they came, not in that of the
    seats."""
    return patch.object(steps, "sorted", list, create=True)


def send_before_sync() -> AbstractContextManager[object]:
    """Entries are sent, and then stored."""

    def send(self: LocalSeats, seat: Seat, table: Table, post: Post) -> bool:
        words, said = table.data_to_store(), table.data_to_send()
        for data in said:
            post(data)
        self.files.write_journal(seat, words)
        self.files.log_file.write(table)
        return bool(said)

    return patch.object(LocalSeats, "send", send)


def log_before_journal() -> AbstractContextManager[object]:
    """Entries stand in the log before their secrets are in the journal."""

    def send(self: LocalSeats, seat: Seat, table: Table, post: Post) -> bool:
        words, said = table.data_to_store(), table.data_to_send()
        self.files.log_file.write(table)
        self.files.write_journal(seat, words)
        for data in said:
            post(data)
        return bool(said)

    return patch.object(LocalSeats, "send", send)


@contextmanager
def send_before_sync_unwatched() -> Iterator[None]:
    """The same, and nobody compares what is sent with the disk: it takes a crash to show it."""
    with send_before_sync(), patch.object(Watch, "look_at_the_disk", lambda *_: None):
        yield


def skipped_proof() -> AbstractContextManager[object]:
    """Seats take any shuffle as if they had made it themselves. A replay of a log still verifies
    it."""
    receive = ShuffleRound.receive

    def trusting(
        self: ShuffleRound, stage: int, head: bytes, entry: Entry, *, trusted: bool
    ) -> None:
        receive(self, stage, head, entry, trusted=trusted or self.here.seat is not None)

    return patch.object(ShuffleRound, "receive", trusting)


def skipped_signature() -> AbstractContextManager[object]:
    """Nobody looks at the signatures of entries."""
    return patch.object(log, "verify", lambda *_: None)


def nonce_used_twice() -> AbstractContextManager[object]:
    """Each seat hides all that it commits to behind one nonce."""

    def fresh(entropy: Entropy, size: int) -> bytes:
        del entropy
        return bytes(size)

    return patch.object(choices, "fresh", fresh)


def key_used_twice() -> AbstractContextManager[object]:
    """A seat has one key for all its decks: one for each source of randomness."""
    return patch.object(journal, "new_key", cache(new_key))


def dealt_to_all() -> AbstractContextManager[object]:
    """A seat that is dealt a card publishes its own share of it too."""

    def careless(self: DealRound, here: Here, request: Deal) -> None:
        Round.__init__(self, here, request)
        self.owed = here.masks.owing(
            sorted(slot for slots in request.to.values() for slot in slots), {}
        )

    return patch.object(DealRound, "__init__", careless)


def forgotten_words() -> AbstractContextManager[object]:
    """A peer that sits down again has forgotten its entries."""
    return patch.object(Journal, "read", lambda *_: [])


def nothing_shown() -> AbstractContextManager[object]:
    """A peer that comes back is not sent the entries that it lacks."""
    return patch.object(Table, "lacking", lambda *_: [])


def minority_votes() -> AbstractContextManager[object]:
    """One vote is enough to remove anybody (G2)."""

    def carried(self: Epoch, gone: frozenset[Seat]) -> frozenset[Call]:
        return frozenset(
            call
            for call, voters in self._votes.items()
            if voters and call[0] not in gone and self._owes(call, gone)
        )

    return patch.object(Epoch, "carried", carried)


def deaf_to_late_words() -> AbstractContextManager[object]:
    """A word that turns up in time does not keep its seat (G2)."""
    return patch.object(Epoch, "is_heard", lambda *_: False)


def changes_without_reasons() -> AbstractContextManager[object]:
    """A flush counts though nobody has what shows that seats may go (G4)."""
    return patch.object(KnownRecords, "explains", lambda *_: True)


def dropped_steps_remembered() -> AbstractContextManager[object]:
    """Entries of a step that a change drops stay in rules and cards (G7)."""
    return patch.object(Progress, "context", lambda _self: [])


def first_words_decide() -> AbstractContextManager[object]:
    """The first words of a seat that wait leave no room for others, needed ones too (B1)."""
    put = Inbox.put

    def put_if_there_is_room(self: Inbox, entry: Entry) -> bool:
        return sum(one.seat == entry.seat for one in self) < POOL and put(self, entry)

    return patch.object(Inbox, "put", put_if_there_is_room)


def complete_without_seals() -> AbstractContextManager[object]:
    """A log is complete when the rules have ended (G4)."""
    return patch.object(Verdict, "complete", property(lambda self: self.table.run.over))


BUGS: dict[str, Bug] = {
    "head over entries in another order": Bug(order_of_arrival, "escoba", 66, "differs"),
    "a send before the sync": Bug(send_before_sync, "escoba", 0, "has not stored"),
    "a send before the sync, found by its effect": Bug(
        send_before_sync_unwatched, "escoba", 12, "signs two stories"
    ),
    "a log before its journal": Bug(log_before_journal, "escoba", 114, "has not stored"),
    "a skipped proof": Bug(skipped_proof, "escoba", 2, "handed", {1: BadProver}),
    "a skipped signature": Bug(skipped_signature, "escoba", 30, "never said"),
    "a nonce used twice": Bug(nonce_used_twice, "tiny", 1, "one nonce for two commitments"),
    "a deck key used twice": Bug(key_used_twice, "tiny", 1, "one deck key for two decks"),
    "a card dealt to all": Bug(dealt_to_all, "escoba", 2, "can see slot"),
    "words forgotten": Bug(forgotten_words, "escoba", 0, "signs two stories"),
    "nothing shown to a peer that comes back": Bug(nothing_shown, "escoba", 0, "sealed"),
    "one vote is enough": Bug(minority_votes, "tiny", 5, "G2", coalition=True),
    "a word in time keeps no seat": Bug(deaf_to_late_words, "tiny", 52, "G2", coalition=True),
    "reasons that nobody has": Bug(changes_without_reasons, "tiny", 1, "KeyError", coalition=True),
    "a dropped step remembered": Bug(dropped_steps_remembered, "tiny", 1, "sealed"),
    "the first words decide": Bug(first_words_decide, "tiny", 0, "sealed", {1: Deafening}),
    "complete without seals": Bug(complete_without_seals, "tiny", 2, "G4", coalition=True),
}
"""All of them, by their mistake."""
