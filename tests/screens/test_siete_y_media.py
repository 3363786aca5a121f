"""Siete y media on the full screen: docs/rules/siete-y-media.md, “On the screen”."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from client.ui.games import lesson_of
from client.ui.screen import pages
from engine.core.cards import SPANISH_40
from engine.core.events import GameEvent
from engine.games.siete_y_media.events import Over
from engine.games.siete_y_media.moves import Bet, Stand
from tests.screens.stage import Stage, done, golden

NAMES = ("Ane", "Jon", "Miren", "Peru", "Nerea", "Iker", "Unai", "Oihana")
PACK = ["6o", "4e", "7c", "10b", "2o", "12e", "3c", "5b", "1o", "11c"]
"""Dealt in order: first a card to each seat after the bank, then one after the other as they are
asked for."""


def stage(players: int = 2, **how) -> Stage:
    """Return a table at which seat 0 is the first punto: the last seat has the bank."""
    return Stage("siete-y-media", players, first=players - 1, nicks=NAMES, **how)


def mine(deck: list[str] = PACK, **how) -> Stage:
    return stage(decks=[[*deck, *(card for card in SPANISH_40 if card not in deck)]], **how)


@pytest.mark.parametrize(
    ("keys", "chips"), [("4", 4), ("10", 10), ("12", 10), ("99", 10), ("0", 1)]
)
def test_digits_are_the_bet(keys, chips):
    assert done(mine().press(*keys, "enter")) == [Bet(chips)]


def test_s_stands_and_a_raise_goes_with_it():
    assert done(mine().press("enter", "+", "+", "s"))[-1] == Stand(2)
    assert done(mine().press("enter", "+", "escape", "s", "s"))[-1] == Stand()


@pytest.mark.parametrize(("bank", "chips"), [("4e", 52), ("7e", 48)])
def test_a_settled_stake_is_taken_from_no_chips(bank, chips):
    table = mine(["6o", bank], hold=True).do("p1 bet 2", "p1 stand", "p2 stand")
    for held in table.state.held:
        shown = pages.draw(replace(table.state, held=(held,)), 80, 24).text()
        assert f"{chips} chips" in shown
        assert "stake" not in shown
    assert table.state.held


def chips(line: str) -> int:
    """Return what a line of the count brings the bank."""
    found = re.search(r"pays? the bank (\d+)|the bank pays(?: only)? (\d+)|pays? (\d+)\.", line)
    if found is None:
        return 0
    paid, gets, over = (int(number or 0) for number in found.groups())
    return paid - gets + over


def test_the_lines_of_the_count_add_up_to_the_gain_of_the_bank():
    """Also the stakes of those who went over before, ours too, and where all did."""
    seen = Counter()
    for seed in range(60):
        table = stage(4, seed=seed, seat=seed % 3, deals=1)
        table.until(lambda table: table.over, by_chance=True)
        told = [event for event in table.state.match.history if isinstance(event, GameEvent)]
        over = [event for event in told if isinstance(event, Over)]
        *lines, balance = table.state.count.lines
        gained = table.game.score[3] - 50
        assert balance.endswith(f": {gained:+d}")
        assert sum(map(chips, lines)) == gained
        assert len([line for line in lines if "Over!" in line and "pay" in line]) == len(over)
        seen["all over"] += len(over) == 3
        seen["ours too"] += any(event.seat == table.seat for event in over)
        seen["some over"] += bool(over)
    assert min(seen["all over"], seen["ours too"], seen["some over"]) > 1


def test_at_the_fullest_table_all_cards_in_turn_are_seen():
    table = stage(8, seed=3, seat=4).until(lambda table: len(table.game.hands[table.game.bank]) > 2)
    faces = [table.game.faces[slot] for slot in table.game.hands[table.game.bank]]
    assert " ".join(faces) in table.text(60, 20)


def test_the_screens():
    golden("siete-bet", mine())
    golden("siete-cards", mine(["2o", "4e", "3c"]).press("enter", "d", "d", "+"))
    counted = (
        stage(4, seed=9, seat=1, deals=2)
        .until(lambda table: len(table.state.count.lines) > 3)
        .tick(30)
    )
    golden("siete-count", counted)
    golden("siete-end", counted.until(lambda table: table.over).press("enter").tick(30))
    golden(
        "siete-eight",
        stage(8, seed=3, seat=4).until(lambda table: table.state.match.asked).tick(30),
    )


@pytest.mark.parametrize(
    ("card", "said"),
    [("2o", "with 2 in open cards and one hidden card"), ("12e", "with 7½, all turned up")],
)
def test_the_bank_is_told_whether_the_other_has_a_hidden_card(card, said):
    table = Stage(
        "siete-y-media", 2, 1, first=1, decks=[["7c" if card == "12e" else "4c", "4b", card]]
    )
    table.do("p1 bet 1", "p1 hit up")
    table = table if card == "12e" else table.do("p1 stand")
    assert said in lesson_of("siete-y-media").choice(table.state.match, table.table.view(1))
