"""The entries of the seats: those that are judged or needed, and those that wait in a pool.

An entry is needed if it is due at the present stage of the step, or of a deck being made; the first
of each seat is kept, and a second story. All others wait in a pool, where a seat displaces only its
own. Any of these may be forgotten, and is requested again when needed. Entries about members wait
for no stage, and do not come here (`p2p.table.member_entries`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeAlias

from engine.core.moves import Seat
from p2p.table.log import Entry, Place, StageKey
from p2p.table.pool import Pool

Key: TypeAlias = tuple[Place, int, Seat]


class Inbox:
    """The entries that the seats signed.

    Our own entries and those of our journal are never displaced.
    """

    def __init__(self, own: Seat | None) -> None:
        self._own = own
        self._signed: dict[Key, Entry] = {}
        self._second: dict[Key, Entry] = {}
        self._further: Pool[Entry] = Pool()
        """Third and further stories of a place, as somebody may have continued with one. A
        displaced one is sent again when needed, as the newest."""
        self._on_head: Counter[tuple[int, bytes, Seat]] = Counter()
        self._waiting: dict[StageKey, dict[Seat, Entry]] = {}
        self._pool: Pool[Entry] = Pool()
        self._needed: Collection[Key] = ()
        self._arrived: list[Entry] = []
        self._data: set[bytes] = set()
        self.from_journal: set[Key] = set()
        """The keys of entries from our journal; they take no space from others."""
        self.learned = 0
        """How many entries have arrived: when it grows, more may follow from the others."""

    def has(self, data: bytes) -> bool:
        """Whether exactly these bytes are here already.

        In a mesh most entries arrive more than once.
        """
        return data in self._data

    def signed(self, stage_key: StageKey, seat: Seat) -> Entry | None:
        """Return what this seat is known to have signed for this stage, judged or not."""
        return self._signed.get((*stage_key, seat))

    def spoke(self, epoch: int, head: bytes, seat: Seat) -> bool:
        """Whether an entry of this epoch on this head is known from this seat."""
        return self._on_head[epoch, head, seat] > 0

    def known(self) -> Iterator[Entry]:
        """Return the first known entry for every place of a seat."""
        return iter(self._signed.values())

    def pairs(self) -> list[tuple[Entry, Entry]]:
        """Return both stories of every seat that signed two for one place."""
        return [(self._signed[key], second) for key, second in self._second.items()]

    def stories(self) -> list[tuple[Entry, Entry]]:
        """Return the first story of every place with each other one, the second ones last."""
        further = (one for one in self._further if one.key in self._signed)
        return [*((self._signed[one.key], one) for one in further), *self.pairs()]

    def note_second(self, entry: Entry) -> None:
        """Remember a second story, one for each place, as long as the first.

        Further ones go to a pool: a liar may have sent each peer another story.
        """
        if entry.key in self._second:
            for one in self._further.put(entry.seat, entry):
                self._drop(one)
        else:
            self._second[entry.key] = entry
        self._note(entry)

    def hear(self, other: Inbox) -> None:
        """Take everything from another inbox that this one lacks."""
        for entry in (*other.known(), *(two for _one, two in other.stories())):
            if not self.has(entry.data) and entry.key in self._signed:
                self.note_second(entry)
            elif not self.has(entry.data):
                self.put(entry)

    def prefer(self, entry: Entry) -> None:
        """Let another story wait instead of the first one, which led nowhere."""
        self._signed[entry.key] = entry
        self._wait(entry)

    def note(self, entry: Entry) -> None:
        """Remember an entry that need not wait, because we just signed it."""
        self._signed[entry.key] = entry
        self._note(entry)

    def _note(self, entry: Entry) -> None:
        self._data.add(entry.data)
        self._on_head[entry.epoch, entry.head, entry.seat] += 1
        self.learned += 1

    def put(self, entry: Entry) -> bool:
        """Keep an entry until it is judged; in the pool if nothing needs it yet.

        Return whether to forward it: not if it displaced another entry.
        """
        self.note(entry)
        self._wait(entry)
        self._arrived.append(entry)
        if entry.seat == self._own or entry.key in self._needed or entry.key in self.from_journal:
            return True
        displaced = self._pool.put(entry.seat, entry)
        for one in displaced:
            self._forget(one.key)
        return not displaced

    def idle(self) -> Iterator[Entry]:
        """Return the entries that nothing needs yet."""
        return (self._signed[entry.key] for entry in self._pool)

    def need(self, keys: Collection[Key]) -> None:
        """Protect the entries for these places from displacement."""
        self._needed = keys
        while self._pool.take(lambda entry: entry.key in keys):
            continue

    def _forget(self, key: Key) -> None:
        if self.waits(self._signed[key]):
            self.take(self._signed[key].stage_key, key[2])
        for told in (self._signed, self._second):
            if dropped := told.pop(key, None):
                self._drop(dropped)
        while (further := self._further.take(lambda one: one.key == key)) is not None:
            self._drop(further)

    def _drop(self, entry: Entry) -> None:
        self._data.discard(entry.data)
        self._on_head[entry.epoch, entry.head, entry.seat] -= 1

    def _wait(self, entry: Entry) -> None:
        self._waiting.setdefault(entry.stage_key, {})[entry.seat] = entry

    def arrived(self) -> Entry | None:
        """Return the next entry that was not looked at yet; it goes on waiting."""
        return self._arrived.pop(0) if self._arrived else None

    def look_again(self, head: bytes) -> None:
        """Look at all waiting entries again: we now know what this head stands for.

        Entries of the pool on this head wait again.
        """
        for entry in (self._signed[pooled.key] for pooled in self._pool):
            if entry.head == head:
                self._wait(entry)
        self._arrived = list(self)

    def waits(self, entry: Entry) -> bool:
        """Whether this very entry waits."""
        return self._waiting.get(entry.stage_key, {}).get(entry.seat) is entry

    def at(self, stage_key: StageKey) -> Mapping[Seat, Entry]:
        """Return the entries that wait for a stage."""
        return self._waiting.get(stage_key, {})

    def take(self, stage_key: StageKey, seat: Seat) -> Entry:
        """Stop an entry from waiting, and return it."""
        entry = self._waiting[stage_key].pop(seat)
        if not self._waiting[stage_key]:
            del self._waiting[stage_key]
        return entry

    def recall(self, place: Place) -> None:
        """Let all entries for a place wait again: a dropped deck is wanted after all."""
        for entry in self._signed.values():
            if entry.place == place and entry.seat not in self.at(entry.stage_key):
                self._wait(entry)

    def afresh(self, epoch: int, taken: Collection[bytes], second: Collection[bytes] = ()) -> Inbox:
        """Return an inbox in which entries from this epoch on wait again, except those `taken`.

        `taken` are the entries in records. Of several stories the first waits, or one that is in
        `second`.
        """
        fresh = Inbox(self._own)
        fresh.from_journal, fresh.learned = self.from_journal, self.learned
        fresh._data, fresh._on_head = set(self._data), Counter(self._on_head)
        fresh._signed, fresh._second = dict(self._signed), dict(self._second)
        for entry in self._pool:
            if entry.data not in taken:
                fresh._pool.put(entry.seat, entry)
        for key, entry in self._second.items():
            if entry.data in second:
                fresh._signed[key], fresh._second[key] = entry, self._signed[key]
        for entry in self._further:
            kept = entry
            if entry.data in second and entry.key in fresh._signed:
                kept, fresh._signed[entry.key] = fresh._signed[entry.key], entry
            fresh._further.put(entry.seat, kept)
        for entry in fresh._signed.values():
            if entry.epoch >= epoch and entry.data not in taken:
                fresh._wait(entry)
        fresh._arrived = list(fresh)
        return fresh

    def clear(self, over: Callable[[Place], bool]) -> None:
        """Let nothing wait for places that are over: settled, or never reached."""
        for stage_key in [stage_key for stage_key in self._waiting if over(stage_key[0])]:
            del self._waiting[stage_key]

    def __iter__(self) -> Iterator[Entry]:
        """All waiting entries."""
        return (entry for signed in self._waiting.values() for entry in signed.values())
