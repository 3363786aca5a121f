"""A log as the values of its records, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from p2p.table.log import record
from p2p.table.tail import RECORD_LIMIT, split_records
from p2p.wire import unpack


def values_of(log: bytes) -> list[Any]:
    return [unpack(item, RECORD_LIMIT) for item in split_records(log)[0]]


def log_of(values: Iterable[object]) -> bytes:
    return b"".join(record(value) for value in values)
