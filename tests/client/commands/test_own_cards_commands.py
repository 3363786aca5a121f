"""Own cards that never became public: `replay` and `export` show them to their owner who asks, and
nobody else gets them."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from client.__main__ import main
from client.storage.home import Home
from client.storage.own_cards import own_cards_file, spell_shares, write_own_cards
from client.storage.version import version
from client.ui.replay_page.page import make_page, read_page, shows_its_log
from engine.core.moves import Slot
from p2p.table.events import Dealt
from tests.client.ui.replay_page.pages import packed, part, with_part
from tests.ring import Ring

SENTENCE = "your cards that never became public are not shown"


@pytest.fixture(scope="module")
def ring() -> Ring:
    ring = Ring("truco", 2, seed="own cards", target=5)
    ring.play()
    return ring


@pytest.fixture
def log(ring: Ring, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the log of a match in the home of the player of p1, who has kept its shares."""
    home = Home(tmp_path / "home")
    monkeypatch.setenv("SOBREMESA_HOME", str(home.path))
    path = tmp_path / "match.sobremesa"
    path.write_bytes(ring.logs[0])
    write_own_cards(
        own_cards_file(home.path, ring.terms.match), ring.terms.match, ring.tables[0].kept_shares
    )
    return path


def cards_file(log: Path, ring: Ring) -> Path:
    return own_cards_file(log.parent / "home", ring.terms.match)


def hands(out: str) -> list[int]:
    """Return how many cards each line of a deal names."""
    lines = re.findall(r"^You are dealt: (.*)$", out, re.MULTILINE)
    return [len(re.findall(r"\b\d+[oceb]\b", line)) for line in lines]


def test_a_replay_of_the_own_seat_shows_whole_hands_and_no_other_replay_does(
    log: Path, ring: Ring, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(log), "--seat", "p1"]) == 0
    own = capsys.readouterr()
    dealt = [event.mine for event in ring.events[0] if isinstance(event, Dealt)]
    assert hands(own.out) == [len(mine) for mine in dealt]
    assert own.err == ""
    assert main(["replay", str(log), "--seat", "p2"]) == 0
    other = capsys.readouterr().out
    cards_file(log, ring).unlink()
    assert main(["replay", str(log), "--seat", "p2"]) == 0
    assert capsys.readouterr().out == other, "the shares of p1 open nothing of p2"
    assert main(["replay", str(log), "--seat", "p1"]) == 0
    without = capsys.readouterr()
    assert sum(hands(without.out)) < sum(hands(own.out))
    assert without.err == ""


@pytest.mark.parametrize("kind", ["garbled", "foreign", "pipe"])
def test_a_file_that_cannot_be_used_is_one_sentence_and_the_replay_is_as_before(
    log: Path, ring: Ring, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = cards_file(log, ring)
    path.unlink()
    assert main(["replay", str(log), "--seat", "p1"]) == 0
    before = capsys.readouterr()
    match kind:
        case "garbled":
            path.write_bytes(b"\xff" * 100)
        case "foreign":
            write_own_cards(path, b"o" * 32, ring.tables[0].kept_shares)
        case _:
            os.mkfifo(path)
    assert main(["replay", str(log), "--seat", "p1"]) == 0
    after = capsys.readouterr()
    assert after.out == before.out
    assert after.err.count("\n") == 1
    assert after.err.startswith(f"sobremesa: {SENTENCE}: {path} cannot be used")
    assert main(["replay", str(log)]) == 0
    assert capsys.readouterr().err == "", "nobody's cards are asked for"


@pytest.mark.parametrize("words", [["verify"], ["export", "--to", "json"], ["replay"]])
def test_commands_that_are_asked_for_no_seat_show_no_hidden_card(
    log: Path, ring: Ring, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([words[0], str(log), *words[1:]]) == 0
    with_shares = capsys.readouterr()
    cards_file(log, ring).unlink()
    assert main([words[0], str(log), *words[1:]]) == 0
    assert capsys.readouterr() == with_shares


@pytest.mark.slow
def test_a_page_of_the_own_seat_has_its_shares_and_verifies_anywhere(
    log: Path,
    ring: Ring,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = tmp_path / "own.html"
    assert main(["export", str(log), "--to", "html", "--seat", "p1", "-o", str(page)]) == 0
    assert "it shows cards of yours that never became public" in capsys.readouterr().err
    data = page.read_bytes()
    found = read_page(data)
    assert found.shares == ring.tables[0].kept_shares
    assert b"including cards that never became public" in part(data, "data")
    # on a machine without the file, and without the home
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "nowhere"))
    assert main(["verify", str(page)]) == 0
    assert shows_its_log(found)
    assert not shows_its_log(replace(found, shares={}))
    assert not shows_its_log(replace(found, shares=dict(list(found.shares.items())[1:])))
    more = {**ring.tables[1].kept_shares, **found.shares}
    assert not shows_its_log(replace(found, shares=more))


def changes(ring: Ring) -> dict[str, dict[Slot, bytes]]:
    """Return shares that no page of p1 may have, by the kind of the change."""
    kept, theirs = dict(ring.tables[0].kept_shares), dict(ring.tables[1].kept_shares)
    first, second, *_rest = kept
    stolen = next(iter(theirs))
    bent = bytes([kept[first][95] ^ 1])
    return {
        "a changed proof": {**kept, first: kept[first][:95] + bent},
        "another share with the proof of this": {
            **kept,
            first: kept[second][:32] + kept[first][32:],
        },
        "shares changed round": {**kept, first: kept[second], second: kept[first]},
        "a card of p2": {**kept, stolen: theirs[stolen]},
        "a slot that was not dealt": {**kept, 39: kept[first]},
        "the proof of other shares": {**kept, first: kept[first][:32] + kept[second][32:]},
    }


@pytest.mark.parametrize("change", range(6))
def test_a_page_with_altered_shares_is_refused_in_one_sentence(
    log: Path, ring: Ring, tmp_path: Path, change: int, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "own.html"
    page.write_bytes(make_page(ring.logs[0], 0, shares=ring.tables[0].kept_shares))
    altered = list(changes(ring).values())[change]
    data = with_part(page.read_bytes(), "kept-shares", packed(spell_shares(altered)))
    for made_by in (version(), "9.9")[: 1 if change else 2]:  # also if another version drew it
        page.write_bytes(data.replace(f"by {version()}".encode(), f"by {made_by}".encode()))
        assert main(["verify", str(page)]) == 3
        captured = capsys.readouterr()
        assert captured.out == (
            f"{page}: NOT GOOD\n"
            "  the proofs for the hidden cards in this page do not hold: somebody changed them\n"
        )
        assert captured.err == ""


@pytest.mark.slow
def test_a_page_without_the_own_seat_has_no_share_and_no_hidden_card(
    log: Path, ring: Ring, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    assert main(["export", str(log), "--to", "html", "--seat", "p2", "-o", str(page)]) == 0
    assert capsys.readouterr().err == ""
    data = page.read_bytes()
    assert read_page(data).shares == {}
    assert data == make_page(ring.logs[0], 1)
