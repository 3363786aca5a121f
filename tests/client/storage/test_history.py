"""The match history: results from the logs of a home, the index, and totals."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from client.storage import history, history_index
from client.storage.computers import NICK
from client.storage.history import HistoryReader, matches
from client.storage.history_index import NAME, read_index
from client.storage.home import Home, match_name
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
    MatchSummary,
    PastPlayer,
)
from client.storage.totals import Standing, Tally, score_through, tally, totals, wins_over_time
from p2p.net.names import clean_name
from p2p.table.log import split_records
from p2p.table.tail import joined
from tests.client.storage.homes import JON, MIREN, VECTORS, all_of, home, played, put
from tests.client.storage.pasts import ANE, BOT, FACTS, JONE, changed, summary
from tests.client.storage.test_home import resume_record
from tests.ring import Ring

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


def test_before_it_is_read_a_match_is_told_without_a_result(home):
    put(home, played(JON))
    reader = HistoryReader(home)
    ((found,), wrong) = reader.summaries()
    assert (found.nicks, found.facts, found.ending, found.result, wrong) == (
        ("Ane", "Jon"),
        None,
        "",
        "",
        "",
    )
    assert reader.unread == 1
    assert matches(home)[0] == (found,)


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


def test_a_match_that_waits_for_us_says_whether_only_our_computer_players_are_in_it(home):
    one = resume_record(home)
    replace(one, seeds={0: b"", 1: bytes(32)}).save(home)
    log = joined(split_records(played(MIREN, seed="other"))[0][:9])
    put(home, log, match_name(one.terms.match))
    (found,) = all_of(home)
    assert found.alone


@pytest.mark.parametrize(("records", "ending"), [(1, NOT_BEGUN), (12, UNFINISHED), (-1, UNSEALED)])
def test_a_log_that_ends_early(home, records, ending):
    put(home, joined(split_records(played(JON))[0][:records]))
    (found,) = all_of(home)
    assert found.ending == ending
    assert bool(found.result) is (ending == UNSEALED)


def test_a_match_of_others_has_no_result(home):
    ring = Ring("siete-y-media", 2, deals=1)
    ring.play()
    assert home.identity
    put(home, ring.logs[0])
    (found,) = all_of(home)
    assert found.facts is not None
    assert (found.facts.seat, found.result, found.ending) == (None, "", COMPLETE)
    assert totals([found]).people.matches == 0


def test_a_computer_player_is_known_by_its_terms_and_not_by_its_nick(home):
    nick = NICK.format(number=3)
    put(home, played(JON, (MIREN[0], nick), kinds=("person", "computer", "person")))
    (found,) = all_of(home)
    assert found.facts is not None
    assert [player.computer for player in found.facts.players] == [False, True, False]


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


def test_a_log_that_cannot_be_opened_or_is_too_long(home, monkeypatch):
    path = put(home, played(JON))
    monkeypatch.setattr(history, "LIMIT_BYTES", 1000)
    assert [one.ending for one in all_of(home)] == [DAMAGED]
    path.unlink()
    path.mkdir()
    assert [one.ending for one in all_of(home)] == [DAMAGED]


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such files")
@pytest.mark.timeout(20)
def test_a_pipe_among_the_logs_keeps_nobody_waiting(home):
    put(home, played(JON), "good")
    os.mkfifo(home.logs / "bad.sobremesa")
    assert sorted(one.ending for one in all_of(home)) == sorted([COMPLETE, DAMAGED])


def test_a_home_without_matches_needs_no_key(home):
    (home.path / "identity.key").unlink()
    assert all_of(home) == ()
    assert not (home.path / "identity.key").exists()


# The index.


@pytest.fixture
def indexed(home) -> Home:
    for number in range(3):
        put(home, played(JON, seed=f"{number}"), at=1_700_000_000 + number)
    all_of(home)
    assert (home.path / NAME).exists()
    return home


def test_an_indexed_log_is_not_read_again(indexed, monkeypatch):
    monkeypatch.delattr(history, "read_outline")
    found = matches(indexed)[0]
    assert [one.ending for one in found] == [COMPLETE] * 3
    assert all_of(indexed) == found


def test_the_index_has_all_that_the_logs_tell(indexed):
    found = matches(indexed)[0]
    (indexed.path / NAME).unlink()
    assert all_of(indexed) == found
    (home_index,) = [read_index(indexed.path, indexed.identity.id.hex())]
    assert len(home_index) == 3


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
    "short": spoilt(lambda value: first(value).pop()),
    "neither": spoilt(lambda value: first(value).__setitem__(3, None)),
    "both": spoilt(lambda value: first(value).__setitem__(2, DAMAGED)),
    "size": spoilt(lambda value: first(value).__setitem__(0, "1")),
    **{
        f"{name}: {wrong!r}": spoilt(
            lambda value, name=name, wrong=wrong: holding(first(value)[3], name).__setitem__(
                name, wrong
            )
        )
        for name, wrong in (
            *(
                ("game", "poker"),
                ("game", 1),
                ("id", "ab"),
                ("players", []),
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
    found = matches(indexed)[0]
    path = indexed.path / NAME
    whole = path.read_bytes()
    path.write_bytes(spoil(whole))
    assert read_index(indexed.path, indexed.identity.id.hex()) == {}
    assert HistoryReader(indexed).unread == 3
    assert all_of(indexed) == found
    assert path.read_bytes() == whole


def test_an_index_that_is_too_long_is_made_again(indexed, monkeypatch):
    monkeypatch.setattr(history_index, "LIMIT_BYTES", 100)
    assert HistoryReader(indexed).unread == 3


def test_a_home_that_cannot_be_written_has_a_history_all_the_same(indexed):
    (indexed.path / NAME).unlink()
    (indexed.path / NAME).mkdir()
    for _time in range(2):
        assert [one.ending for one in all_of(indexed)] == [COMPLETE] * 3
    assert (indexed.path / NAME).is_dir()
    assert not list(indexed.path.glob("*.new"))


def test_other_users_cannot_read_the_index(indexed):
    assert (indexed.path / NAME).stat().st_mode & 0o077 == 0


def test_reading_stops_in_time_and_goes_on_where_it_stopped(home):
    for number in range(4):
        put(home, played(JON, seed=f"{number}"), at=1_700_000_000 + number)
    now = [0.0]

    def clock() -> float:
        now[0] += 1.0
        return now[0]

    reader = HistoryReader(home, clock)
    assert reader.read(1.5) == 2
    known = [one.facts is not None for one in reader.summaries()[0]]
    assert known == [True, True, False, False], "the newest first"
    assert reader.read(0) == 1, "one at least"
    assert reader.read(0) == 0
    assert HistoryReader(home).unread == 0


def test_the_index_is_written_on_the_way(home):
    for number in range(3):
        put(home, played(JON, seed=f"{number}"))
    reader = HistoryReader(home, iter(range(0, 1000, 5)).__next__)
    reader.read(9)
    assert 0 < HistoryReader(home).unread < 3


def test_a_nick_is_clean_once_and_for_all():
    for nick in ("Jon", "אבג", "pаypal", "a\u202eb", "⚠ x", "x" * 60, "\u2068a\u2069"):
        assert clean_name(clean_name(nick)) == clean_name(nick)


def test_a_copied_log_counts_once(indexed):
    for path in list(indexed.logs.iterdir()):
        shutil.copy2(path, path.with_name(f"copy{path.name}"))
    found = all_of(indexed)
    assert len(found) == 6
    assert totals(found).people.matches == 3


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


def test_opponents_sit_on_other_sides():
    four = changed(FACTS, players=(ANE, JONE, BOT, JONE), score=(1, 2, 1, 2), scores=(), seat=2)
    assert four.opponents == (JONE, JONE)
    assert changed(four, sides=4).opponents == (ANE, JONE, JONE)
    assert changed(four, seat=None).opponents == ()


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


def history_of(*matches: tuple[str, str, PastPlayer, int]) -> list[MatchSummary]:
    """Return matches, each with its game, result (`w` or `l`), opponent and time."""
    return [
        summary(
            changed(
                FACTS,
                id=f"{at:064}",
                game=game,
                winners=(0 if result == "w" else 1,),
                players=(ANE, player),
            ),
            at,
        )
        for game, result, player, at in matches
    ]


def test_totals_by_game_and_by_opponent_keep_computers_apart():
    renamed = replace(JONE, nick="Jon the Great")
    found = totals(
        history_of(
            ("escoba", "w", renamed, 30),
            ("truco", "l", JONE, 10),
            ("escoba", "w", BOT, 20),
            ("escoba", "l", BOT, 25),
            ("escoba", "l", JONE, 5),
        )
    )
    assert (found.people, found.computers) == (Tally(1, 2, 1, 1), Tally(1, 1, -1, 1))
    assert [(one.game, one.people.matches, one.computers.matches) for one in found.games] == [
        ("escoba", 2, 2),
        ("truco", 1, 0),
    ]
    (opponent,) = found.opponents
    assert (opponent.player.nick, opponent.tally) == ("Jon the Great", Tally(1, 2, 1, 1))


def test_wins_over_time():
    found = wins_over_time(
        history_of(("escoba", "w", JONE, 30), ("truco", "l", JONE, 10), ("escoba", "w", BOT, 20))
    )
    assert found == (Standing(10, 0, 1), Standing(20, 1, 1), Standing(30, 2, 1))
    assert wins_over_time([]) == ()


def test_the_score_through_a_match():
    assert score_through(FACTS) == ((10, 21), (7, 15))
    assert score_through(changed(FACTS, over=False, score=(22, 16))) == ((10, 21, 22), (7, 15, 16))
    four = changed(
        FACTS, players=(ANE, JONE, BOT, JONE), scores=((1, 2, 1, 2),), score=(1, 2, 1, 2)
    )
    assert score_through(four) == ((1,), (2,))


def test_a_log_that_cannot_be_looked_at_hides_no_other(home):
    put(home, played(JON), "one")
    (home.logs / "gone.sobremesa").symlink_to(home.logs / "nothing")
    (home.logs / "round.sobremesa").symlink_to(home.logs / "round.sobremesa")
    assert [one.match for one in all_of(home)] == ["one"]
