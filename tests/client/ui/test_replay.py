"""Matches on our disk: a damaged one hides no other, and all replays count steps alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.__main__ import main
from client.storage.home import Home
from client.storage.resume_record import ResumeRecord
from client.ui.replay import numbered_steps
from client.ui.replay_page.match import read_match
from p2p.table.log import opening_record
from tests.client.storage.test_home import resume_record
from tests.ring import Ring


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def wait(home: Home, seat: int) -> ResumeRecord:
    """Put a match on the disk that waits for us."""
    one = resume_record(home, seat=seat)
    one.save(home)
    (home.logs / f"{one.name}.sobremesa").write_bytes(opening_record(one.terms, one.signatures))
    return one


def damage(home: Home, one: ResumeRecord) -> Path:
    path = home.journals / f"{one.name}.match"
    path.write_bytes(b"\0")
    return path


def test_beside_a_damaged_match_another_can_be_resumed(home, monkeypatch, capsys):
    good, bad = wait(home, 0), wait(home, 1)
    path = damage(home, bad)
    monkeypatch.setenv("SOBREMESA_HOME", str(home.path))
    monkeypatch.setattr("client.commands.resume.run_session", lambda _args, _home, _session: 7)
    assert main(["resume", good.name[:8]]) == 7
    assert capsys.readouterr().err == ""
    assert main(["resume"]) == 7, "the match that can be resumed"
    assert f"{path} is damaged" in capsys.readouterr().err
    assert main(["resume", bad.name[:8]]) == 1
    assert f"{path} is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("game", ["escoba", "truco"])
def test_a_page_counts_the_steps_as_all_replays_do(game):
    ring = Ring(game, 2, seed="steps", target=1 if game == "escoba" else 5)
    ring.play()
    log = ring.logs[0]
    page = read_match(log, 0)
    assert [record for record, _step in numbered_steps(log, 0)] == list(page.records)
    assert len(page.records) > len(set(page.records)), "a table that is shown before it is cleared"
