"""Laying down, laying off and fetching jokers in Kínaskák, with keys alone."""

from __future__ import annotations

from random import Random

import pytest

from client.i18n.translation import languages, letter, set_language
from client.ui.games.kinaskak import laying
from client.ui.games.kinaskak.screen import KEYS, SCREEN
from client.ui.screen.play import keys
from client.ui.screen.table_words import scene_of
from engine.core.cards import JOKER
from engine.games.kinaskak.melds import PACK
from engine.games.kinaskak.rules import Discard, Lay, Meld, Swap
from tests.properties import anyhow
from tests.sample import sample
from tests.screens.stage import Stage, check_rows, golden
from tests.screens.test_kinaskak import HAND, cursor, dealt, done, pick
from tests.screens.test_offered_keys import words_of_keys

MANY = ["Ac", "Ac", "Ad", "Ah", "As", "3d", "3d", "3h", "4h", "8s", "Ks", "*", "*"]
"""Two natural sets, and jokers besides; the third one is drawn."""


def playing(hand: list[str] = HAND, drawn: str = "7h", contract: int = 1, **how) -> Stage:
    """Return our own turn, after the open card was left and a card was drawn."""
    how = {"first_contract": contract, "last_contract": contract} | how
    table = Stage("kinaskak", 3, decks=[_deck(hand, drawn)], **how).tick(30)
    table.type("decline")
    nobody_buys = [f"p{seat + 1} no" for seat in table.table.turn if seat]
    return table.do(*nobody_buys).tick(30)


def _deck(hand: list[str], drawn: str) -> list[str]:
    left = list(PACK)
    for card in [*hand, "Qc", drawn]:
        left.remove(card)
    others = [left[place : place + 13] for place in (0, 13)]
    return dealt(hand, *others, then=("Qc", drawn))


def two_sets() -> Stage:
    return playing(MANY, drawn=JOKER, contract=2)


def line(table: Stage) -> str:
    """Return the move that was made last, as it is typed."""
    return table.table.game.write(done(table)[-1], table.table.faces)


def hand(table: Stage) -> list[str]:
    """Return the cards that our part of the screen shows."""
    return sorted(face for _slot, face in laying.hand_after(scene_of(table.state)))


# Ways of the whole hand.


def test_natural_melds_are_shown_first():
    table = two_sets().press("m")
    assert "A♣ A♣ A♦ A♥ A♠ | 3♦ 3♦ 3♥  1/" in table.text()
    shown = [table.press("tab").text() for _way in range(len(laying.moves(scene_of(table.state))))]
    assert len(set(shown)) == len(shown)
    assert line(table.press("m")) == "meld set Ac Ac Ad Ah As set 3d 3d 3h"


def test_another_way_is_a_key_away_and_esc_leads_back():
    table = two_sets().press("m")
    first = table.text()
    assert "Tab another way" in table.foot()
    assert table.press("tab").text() != first
    assert table.press("s-tab").text() == first
    assert table.press("escape").state.picked.word == ""


# A preview.


def test_a_card_to_be_laid_off_is_shown_on_its_meld():
    table = playing().type("meld run 3h 4h 5h 6h set 9c 9d 9s").tick(30)
    assert "l lay off" in table.foot()
    table.press("l")
    assert "7♥ → m1" in table.text()
    assert "▌m1 you" in table.text(60, 20)
    assert "│3 │4 │5 │6 │7  │" in table.text(60, 20)
    assert isinstance(done(table.press("enter"))[-1], Lay)


def test_a_joker_to_be_fetched_is_shown_in_the_hand():
    hand_with = ["3h", "4h", "*", "6h", "9c", "9d", "9s", "5h", "2d", "7s", "Jd", "Qs", "Ad"]
    table = playing(hand_with).type("meld run 3h 4h *5h 6h set 9c 9d 9s").tick(30)
    assert "s fetch joker" in table.foot()
    assert "*" in hand(table.press("s"))
    assert "*" in hand(table.press("enter"))
    assert isinstance(done(table)[-1], Swap)


# Meld by meld.


