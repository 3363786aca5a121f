"""Kínaskák on the full screen: docs/rules/kinaskak.md, “Screen, keys, moments”."""

from __future__ import annotations

import pytest

from client.desk import Key
from client.messages import Act
from client.react import react
from client.screens import pages
from client.screens.games.kinaskak import SCREEN
from client.screens.games.kinaskak_ways import lay_lines, meld_lines
from client.screens.play import scene_of
from engine.games.kinaskak import PACK, Discard, Lay, Meld, Say
from tests.screens.stage import SIZES, Stage, check_rows, golden

HAND = ["3h", "4h", "5h", "6h", "9c", "9d", "9s", "Kc", "2d", "7s", "Jd", "Qs", "Ad"]
"""A run and a set, contract 1, and six cards besides."""
OTHERS = ["2c", "4c", "6c", "8c", "Tc", "Qc", "3d", "5d", "7d", "Td", "Qd", "8s", "Ts"]


def dealt(*hands: list[str], then: tuple[str, ...] = ("Kd", "7h")) -> list[str]:
    """Return a deck that deals these hands, one card after the other, turns up the next card, and then has these."""
    deck = [card for cards in zip(*hands, strict=True) for card in cards] + list(then)
    left = list(PACK)
    for card in deck:
        left.remove(card)
    return deck + left


def stage(*, seat: int = 0, hands: tuple[list[str], ...] = (HAND, OTHERS, OTHERS), then=("Kd", "7h"), **how) -> Stage:
    return Stage("kinaskak", 3, seat, decks=[dealt(*hands, then=then)], last_contract=1, **how).tick(30)


def playing() -> Stage:
    """Return our own turn, after the open card was left and a card was drawn."""
    return stage().press("d").do("p2 no", "p3 no").tick(30)


def done(table: Stage) -> list:
    return [command.move for command in table.commands if isinstance(command, Act)]


def test_the_contract_stands_in_words():
    assert "round 1 of 1: a run and a set" in stage().text()


@pytest.mark.parametrize(("key", "word"), [("t", "take"), ("d", "decline"), (" ", "decline")])
def test_the_open_card_is_taken_or_left(key, word):
    assert done(stage().press(key)) == [Say(word)]


@pytest.mark.parametrize(("key", "word"), [("b", "buy"), ("n", "no")])
def test_in_the_window_one_buys_or_not(key, word):
    table = stage(seat=1).do("p1 decline").tick(30)
    assert "b buy" in table.foot()
    assert done(table.press(key)) == [Say(word)]


def test_no_to_all_answers_until_a_key_is_pressed():
    table = stage(seat=1).press("N").do("p1 decline")
    assert done(table) == [Say("no")]
    table = stage(seat=1).press("N", "z").do("p1 decline")
    assert done(table) == []


def test_m_lays_down_what_is_asked_for():
    table = playing().press("m")
    assert "run 3h 4h 5h 6h" in table.text()
    assert isinstance(done(table.press("enter"))[-1], Meld)


def test_another_way_to_lay_down_is_a_key_away():
    hand = ["3h", "4h", "5h", "6h", "9c", "9d", "9s", "*", "8h", "2d", "Jd", "Qs", "Ad"]
    table = stage(hands=(hand, OTHERS, OTHERS)).press("d").do("p2 no", "p3 no").tick(30).press("m")
    first = table.text()
    lines = meld_lines(scene_of(table.desk), ())
    assert len(lines) > 1
    assert table.press("tab").text() != first
    assert table.press("escape").desk.picked.word == ""


def pick(table: Stage, *faces: str) -> Stage:
    """Pick these cards with the cursor."""
    table.press("home")
    wanted = list(faces)
    scene = scene_of(table.desk)
    for _card in range(len(scene.hand)):
        slot = sorted_hand(table)[table.desk.picked.turn]
        face = dict(scene.hand)[slot]
        if face in wanted:
            wanted.remove(face)
            table.press(" ")
        table.press("right")
    assert not wanted
    return table


def sorted_hand(table: Stage) -> list[int]:
    return SCREEN._sorted(scene_of(table.desk))


def test_m_lays_just_the_picked_cards_where_they_are_the_contract():
    table = pick(playing(), "3h", "4h", "5h", "6h", "9c", "9d", "9s").press("m")
    (move,) = done(table)[1:]
    assert [kind for kind, _cards in move.melds] == ["run", "set"]


def test_picked_cards_that_are_not_the_contract_are_refused_with_the_reason():
    table = pick(playing(), "3h", "9c").press("m")
    assert len(done(table)) == 1
    assert "not what this round asks for" in table.foot()


