"""The match history: the logs on disk, and the matches that can be resumed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from client.storage.home import Home, StoreError
from client.storage.match_log import match_logs
from client.storage.resume_record import look_through
from p2p.net.names import clean_name
from p2p.table.log import read_log
from p2p.table.terms import Terms
from p2p.wire import Malformed

MOST = 60
"""Matches shown, the newest."""
FIRST_RECORD_BYTES = 16 * 1024
"""Bytes of a log's first record, at most."""


@dataclass(frozen=True)
class MatchSummary:
    """A match on our disk."""

    match: str
    game: str
    nicks: tuple[str, ...]
    when: str
    """Its day, as it is shown."""
    path: str
    unfinished: bool = False
    keys: tuple[bytes, ...] = ()
    """The ids of the players, in seat order."""


def matches(home: Home) -> tuple[tuple[MatchSummary, ...], str]:
    """Return the matches of a home, those that wait for us first, then the newest; logs that cannot be read are left out.

    With them return a sentence if a resume record is damaged: the error of the newest one.
    """
    try:
        unfinished, damaged = look_through(home)
    except StoreError as error:
        unfinished, damaged = [], [error]
    waiting, wrong = {one.name for one in unfinished}, str(damaged[0]) if damaged else ""
    try:
        paths = match_logs(home.logs)[:MOST]
    except OSError:
        return (), wrong
    found = [past for path in paths if (past := _past(path, unfinished=path.stem in waiting)) is not None]
    return tuple(sorted(found, key=lambda past: not past.unfinished)), wrong


def _past(path: Path, *, unfinished: bool) -> MatchSummary | None:
    try:
        with path.open("rb") as file:
            size = file.read(4)
            if int.from_bytes(size, "big") > FIRST_RECORD_BYTES:
                return None
            terms = read_log(size + file.read(int.from_bytes(size, "big"))).terms
        when = datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d")
    except (OSError, Malformed):
        return None
    keys = tuple(place.id for place in terms.participants)
    return MatchSummary(path.stem, terms.game, _nicks(terms), when, str(path), unfinished, keys)


def _nicks(terms: Terms) -> tuple[str, ...]:
    return tuple(clean_name(place.nick) for place in terms.participants)
