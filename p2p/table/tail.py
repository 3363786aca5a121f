"""The end of a file of records after a power failure.

The last addition may be cut off, zeros, or other bytes. Nothing of an addition is sent before all
of it is on disk, so bytes that are no record are cut off. If whole records follow them, the file
was once good, and is damaged.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator

from p2p.wire import Malformed

RECORD_LIMIT = 12 * 1024 * 1024
SEARCHED = 4 * RECORD_LIMIT
"""The most bytes of supposed records that are read after the whole ones. Few bytes of a cut
addition look like the size of a record; in a crafted file, all may."""
_SIZE = struct.Struct(">I")
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
    while (item := _record_at(data, at)) is not None and is_record(item):
        found.append(item)
        at += _SIZE.size + len(item)
    unknown = at == 0 and len(data) >= _SIZE.size and _SIZE.unpack_from(data)[0] > RECORD_LIMIT
    if unknown:
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
    return b"".join(_SIZE.pack(len(item)) + item for item in records)


def _record_at(data: bytes, at: int) -> bytes | None:
    """Return the bytes that a size at this offset announces, if all are there."""
    if at + _SIZE.size > len(data):
        return None
    (size,) = _SIZE.unpack_from(data, at)
    begin = at + _SIZE.size
    return data[begin : begin + size] if 0 < size <= min(RECORD_LIMIT, len(data) - begin) else None


def _records_after(data: bytes, at: int) -> Iterator[bytes]:
    for match in _BEGINNING.finditer(data, at + 1):
        if (item := _record_at(data, match.start())) is not None:
            yield item
