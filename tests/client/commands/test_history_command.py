"""`sobremesa history`: a table that fits the terminal, totals, filters, JSON, and homes in which
something is wrong."""

from __future__ import annotations

import json
import re

import pytest

from client.__main__ import main
from client.commands.history import table
from client.i18n.translation import set_language
from client.storage.history_index import NAME
from client.storage.match_ids import short_ids
from p2p.net.text import columns
from tests.client.storage.homes import JON, MIREN, SEED, VECTORS, home, played, put
from tests.client.storage.pasts import of_each_kind

__all__ = ["home"]

FIELDS = {"log", "date", "game", "ending", "result", "seat", "players"}
MORE = {"match", "sides", "score", "scores", "winners", "deals", "moves", "gone", "unsealed"}


@pytest.fixture
def said(home, monkeypatch, capsys):
    """Return what the command prints in a home with two matches."""
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("SOBREMESA_HOME", str(home.path))
    put(home, played(JON), "one", at=1_700_000_000)
    put(home, played(MIREN, seed="two"), "two", at=1_700_100_000)

    def run(*words: str, status: int = 0) -> str:
        assert main(["history", *words]) == status
        out, err = capsys.readouterr()
        return out + err

    yield run
    set_language("en")


def test_matches_and_totals(said, home):
    shown = said().splitlines()
    assert shown[0].split() == [
        "day",
        "id",
        "game",
        "result",
        "score",
        "ended",
        "deals",
        "moves",
        "players",
    ]
    assert [line.split()[-1] for line in shown[1:3]] == ["Miren", "Jon"], "the newest first"
    assert re.match("2023-11-16  [0-9a-f]{8}  Siete y media  ", shown[1])
    assert "complete" in shown[1]
    assert any(line.startswith("Against people") for line in shown)
    assert shown[-1].startswith("Read from the logs, not verified.")
    assert said() == "\n".join(shown) + "\n", "from the index it is the same"
    assert (home.path / NAME).exists()


def test_json_has_these_fields(said):
    *found, last = map(json.loads, said("--json").splitlines())
    assert [set(one) for one in found] == [FIELDS | MORE] * 2
    assert found[0]["date"] == "2023-11-16T02:00:00+00:00"
    assert found[0]["players"][1]["nick"] == "Miren"
    assert set(found[0]["players"][1]) == {"seat", "nick", "id", "fingerprint", "computer"}
    assert found[0]["scores"][-1] == found[0]["score"]
    assert len(found[0]["winners"]) == 2
    assert found[0]["result"] == "shared"
    assert set(last["totals"]) == {"people", "computers", "games", "opponents"}
    assert last["totals"]["people"]["matches"] == 2
    assert {one["nick"] for one in last["totals"]["opponents"]} == {"Jon", "Miren"}
    assert set(last["totals"]["games"][0]["people"]) == {
        "matches",
        "won",
        "shared",
        "lost",
        "streak",
        "longest",
    }


def test_filters(said):
    assert "Jon" not in said("--with", "miren").replace("Read from", "")
    letters = played(MIREN, seed="two") and MIREN[0].id.hex()
    fingerprint = next(
        player["fingerprint"]
        for line in said("--json").splitlines()
        for player in json.loads(line).get("players", ())
        if player["id"] == letters
    )
    assert "Miren" in said("--with", fingerprint[:6])
    assert len(said("--game", "siete-y-media", "--json").splitlines()) == 3
    assert said("--game", "truco") == "There is none.\n"
    assert "did you mean escoba?" in said("--game", "escobb", status=2)
    for nick in ("Peru", "Ane"):  # the second one is our own
        assert f"you have not played with anybody called {nick!r}" in said("--with", nick, status=2)


def test_a_home_without_matches(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "new"))
    assert main(["history"]) == 0
    assert capsys.readouterr().out == "No match has been played here yet.\n"
    assert main(["history", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"totals"}


def test_damaged_logs_and_those_of_another_version_are_listed(said, home):
    put(home, b"no log", "ab" * 16, at=1_800_000_000)
    put(home, (VECTORS / "protocol-1.sobremesa").read_bytes(), "old", at=1_800_000_001)
    shown = said().splitlines()
    assert shown[1].split()[1:] == ["–", "other", "version"]
    assert shown[2].split()[1:] == ["abababab", "–", "log", "damaged"]
    first = json.loads(said("--json").splitlines()[0])
    assert (set(first), first["game"], first["ending"], first["result"]) == (
        FIELDS,
        None,
        "other-version",
        None,
    )


def test_a_home_without_its_key_is_one_sentence(said, home):
    (home.path / "identity.key").unlink()
    assert "identity.key is missing" in said(status=1)
    (home.path / "identity.key").write_text(SEED.hex())
    assert "Jon" in said()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_table_fits_the_terminal(width):
    rows = shown(width)
    assert len({len(row) for row in rows}) > 1
    assert max(map(columns, rows)) <= width
    assert ("moves" in rows[0]) is (width == 120)
    assert "players" in rows[0]
    assert ("ended" in rows[0]) is (width > 60)
    assert max(map(columns, shown(None))) <= max(map(columns, shown(500)))


def shown(width: int | None) -> list[str]:
    """Return the table of all kinds of matches."""
    found = of_each_kind()
    return table(found, width, short_ids(summary.id for summary in found if summary.id))


# Deletion.


@pytest.fixture
def answers(monkeypatch):
    """Return a function that sets the answer on a terminal; without it none is typed."""
    monkeypatch.setattr("client.commands.history.interactive", lambda: True)

    def answer(text: str | None) -> None:
        def typed() -> str:
            if text is None:
                raise EOFError
            return text

        monkeypatch.setattr("builtins.input", typed)

    return answer


def ids_of(said) -> list[str]:
    return [json.loads(line)["match"][:8] for line in said("--json").splitlines()[:-1]]


def test_a_match_is_deleted_once_that_is_confirmed(said, home, answers):
    newest, older = ids_of(said)
    answers("yes")
    shown = said("--delete", newest)
    assert str(home.logs / "two.sobremesa") in shown
    assert "It no longer counts in your totals." in " ".join(shown.split())
    assert shown.endswith("Deleted.\n")
    assert ids_of(said) == [older]
    assert not (home.logs / "two.sobremesa").exists()
    assert "Miren" not in (home.path / NAME).read_text()


@pytest.mark.parametrize("answer", ["", "y", "no", None])
def test_any_other_answer_deletes_nothing(said, answers, answer):
    newest, older = ids_of(said)
    answers(answer)
    assert said("--delete", newest).endswith("Nothing was deleted.\n")
    assert ids_of(said) == [newest, older]


def test_nothing_is_deleted_without_a_terminal_or_without_a_match(said, answers, tmp_path):
    newest, _older = ids_of(said)
    answers("yes")
    elsewhere = tmp_path / "copy.sobremesa"
    elsewhere.write_bytes(b"a log of somebody else")
    assert "is not among your past matches" in said("--delete", str(elsewhere), status=2)
    assert elsewhere.exists()
    assert "neither a file" in said("--delete", "abcdabcdabcd", status=2)
    assert "no other option" in said("--delete", newest, "--json", status=2)


def test_nothing_is_deleted_while_another_sobremesa_is_running(said, home, answers):
    newest, older = ids_of(said)
    answers("yes")
    with home.locked():
        assert "another Sobremesa is running" in said("--delete", newest, status=1)
    assert ids_of(said) == [newest, older]
