"""Entries that wait to be judged, and the entry that each seat is known to have signed for a place.

It bounds what a peer can make us keep, and remembers every entry, so that a second story is seen
whenever it turns up. Entries about membership do not come here: they wait for no stage
(`p2p.table.calls`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from engine.core.moves import Seat
from p2p.table.log import DECK, Entry, Place, StageKey

KEPT = 64
"""Entries that wait for each seat; the rest is asked for again. As many of each seat are kept that
came to nothing."""


class Inbox:
    """The entries that the seats have signed.

    Our own entries are never too many: they come from our journal.
    """

    def __init__(self, own: Seat | None) -> None:
        self._own = own
        self._signed: dict[tuple[Place, int, Seat], Entry] = {}
        self._second: dict[tuple[Place, int, Seat], Entry] = {}
        self._on_head: Counter[tuple[int, bytes, Seat]] = Counter()
        self._waiting: dict[StageKey, dict[Seat, Entry]] = {}
        self._counts: Counter[Seat] = Counter()
        self._aside: Counter[Seat] = Counter()
        """Of each seat, how many are kept that nobody has judged and that wait no longer."""
        self._arrived: list[Entry] = []
        self._data: set[bytes] = set()
        self.journalled: set[tuple[Place, int, Seat]] = set()
        """The keys of entries that come from our journal: they take no space from others."""
        self.turned_away = False
        """Whether an entry was turned away for lack of space."""

    def has(self, data: bytes) -> bool:
        """Whether exactly these bytes are here already.

        In a mesh most entries come in more than once.
        """
        return data in self._data

    def signed(self, stage_key: StageKey, seat: Seat) -> Entry | None:
        """Return what this seat is known to have signed for this stage, judged or not."""
        return self._signed.get((*stage_key, seat))

    def spoke(self, view: int, head: bytes, seat: Seat) -> bool:
        """Whether a word of this view is known that this seat has signed on this head.

        One of another view is nonsense there.
        """
        return self._on_head[view, head, seat] > 0

    @property
    def size(self) -> int:
        """How many entries are remembered."""
        return len(self._data)

    def known(self) -> Iterator[Entry]:
        """Return the first entry known for every place of a seat."""
        return iter(self._signed.values())

    def pairs(self) -> list[tuple[Entry, Entry]]:
        """Return the two stories of every seat that has told two for one place."""
        return [(self._signed[key], second) for key, second in self._second.items()]

    def note_second(self, entry: Entry) -> None:
        """Remember the second story of a seat, one for each place."""
        if entry.key not in self._second:
            self._second[entry.key] = entry
            self._data.add(entry.data)
            self._on_head[entry.place[1], entry.head, entry.seat] += 1

    def note(self, entry: Entry) -> None:
        """Remember an entry that need not wait: we have just said it."""
        self._signed[entry.key] = entry
        self._data.add(entry.data)
        self._on_head[entry.place[1], entry.head, entry.seat] += 1

    def put(self, entry: Entry, *, late: bool = False) -> bool:
        """Keep an entry until it is judged; return False if its seat has too many waiting.

        In that case nothing is kept.

        `late` ones will hardly ever be judged; of too many that came to nothing no more are kept.
        """
        if late and self._is_limited(entry) and self._aside[entry.seat] >= KEPT:
            return False
        if self._is_limited(entry) and self._counts[entry.seat] >= KEPT:
            self.turned_away = True
            return False
        self.note(entry)
        self._wait(entry)
        self._arrived.append(entry)
        return True

    def _is_limited(self, entry: Entry) -> bool:
        return entry.seat != self._own and entry.key not in self.journalled

    def _wait(self, entry: Entry) -> None:
        self._waiting.setdefault(entry.stage_key, {})[entry.seat] = entry
        self._counts[entry.seat] += self._is_limited(entry)

    def arrived(self) -> Entry | None:
        """Return the next entry that nobody has looked at yet; it goes on waiting."""
        return self._arrived.pop(0) if self._arrived else None

    def look_again(self) -> None:
        """Let all that waits be looked at once more: we now know more about their heads."""
        self._arrived = list(self)

    def waits(self, entry: Entry) -> bool:
        """Whether this very entry waits."""
        return self._waiting.get(entry.stage_key, {}).get(entry.seat) is entry

    def at(self, stage_key: StageKey) -> Mapping[Seat, Entry]:
        """Return the entries that wait for a stage."""
        return self._waiting.get(stage_key, {})

    def take(self, stage_key: StageKey, seat: Seat) -> Entry:
        """Take out an entry that waits."""
        entry = self._waiting[stage_key].pop(seat)
        if not self._waiting[stage_key]:
            del self._waiting[stage_key]
        self._counts[seat] -= self._is_limited(entry)
        return entry

    def lay_aside(self, stage_key: StageKey, seat: Seat, *, always: bool = False) -> bool:
        """Let an entry wait no longer, unjudged as it is.

        Return False if its seat has too many such entries, and nothing of it is kept.

        `always` keeps it all the same. A second story goes with the first.
        """
        entry = self.take(stage_key, seat)
        if self._is_limited(entry) and self._aside[seat] >= KEPT and not always:
            for signed in (self._signed, self._second):
                if dropped := signed.pop(entry.key, None):
                    self._data.discard(dropped.data)
                    self._on_head[dropped.place[1], dropped.head, dropped.seat] -= 1
            return False
        self._aside[seat] += self._is_limited(entry)
        return True

    def put_back(self, entry: Entry) -> None:
        """Let an entry that was laid aside wait again, to be looked at once more."""
        self._aside[entry.seat] -= self._is_limited(entry)
        self._wait(entry)
        self._arrived.append(entry)

    def recall(self, place: Place) -> None:
        """Let all that was ever said for a place wait again.

        A deck that had been begun and dropped is wanted after all.
        """
        for entry in self._signed.values():
            if entry.place == place and entry.seat not in self.at(entry.stage_key):
                self._wait(entry)

    def afresh(self, view: int, taken: Collection[bytes], second: Collection[bytes] = ()) -> Inbox:
        """Return an inbox in which entries from this view on wait again, except those `taken`.

        `taken` are the entries in records.

        Of two stories the first waits, or the second where it is among `second`.
        """
        fresh = Inbox(self._own)
        fresh.journalled, fresh.turned_away = self.journalled, self.turned_away
        fresh._data, fresh._on_head = set(self._data), Counter(self._on_head)
        fresh._signed, fresh._second = dict(self._signed), dict(self._second)
        for key, entry in self._second.items():
            if entry.data in second:
                fresh._signed[key], fresh._second[key] = entry, self._signed[key]
        for entry in fresh._signed.values():
            if entry.place[1] >= view and entry.data not in taken:
                fresh._wait(entry)
        fresh.look_again()
        return fresh

    def clear_decks(self, number: int) -> None:
        """Let nothing wait for decks up to this one: they have been played, or never will be."""
        for stage_key in [
            stage_key
            for stage_key in self._waiting
            if stage_key[0][0] == DECK and stage_key[0][2] <= number
        ]:
            for seat in list(self._waiting[stage_key]):
                self.lay_aside(stage_key, seat)

    def clear_views(self, view: int) -> None:
        """Let nothing wait for views before this one: a view change has settled that."""
        for stage_key in [stage_key for stage_key in self._waiting if stage_key[0][1] < view]:
            for seat in list(self._waiting[stage_key]):
                self.lay_aside(stage_key, seat)

    def __iter__(self) -> Iterator[Entry]:
        """All that waits."""
        return (entry for signed in self._waiting.values() for entry in signed.values())
