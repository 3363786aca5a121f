"""Kínaskák on the full screen: docs/rules/kinaskak.md, “Screen, keys, moments”."""

from __future__ import annotations

from random import Random

import pytest

from client.ui.games.kinaskak import laying
from client.ui.games.kinaskak.screen import SCREEN
from client.ui.screen.table_words import scene_of
from engine.core.cards import JOKER
from engine.games.kinaskak.melds import PACK
from engine.games.kinaskak.moves import Meld, Say
from tests.properties import anyhow
from tests.sample import sample
from tests.screens.stage import Stage, done, golden

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


def test_a_purchase_that_costs_is_asked_twice():
    table = stage(seat=1, buys=0).do("p1 decline").tick(30)
    assert "200" in table.text()
    assert "buys" not in table.text()
    assert done(table.press("b")) == []
    assert "this purchase costs you 200 points" in table.text()
    assert done(table.press("b")) == [Say("buy")]


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
        .until(lambda table: bool(table.state.count.lines))
        .tick(30)
    )
    golden("kinaskak-count", ended)
    golden("kinaskak-end", ended.until(lambda table: table.over).press("enter").tick(30))


MANY = ["Ac", "Ac", "Ad", "Ah", "As", "3d", "3d", "3h", "4h", "8s", "Ks", "*", "*"]
"""Two natural sets, and jokers besides; the third one is drawn."""


def playing_kinaskak_laying(
    hand: list[str] = HAND, drawn: str = "7h", contract: int = 1, **how
) -> Stage:
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
    return playing_kinaskak_laying(MANY, drawn=JOKER, contract=2)


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
    assert "m/Enter lay it like this" in table.foot()
    assert line(table.press("enter")) == "meld set 3d 3d 3h set Ac Ac Ad"


def test_a_joker_is_named_by_the_way_that_is_chosen():
    cards = ["5h", "6h", "*", "*", "9c", "9d", "9s", "Kc", "2d", "7s", "Jd", "Qs", "Ad"]
    table = pick(playing_kinaskak_laying(cards, drawn="4c"), "5h", "6h", "*", "*").press("m")
    assert "*3♥ *4♥ 5♥ 6♥  1/3" in table.text()
    assert "*4♥ 5♥ 6♥ *7♥  2/3" in table.press("tab").text()
    pick(table.press("enter"), "9c", "9d", "9s").press("m")
    assert line(table.press("m")) == "meld run *4h 5h 6h *7h set 9c 9d 9s"


@pytest.mark.slow
@pytest.mark.parametrize("contract", sample((2, 8, 5, 1, 3, 4, 6, 7), 3))
def test_every_legal_laying_down_is_made_with_keys_alone(contract):
    """The cards of one meld after the other are picked, and its reading is chosen."""
    found = 0
    for seed in range(60):
        random = Random(f"{contract}/{seed}")
        cards = anyhow.rich_hand(contract, random)
        table = playing_kinaskak_laying(cards[:13], cards[13], contract, max_jokers=9)
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
    assert ("lay it like this" if last else "make this meld") in table.foot()
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
    table = playing_kinaskak_laying()
    if typed:
        table.type(typed).tick(30)
    before = len(done(table))
    pick(table, *cards).press(key)
    assert len(done(table)) == before
    assert said in table.state.notice


def test_a_meld_that_is_not_asked_for_is_refused():
    table = playing_kinaskak_laying(
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


def test_the_screens_kinaskak_laying():
    golden("kinaskak-melds", two_sets().press("m"))
    table = pick(two_sets(), "3d", "3d", "3h").press("m", "enter")
    golden("kinaskak-made", pick(table, "Ac", "Ac"))
    golden("kinaskak-refused", pick(two_sets(), "3d", "Ks").press("m"))
