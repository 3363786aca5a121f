from __future__ import annotations

import json
import os
import re
import struct
from pathlib import Path

import pytest

from client.__main__ import main
from client.commands import replay
from client.commands.replay import read_pages
from client.session.status import UsageError
from engine.bots import RATERS
from engine.bots.player import Rated, Ratings
from engine.core.moves import Choose
from engine.core.view import View
from engine.scenario import report
from p2p.table.events import Dealt
from p2p.table.tail import split_records
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


def test_an_exported_match_holds_as_a_scenario(
    log: Path, match: Ring, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = log.with_suffix(".toml")
    assert main(["export", str(log), "--to", "scenario", "-o", str(scenario)]) == 0
    status, found = report("match.toml", scenario.read_bytes())
    assert (status, found["ok"]) == (0, True), found
    assert found["state"]["score"] == match.tables[0].run.game.score
    assert scenario.read_text().count("[[expect]]") >= 36
    capsys.readouterr()


def test_an_exported_match_is_one_json_object(
    log: Path, match: Ring, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(log), "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["match"] == match.terms.match.hex()
    assert found["score"] == match.tables[0].run.game.score
    assert sorted(found["decks"][0]["cards"]) == sorted(match.tables[0].run.game.pack)
    assert len(found["actions"]) % 36 == 0
    assert found["sealed"] is True


def test_a_seat_sees_its_own_cards_and_no_others(match: Ring) -> None:
    own = "\n".join(line for page in read_pages(match.logs[0], "p2") for line in page)
    dealt = next(event.mine for event in match.events[1] if isinstance(event, Dealt))
    first = next(line for line in own.splitlines() if line.startswith("You are dealt"))
    assert all(face in first for face in dealt.values())
    assert sum(line.startswith("You are dealt") for line in own.splitlines()) == sum(
        type(event).__name__ == "Dealt" for event in match.events[1]
    )


@pytest.mark.parametrize("command", [["replay"], ["export", "--to", "json"]])
def test_a_log_that_does_not_hold_is_not_shown(
    log: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    assert main([command[0], str(log), *command[1:]]) == 3
    shown = capsys.readouterr()
    assert "does not verify" in shown.err
    assert shown.out == ""


@pytest.fixture
def cut(log: Path) -> Path:
    records = split_records(log.read_bytes())[0][:-8]
    path = log.with_name("cut.sobremesa")
    path.write_bytes(b"".join(struct.pack(">I", len(record)) + record for record in records))
    return path


def test_a_replay_of_a_log_that_is_cut_says_so_at_its_end(
    log: Path, cut: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(cut)]) == 0
    assert (
        capsys.readouterr()
        .out.splitlines()[-1]
        .startswith("The log ends here: not all have signed the end.")
    )
    assert main(["replay", str(log)]) == 0
    assert "ends here" not in capsys.readouterr().out


def test_an_export_of_a_log_that_is_cut_says_so(
    log: Path, cut: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(cut), "--to", "scenario"]) == 0
    shown = capsys.readouterr()
    assert "cut.sobremesa: the log ends before all have signed the end" in shown.err
    assert "\n# The log ends here: not all have signed the end.\n" in shown.out
    assert report("cut.toml", shown.out.encode())[1]["ok"]
    assert main(["export", str(log), "--to", "json"]) == 0
    assert capsys.readouterr().err == ""


def by_chance(view: View, choose: Choose) -> Ratings:
    """Rate each move by a draw."""
    moves = [Rated(move, choose(1000) / 1000) for move in view.options or ()]
    return Ratings("win", tuple(sorted(moves, key=lambda one: -one.value)))


@pytest.fixture
def rated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RATERS, "escoba", by_chance)


