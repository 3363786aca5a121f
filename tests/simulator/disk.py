"""A simulated disk: synced bytes outlive a crash; of bytes being written, some beginning may."""

from __future__ import annotations

from engine.core.moves import Choose
from p2p.table.tail import split_records

JOURNAL, LOG = "journal", "log"


class Disk:
    """The two files of one seat."""

    def __init__(self) -> None:
        self._synced = {JOURNAL: bytearray(), LOG: bytearray()}
        self._written = {JOURNAL: bytearray(), LOG: bytearray()}

    def write(self, name: str, data: bytes) -> None:
        """Add to a file; a crash may lose it."""
        self._written[name] += data

    def sync(self, name: str) -> bytes:
        """Let nothing of a file be lost any more; return what was not yet safe."""
        safe = bytes(self._written[name])
        self._synced[name] += safe
        self._written[name].clear()
        return safe

    def read(self, name: str) -> bytes:
        """Return all of a file, written or synced."""
        return bytes(self._synced[name] + self._written[name])

    def replace(self, name: str, data: bytes) -> None:
        """Put another file in the place of one, which is either done or not."""
        self._synced[name] = bytearray(data)
        self._written[name].clear()

    def copy(self) -> Disk:
        """Return an old copy of the safe bytes, as somebody keeps it to come back with it."""
        old = Disk()
        old._synced = {name: bytearray(data) for name, data in self._synced.items()}
        return old

    def crash(self, kept: Choose) -> None:
        """Lose what was not synced but for a beginning; `kept` says of how many bytes how many were
        lucky."""
        for name, written in self._written.items():
            self._synced[name] += written[: kept(len(written))]
            written.clear()

    def recover(self, name: str) -> bytes:
        """Cut the torn tail of a file, as the client does when it opens one, and return what is
        left."""
        data = self._synced[name]
        _records, torn = split_records(bytes(data))
        del data[len(data) - torn :]
        return bytes(data)
