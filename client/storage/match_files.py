"""The files of one match: its log, our seats' journals, the shares of our cards, reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from client.storage.departure import DEPARTURE, departure
from client.storage.home import (
    JOURNAL,
    RESUMABLE,
    Appender,
    Home,
    StoreError,
    match_name,
    replace_file,
    sync_folder,
    take_up_file,
    using,
)
from client.storage.match_log import BRANCH, ENDING, MatchLog
from client.storage.own_cards import ENDING as OWN_CARDS
from client.storage.own_cards import own_cards_file, write_own_cards
from engine.core.moves import Seat, Slot
from p2p.table.journal import sound_journal
from p2p.table.terms import Terms

VERDICT, ACCOUNT = ".verdict", ".desync"
"""The suffixes of the evidence of a fault, and of the account of a difference between tables."""
_BESIDE = re.compile(
    rf"{re.escape(DEPARTURE)}|{re.escape(ACCOUNT)}|\.p\d+{re.escape(VERDICT)}"
    rf"|{re.escape(BRANCH)}\d+{re.escape(ENDING)}"
)
"""The suffixes of the files beside a log, after the name of the match."""
_SECRET = re.compile(rf"\.p\d+{re.escape(JOURNAL)}|{re.escape(OWN_CARDS)}")
"""The suffixes of its journals and of the shares of our cards. An ended match has journals only if
one is damaged."""


class MatchFiles:
    """The log of one match, and the journals of our seats in it."""

    def __init__(self, home: Home, match: bytes, seats: tuple[Seat, ...]) -> None:
        name = match_name(match)
        self.log_file = MatchLog(home.logs / f"{name}{ENDING}")
        self._match = home.journals / f"{name}{RESUMABLE}"
        self._id, self._cards = match, own_cards_file(home.path, match)
        self._kept: Mapping[Slot, bytes] | None = None
        """The known shares of our player's cards."""
        self._stored: Mapping[Slot, bytes] | None = None
        """The shares on disk."""
        self._journals = {
            seat: Appender(home.journals / f"{name}.p{seat + 1}{JOURNAL}", 0o600) for seat in seats
        }

    @property
    def log(self) -> Path:
        """The path of the log."""
        return self.log_file.path

    def take_up(self, terms: Terms) -> tuple[dict[Seat, bytes], bytes]:
        """Return the journals by seat, and the log, of an interrupted match.

        Torn records at their ends are cut off. Raises StoreError or Malformed.
        """
        sound = partial(sound_journal, terms=terms)
        return {
            seat: take_up_file(journal.path, sound) for seat, journal in self._journals.items()
        }, self.log_file.take_up()

    def write_journal(self, seat: Seat, data: bytes) -> None:
        """Append to a seat's journal and sync it; only then may its contents be sent.

        StoreError on failure.
        """
        self._journals[seat].append(data)

    def write_own_cards(self, shares: Mapping[Slot, bytes]) -> None:
        """Write the shares of our player's cards, if some are not on disk.

        They stay when the match is over. Play does not depend on them: after a failure it
        continues, and they are written later. A share whose card has become public is removed when
        the files are closed.
        """
        self._kept = shares
        if not shares.items() <= (self._stored or {}).items():
            with suppress(StoreError):
                self._store_own_cards()

    def _store_own_cards(self) -> None:
        if self._kept is not None and self._kept != self._stored:
            write_own_cards(self._cards, self._id, self._kept)
            self._stored = self._kept

    def write_verdict(self, seat: Seat, data: bytes) -> Path:
        """Write the evidence of a seat's fault beside the log, and return the path.

        Each seat has a file of its own; its first verdict stays, as one is enough. StoreError on
        failure.
        """
        path = self.log.with_suffix(f".p{seat + 1}{VERDICT}")
        return path if path.exists() else _write(path, data)

    def write_account(self, data: bytes) -> Path:
        """Write an account of how our table differs from another; return the path.

        It replaces an earlier account.
        """
        return _write(self.log.with_suffix(ACCOUNT), data)

    def write_departure(self, entries: Sequence[bytes], head: bytes) -> None:
        """Write the entries that our tables hold beyond the log, after our player left.

        StoreError on failure.
        """
        replace_file(self.log.with_suffix(DEPARTURE), departure(entries, head))

    def close(self, *, finished: bool) -> None:
        """Close the files; delete the journals and the resume record of a finished match.

        They hold secrets such as deck keys. The log must have everything that follows from them;
        the shares of our cards are written and synced before. Raises StoreError.
        """
        self.log_file.close()
        for journal in self._journals.values():
            journal.close()
        if not finished:
            return
        self._store_own_cards()
        with using(self._match.parent):
            # The record leads to the journals, so it must not outlive them.
            self._match.unlink(missing_ok=True)
            sync_folder(self._match.parent)
            for journal in self._journals.values():
                journal.path.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> Path:
    replace_file(path, data)
    return path


def files_of(home: Home, match: str) -> list[Path]:
    """Return the files of an ended match by the name of its log, the log last.

    So after an interrupted deletion the match is still listed, and can be deleted again. Raises
    StoreError.
    """
    folders = ((home.cards, _SECRET), (home.journals, _SECRET), (home.logs, _BESIDE))
    others = [path for folder, ends in folders for path in _in(folder, match, ends)]
    return [*others, home.logs / f"{match}{ENDING}"]


def _in(folder: Path, match: str, ends: re.Pattern[str]) -> list[Path]:
    """Return the files of a match in a folder, by their suffixes. Raises StoreError."""
    with using(folder):
        paths = sorted(path for path in folder.iterdir() if path.name.startswith(match))
    return [path for path in paths if ends.fullmatch(path.name[len(match) :])]
