"""The match history in words: short in a list, in sentences for one match, and totals in 52
columns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.storage.totals import totals
from client.ui.plain.history import (
    in_a_line,
    points_of,
    totals_lines,
)
from p2p.net.text import columns
from tests.client.storage.pasts import ANE, FACTS, JONE, MIREN, changed, of_each_kind, summary
from tests.client.ui.screen.boxes import reading

LINES = [
    "not finished · 10:7 · Jone",
    "won 21:15 · Jone",
    "lost 15:21 · Jone",
    "won 21:15 · Computer 1",
    "won 30:22 · Jone, Computer 1, Miren",
    "10:7 · Jone · broken off",
    "Jone · never began",
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
    "Miren",
]


def test_a_line_of_each_kind():
    assert [in_a_line(one) for one in of_each_kind()] == LINES


def test_every_score_has_its_owner_ours_first():
    found = [points_of(one.facts) for one in of_each_kind()]
    assert found[LINES.index("lost 15:21 · Jone")] == (("You", "15"), ("Jone", "21"))
    partners = found[LINES.index("won 30:22 · Jone, Computer 1, Miren")]
    assert partners == (("You and Computer 1", "30"), ("Jone and Miren", "22"))
    watched = found[LINES.index("watched 21:15 · Ane, Jone")]
    assert watched == (("Ane", "21"), ("Jone", "15"))
    assert found[LINES.index("Jone · never began")] == ()


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
        "Against opponents",
        "  Jone               7     4       1        5",
        "  Miren MIRE         1     1       0        1",
        "  Miren ZZZZ         0     1       0        0",
        "",
        "won: also shared wins, 1 in all",
        "streak: matches won in a row up to now",
        "longest: the most matches won in a row",
    ]
    assert totals_lines(totals([])) == ["No match has a result yet."]


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