def test_x_throws_the_card_under_the_cursor_away():
    table = playing().press("end", "x")
    assert isinstance(done(table)[-1], Discard)


def test_l_lays_off_on_a_meld():
    table = playing().type("meld run 3h 4h 5h 6h set 9c 9d 9s").tick(30)
    assert "l lay off" in table.foot()
    table.press("l")
    assert "7h on m1" in table.text()
    assert isinstance(done(table.press("enter"))[-1], Lay)


def test_several_cards_are_laid_off_together():
    hand = ["3h", "4h", "5h", "6h", "9c", "9d", "9s", "7h", "8h", "2h", "Jd", "Qs", "Ad"]
    table = stage(hands=(hand, OTHERS, OTHERS), then=("Kd", "Kh")).press("d").do("p2 no", "p3 no").tick(30)
    table.type("meld run 3h 4h 5h 6h set 9c 9d 9s").tick(30)
    pick(table, "7h", "8h")
    assert lay_lines(scene_of(table.desk), table.desk.picked.cards) == ["lay 7h 8h on m1"]
    assert isinstance(done(table.press("l"))[-1], Lay)


def test_a_joker_stands_for_the_card_that_is_missing_between_those_laid_off():
    hand = ["3h", "4h", "5h", "6h", "9c", "9d", "9s", "*", "8h", "2d", "Jd", "Qs", "Ad"]
    table = stage(hands=(hand, OTHERS, OTHERS), then=("Kd", "Kh")).press("d").do("p2 no", "p3 no").tick(30)
    table.type("meld run 3h 4h 5h 6h set 9c 9d 9s").tick(30)
    pick(table, "*", "8h")
    assert "lay *7h 8h on m1" in lay_lines(scene_of(table.desk), table.desk.picked.cards)


def test_a_joker_is_fetched_out_of_a_run():
    hand = ["3h", "4h", "*", "6h", "9c", "9d", "9s", "5h", "2d", "7s", "Jd", "Qs", "Ad"]
    table = stage(hands=(hand, OTHERS, OTHERS)).press("d").do("p2 no", "p3 no").tick(30)
    table.type("meld run 3h 4h *5h 6h set 9c 9d 9s").tick(30)
    assert "s fetch joker" in table.foot()
    table.press("s", "enter")
    assert "*" in [face for _slot, face in scene_of(table.desk).hand]


def test_the_hand_is_sorted_by_suit_or_by_rank_and_stays_so():
    table = playing()
    by_suit = sorted_hand(table)
    by_rank = sorted_hand(table.press("2"))
    assert by_suit != by_rank
    table.press("end", "x").until(lambda table: table.desk.match.asked)
    assert table.desk.picked.order == "rank"


def test_a_purchase_that_costs_is_asked_twice():
    table = stage(seat=1, buys=0).do("p1 decline").tick(30)
    assert "200" in table.text()
    assert done(table.press("b")) == []
    assert "200" in table.foot()
    assert done(table.press("b")) == [Say("buy")]


def test_clubs_are_no_cups():
    assert "│ ♣ │" in stage(hands=(OTHERS, HAND, HAND)).text()


def test_the_sheet_is_shown_at_the_end_of_a_round():
    table = stage().until(lambda table: bool(table.desk.count))
    shown = table.text()
    assert "The count" in shown
    assert " = " in shown


def test_the_screens():
    golden("kinaskak-offer", stage())
    golden("kinaskak-play", playing())
    golden("kinaskak-way", playing().press("m"))
    many = Stage("kinaskak", 6, seed=6).until(lambda table: len(table.game.melds) > 5 and table.desk.match.asked).tick(30)
    golden("kinaskak-six", many)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_whatever_happens_can_be_shown(players):
    table = Stage("kinaskak", players, players - 1, seed=players, first_contract=7, last_contract=7)
    for _move in range(400):
        if table.over:
            break
        for size in SIZES[:2]:
            check_rows(table.desk, *size)
        table.step()
    check_rows(table.desk, *SIZES[2])


def test_hidden_cards_of_others_are_not_on_the_screen():
    table = Stage("kinaskak", 3, seed=4)
    for _move in range(40):
        assert pages.draw(table.with_unseen_permuted(), 80, 24).text() == table.text()
        table.step()


def test_keys_that_mean_nothing_change_nothing():
    table = playing()
    for key in ("z", "delete", "f9"):
        assert react(table.desk, Key(key, key))[0] == table.desk
