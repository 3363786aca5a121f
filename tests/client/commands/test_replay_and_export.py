from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from client.__main__ import main
from client.commands import replay
from client.commands.replay import read_pages
from engine.scenario import report
from p2p.net.text import columns
from p2p.table.events import Dealt
from p2p.table.log import split_records
from tests.ring import Ring


@pytest.fixture(scope="module")
def match() -> Ring:
    ring = Ring("escoba", 3, seed="replay", target=1)
    ring.play()
    assert ring.tables[0].sealed
    return ring


@pytest.fixture
def log(match: Ring, tmp_path: Path) -> Path:
    path = tmp_path / "match.sobremesa"
    path.write_bytes(match.logs[0])
    return path


def test_an_exported_match_holds_as_a_scenario(log: Path, match: Ring, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = log.with_suffix(".toml")
    assert main(["export", str(log), "--to", "scenario", "-o", str(scenario)]) == 0
    status, found = report("match.toml", scenario.read_bytes())
    assert (status, found["ok"]) == (0, True), found
    assert found["state"]["score"] == match.tables[0].run.game.score
    assert scenario.read_text().count("[[expect]]") >= 36
    capsys.readouterr()


def test_a_changed_state_makes_the_exported_scenario_fall_short(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(log), "--to", "scenario"]) == 0
    text = capsys.readouterr().out
    head, tail = text.rsplit("score = [", 1)
    status, found = report("match.toml", (head + "score = [9" + tail).encode())
    assert (status, found["ok"]) == (1, False)


def test_an_exported_match_is_one_json_object(log: Path, match: Ring, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(log), "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["match"] == match.terms.match.hex()
    assert found["score"] == match.tables[0].run.game.score
    assert sorted(found["decks"][0]["cards"]) == sorted(match.tables[0].run.game.pack)
    assert len(found["actions"]) % 36 == 0
    assert found["sealed"] is True


def test_without_a_terminal_a_replay_is_told_all_at_once(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(log)]) == 0
    out = capsys.readouterr().out
    assert "Deal 1." in out
    assert "The match is over." in out
    assert "You are dealt" not in out


def test_a_seat_sees_its_own_cards_and_no_others(match: Ring) -> None:
    own = "\n".join(line for page in read_pages(match.logs[0], "p2") for line in page.lines)
    dealt = next(event.mine for event in match.events[1] if isinstance(event, Dealt))
    first = next(line for line in own.splitlines() if line.startswith("You are dealt"))
    assert all(face in first for face in dealt.values())
    assert sum(line.startswith("You are dealt") for line in own.splitlines()) == sum(
        type(event).__name__ == "Dealt" for event in match.events[1]
    )


@pytest.mark.parametrize("command", [["replay"], ["export", "--to", "json"]])
def test_a_log_that_does_not_hold_is_not_shown(log: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    assert main([command[0], str(log), *command[1:]]) == 3
    shown = capsys.readouterr()
    assert "does not verify" in shown.err
    assert shown.out == ""


def test_a_seat_that_is_not_there_is_a_usage_error(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(log), "--seat", "p7"]) == 2
    assert "p7" in capsys.readouterr().err


@pytest.fixture
def cut(log: Path) -> Path:
    records = split_records(log.read_bytes())[0][:-8]
    path = log.with_name("cut.sobremesa")
    path.write_bytes(b"".join(struct.pack(">I", len(record)) + record for record in records))
    return path


def test_a_replay_of_a_log_that_is_cut_says_so_at_its_end(log: Path, cut: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(cut)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("The log ends here, without the seals of all")
    assert main(["replay", str(log)]) == 0
    assert "ends here" not in capsys.readouterr().out


def test_an_export_of_a_log_that_is_cut_says_so(log: Path, cut: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(cut), "--to", "scenario"]) == 0
    shown = capsys.readouterr()
    assert "cut.sobremesa: the log ends without all seals" in shown.err
    assert "\n# The log ends here, without the seals of all.\n" in shown.out
    assert report("cut.toml", shown.out.encode())[1]["ok"]
    assert main(["export", str(log), "--to", "json"]) == 0
    assert capsys.readouterr().err == ""


def test_an_exported_scenario_says_how_many_cards_nobody_saw(cut: Path, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["export", str(cut), "--to", "scenario"])
    assert " cards never became public: they stand where they may have lain." in capsys.readouterr().out
    main(["export", str(log), "--to", "scenario"])
    assert "became public" not in capsys.readouterr().out


def test_a_replay_fits_the_terminal(log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(replay, "screen_columns", lambda: 60)
    assert main(["replay", str(log)]) == 0
    assert max(map(columns, capsys.readouterr().out.splitlines())) <= 60