@pytest.mark.usefixtures("rated")
@pytest.mark.parametrize("seat", ["p2", "Nick1"])
def test_an_analysis_names_moments_by_the_steps_of_the_replay(
    log: Path, match: Ring, seat: str, capsys: pytest.CaptureFixture[str]
) -> None:
    nick = match.terms.participants[1].nick
    assert main(["replay", str(log), "--analysis", "--seat", seat]) == 0
    out = capsys.readouterr().out
    assert f" choices of {nick} were compared with" in out
    moments = re.findall(
        r"^[1-3]\. Step (\d+), deal \d+: (.*?) Better: .* A hint would have said: “.+” It cost "
        r"[\d.]+ wins in 100 matches",
        out,
        re.MULTILINE,
    )
    assert 1 <= len(moments) <= 3
    pages = read_pages(match.logs[0], "p2")
    for step, played in moments:
        later = "\n".join(line for page in pages[int(step) - 1 : int(step) + 3] for line in page)
        assert played.removeprefix(nick).split(" ")[-1].strip(".") in later, (
            "the move follows the step"
        )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["replay", "--analysis"], "name it with --seat"),
        (["export", "--to", "html", "--analysis"], "name it with --seat"),
        (["export", "--to", "json", "--analysis"], "--analysis does not work with --to json"),
        (
            ["export", "--to", "html", "--analysis", "--seat", "p1", "--anyway"],
            "exclude each other",
        ),
    ],
)
def test_an_analysis_that_cannot_be_says_why(
    log: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([words[0], str(log), *words[1:]]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("nicks", "named", "seat"),
    [
        (("Ane", "p1"), "p1", 0),  # a nick cannot take the place of a seat's name
        (("Ane", "p1"), "P1", 1),
        (("Ane", "ane"), "ane", 1),
        (("Ane", "ane"), "Ane", 0),
        (("Ane", "Jon"), "JON", 1),
        (("Ane", "Jon"), "jo", 1),
        (("Jon", "Jone"), "Jon", 0),
    ],
)
def test_a_seat_is_named_as_in_the_notation_or_by_its_nick(
    nicks: tuple[str, str], named: str, seat: int
) -> None:
    assert replay.seat_named(named, nicks) == seat


@pytest.mark.parametrize(
    ("nicks", "named"),
    [
        (("Ane", "ane"), "ANE"),
        (("Ane", "Ane"), "Ane"),
        (("Ane", "Jon"), "1"),
        (("Jone", "Jon"), "j"),
        (("Ane", "Jon"), ""),
    ],
)
def test_a_name_that_no_seat_or_more_than_one_has_is_refused_with_those_there_are(
    nicks: tuple[str, str], named: str
) -> None:
    with pytest.raises(
        UsageError, match=rf"no seat {named} .* there is p1 \({nicks[0]}\) and p2 \({nicks[1]}\)"
    ):
        replay.seat_named(named, nicks)


@pytest.mark.parametrize("through", ["itself", "link", "second name"])
def test_an_export_never_takes_the_place_of_the_log_that_it_reads(
    through: str, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, output = log.read_bytes(), log if through == "itself" else tmp_path / "other"
    if through == "link":
        output.symlink_to(log)
    elif through == "second name":
        output.hardlink_to(log)
    assert main(["export", str(log), "--to", "json", "-o", str(output)]) == 2
    assert "is the log itself" in capsys.readouterr().err
    assert log.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_only_we_may_read_a_page_of_a_seat(log: Path, tmp_path: Path) -> None:
    output = tmp_path / "page.html"
    output.touch(0o644)
    assert main(["export", str(log), "--to", "html", "--seat", "p1", "-o", str(output)]) == 0
    assert output.stat().st_mode & 0o777 == 0o600
    assert main(["export", str(log), "--to", "html", "-o", str(output)]) == 0
    assert output.stat().st_mode & 0o044 == 0o044 & ~os.umask(os.umask(0o022))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another user")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("planted", ["link", "pipe", "link to nothing"])
def test_an_export_goes_nowhere_through_a_name_that_another_user_has_made(
    planted: str, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a folder of all users somebody may wait for our page with a link to a file of ours."""
    (ours := tmp_path / "identity.key").write_text("a key")
    output, before = tmp_path / "page.html", ours.read_text()
    if planted == "pipe":
        os.mkfifo(output)
    else:
        output.symlink_to(ours if planted == "link" else tmp_path / "other.key")
    os.chown(output, 65534, 65534, follow_symlinks=False)
    words = ["export", str(log), "--to", "html", "--seat", "p1", "-o", str(output)]
    assert main(words) == 2
    assert "belongs to another user of this machine" in capsys.readouterr().err
    assert ours.read_text() == before
    assert not (tmp_path / "other.key").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another user")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("first", ["file", "pipe"])
@pytest.mark.parametrize("then", ["link", "pipe"])
def test_a_name_that_another_user_changes_while_we_look_leads_nowhere(
    first: str, then: str, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ours := tmp_path / "ours").write_text("ours")
    output, is_file = tmp_path / "page.html", Path.is_file
    readers = list[int]()

    def put(kind: str) -> None:
        output.unlink(missing_ok=True)
        match kind:
            case "file":
                output.touch()
            case "pipe":
                os.mkfifo(output)
                readers.append(os.open(output, os.O_RDONLY | os.O_NONBLOCK))
            case "link":
                output.symlink_to(ours)
        os.chown(output, 65534, 65534, follow_symlinks=False)

    def looked(path: Path) -> bool:
        if path == output:
            put(first)
        found = is_file(path)
        if path == output:
            put(then)
        return found

    put("file")
    monkeypatch.setattr(Path, "is_file", looked)
    main(["export", str(log), "--to", "json", "-o", str(output)])
    assert ours.read_text() == "ours"
    assert [os.read(reader, 1) for reader in readers] == [b""] * len(readers)
    for reader in readers:
        os.close(reader)
