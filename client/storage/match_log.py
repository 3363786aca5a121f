"""The log of one match on disk: one file for all seats of this process.

The log follows whichever of their tables is furthest. A kill at any byte leaves whole records and
at most one torn one at the end, which is cut off. A new step is appended. So are the seals, once:
when all have arrived, or when our session ends without some; until then the journals have them. A
change of members, and seals after such an end, replace bytes: a fresh file replaces the old one.
Dropped records are kept in a file beside the log, `MATCH.branch1.sobremesa`.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from client.storage.home import (
    Appender,
    read_stored,
    reading,
    replace_file,
    take_up_file,
)
from client.storage.regular import open_regular, read_regular
from engine.core.moves import Seat
from p2p.table.log import LogFile, read_log, sound_log
from p2p.table.logbook import LogMark
from p2p.table.table import Table
from p2p.table.terms import Terms
from p2p.wire import Malformed

ENDING = ".sobremesa"
FIRST_RECORD_BYTES = 16 * 1024
"""The most bytes of a log's first record."""
BRANCH = ".branch"


class MatchLog:
    """The log file of one match."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = Appender(path, 0o644)
        self._size = 0
        self._mark: LogMark | None = None
        """How far the file has come; None while there is none."""
        self._head = b""
        """The head after its last record; empty if unknown."""
        self._writer: Seat | None = None
        """The seat whose table wrote last; None before the first time, and for a spectator's table.
        """
        self._branches: list[Path] = []

    def take_up(self) -> bytes:
        """Cut a torn record off the file, and return the whole records.

        Raises StoreError or Malformed.
        """
        data = take_up_file(self.path, sound_log)
        self.go_on_from(data)
        return data

    def go_on_from(self, data: bytes) -> None:
        """Go on after the whole records of the file. Raises Malformed."""
        self._size, self._mark, self._head = len(data), _mark(read_log(data)) if data else None, b""

    def write(self, table: Table, *, last: bool = False) -> None:
        """Bring the file up to date with this table.

        An incomplete set of seals is left out, unless this is the `last` time. StoreError on
        failure.
        """
        seals = last or table.sealed
        mark, before = table.mark if seals else (*table.mark[:2], 0), self._mark
        if before is not None and (
            (mark[:2] == before[:2] and mark <= before)
            or (mark < before and table.seat != self._writer)
        ):
            return
        at, data = table.log_update(
            before if before is not None and self._is_on_branch_of(table, before) else None,
            seals=seals,
        )
        self._write(at, data)
        self._mark, self._head, self._writer = mark, table.head, table.seat

    def branches(self) -> list[Path]:
        """Return the files of dead branches that were kept since the last call."""
        found, self._branches = self._branches, []
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _is_on_branch_of(self, table: Table, mark: LogMark) -> bool:
        """Whether the file is the beginning of this table's log.

        Two of our tables may have received different stories.
        """
        records = mark[1]
        return records <= table.steps and table.trail[records] == self._head

    def _write(self, at: int, data: bytes) -> None:
        """Replace the bytes of the file from `at` on."""
        if at == self._size:
            self._file.append(data)
            self._size += len(data)
            return
        with reading(self.path):
            old = read_regular(self.path)
        new = old[:at] + data
        if new != old:
            settled = _settled(read_log(old))
            if _settled(read_log(new))[: len(settled)] != settled:
                self._keep(old)
            self._file.close()
            replace_file(self.path, new)
        self._size = len(new)

    def _keep(self, old: bytes) -> None:
        """Keep a log whose last records are on a dead branch: nothing on disk is destroyed."""
        number = 1
        while (path := self.path.with_name(f"{self.path.stem}{BRANCH}{number}{ENDING}")).exists():
            if read_stored(path) == old:  # a kill kept us from replacing the log itself
                break
            number += 1
        else:
            replace_file(path, old)
        self._branches.append(path)


def read_terms(path: Path) -> Terms:
    """Return the terms of a match from the first record of its log.

    Raises OSError or Malformed; OtherVersion if another version wrote it.
    """
    with open_regular(path) as file:
        size = file.read(4)
        length = int.from_bytes(size, "big")
        if length > FIRST_RECORD_BYTES:
            raise Malformed("the first record is too long")
        return read_log(size + file.read(length)).terms


def match_logs(folder: Path) -> list[Path]:
    """Return the logs of matches in a folder, the newest first, without branches.

    An empty list if there is no folder. Raises StoreError.
    """
    paths, found = list[Path](), {}
    with reading(folder), suppress(FileNotFoundError):
        paths = list(folder.iterdir())
    for path in paths:
        if path.name.endswith(ENDING) and BRANCH not in path.name:
            with suppress(OSError):  # just deleted, or a dangling link
                found[path] = path.stat().st_mtime_ns
    return sorted(found, key=found.__getitem__, reverse=True)


def _settled(log: LogFile) -> list[tuple[str, tuple[bytes, ...]]]:
    """Return the records that only another branch replaces: all but seals."""
    return [one for one in log.records if one[0] != "seals"]


def _mark(log: LogFile) -> LogMark:
    """Return how far a log has come."""
    names = [name for name, _entries in log.records]
    return (
        names.count("epoch"),
        names.count("step") + names.count("epoch"),
        sum(len(one) for name, one in log.records if name == "seals"),
    )
