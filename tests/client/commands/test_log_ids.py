"""A past match is named by the beginning of its id, as `history` shows it, in place of a log."""

from __future__ import annotations

import pytest

from client.__main__ import main
from client.i18n.translation import set_language
from client.storage.history import HistoryReader
from client.storage.match_ids import SHOWN_LETTERS, short_ids
from tests.client.storage.homes import JON, MIREN, home, played, put

__all__ = ["home"]


@pytest.fixture
def matches(home, monkeypatch, capsys, tmp_path):
    """Return the ids of two matches as `history` prints them, in an empty working folder."""
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("SOBREMESA_HOME", str(home.path))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    for number, log in enumerate((played(JON), played(MIREN, seed="two"))):
        put(home, log, name_of(home, log), at=1_700_000_000 + number)
    assert main(["history"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:3]
    yield [row.split()[1] for row in rows]
    set_language("en")


def name_of(home, log: bytes) -> str:
    """Return the name that the program gives to a log."""
    path = put(home, log, "fresh")
    reader = HistoryReader(home)
    reader.read()
    name = next(one.id for one in reader.summaries()[0] if one.path == str(path))
    path.unlink()
    return name


@pytest.mark.parametrize(
    "command",
    [["replay"], ["export", "--to", "json"], ["verify", "--json"]],
    ids=lambda one: one[0],
)
@pytest.mark.parametrize("letters", [4, SHOWN_LETTERS, 32])
def test_a_log_is_named_by_the_beginning_of_its_id(home, matches, capsys, command, letters):
    path = next(path for path in home.logs.iterdir() if path.stem.startswith(matches[0]))
    assert main([*command, path.stem[:letters].upper()]) == 0
    by_id = capsys.readouterr().out
    assert main([*command, str(path)]) == 0
    assert capsys.readouterr().out == by_id


def test_an_existing_file_goes_first(matches, capsys, tmp_path):
    (tmp_path / "work" / matches[0]).write_bytes(b"no log")
    for command in ("verify", "replay"):
        assert main([command, matches[0]]) == 3
    (tmp_path / "work" / matches[0]).unlink()
    (tmp_path / "work" / matches[0]).mkdir()
    assert main(["verify", matches[0]]) == 0


@pytest.mark.parametrize("command", [["replay"], ["export", "--to", "json"], ["verify"]])
def test_an_id_that_no_match_has_is_one_sentence(matches, capsys, command):
    assert main([*command, "ffff0000"]) == 2
    shown = capsys.readouterr()
    assert "neither a file ffff0000 nor a match whose id begins so" in shown.err
    assert shown.out == ""


@pytest.mark.parametrize("name", ["xyz", "xyzw", "abcd.sobremesa", "-abcd", "a" * 65])
def test_other_words_are_names_of_files(matches, capsys, name):
    assert main(["verify", "--", name]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["replay"], ["export", "--to", "json"], ["verify"]])
@pytest.mark.parametrize("letters", [1, 3])
def test_an_id_that_is_too_short_is_called_so(matches, capsys, command, letters):
    assert main([*command, matches[0][:letters]]) == 2
    shown = capsys.readouterr()
    assert "the id of a match has at least 4 characters" in shown.err
    assert shown.out == ""


@pytest.mark.parametrize("command", [["replay"], ["export", "--to", "json"], ["verify"]])
def test_an_id_of_more_than_one_match_names_none(home, matches, capsys, command):
    for ending in "01":
        (home.logs / f"{'beef' * 7}000{ending}.sobremesa").write_bytes(b"no log")
    assert main([*command, "beef"]) == 2
    shown = capsys.readouterr()
    long = ", ".join(f"{'beef' * 7}000{ending}" for ending in "01")
    assert f"the ids of 2 matches begin with beef: {long}" in shown.err
    assert shown.out == ""


def test_short_ids_are_as_long_as_it_takes_to_tell_them_apart():
    ids = ["a" * 32, "a" * 20 + "b" * 12, "c" * 32]
    assert [short_ids(ids)[one] for one in ids] == ["a" * 21, "a" * 20 + "b", "c" * 8]
    assert short_ids([]) == {}
