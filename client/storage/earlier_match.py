"""The entries of a match that our player plays no more, for a player of it who lacks them.

A peer names a match, and how far it has come. It may be a stranger, or lie about that. It gets
entries of that match alone, which are public in it, and only if its key has a seat there. Nothing
is given of a match that waits for our player: our tables give that, once they are back in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from client.storage.departure import BadDeparture, read_departure
from client.storage.home import Home, match_name
from client.storage.match_log import ENDING, read_terms
from client.storage.regular import open_regular
from client.storage.resume_record import ENDING as RESUMABLE
from p2p.table.log import Entry, LogFile, read_log, read_unsigned
from p2p.table.terms import Terms
from p2p.wire import Malformed

LIMIT_BYTES = 6 << 20
"""Bytes of a log of which entries are given: they fit the queue of a link."""


def entries_for(
    home: Home, peer: bytes, match: bytes, steps: int, head: bytes
) -> list[bytes] | None:
    """Return what a player lacks that stands on this head after so many records of a match.

    It is all there is if that is no head of our log, nothing while our player can go back into that
    match, and None if our player and this peer were not both in it.
    """
    path = home.logs / f"{match_name(match)}{ENDING}"
    try:
        terms = read_terms(path)
    except (OSError, Malformed):
        return None
    both = {peer, home.identity.id} <= {place.id for place in terms.participants}
    if terms.match != match or not both:
        return None
    if (home.journals / f"{match_name(match)}{RESUMABLE}").exists():
        return []
    log = _read(path)
    if log is None:
        return []
    rest = tuple(entry.data for entry in _departure(path, log.terms))
    parts = [*(entries for _name, entries in log.records), rest]
    known = 0 <= steps < len(parts) and head in _heads(log.terms, parts[steps])
    return [data for part in parts[steps if known else 0 :] for data in part]


def _read(path: Path) -> LogFile | None:
    try:
        with open_regular(path) as file:
            data = file.read(LIMIT_BYTES + 1)
        return read_log(data) if len(data) <= LIMIT_BYTES else None
    except (OSError, Malformed):
        return None


def _departure(path: Path, terms: Terms) -> list[Entry]:
    try:
        return read_departure(path, terms)
    except BadDeparture:
        return []


def _heads(terms: Terms, entries: Iterable[bytes]) -> set[bytes]:
    """Return the heads on which these entries were signed."""
    return {read_unsigned(terms, terms.match, data).head for data in entries}
