"""Each entry of ours is on disk, and synced, before it is posted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from client.session.work import EntryReceived
from p2p.table.log import read_unsigned
from tests.client.session.test_match_end import PEER, Two


class Watched(Two):
    """Ane and Jon, whose journals are read whenever an entry of their own is posted."""

    def __init__(self, folder: Path, synced: dict[str, int]) -> None:
        super().__init__(folder)
        self.synced, self.posted = synced, 0

    def turn(self, seat: int) -> bool:
        player = self.players[seat]
        assert player is not None
        inputs, self.waiting[seat] = self.waiting[seat], []

        def post(data: bytes, *, to: bytes | None = None, skip: bytes | None = None) -> None:
            if read_unsigned(self.terms, self.terms.match, data).seat == seat:
                (journal,) = self.homes[seat].journals.glob("*.journal")
                assert data in journal.read_bytes()[: self.synced.get(str(journal), 0)]
                self.posted += 1
            self.waiting[1 - seat].append(EntryReceived(PEER, data))

        return player.work(inputs, post).more or bool(inputs)


def test_an_entry_is_synced_before_it_is_posted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync, synced = os.fsync, dict[str, int]()

    def noting(descriptor: int) -> None:
        fsync(descriptor)
        synced[str(Path(f"/proc/self/fd/{descriptor}").readlink())] = os.fstat(descriptor).st_size

    monkeypatch.setattr(os, "fsync", noting)
    two = Watched(tmp_path, synced)
    for seat in range(2):
        two.sit(seat, again=False)
    two.play(400)
    for seat in range(2):
        two.end(seat)
    assert two.posted > 20
