"""Matches of two that a player breaks off while behind: those that count, and those that do not."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from client.storage.broken_off import AWAY_S, NAME, broken_off
from client.storage.home import Home, match_name
from client.storage.resume_record import ResumeRecord
from p2p.table.replay import BadLog
from p2p.table.tail import split_records
from tests.ring import Ring
from tests.standin import standin_group

GROUP = standin_group()
NOW = 1_800_000_000
THEN = NOW - AWAY_S


@cache
def unequal() -> Ring:
    """Return a match of two that was left when one of them had more points."""
    ring = Ring("escoba", 2, group=GROUP, target=31)
    while len(set(ring.tables[0].run.game.score)) == 1:
        ring.play(moves=1)
    assert not ring.tables[0].over
    return ring


def ahead() -> int:
    score = unequal().tables[0].run.game.score
    return score.index(max(score))


def home_of(folder: Path, seat: int, *, by: int | None) -> Home:
    """Return the home of a player, with that match; `by` has broken it off."""
    ring, home = unequal(), Home(folder / "home")
    (home.path / "identity.key").write_text(ring.who[seat].seed.hex())
    saved = ResumeRecord(ring.terms, tuple(ring.signatures), {seat: b""}, (), 0)
    replace(saved, broken_off_by=b"" if by is None else ring.who[by].id).save(home)
    put(home, ring.logs[seat])
    return home


def put(home: Home, log: bytes, name: str = "", at: int = THEN) -> None:
    name = name or match_name(unequal().terms.match)
    path = home.logs / f"{name}.sobremesa"
    path.write_bytes(log)
    os.utime(path, (at, at))


def test_a_player_who_breaks_off_while_behind_is_counted(tmp_path):
    home, other = home_of(tmp_path, ahead(), by=1 - ahead()), unequal().who[1 - ahead()]
    assert broken_off(home, NOW, GROUP) == {other.id: 1}


def test_not_if_we_went_first(tmp_path):
    assert broken_off(home_of(tmp_path, ahead(), by=None), NOW, GROUP) == {}
    assert broken_off(home_of(tmp_path, ahead(), by=ahead()), NOW, GROUP) == {}


def test_not_within_a_week(tmp_path):
    home = home_of(tmp_path, ahead(), by=1 - ahead())
    assert broken_off(home, NOW - 1, GROUP) == {}
    assert broken_off(home, NOW, GROUP) != {}


def test_a_copied_log_counts_once_and_one_without_a_record_never(tmp_path):
    home, ring = home_of(tmp_path, ahead(), by=1 - ahead()), unequal()
    put(home, ring.logs[0], "copy")
    (record,) = home.journals.iterdir()
    (home.journals / "copy.match").write_bytes(record.read_bytes())
    assert broken_off(home, NOW, GROUP) == {ring.who[1 - ahead()].id: 1}


def tampered(log: bytes) -> bytes:
    return log[:-1] + bytes([log[-1] ^ 1])


def without_a_record(log: bytes) -> bytes:
    size = 4 + len(split_records(log)[0][0])
    return log[:size] + log[size + 4 + int.from_bytes(log[size : size + 4], "big") :]


@pytest.mark.parametrize(
    "spoil", [tampered, without_a_record, lambda _log: b"", lambda log: log[:400]]
)
def test_a_log_that_does_not_verify_counts_for_nobody(tmp_path, spoil):
    home = home_of(tmp_path, ahead(), by=1 - ahead())
    put(home, spoil(unequal().logs[ahead()]))
    assert broken_off(home, NOW, GROUP) == {}


def test_a_log_is_verified_once_and_again_if_it_changes(tmp_path, monkeypatch):
    home, other = home_of(tmp_path, ahead(), by=1 - ahead()), unequal().who[1 - ahead()]
    assert broken_off(home, NOW, GROUP) == {other.id: 1}

    def refuse(*_: object) -> None:
        raise BadLog("malformed-log", error="it was asked again")

    monkeypatch.setattr("client.storage.broken_off.verify_log", refuse)
    assert broken_off(home, NOW, GROUP) == {other.id: 1}
    put(home, unequal().logs[ahead()], at=THEN - 1)
    assert broken_off(home, NOW, GROUP) == {}


@pytest.mark.parametrize("index", [b"", b"[]", b"{}", b'{"x": 1}', b'{"x": [1, 2]}', b"[" * 9999])
def test_a_damaged_index_costs_only_time(tmp_path, index):
    home, other = home_of(tmp_path, ahead(), by=1 - ahead()), unequal().who[1 - ahead()]
    (home.path / NAME).write_bytes(index)
    assert broken_off(home, NOW, GROUP) == {other.id: 1}
