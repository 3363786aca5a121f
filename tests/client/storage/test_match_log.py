"""The log of a match on disk: one file for all our seats, whole after a kill at any byte, and no
branch is destroyed."""

from __future__ import annotations

from pathlib import Path

from client.storage.match_log import MatchLog, match_logs
from p2p.table.log import read_log
from p2p.table.replay import verify_log
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()
NAME = "0123.sobremesa"


class Logged(Ring):
    """A ring whose first two seats are of one process, and write one log; `seals` counts what
    stands in it."""

    def __init__(self, folder: Path, *args, **options) -> None:
        self.log = MatchLog(folder / NAME)
        self.seals: list[int] = []
        super().__init__(*args, group=GROUP, **options)

    def store(self, seat: int) -> list[bytes]:
        said = super().store(seat)
        if seat < 2:
            self.log.write(self.tables[seat])
            name, entries = (read_log(self.log.path.read_bytes()).records or [("", ())])[-1]
            self.seals.append(len(entries) if name == "seals" else 0)
        return said


def test_the_seals_are_appended_once_when_all_have_come(tmp_path):
    ring = Logged(tmp_path, "escoba", 3, target=1)
    ring.play(moves=1)
    file = {path.stat().st_ino for path in tmp_path.iterdir()}
    ring.play()
    ring.log.close()
    assert set(ring.seals) == {0, 3}
    assert len(read_log(ring.log.path.read_bytes()).records[-1][1]) == 3
    assert {path.stat().st_ino for path in tmp_path.iterdir()} == file, "it was written anew"


def test_of_a_match_that_not_all_have_sealed_the_log_gets_the_seals_that_have_come(tmp_path):
    """Later seals take their place."""
    kept: list[bytes] = []

    def keep_back(sender: int, _receiver: int, data: bytes) -> tuple[bytes, ...]:
        if sender == 2 and b"\xa4seal" in data:
            kept.append(data)
            return ()
        return (data,)

    ring = Logged(tmp_path, "escoba", 3, target=1, tap=keep_back)
    ring.play()
    assert ring.log.path.read_bytes() == ring.logs[0][: ring.log.path.stat().st_size]
    assert ring.seals[-1] == 0
    ring.log.write(ring.tables[0], last=True)
    ring.log.close()
    assert ring.log.path.read_bytes() == ring.logs[0]
    assert verify_log(ring.logs[0], GROUP).waiting == (2,)
    log = MatchLog(tmp_path / NAME)
    log.take_up()
    log.write(ring.tables[0])
    assert log.path.read_bytes() == ring.logs[0], "the seals on disk stay there"
    ring.tables[0].receive(kept[0])
    ring.tables[0].proceed()
    log.write(ring.tables[0])
    log.close()
    assert log.path.read_bytes() == ring.logs[2]
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_a_branch_that_was_left_is_kept_beside_the_log(tmp_path):
    """Two tables of ours that were told different stories: the records of the first are kept."""
    rings = [Ring("escoba", 2, group=GROUP, target=1, seed=seed) for seed in ("one", "another")]
    for ring in rings:
        ring.play(moves=3)
    log = MatchLog(tmp_path / NAME)
    log.write(rings[0].tables[0])
    before = log.path.read_bytes()
    rings[1].play(moves=3)
    log.write(rings[1].tables[1])
    assert log.path.read_bytes() == rings[1].logs[1]
    (branch,) = log.branches()
    assert branch.name == "0123.branch1.sobremesa"
    assert branch.read_bytes() == before
    assert log.branches() == []
    rings[0].play()
    log.write(rings[0].tables[0])
    assert [path.name for path in log.branches()] == ["0123.branch2.sobremesa"]
    log.close()
    assert match_logs(tmp_path) == [log.path]
