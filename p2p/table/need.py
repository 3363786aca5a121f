"""The message in which a waiting table says what it needs, and the answer (protocol 4).

peer -> peer {"t": "need", match, steps, heads, point, seats, lacks}   then the entries, and
peer -> peer {"t": "shown", match}
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from engine.core.moves import Seat
from p2p.table.hashing import HASH
from p2p.table.log import NUMBER_LIMIT, Entry
from p2p.table.record import Record
from p2p.wire import MOST_SEATS, Malformed, shape

ANSWER_BYTES = 1 << 20
"""About how many bytes of entries an answer has; a record is always sent whole."""
HEADS = 32
"""The most heads: the last one, and those 1, 2, 4, ... records before it."""
LACKS = 1024
"""The most missing entries that a need names."""


@dataclass(frozen=True)
class Need:
    """How far a table has come, and the seats whose entries it waits for at a point."""

    steps: int = 0
    heads: tuple[bytes, ...] = (bytes(HASH),)
    """The head after its last record, and those 1, 2, 4, ... records before it."""
    point: bytes = b""
    """Where it waits; empty if it lacks all entries there."""
    seats: tuple[Seat, ...] = ()
    lacks: tuple[bytes, ...] = ()
    """The hashes of entries that flushes name as reasons, and that it lacks."""

    @staticmethod
    def of(
        trail: Sequence[bytes],
        point: bytes = b"",
        seats: tuple[Seat, ...] = (),
        lacks: tuple[bytes, ...] = (),
    ) -> Need:
        """Return the need of a table with these heads, that of the terms first."""
        last = len(trail) - 1
        before = [0, *(1 << power for power in range(HEADS - 1))]
        heads = tuple(trail[last - at] for at in before if at <= last)
        return Need(last, heads, point, seats, lacks)

    def shared(self, trail: Sequence[bytes]) -> int:
        """Return the number of records up to the last head shared with a table with this trail."""
        places = {head: at for at, head in enumerate(trail)}
        return max(places.get(head, 0) for head in self.heads)

    def names(self, entry: Entry) -> bool:
        """Whether the peer waits for this entry, judged by its seat and head."""
        return entry.seat in self.seats and self.point in (b"", entry.head)

    def message(self, match: bytes) -> dict[str, object]:
        """Return the message."""
        facts = {"steps": self.steps, "heads": list(self.heads), "point": self.point}
        lists = {"seats": list(self.seats), "lacks": list(self.lacks)}
        return {"t": "need", "match": match, **facts, **lists}

    @staticmethod
    def read(message: dict[str, object]) -> tuple[bytes, Need]:
        """Read a message: return the match and the need. Raises Malformed."""
        form = {"match": bytes, "steps": int, "heads": list, "point": bytes, "seats": list}
        fields = shape(message, t=str, lacks=list, **form)
        heads, point, seats, lacks = (fields[name] for name in ("heads", "point", "seats", "lacks"))
        good = 0 <= fields["steps"] < NUMBER_LIMIT and len(point) in (0, HASH)
        good = good and 0 < len(heads) <= HEADS and len(seats) <= MOST_SEATS and len(lacks) <= LACKS
        good = good and all(type(one) is bytes and len(one) == HASH for one in (*heads, *lacks))
        if not good or any(type(seat) is not int for seat in seats):
            raise Malformed(
                "a need has a number of steps, heads, a point, seats and lacking entries"
            )
        need = Need(fields["steps"], tuple(heads), point, tuple(seats), tuple(lacks))
        return fields["match"], need


def in_one_answer(records: Sequence[Record]) -> Sequence[Record]:
    """Return the first of these records, as many as fit one answer."""
    sizes = accumulate(sum(len(entry.data) for entry in record.entries) for record in records)
    return records[: 1 + bisect_right([*sizes], ANSWER_BYTES)]


def answer(
    records: Sequence[Record], members: Sequence[Entry], said: Sequence[Entry], need: Need
) -> list[bytes]:
    """Return the entries of these records and, if all fit, entries beyond them.

    First come the entries about `members`, then the entries of the peer's seats among those `said`,
    then the others.
    """
    found = [entry for record in in_one_answer(records) for entry in record.entries]
    if in_one_answer(records) == records:
        beyond = [*members, *sorted(said, key=lambda entry: entry.seat not in need.seats)]
        found += _fitting(list({entry.data: entry for entry in beyond}.values()), need)
    return list(dict.fromkeys(entry.data for entry in found))


def _fitting(entries: Sequence[Entry], need: Need) -> list[Entry]:
    """Return as many of these entries as fit one answer, in order.

    If they are too many, the last ones of the seats with the most bytes are left out, so that no
    seat displaces another's. Entries that the peer waits for, or says it lacks, are kept first.
    """
    sizes, ranks = Counter[Seat](), list[tuple[bool, bool, int]]()
    lacks = set(need.lacks)
    for entry in entries:
        sizes[entry.seat] += len(entry.data)
        lacking = bool(lacks) and entry.hash in lacks
        ranks.append((not lacking, not need.names(entry), sizes[entry.seat]))
    order = sorted(range(len(entries)), key=ranks.__getitem__)
    ends = accumulate(len(entries[at].data) for at in order)
    return [entries[at] for at in sorted(order[: 1 + bisect_right([*ends], ANSWER_BYTES)])]
