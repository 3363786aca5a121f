"""Kínaskák on the full screen: docs/rules/kinaskak.md, “Screen, keys, moments”."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.i18n.translation import languages, set_language
from client.session.messages import Act
from client.ui.drawing.cards import french
from client.ui.games.kinaskak.screen import SCREEN
from client.ui.screen import pages
from client.ui.screen.table_words import scene_of
from engine.games.kinaskak.rules import PACK, Say
from tests.sample import sample
from tests.screens.stage import SIZES, Stage, check_rows, check_turn, golden

HAND = ["3h", "4h", "5h", "6h", "9c", "9d", "9s", "Kc", "2d", "7s", "Jd", "Qs", "Ad"]
"""A run and a set, contract 1, and six cards besides."""
OTHERS = ["2c", "4c", "6c", "8c", "Tc", "Qc", "3d", "5d", "7d", "Td", "Qd", "8s", "Ts"]


def dealt(*hands: list[str], then: tuple[str, ...] = ("Kd", "7h")) -> list[str]:
    """Return a deck that deals these hands, one card after the other, turns up the next card, and
    then has these."""
    deck = [card for cards in zip(*hands, strict=True) for card in cards] + list(then)
    left = list(PACK)
    for card in deck:
        left.remove(card)
    return deck + left


def stage(
    *,
    seat: int = 0,
    hands: tuple[list[str], ...] = (HAND, OTHERS, OTHERS),
    then=("Kd", "7h"),
    **how,
) -> Stage:
    return Stage(
        "kinaskak", 3, seat, decks=[dealt(*hands, then=then)], last_contract=1, **how
    ).tick(30)


def playing() -> Stage:
    """Return our own turn, after the open card was left and a card was drawn."""
    return stage().press("d", "d").do("p2 no", "p3 no").tick(30)


def done(table: Stage) -> list:
    return [command.move for command in table.commands if isinstance(command, Act)]


@pytest.mark.parametrize(("key", "word"), [("t", "take"), ("d", "decline"), (" ", "decline")])
def test_the_open_card_is_taken_or_left(key, word):
    assert done(stage().press(key, "enter")) == [Say(word)]


@pytest.mark.parametrize(("key", "word"), [("b", "buy"), ("n", "no")])
def test_in_the_window_one_buys_or_not(key, word):
    table = stage(seat=1).do("p1 decline").tick(30)
    assert "b buy" in table.foot()
    assert done(table.press(key, key)) == [Say(word)]


def test_no_to_all_answers_until_a_key_is_pressed():
    table = stage(seat=1).press("N").do("p1 decline")
    assert done(table) == [Say("no")]
    table = stage(seat=1).press("N", "z").do("p1 decline")
    assert done(table) == []


def pick(table: Stage, *faces: str) -> Stage:
    """Pick these cards with the cursor."""
    table.press("home")
    wanted = list(faces)
    scene = scene_of(table.state)
    for _card in range(len(scene.hand)):
        slot = cursor(table)
        face = dict(scene.hand)[slot]
        if face in wanted:
            wanted.remove(face)
            table.press(" ")
        table.press("right")
    assert not wanted
    return table


def cursor(table: Stage) -> int:
    """Return the card of the hand on whose edge the cursor stands."""
    return SCREEN.cursor(scene_of(table.state))


def sorted_hand(table: Stage) -> list[int]:
    return SCREEN.in_order(scene_of(table.state))


def test_many_melds_are_shortened_so_that_all_are_seen():
    table = Stage("kinaskak", 6, 2, seed=4, first_contract=4, last_contract=4)
    table.until(lambda table: len(table.game.melds) > 11 and table.state.match.asked).tick(30)
    shown = table.text(60, 20)
    assert all(f" m{number} " in shown for number in range(1, len(table.game.melds) + 1))
    assert all(
        f" m{number} " in table.text(80, 24) for number in range(1, len(table.game.melds) + 1)
    )


def test_the_hand_is_sorted_by_suit_or_by_rank_and_stays_so():
    table = playing()
    by_suit = sorted_hand(table)
    by_rank = sorted_hand(table.press("2"))
    assert by_suit != by_rank
    table.press("end", "x", "x").until(lambda table: table.state.match.asked)
    assert table.state.picked.kept == {"by rank"}


def test_a_purchase_that_costs_is_asked_twice():
    table = stage(seat=1, buys=0).do("p1 decline").tick(30)
    assert "200" in table.text()
    assert "buys" not in table.text()
    assert done(table.press("b")) == []
    assert "this purchase costs you 200 points" in table.text()
    assert done(table.press("b")) == [Say("buy")]


def check_hand(table: Stage, shown: str) -> None:
    """Every card of the hand is to be seen, in a line or as cards."""
    faces = [french(dict(scene_of(table.state).hand)[slot]) for slot in sorted_hand(table)]
    rows = [row.replace("│", " ").replace(">", " ").split() for row in shown.splitlines()]
    in_a_line = faces in rows
    as_cards = [face[:-1] for face in faces if face != "*"] in rows and [
        face[-1] for face in faces
    ] in rows
    assert in_a_line or as_cards or not faces, shown


def test_the_screens():
    golden("kinaskak-offer", stage())
    golden("kinaskak-play", playing())
    golden("kinaskak-way", playing().press("m"))
    many = (
        Stage("kinaskak", 6, seed=6)
        .until(lambda table: len(table.game.melds) > 5 and table.state.match.asked)
        .tick(30)
    )
    golden("kinaskak-six", many)
    ended = (
        Stage("kinaskak", 5, 2, seed=6, last_contract=1)
        .until(lambda table: bool(table.state.count))
        .tick(30)
    )
    golden("kinaskak-count", ended)
    golden("kinaskak-end", ended.until(lambda table: table.over).press("enter").tick(30))


@pytest.mark.parametrize("players", sample([3, 6, 4, 5], 2))
@pytest.mark.slow
def test_every_event_can_be_shown(players):
    table = Stage("kinaskak", players, players - 1, seed=players, first_contract=7, last_contract=7)
    for _move in range(400):
        if table.over:
            break
        for size in SIZES[:2]:
            shown = check_rows(table.state, *size)
            if not table.state.count:
                check_hand(table, shown)
                check_turn(table.state, shown)
        table.step()
    check_rows(table.state, *SIZES[2])


def test_hidden_cards_of_others_are_not_on_the_screen():
    table = Stage("kinaskak", 3, seed=4)
    for _move in range(40):
        assert pages.draw(table.with_unseen_permuted(), 80, 24).text() == table.text()
        table.step()


@pytest.mark.parametrize("language", languages())
@pytest.mark.slow
def test_the_words_about_the_open_card_fit_on_the_smallest_screen(language):
    """It is missing, or it is not; it is offered, or to be bought, at no cost or at one."""
    set_language(language)
    try:
        seen = set()
        for seed in range(12):
            stage = Stage("kinaskak", 3, seed=seed, nicks=("Ane", "Computer 1", "Computer 2"))
            for _move in range(30):
                stage.state = replace(stage.state, held=(), count=(), moment=None)
                if stage.state.match.asked and stage.game.phase in ("offer", "window"):
                    status = SCREEN.status(scene_of(stage.state))
                    seen.add((stage.game.phase, any(style == "good" for style, _text in status)))
                    line = next(row for row in stage.text(60, 20).splitlines() if "▶" in row)
                    assert "…" not in line, line
                stage.step(by_chance=seed % 2 == 0)
        assert len(seen) == 4
    finally:
        set_language("en")
