"""The sheets on which a host arranges seats, and the partners that all see."""

from __future__ import annotations

from itertools import permutations

import pytest

from client.i18n.translation import letter
from client.session.messages import Arrange, LobbySeat
from client.ui.screen import pages, table_setup
from client.ui.seats import changed
from tests.screens.hand import SEATS, Hand, filling, gathered
from tests.screens.stage import SIZES

KEY = letter(table_setup.SEATS)
JON, MIREN = LobbySeat("Jon", "JJJJ"), LobbySeat("Miren", "MMMM")
THREE = (SEATS[0], JON, MIREN, None)
TRUCO = {"game": "truco", "options": {}}


def host(**facts) -> Hand:
    return gathered(**{"hosting": True, "held": True, "seats": THREE, **TRUCO, **facts})


def words(hand: Hand) -> str:
    return " ".join(hand.text().replace("│", " ").split())


def test_two_seats_change_places():
    hand = host().press(KEY)
    assert "The seats at this table" in hand.text()
    hand.press("2")
    assert "Which seat changes places with this one?" in words(hand)
    hand.press("3")
    assert hand.commands == [Arrange((0, 2, 1, 3))]
    assert hand.state.overlay.kind == "seats", "the host sees what comes of it"
    assert hand.press("1", "4").commands[1:] == [Arrange((3, 1, 2, 0))], "with the free seat"
    assert hand.press("escape").state.overlay is None


def test_a_seat_has_the_key_of_its_number_and_chosen_twice_stays():
    for one, other in permutations(range(4), 2):
        hand = host().press(KEY, str(one + 1), str(other + 1))
        assert hand.commands == [Arrange(changed(4, one, other))]
    assert host().press(KEY, "2", "2").commands == []


def test_seats_are_chosen_by_arrow_keys_too():
    hand = host().press(KEY, "down", "enter", "down", "enter")
    assert hand.commands == [Arrange((0, 2, 1, 3))]


def test_the_lot_says_who_draws():
    hand = host().press(KEY)
    assert "Let your program draw all seats; the others cannot check that" in words(hand)
    assert hand.press("5").commands == [Arrange()]


def test_a_chosen_seat_that_gets_another_player_is_chosen_no_more():
    hand = host().press(KEY, "2")
    hand.tell(filling(hosting=True, held=True, seats=(SEATS[0], MIREN, JON, None), **TRUCO))
    assert hand.state.overlay.kind == "seats"
    same = host().press(KEY, "2")
    same.tell(filling(hosting=True, held=True, seats=THREE, **TRUCO))
    assert same.state.overlay.kind == "swap"


@pytest.mark.parametrize(
    "facts", [{"hosting": False}, {"held": False}, {"seats": (SEATS[0], None)}]
)
def test_others_arrange_nothing_and_two_seats_need_no_order(facts):
    hand = host(**facts)
    assert "seats" not in dict(table_setup.keys(hand.state)).values()
    assert hand.press(KEY).state.overlay is None


def test_all_see_their_partners():
    for hand in (host(), host(hosting=False, mine=(2,)), host(mine=(), hosting=False)):
        ours, theirs = "Ane and Miren", "Jon and a free seat"
        assert f"{ours} play against {theirs}." in words(hand)
    own = host(hosting=False, mine=(1,))
    assert "Jon and a free seat play against Ane and Miren." in words(own)


@pytest.mark.parametrize(
    "facts",
    [
        {"game": "escoba", "options": {"teams": False}},
        {"game": "truco", "options": {}, "seats": (SEATS[0], JON)},
        {"game": "of-another-version", "options": {}},
    ],
)
def test_where_all_play_for_themselves_there_are_no_partners(facts):
    hand = host(**{"hosting": False, **facts})
    assert "play against" not in words(hand)
    assert not {style for _line, style in table_setup.said(hand.state, 70)} & {"side-a", "side-b"}


@pytest.mark.parametrize("size", SIZES)
def test_the_sheets_fit_every_screen(size):
    hand = host().press(KEY)
    for key in ("", "1"):
        shown = pages.draw((hand.press(key) if key else hand).state, *size).text()
        assert "Jon" in shown