def test_melds_are_made_one_by_one():
    table = pick(two_sets(), "3d", "3d", "3h").press("m")
    assert "m/Enter make this meld" in table.foot()
    table.press("enter")
    assert len(done(table)) == 1
    assert "3♦ 3♦ 3♥ | still to come: a set" in table.text()
    assert not {"3d", "3h"} & set(hand(table))
    pick(table, "Ac", "Ac", "Ad").press("m")
    assert "3♦ 3♦ 3♥ | A♣ A♣ A♦" in table.text()
    assert "m/Enter lay it so" in table.foot()
    assert line(table.press("enter")) == "meld set 3d 3d 3h set Ac Ac Ad"


def test_a_joker_is_named_by_the_way_that_is_chosen():
    cards = ["5h", "6h", "*", "*", "9c", "9d", "9s", "Kc", "2d", "7s", "Jd", "Qs", "Ad"]
    table = pick(playing(cards, drawn="4c"), "5h", "6h", "*", "*").press("m")
    assert "*3♥ *4♥ 5♥ 6♥  1/3" in table.text()
    assert "*4♥ 5♥ 6♥ *7♥  2/3" in table.press("tab").text()
    pick(table.press("enter"), "9c", "9d", "9s").press("m")
    assert line(table.press("m")) == "meld run *4h 5h 6h *7h set 9c 9d 9s"


def test_melds_that_are_made_are_not_forgotten_by_throwing_a_card_away():
    table = pick(two_sets(), "3d", "3d", "3h").press("m", "enter", "x")
    assert "Lay down the melds that you have made, or put them back, first." in table.foot()
    assert not [move for move in done(table) if isinstance(move, Discard)]


@pytest.mark.slow
@pytest.mark.parametrize("contract", sample((2, 8, 5, 1, 3, 4, 6, 7), 3))
def test_every_legal_laying_down_is_made_with_keys_alone(contract):
    """The cards of one meld after the other are picked, and its reading is chosen."""
    found = 0
    for seed in range(60):
        random = Random(f"{contract}/{seed}")
        cards = anyhow.rich_hand(contract, random)
        table = playing(cards[:13], cards[13], contract, max_jokers=9)
        view = table.table.view(0)
        wanted = next((move for move in anyhow.layings(view, random) if move in view.options), None)
        if wanted is None:
            continue
        found += 1
        written = table.game.write(wanted, table.table.faces)
        for place, (kind, laid) in enumerate(wanted.melds):
            by_keys(table, kind, laid, last=place == len(wanted.melds) - 1)
        assert in_sets(line(table)) == in_sets(written)
    assert found > 10


def by_keys(table: Stage, kind: str, laid, *, last: bool) -> None:
    """Make one meld with keys that the last line offers."""
    faces = table.table.faces
    pick(table, *(faces[slot] for slot, _stands in laid))
    assert "m/Enter lay down" in table.foot()
    table.press("m")
    wanted = in_sets(table.game.write(Meld(((kind, laid),)), faces))
    for _way in laying.moves(scene_of(table.state)):
        move = laying.shown(scene_of(table.state))
        if in_sets(table.game.write(move, faces)) == wanted:
            break
        table.press("tab")
    else:
        raise AssertionError(f"no key leads to {wanted}")
    assert ("lay it so" if last else "make this meld") in table.foot()
    table.press("enter")


def in_sets(text: str) -> list[object]:
    """Return the melds of a line; those in a set have no order."""
    parts = text.replace(" run ", "|run ").replace(" set ", "|set ").split("|")[1:]
    return [sorted(part.split()) if part.startswith("set") else part for part in parts]


# Refusals.

DOWN = "meld run 3h 4h 5h 6h set 9c 9d 9s"


