"""The match history: results from the logs of a home, the index, and totals."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from client.storage import history
from client.storage.history import HistoryReader
from client.storage.history_index import NAME, read_index
from client.storage.home import Home, StoreError, match_name
from client.storage.past_match import (
    COMPLETE,
    CONVICTED,
    DAMAGED,
    LEFT,
    LOST,
    NOT_BEGUN,
    OTHER_VERSION,
    PLAYER_CONVICTED,
    PLAYER_LEFT,
    SHARED,
    UNFINISHED,
    UNSEALED,
    VERDICT,
    VOTED,
    VOTED_OUT,
    WAITING,
    WON,
)
from client.storage.resume_record import look_through
from client.storage.totals import Tally, tally
from p2p.table.tail import joined, split_records
from tests.client.storage.homes import JON, MIREN, VECTORS, all_of, home, played, put
from tests.client.storage.pasts import ANE, BOT, FACTS, JONE, changed, summary
from tests.client.storage.test_home import resume_record

__all__ = ["home"]

# The facts in a log.


def test_a_match_is_told_with_result_score_and_length(home):
    path = put(home, played(JON), at=1_700_000_000)
    (found,) = all_of(home)
    facts = found.facts
    assert facts is not None
    assert (found.match, found.game, found.nicks, found.path) == (
        path.stem,
        "siete-y-media",
        ("Ane", "Jon"),
        str(path),
    )
    assert (found.written, found.day) == (1_700_000_000, "2023-11-14")
    assert found.when == f"{datetime.fromtimestamp(found.written):%Y-%m-%d %H:%M}"
    assert (found.ending, facts.seat, facts.outline.deals, facts.outline.sides) == (
        COMPLETE,
        0,
        2,
        2,
    )
    assert found.result == (WON if 0 in facts.outline.winners else LOST)
    assert facts.outline.score == facts.outline.scores[-1]
    assert facts.outline.moves > 0
    assert [player.computer for player in facts.players] == [False, False]
    assert facts.players[1].id == JON[0].id.hex()


def test_a_match_that_waits_for_us_stands_first_and_is_not_finished(home):
    one = resume_record(home)
    one.save(home)
    put(home, played(JON), at=1_900_000_000)
    log = joined(split_records(played(MIREN, seed="other"))[0][:9])
    put(home, log, match_name(one.terms.match), at=1_600_000_000)
    found = all_of(home)
    assert [summary.unfinished for summary in found] == [True, False]
    assert (found[0].ending, found[0].result) == (WAITING, "")
    assert not found[0].alone


@pytest.mark.parametrize(("records", "ending"), [(1, NOT_BEGUN), (12, UNFINISHED), (-1, UNSEALED)])
def test_a_log_that_ends_early(home, records, ending):
    put(home, joined(split_records(played(JON))[0][:records]))
    (found,) = all_of(home)
    assert found.ending == ending
    assert bool(found.result) is (ending == UNSEALED)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda log: b"", DAMAGED),
        (lambda log: b"\xff" * 40, DAMAGED),
        (lambda log: log[:10], DAMAGED),
        (lambda log: joined([split_records(log)[0][0], *split_records(log)[0][2:]]), DAMAGED),
        (lambda log: (VECTORS / "protocol-1.sobremesa").read_bytes(), OTHER_VERSION),
    ],
)
def test_a_log_that_cannot_be_read_is_listed_with_the_reason(home, spoil, reason):
    put(home, spoil(played(JON)), "bad", at=1_800_000_000)
    put(home, played(JON), "good")
    bad, good = all_of(home)
    assert (bad.match, bad.ending, bad.result, bad.facts) == ("bad", reason, "", None)
    assert good.ending == COMPLETE


# The index.


@pytest.fixture
def indexed(home) -> Home:
    for number in range(3):
        put(home, played(JON, seed=f"{number}"), at=1_700_000_000 + number)
    all_of(home)
    assert (home.path / NAME).exists()
    return home


def test_only_new_and_changed_logs_are_read_and_lost_ones_are_forgotten(indexed, monkeypatch):
    read = []
    outline = history.read_outline
    monkeypatch.setattr(
        history, "read_outline", lambda data: read.append(len(data)) or outline(data)
    )
    logs = sorted(indexed.logs.iterdir())
    logs[0].unlink()
    put(indexed, logs[1].read_bytes()[:-1], logs[1].stem, at=1_700_000_500)
    put(indexed, logs[2].read_bytes(), "new")
    assert len(all_of(indexed)) == 3
    assert len(read) == 2
    assert set(read_index(indexed.path, indexed.identity.id.hex())) == {
        logs[1].name,
        logs[2].name,
        "new.sobremesa",
    }


def spoilt(change: Any) -> Any:
    """Return what changes the value of an index."""

    def spoil(data: bytes) -> bytes:
        value = json.loads(data)
        change(value)
        return json.dumps(value).encode()

    return spoil


def first(value: Any) -> Any:
    return value["logs"][sorted(value["logs"])[0]]


def holding(facts: Any, name: str) -> Any:
    """Return that part of spelled facts which has this field."""
    return facts if name in facts else facts["outline"]


SPOILT = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "no JSON": lambda data: b"\xff\x00",
    "deep": lambda data: b"[" * 100_000,
    "a number": lambda data: b"7",
    "a list": lambda data: b"[]",
    "older": spoilt(lambda value: value["about"].update(history=0)),
    "other protocol": spoilt(lambda value: value["about"].update(protocol=1)),
    "other rules": spoilt(lambda value: value["about"]["rules"].update(escoba=99)),
    "another player": spoilt(lambda value: value["about"].update(player="ab" * 32)),
    "no logs": spoilt(lambda value: value.pop("logs")),
    "logs in a list": spoilt(lambda value: value.update(logs=[1])),
    "short": spoilt(lambda value: first(value).popitem()),
    "neither": spoilt(lambda value: first(value).update(facts=None)),
    "both": spoilt(lambda value: first(value).update(unreadable=DAMAGED)),
    "size": spoilt(lambda value: first(value).update(size="1")),
    **{
        f"{name}: {wrong!r}": spoilt(
            lambda value, name=name, wrong=wrong: holding(first(value)["facts"], name).__setitem__(
                name, wrong
            )
        )
        for name, wrong in (
            *(
                ("game", "poker"),
                ("game", 1),
                ("id", "ab"),
                ("players", []),
                ("players", [{"id": "ab", "nick": "Jon", "fingerprint": "", "computer": False}]),
                ("players", [["ab", "Jon", False]]),
                ("seat", 7),
            ),
            *(
                ("seat", -1),
                ("seat", True),
                ("sides", 0),
                ("sides", 3),
                ("score", [1]),
                ("score", ["a", "b"]),
                ("scores", [[1]]),
            ),
            *(
                ("winners", [9]),
                ("over", 1),
                ("begun", "yes"),
                ("unsealed", [2]),
                ("gone", [[0, "flown"]]),
                ("gone", [[5, "left"]]),
            ),
            *(("deals", -1), ("moves", 1.5), ("convicts", None)),
        )
    },
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_damaged_foreign_or_old_index_is_made_again(indexed, spoil):
    found = HistoryReader(indexed).summaries()[0]
    path = indexed.path / NAME
    whole = path.read_bytes()
    path.write_bytes(spoil(whole))
    assert read_index(indexed.path, indexed.identity.id.hex()) == {}
    assert HistoryReader(indexed).unread == 3
    assert all_of(indexed) == found
    assert path.read_bytes() == whole


def test_our_seat_is_known_before_a_log_is_read_through(indexed):
    (indexed.path / NAME).unlink()
    unread, _wrong = HistoryReader(indexed).summaries()
    assert [one.facts for one in unread] == [None] * 3
    assert {one.nicks[one.seat] for one in unread} == {"Ane"}


# Conclusions from the facts.


@pytest.mark.parametrize(
    ("change", "result", "ending"),
    [
        ({}, WON, COMPLETE),
        ({"seat": 1}, LOST, COMPLETE),
        ({"winners": (0, 1)}, SHARED, COMPLETE),
        ({"winners": (0, 1), "seat": 1}, SHARED, COMPLETE),
        ({"players": (ANE, JONE, BOT, JONE), "winners": (0, 2)}, WON, COMPLETE),
        ({"players": (ANE, JONE, BOT), "sides": 3, "winners": (1, 2)}, LOST, COMPLETE),
        ({"seat": None}, "", COMPLETE),
        ({"winners": ()}, "", COMPLETE),
        ({"unsealed": (1,)}, WON, UNSEALED),
        ({"gone": ((1, "voted"),)}, WON, VOTED),
        ({"gone": ((1, "left"),)}, WON, PLAYER_LEFT),
        ({"gone": ((1, "convicted"),)}, WON, PLAYER_CONVICTED),
        ({"gone": ((1, "left"), (2, "convicted"))}, WON, PLAYER_CONVICTED),
        ({"gone": ((1, "convicted"), (2, "voted"))}, WON, VOTED),
        ({"gone": ((0, "left"),), "over": False}, LOST, LEFT),
        ({"gone": ((0, "convicted"),)}, LOST, CONVICTED),
        ({"gone": ((0, "voted"),), "over": False}, LOST, VOTED_OUT),
        ({"over": False, "winners": ()}, "", UNFINISHED),
        ({"over": False, "winners": (), "begun": False}, "", NOT_BEGUN),
        ({"convicts": True}, "", VERDICT),
    ],
)
def test_result_and_ending(change, result, ending):
    found = summary(changed(FACTS, **change))
    assert (found.result, found.ending) == (result, ending)


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ("", Tally()),
        ("w", Tally(1, 0, 1, 1)),
        ("l", Tally(0, 1, -1, 0)),
        ("wwwlww", Tally(5, 1, 2, 3)),
        ("wwlll", Tally(2, 3, -3, 2)),
        ("wslws", Tally(4, 1, 2, 2, shared=2)),
    ],
)
def test_streaks(results, expected):
    """Shared wins count as won."""
    assert tally(summary(changed(FACTS, winners=WINNERS[one])) for one in results) == expected


WINNERS = {"w": (0,), "l": (1,), "s": (0, 1)}
"""The winners of a match of two: ours, the other, or both."""


def test_a_log_that_cannot_be_looked_at_hides_no_other(home):
    put(home, played(JON), "one")
    (home.logs / "gone.sobremesa").symlink_to(home.logs / "nothing")
    (home.logs / "round.sobremesa").symlink_to(home.logs / "round.sobremesa")
    assert [one.match for one in all_of(home)] == ["one"]


@pytest.mark.parametrize("unreadable", [HistoryReader, look_through])
def test_a_folder_that_cannot_be_read_is_no_empty_history(home, unreadable):
    for folder in (home.logs, home.journals):
        folder.rmdir()
        folder.write_bytes(b"a file in its place")
    with pytest.raises(StoreError, match="s cannot be read: Not a directory"):
        unreadable(home)
