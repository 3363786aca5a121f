"""Files of records, each a u32 size and its bytes, and their end after a power failure.

The last addition may be cut off, zeros, or other bytes. Nothing of an addition is sent before all
of it is on disk, so bytes that are no record are cut off. If whole records follow them, the file
was once good, and is damaged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from p2p.wire import Malformed

RECORD_LIMIT = 12 * 1024 * 1024
SEARCHED = 4 * RECORD_LIMIT
"""The most bytes of supposed records that are read after the whole ones. Few bytes of a cut
addition look like the size of a record; in a crafted file, all may."""
_SIZE = 4
"""The bytes of the size before a record."""
_BEGINNING = re.compile(rb"(?s)(?=....[\x81-\x83][\xa4-\xa9])")
"""A size, and a dict of one to three fields with names of four to nine letters: the start of every
record."""


class Damaged(Malformed):
    """A file is damaged before its end, at the byte `at`."""

    def __init__(self, at: int) -> None:
        super().__init__(f"the bytes at {at} are no record")
        self.at = at


def whole_records(data: bytes, is_record: Callable[[bytes], bool]) -> list[bytes]:
    """Return the whole records at the start of a file, without an incomplete last addition.

    Damaged if whole records follow other bytes, if there are more supposed records than can be
    searched, or if the file does not begin with a record.
    """
    found: list[bytes] = []
    at = 0
    while (item := record_at(data, at)) is not None and is_record(item):
        found.append(item)
        at += _SIZE + len(item)
    if not found and _size_at(data, 0) > RECORD_LIMIT:
        raise Damaged(at)
    searched = 0
    for item in _records_after(data, at):
        searched += len(item)
        if searched > SEARCHED or is_record(item):
            raise Damaged(at)
    return found


def signed_records(records: list[bytes], is_signed: Callable[[bytes], bool]) -> list[bytes]:
    """Return records without the last one if its signatures are invalid.

    Damaged if those of an earlier one are.
    """
    bad = next((place for place, item in enumerate(records) if not is_signed(item)), len(records))
    if bad < len(records) - 1:
        raise Damaged(len(joined(records[:bad])))
    return records[:bad]


def joined(records: list[bytes]) -> bytes:
    """Return a file of these records."""
    return b"".join(len(item).to_bytes(_SIZE, "big") + item for item in records)


def record_at(data: bytes, at: int, limit: int = RECORD_LIMIT) -> bytes | None:
    """Return the record at this offset; None if not all of it is there, or it is too long."""
    begin, size = at + _SIZE, _size_at(data, at)
    return data[begin : begin + size] if size <= min(limit, len(data) - begin) else None


def split_records(data: bytes, limit: int = RECORD_LIMIT) -> tuple[list[bytes], int]:
    """Split a file into its whole records, and the number of bytes of a torn one after them."""
    found, at = [], 0
    while (item := record_at(data, at, limit)) is not None:
        found.append(item)
        at += _SIZE + len(item)
    if (size := _size_at(data, at)) > limit:
        raise Malformed(f"a record of {size} bytes at byte {at}")
    return found, len(data) - at


def _size_at(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + _SIZE], "big") if at + _SIZE <= len(data) else 0


def _records_after(data: bytes, at: int) -> Iterator[bytes]:
    for match in _BEGINNING.finditer(data, at + 1):
        if (item := record_at(data, match.start())) is not None:
            yield item
