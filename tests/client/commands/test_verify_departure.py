"""`sobremesa verify` and `replay` of a log that ends before a player's leave."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from client.__main__ import main
from client.storage.departure import DEPARTURE, beyond_log, departure, has_left
from p2p.table.log import LEAVE, make_entry
from tests.ring import Ring, identities

LEFT = (
    "p{} has left the match: the file beside the log has the signed leave, and the log ends before "
    "it."
)
NOTHING = bytes(32)


class Left:
    """A match that one player has left while the others were away."""

    def __init__(self, folder: Path, players: int = 2, seats: Iterable[int] = (1,)) -> None:
        self.ring = Ring("escoba", players, seed="left", target=1)
        self.ring.play(moves=4)
        self.path = folder / "match.sobremesa"
        self.beside = self.path.with_suffix(DEPARTURE)
        entries = []
        for seat in seats:
            self.ring.tables[seat].leave()
            self.ring.store(seat)
            entries += beyond_log(self.ring.tables[seat])
        self.path.write_bytes(self.ring.logs[0])
        self.beside.write_bytes(departure(entries, NOTHING))
        self.entries = entries

    def leave(self, seat: int, match: bytes | None = None, by: int | None = None) -> bytes:
        who = identities(len(self.ring.tables))[seat if by is None else by]
        match = self.ring.terms.match if match is None else match
        return make_entry(who, match, ((LEAVE, 0), 0), seat, NOTHING, {}).data


@pytest.fixture
def left(tmp_path: Path) -> Left:
    return Left(tmp_path)


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]):
    def run(path: Path, *args: str) -> tuple[int, list[str]]:
        status = main(["verify", *args, str(path)])
        out, err = capsys.readouterr()
        assert not err
        return status, [line.strip() for line in out.splitlines()]

    return run


def test_verify_says_that_a_player_has_left_and_does_not_wait_for_it(left, verify):
    status, found = verify(left.path)
    assert status == 7
    assert found[0].endswith("good as far as it goes, NOT COMPLETE")
    assert found[1:3] == [
        LEFT.format(2),
        "The match is not finished: it waits for an entry of p1.",
    ]


def test_json_has_the_leave_among_those_who_went(left, verify):
    status, (line,) = verify(left.path, "--json")
    found = json.loads(line)
    assert (status, found["status"], found["complete"]) == (7, 7, False)
    assert found["gone"] == [{"seat": 1, "how": "left", "step": None}]
    assert found["waiting"] == [0]
    assert "departure" not in found


def test_a_match_that_all_have_left_waits_for_nobody(tmp_path, verify):
    left = Left(tmp_path, seats=(0, 1))
    _status, found = verify(left.path)
    assert found[1:4] == [
        LEFT.format(1),
        LEFT.format(2),
        "The match is not finished, and nobody is left to finish it.",
    ]
    assert json.loads(verify(left.path, "--json")[1][0])["waiting"] == []


def test_replay_shows_the_leave_as_a_last_step(left, capsys):
    assert main(["replay", str(left.path)]) == 0
    assert "nick1 has left the match." in capsys.readouterr().out
    assert main(["replay", str(left.path), "--seat", "p2"]) == 0
    assert "You have left the match, and lost it." in capsys.readouterr().out
    left.beside.unlink()
    assert main(["replay", str(left.path)]) == 0
    assert "has left" not in capsys.readouterr().out


def bad_departures(left: Left) -> dict[str, bytes]:
    whole = left.beside.read_bytes()
    other = left.leave(1, match=bytes(32))
    return {
        "empty": b"",
        "cut": whole[:-1],
        "more": whole + whole,
        "more that is cut": whole + whole[:10],
        "noise": b"\xff" * 100,
        "too long": b"\x00\x10\x00\x00" + bytes(2 << 20),
        "no entry": departure([left.entries[0][:40]], NOTHING),
        "other match": departure([other], NOTHING),
        "one of another match": departure([*left.entries, other], NOTHING),
        "signed by the other player": departure([left.leave(1, by=0)], NOTHING),
        "another entry is not signed": departure([*left.entries, left.leave(0, by=1)], NOTHING),
    }


@pytest.mark.parametrize(
    ("which", "why"),
    [
        *((which, "it is damaged, or another kind of file") for which in ("empty", "cut", "more")),
        *((which, "it is damaged, or another kind of file") for which in ("noise", "too long")),
        ("more that is cut", "it is damaged, or another kind of file"),
        ("no entry", "it is damaged, or another kind of file"),
        *((which, "it is of another match") for which in ("other match", "one of another match")),
        (
            "signed by the other player",
            "a signature in it is wrong",
        ),
        (
            "another entry is not signed",
            "a signature in it is wrong",
        ),
    ],
)
def test_a_bad_file_beside_a_log_is_named_and_says_nothing_about_the_match(
    left, verify, which, why
):
    left.beside.write_bytes(bad_departures(left)[which])
    status, found = verify(left.path)
    assert status == 3
    assert found[0].endswith("good as far as it goes, NOT COMPLETE"), "the log is no worse for it"
    bad = "The file beside the log, {}, is NOT GOOD, and says nothing about the match: {}."
    assert found[1].startswith(bad.format(left.beside, why)[:40])
    assert found[1].endswith(f"and says nothing about the match: {why}.")
    assert not any("has left" in line for line in found)
    assert any(line.startswith("The match is not finished: it waits for") for line in found)
    found = json.loads(verify(left.path, "--json")[1][0])
    assert found["departure"]["error"] == why
    assert found["gone"] == []
    assert not has_left(left.path, 1)


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such files")
@pytest.mark.timeout(120)
def test_a_pipe_beside_a_log_keeps_nobody_waiting(left, verify):
    left.beside.unlink()
    os.mkfifo(left.beside)
    status, found = verify(left.path)
    assert status == 3
    assert found[1].endswith("it cannot be read (it is not a regular file).")
    assert not has_left(left.path, 1)


def test_a_file_beside_a_log_that_reaches_the_end_changes_nothing(tmp_path, verify):
    ring = Ring("escoba", 2, seed="left", target=1)
    ring.play()
    path = tmp_path / "match.sobremesa"
    path.write_bytes(ring.logs[0])
    for data in (b"\xff" * 100, departure([Left(tmp_path / "..", 2).leave(1)], NOTHING)):
        path.with_suffix(DEPARTURE).write_bytes(data)
        status, found = verify(path)
        assert (status, found[0].endswith("good and complete")) == (0, True)
        assert not any("has left" in line for line in found)
