"""The sheets on which a host arranges seats, and the partners that all see."""

from __future__ import annotations

import pytest

from client.i18n.translation import letter
from client.session.messages import Arrange, LobbySeat
from client.ui.screen import table_setup
from tests.screens.hand import SEATS, Hand, filling, gathered

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
