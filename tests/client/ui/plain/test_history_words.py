"""The match history in words: short in a list, in sentences for one match, and totals in 52
columns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.storage.past_match import MatchSummary
from client.storage.totals import totals
from client.ui.plain.history import (
    LABELS,
    SENTENCES,
    details_of,
    in_a_line,
    match_title,
    score_of,
    totals_lines,
)
from p2p.net.text import columns
from tests.client.storage.pasts import ANE, BOT, FACTS, JONE, MIREN, changed, of_each_kind, summary
from tests.client.ui.screen.boxes import reading

LINES = [
    "not finished · 10:7 · Jone",
    "won 21:15 · Jone",
    "lost 15:21 · Jone",
    "won 21:15 · Computer 1",
    "won 30:22 · Jone, Computer 1, Miren",
    "10:7 · Jone · broken off",
    "Jone · called off",
    "won 21:15 · Jone · not signed by all",
    "won 21:15 · Jone · a player voted out",
    "won · Jone · a player left",
    "won 21:15 · Jone · a player convicted",
    "watched 21:15 · Ane, Jone",
    "lost 10:7 · Jone · you left",
    "lost 10:7 · Jone · you were convicted",
    "lost 10:7 · Jone · you were voted out",
    "21:15 · Jone · only a verdict",
    "shared win 21:21 · Jone",
    "log damaged",
    "other version",
    "Ane, Miren",
]


def test_a_line_of_each_kind():
    assert [in_a_line(one) for one in of_each_kind()] == LINES


def test_every_ending_has_a_label_and_a_sentence():
    shown = {one.ending for one in of_each_kind()} - {""}
    assert shown == set(LABELS) == set(SENTENCES)


def test_details():
    assert details_of(summary(FACTS)) == [
        "Complete: signed by every player that stayed.",
        "2026-11-21 18:05 · deals: 2, moves: 30",
        "Jone JONE-BBBB-CCCC-DDDD",
    ]
    voted = changed(FACTS, players=(ANE, JONE, BOT), gone=((1, "voted"), (2, "left")), sides=3)
    assert details_of(summary(voted)) == [
        "Voted out by the others: Jone. That is their word, not a proof. Computer 1 has left the "
        "match.",
        "2026-11-21 18:05 · deals: 2, moves: 30",
        "Jone JONE-BBBB-CCCC-DDDD, Computer 1 (computer)",
    ]
    assert details_of(of_each_kind()[-1]) == ["2026-11-19 09:00"]
    assert details_of(of_each_kind()[-2]) == ["2026-11-20 20:30", SENTENCES["other-version"]]


def test_details_name_each_seat_that_went():
    gone = changed(FACTS, players=(ANE, JONE, BOT), gone=((1, "convicted"), (2, "left")), sides=3)
    assert details_of(summary(gone))[0] == (
        "Complete: signed by every player that stayed. Jone is out of the match, convicted by an "
        "entry that Jone signed. Computer 1 has left the match."
    )


def test_the_score_begins_with_our_side():
    assert score_of(changed(FACTS, seat=1)) == "15:21"
    three = changed(FACTS, players=(ANE, JONE, BOT), sides=3, score=(1, 2, 3))
    assert [score_of(replace(three, seat=seat)) for seat in (0, 1, 2, None)] == [
        "1:2:3",
        "2:3:1",
        "3:1:2",
        "1:2:3",
    ]
    assert score_of(None) == ""


def test_a_game_that_is_not_known_has_its_own_name():
    assert match_title(MatchSummary("a", "poker", (), "", "")) == "poker"
    assert match_title(MatchSummary("a", "", (), "", "")) == "–"


def test_totals():
    other = replace(MIREN, id="9" * 64, fingerprint="ZZZZ-BBBB-CCCC-DDDD")
    three = changed(
        FACTS, players=(ANE, MIREN, other), sides=3, score=(1, 2, 3), winners=(2,), id="8" * 64
    )
    assert totals_lines(totals([*of_each_kind(), summary(three, 2000)])) == [
        "                   won  lost  streak  longest",
        "Against people       7     5       0        5",
        "  Escoba             6     5       0        4",
        "  Truco              1     0       1        1",
        "Against computers    1     0       1        1",
        "  Escoba             1     0       1        1",
        "Opponents",
        "  Jone               7     4       1        5",
        "  Miren MIRE         1     1       0        1",
        "  Miren ZZZZ         0     1       0        0",
        "",
        "won: also shared wins, 1 in all",
        "streak: matches won in a row up to now",
        "longest: the most matches won in a row",
    ]
    assert totals_lines(totals([])) == ["No match has a result yet."]


@pytest.mark.parametrize("language", ["eu", "es", "is"])
def test_no_heading_of_the_totals_is_cut(language):
    with reading(language):
        assert [line for line in totals_lines(totals(of_each_kind())) if "…" in line] == []


@pytest.mark.parametrize("language", ["en", "eu", "es", "is"])
def test_totals_fit_the_smallest_sheet(language):
    long = replace(JONE, nick="W" * 24)
    history = [
        summary(changed(FACTS, game=game, players=(ANE, long), id=f"{place:064}"))
        for place, game in enumerate(("kinaskak", "siete-y-media"))
    ]
    history += [summary(changed(FACTS, players=(ANE, replace(long, id="7" * 64)), id="6" * 64))]
    with reading(language):
        for line in totals_lines(totals(history)):
            assert columns(line) <= 48, line
