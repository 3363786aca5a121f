"""The end of a file of records after a loss of power.

The last addition may be cut off, zeros, or other bytes.

Nothing of an addition is sent before all of it is on disk, so bytes that are no record are cut off.
If whole records follow it, it was once good, and is damaged.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator

from p2p.wire import Malformed

RECORD_LIMIT = 12 * 1024 * 1024
SEARCHED = 4 * RECORD_LIMIT
"""Bytes of supposed records at most that are read after the whole ones. The rest of an addition
has few bytes that look like the size of a record; each byte of a crafted file may.
"""
_SIZE = struct.Struct(">I")
_BEGINNING = re.compile(rb"(?s)(?=....[\x81-\x83][\xa4-\xa9])")
"""A size, and a dict of one to three fields with names of four to nine letters: so every record
begins."""


class Damaged(Malformed):
    """A file is damaged before its end; `at` is the byte."""

    def __init__(self, at: int) -> None:
        super().__init__(f"the bytes at {at} are no record")
        self.at = at


def whole_records(data: bytes, is_record: Callable[[bytes], bool]) -> list[bytes]:
    """Return the records with which a file begins.

    The rest of an addition that was not completed is left out.

    Damaged if whole records follow what is none, or more supposed records than can be searched, or
    if the file does not begin as one of records.
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
    """Return records without the last if its signatures are not good.

    Damaged if those of an earlier one are not.
    """
    bad = next((place for place, item in enumerate(records) if not is_signed(item)), len(records))
    if bad < len(records) - 1:
        raise Damaged(len(joined(records[:bad])))
    return records[:bad]


def joined(records: list[bytes]) -> bytes:
    """Return a file of these records."""
    return b"".join(_SIZE.pack(len(item)) + item for item in records)


def _record_at(data: bytes, at: int) -> bytes | None:
    """Return what a size at this byte announces, if all of it is there."""
    if at + _SIZE.size > len(data):
        return None
    (size,) = _SIZE.unpack_from(data, at)
    begin = at + _SIZE.size
    return data[begin : begin + size] if 0 < size <= min(RECORD_LIMIT, len(data) - begin) else None


def _records_after(data: bytes, at: int) -> Iterator[bytes]:
    for match in _BEGINNING.finditer(data, at + 1):
        if (item := _record_at(data, match.start())) is not None:
            yield item