@pytest.mark.parametrize(
    ("typed", "cards", "key", "said"),
    [
        ("", ["3h", "9c"], "m", "make no meld. A set is three cards or more of one rank"),
        ("", ["9c", "9d"], "m", "A set has three cards or more."),
        ("", ["3h", "4h", "5h", "6h", "7h", "Ad"], "m", "make no meld"),
        ("", ["7s"], "l", "First lay down what the round asks for"),
        ("", ["7s"], "s", "First lay down what the round asks for"),
        (DOWN, [], "m", "You have laid down in this round"),
        (DOWN, ["Ad"], "l", "No meld takes A♦."),
        (DOWN, ["Ad", "Qs"], "l", "No meld takes"),
        (DOWN, ["7h"], "s", "There is no joker in a run; jokers stay in sets."),
        (DOWN, ["Ad", "Qs"], "x", "Pick only one card to throw it away."),
    ],
)
def test_a_refusal_names_keys(typed, cards, key, said):
    table = playing()
    if typed:
        table.type(typed).tick(30)
    before = len(done(table))
    pick(table, *cards).press(key)
    assert len(done(table)) == before
    assert said in table.state.notice


def test_a_meld_that_is_not_asked_for_is_refused():
    table = playing(
        ["3h", "4h", "5h", "6h", "3h", "4h", "5h", "6h", "9c", "9d", "9s", "Jd", "Qs"], contract=3
    )
    assert "Still to be laid down: two runs." in pick(table, "9c", "9d", "9s").press("m").foot()
    pick(table.press("escape"), "3h", "4h", "5h", "6h").press("m", "enter")
    assert (
        "Your runs must be of different suits."
        in pick(table, "3h", "4h", "5h", "6h").press("m").foot()
    )
    pick(table.press("escape"), "9c", "9d", "9s")
    assert "Still to be laid down: a run." in table.press("m").foot()
    assert "Your other cards do not make a run." in table.press("escape", "m").foot()


# The screens.


@pytest.mark.parametrize("language", languages())
@pytest.mark.slow
def test_all_keys_that_make_melds_stand_in_the_last_line_of_the_smallest_screen(language):
    """Only those of every page, and the one that sorts, give way."""
    melds = [
        playing(),
        playing().press(" "),
        pick(playing(), "9c", "9d"),
        pick(playing(), "9c", "9d", "9s"),
        playing().press("m"),
        two_sets().press("m"),
        pick(playing(), "9c", "9d", "9s").press("m"),
        pick(playing(), "9c", "9d", "9s").press("m", "m"),
        playing().type(DOWN).tick(30),
    ]
    set_language(language)
    try:
        for table in melds:
            shown = words_of_keys(table.state, 60, 20)
            gone = {name for name, _about in keys(table.state)} - dict(shown).keys()
            assert gone <= {letter(KEYS["sort"]), "F1", "F2"}
            assert all(about for _name, about in shown[:-1]), shown
    finally:
        set_language("en")


def test_the_screens():
    golden("kinaskak-melds", two_sets().press("m"))
    table = pick(two_sets(), "3d", "3d", "3h").press("m", "enter")
    golden("kinaskak-made", pick(table, "Ac", "Ac"))
    golden("kinaskak-refused", pick(two_sets(), "3d", "Ks").press("m"))


def test_a_laying_down_of_all_cards_fits_the_smallest_screen():
    cards = ["3h", "4h", "5h", "6h", "8s", "9s", "Ts", "Js", "2c", "2d", "2h", "Kc", "Kd"]
    table = playing(cards, drawn="*", contract=8).press("m")
    shown = check_rows(table.state, 60, 20)
    assert "3♥ 4♥ 5♥ 6♥ | 8♠ 9♠ 10♠ J♠ | 2♣ 2♦ 2♥ | K♣ K♦ *K" in shown
    assert hand(table) == []
    table.press("enter")
    assert table.over


def test_where_no_card_is_left_at_hand_no_key_fails():
    table = playing(
        ["Ac", "Ac", "Ac", "Ad", "Ad", "Ad", "Ah", "Ah", "Ah", "As", "As", "As", "3c"],
        drawn="3d",
        contract=2,
    )
    pick(table, *["Ac", "Ad", "Ah", "As"] * 3).press("m", "tab", "enter")
    pick(table, "3c", "3d")
    for key in ("left", "right", " ", "enter", "m", "x", "l", "s", "up", "home", "?", "escape"):
        check_rows(table.press(key).state, 60, 20)
    assert cursor(table) in [slot for slot, _face in scene_of(table.state).hand]
    assert SCREEN.in_order(scene_of(table.state))
