"""Compare two logs of one match: the first difference, and the seats that signed both versions.

Both must be verified before. Seals and verdicts are no records of the match and are not compared.
Nor are stands: no head includes them, because a key can sign one in many ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from p2p.table.log import STAND, Entry, LogFile, read_entry, read_log, read_unsigned


@dataclass(frozen=True)
class Comparison:
    """The common part of two logs.

    Records are counted as `Verdict` counts them: the terms are record 0.
    """

    shared: int
    """The number of equal records."""
    lengths: tuple[int, int]
    """The number of records in each log."""
    twice: tuple[int, ...] = ()
    """Seats that signed two different entries for one place; no honest seat does."""
    both: tuple[int, ...] = ()
    """Seats with an entry in both of the first differing records."""

    @property
    def differ(self) -> bool:
        """Whether a record differs, so that neither log is the beginning of the other."""
        return self.shared < min(self.lengths)


def compare_logs(one: bytes, other: bytes) -> Comparison | None:
    """Compare two logs; return None if they are of two matches.

    Raises Malformed or BadSignature if they were not verified.
    """
    logs = read_log(one), read_log(other)
    if logs[0].terms.match != logs[1].terms.match:
        return None
    first, second = _records(logs[0]), _records(logs[1])
    pairs = zip(first, second, strict=False)
    lengths = len(first), len(second)
    shared = next(
        (number for number, (mine, theirs) in enumerate(pairs) if mine != theirs), min(lengths)
    )
    if shared == min(lengths):
        return Comparison(shared, lengths)
    sides = [
        [_read(log, entries) for entries in records[shared:]]
        for log, records in ((logs[0], first), (logs[1], second))
    ]
    signed = {entry.key: entry.data for record in sides[0] for entry in record}
    twice = {
        entry.seat
        for record in sides[1]
        for entry in record
        if signed.get(entry.key, entry.data) != entry.data
    }
    both = {entry.seat for entry in sides[0][0]} & {entry.seat for entry in sides[1][0]}
    return Comparison(shared, lengths, tuple(sorted(twice)), tuple(sorted(both)))


def _records(log: LogFile) -> list[tuple[bytes, ...]]:
    """Return the entries of each record, without stands."""
    return [
        tuple(data for data in entries if name == "step" or not _is_stand(log, data))
        for name, entries in log.records
        if name in ("step", "epoch")
    ]


def _is_stand(log: LogFile, data: bytes) -> bool:
    return read_unsigned(log.terms, log.terms.match, data).kind == STAND


def _read(log: LogFile, entries: Iterable[bytes]) -> list[Entry]:
    match = log.terms.match
    return [read_entry(log.terms, match, data) for data in entries]
