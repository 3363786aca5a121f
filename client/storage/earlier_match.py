"""The entries of a match that our player no longer plays, for a player of it who lacks them.

A peer names a match, and how far it has come. It may be a stranger, or lie. It gets only entries of
that match, which its players may all see, and only if its key has a seat there. If our player can
resume the match, it gets only leaves: our tables send the rest after the resume.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from client.storage.departure import BadDeparture, read_departure
from client.storage.home import JOURNAL, RESUMABLE, Home, match_name
from client.storage.match_log import ENDING, read_terms
from client.storage.regular import open_regular, read_regular
from p2p.table.journal import leaves_in
from p2p.table.log import Entry, LogFile, read_log, read_unsigned
from p2p.table.terms import Terms
from p2p.wire import Malformed

LIMIT_BYTES = 6 << 20
"""The most bytes of a log whose entries are sent: they fit the queue of a link."""


class Lacking(NamedTuple):
    """The entries that a player lacks, and whether these are all that we hold."""

    entries: list[bytes]
    complete: bool


def entries_for(home: Home, peer: bytes, match: bytes, steps: int, head: bytes) -> Lacking | None:
    """Return what a player lacks that is on this head after `steps` records of a match.

    That is everything if our log does not have the head; only leaves if our player can resume the
    match; None if our player and this peer did not both play in it.
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
        return Lacking(_leaves(home, terms), complete=False)
    try:
        log = read_log(read_regular(path, LIMIT_BYTES))
    except (OSError, Malformed):
        return Lacking([], complete=False)
    end, rest = b"", list[Entry]()
    with suppress(BadDeparture):
        end, rest = read_departure(path, log.terms)
    parts = [*(entries for _name, entries in log.records), tuple(entry.data for entry in rest)]
    known = head == end if steps == len(log.records) else _begins(log, steps, head)
    found = [data for part in parts[steps if known else 0 :] for data in part]
    return Lacking(found, complete=True)


def _leaves(home: Home, terms: Terms) -> list[bytes]:
    """Return the leaves in our seats' journals. A leave binds its seat anywhere."""
    found = dict[bytes, None]()
    for path in sorted(home.journals.glob(f"{match_name(terms.match)}.p*{JOURNAL}")):
        with suppress(OSError, Malformed), open_regular(path) as file:
            found |= dict.fromkeys(leaves_in(file.read(LIMIT_BYTES), terms))
    return list(found)


def _begins(log: LogFile, steps: int, head: bytes) -> bool:
    """Whether an entry of the record after `steps` others was signed on this head."""
    terms, records = log.terms, log.records[steps : steps + 1] if steps >= 0 else ()
    entries = (
        read_unsigned(terms, terms.match, data) for _name, found in records for data in found
    )
    return any(entry.head == head for entry in entries)
