"""How a demonstration brings its players together when no table is found by zeroconf.

And where it writes."""

from __future__ import annotations

import os
from itertools import chain, repeat
from pathlib import Path

import pytest

from client.__main__ import main
from client.commands.common import Choice
from client.commands.demo import Players, gather
from client.session.status import Status, Stop

FAILED = 1


class Process:
    """A process that says what it is told to, each time it is asked, and its last word for ever."""

    def __init__(self, *statuses: int | None) -> None:
        self._statuses = chain(statuses, repeat(statuses[-1]))

    def poll(self) -> int | None:
        return next(self._statuses)


class Told(Players):
    """Players that end as `ends` says; each that sits down has a log."""

    def __init__(self, folder: Path, ends: dict[int, list[list[int | None]]]) -> None:
        super().__init__(Choice("escoba", len(ends), {}), folder, quiet=True)
        self.ends = {number: list(lives) for number, lives in ends.items()}
        self.starts: list[tuple[int, str]] = []

    def start(self, number: int, *words: str) -> None:
        self.starts.append((number, words[1]))
        statuses = self.ends[number].pop(0)
        self.running[number] = Process(*statuses)
        if statuses[-1] is None:
            logs = self.folder / f"p{number}" / "logs"
            logs.mkdir(parents=True)
            (logs / "match.sobremesa").touch()


@pytest.mark.parametrize("later", range(6))
def test_a_player_that_finds_no_table_a_moment_later_joins_by_address_too(tmp_path, later):
    players = Told(
        tmp_path,
        {
            1: [[None]],
            2: [[Status.NETWORK], [None]],
            3: [[None] * later + [Status.NETWORK], [None]],
        },
    )
    assert gather(players) == "address"
    address = f"127.0.0.1:{players.port}"
    assert [start for start in players.starts if start[1] == address] == [
        (2, address),
        (3, address),
    ]


@pytest.mark.parametrize("ended", [{1: Status.NETWORK}, {2: FAILED}])
def test_a_player_that_ends_otherwise_is_not_started_again(tmp_path, ended):
    lives = {number: [[ended.get(number)]] for number in (1, 2)}
    players = Told(tmp_path, lives)
    assert gather(players) == "zeroconf"
    assert [number for number, _ in players.starts] == [1, 2]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("theirs", ["", "p1"])
def test_nothing_is_written_through_a_folder_that_another_user_has_made(theirs, tmp_path, capsys):
    (ours := tmp_path / "ours").write_text("ours")
    (tmp_path / "homes" / "p1").mkdir(parents=True)
    (tmp_path / "homes" / "p1" / "errors.txt").symlink_to(ours)
    os.chown(tmp_path / "homes" / theirs, 65534, 65534)
    assert main(["demo", "--keep", str(tmp_path / "homes")]) == Status.USAGE
    assert "belongs to another user of this machine" in capsys.readouterr().err
    assert ours.read_text() == "ours"


def test_a_link_in_the_home_of_a_player_is_not_followed(tmp_path):
    (ours := tmp_path / "ours").write_text("ours")
    (tmp_path / "p1").mkdir()
    (tmp_path / "p1" / "errors.txt").symlink_to(ours)
    players = Players(Choice("escoba", 2, {}), tmp_path, quiet=True)
    players.start(1, "no such command")
    with pytest.raises(Stop, match="no such command"):
        players.wait()
    assert ours.read_text() == "ours"
