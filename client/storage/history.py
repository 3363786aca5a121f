"""The match history: the logs on disk, their results, and the matches that can be resumed."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from client.storage.departure import DEPARTURE, has_left
from client.storage.history_index import Indexed, read_index, write_index
from client.storage.home import Home, StoreError, match_name
from client.storage.match_ids import LETTERS, id_of
from client.storage.match_log import match_logs, read_terms
from client.storage.past_match import (
    DAMAGED,
    MINUTE,
    OTHER_VERSION,
    MatchFacts,
    MatchSummary,
    PastPlayer,
    when,
)
from client.storage.regular import LOG_BYTES, read_regular
from client.storage.resume_record import look_through
from crypto.identity import fingerprint
from p2p.net.names import clean_name
from p2p.table.outline import Outline
from p2p.table.read_outline import read_outline
from p2p.table.replay import BadLog, OtherLog
from p2p.table.terms import COMPUTER, OtherVersion, Participant, Terms
from p2p.wire import Malformed

MOST = 60
"""The most unread logs that are shown, the newest."""
SAVE_S = 2.0
"""Seconds after which the index is written while logs are being read."""


class HistoryReader:
    """The match history of a home, while it is being read.

    The index is read first, then the logs that it lacks.
    """

    def __init__(self, home: Home) -> None:
        """Read the folder and the index, but no log.

        StoreError if the folder cannot be read, or there are logs, but no key.
        """
        self._home, self._saved, self._changed = home, time.monotonic(), False
        self._files = _log_files(home)
        self._player = home.identity.id.hex() if self._files else ""
        known = read_index(home.path, self._player) if self._files else {}
        self._known = {
            name: one
            for name, one in known.items()
            if name in self._files and self._files[name][1:] == (one.size, one.mtime_ns)
        }

    @property
    def unread(self) -> int:
        """The number of logs not read yet."""
        return len(self._files) - len(self._known)

    def read(self, seconds: float = math.inf) -> int:
        """Read logs for about `seconds`, at least one, the newest first; return how many are left.

        Write the index now and then.
        """
        end = time.monotonic() + seconds
        for name, (path, size, mtime_ns) in self._files.items():
            if name in self._known:
                continue
            facts, unreadable = _read(path, self._home)
            self._known[name] = Indexed(size, mtime_ns, facts, unreadable)
            self._changed = True
            if time.monotonic() >= end:
                break
        if self._changed and (not self.unread or time.monotonic() >= self._saved + SAVE_S):
            # a log may have been deleted since it was read
            there = {
                name: one for name, one in self._known.items() if self._files[name][0].exists()
            }
            write_index(self._home.path, self._player, there)
            self._saved, self._changed = time.monotonic(), False
        return self.unread

    def summaries(self) -> tuple[tuple[MatchSummary, ...], str]:
        """Return the matches, those that wait for us first, then the newest.

        Unread logs are limited to the newest, with few facts. The second value is the error of the
        newest damaged resume record, or empty.
        """
        try:
            unfinished, damaged = look_through(self._home)
        except StoreError as error:
            unfinished, damaged = [], [error]
        waiting = {one.name: one.alone for one in unfinished}
        wrong = str(damaged[0]) if damaged else ""
        found, space = [], MOST
        for name, (path, _size, mtime_ns) in self._files.items():
            known = self._known.get(name)
            space -= known is None
            if known is not None or space >= 0:
                summary = self._first_look(path) if known is None else self._summary(path, known)
                found.append(
                    replace(
                        summary,
                        written=mtime_ns // 10**9,
                        when=when(mtime_ns / 10**9, MINUTE),
                        unfinished=path.stem in waiting,
                        alone=waiting.get(path.stem, False),
                    )
                )
        return tuple(sorted(found, key=lambda one: not one.unfinished)), wrong

    def _first_look(self, path: Path) -> MatchSummary:
        """Return the facts in the first record of a log; without a game if it is unreadable."""
        unreadable = ""
        try:
            terms = read_terms(path)
        except OtherVersion:
            unreadable = OTHER_VERSION
        except (OSError, Malformed):
            unreadable = DAMAGED
        if unreadable:
            return MatchSummary(
                path.stem, "", (), "", str(path), unreadable=unreadable, id=id_of(path)
            )
        nicks = tuple(clean_name(place.nick) for place in terms.participants)
        keys = tuple(place.id for place in terms.participants)
        seat = next((seat for seat, key in enumerate(keys) if key.hex() == self._player), None)
        return MatchSummary(
            path.stem,
            terms.game,
            nicks,
            "",
            str(path),
            keys=keys,
            id=match_name(terms.match),
            seat=seat,
        )

    def _summary(self, path: Path, known: Indexed) -> MatchSummary:
        if known.facts is None:
            return replace(self._first_look(path), unreadable=known.unreadable)
        facts = _with_departure(path, known.facts)
        return MatchSummary(
            path.stem,
            facts.game,
            tuple(one.nick for one in facts.players),
            "",
            str(path),
            facts=facts,
            keys=tuple(bytes.fromhex(one.id) for one in facts.players),
            id=facts.id[:LETTERS],
            seat=facts.seat,
        )


def _log_files(home: Home) -> dict[str, tuple[Path, int, int]]:
    """Return the logs by name, the newest first, each with its path, size and time.

    Raises StoreError.
    """
    found = {}
    for path in match_logs(home.logs):
        with suppress(OSError):  # it has just been deleted
            stat = path.stat()
            found[path.name] = (path, stat.st_size, stat.st_mtime_ns)
    return found


def _read(path: Path, home: Home) -> tuple[MatchFacts | None, str]:
    """Return the facts of a log, or why it has none."""
    try:
        return _facts(*read_outline(read_regular(path, LOG_BYTES)), home), ""
    except OtherLog:
        return None, OTHER_VERSION
    except (OSError, BadLog):
        return None, DAMAGED


def _facts(terms: Terms, outline: Outline, home: Home) -> MatchFacts:
    players = tuple(map(_player, terms.participants))
    seat = next(
        (seat for seat, one in enumerate(terms.participants) if one.id == home.identity.id), None
    )
    return MatchFacts(terms.match.hex(), terms.game, players, seat, outline)


def _player(participant: Participant) -> PastPlayer:
    nick, computer = clean_name(participant.nick), participant.kind == COMPUTER
    return PastPlayer(participant.id.hex(), nick, fingerprint(participant.id), computer)


def _with_departure(path: Path, facts: MatchFacts) -> MatchFacts:
    """Return the facts of a log with our leave, if the log ends before it."""
    outline, seat = facts.outline, facts.seat
    if seat is None or outline.over or seat in {gone for gone, _how in outline.gone}:
        return facts
    if not path.with_suffix(DEPARTURE).exists() or not has_left(path, seat):
        return facts
    return replace(facts, outline=replace(outline, gone=(*outline.gone, (seat, "left"))))
