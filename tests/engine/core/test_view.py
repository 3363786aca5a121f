import dataclasses

import pytest

from engine.core.open_deck import OpenDeck
from engine.core.view import view_for
from engine.games import new_game
from tests.engine.tiny_game import Bid, Tiny

DECK = ["7o", "10b", "5c", "2c", "12e", "3o", "5e", "3b", "4c", "6o"]


def test_a_seat_sees_its_own_cards_and_public_ones():
    play = OpenDeck(new_game("escoba", 2), [DECK])
    view = view_for(play.run, 1, play.faces)
    assert sorted(view.faces.values()) == ["10b", "2c", "3o"]
    assert view.options is None
    assert view.turn == (0,)
    assert not view.over
    assert [view.face(slot) for slot in (0, 1, 6, 20)] == [None, "10b", "5e", None]


def test_a_view_has_the_choices_that_everybody_has_seen():
    play = OpenDeck(new_game("escoba", 2), [DECK])
    assert play.view(1).past == ()
    play.act(0, next(play.options(0)))
    ((seat, move, question, faces),) = [
        (one.seat, one.move, one.question, one.faces) for one in play.view(1).past
    ]
    assert (seat, question, len(faces)) == (0, "plays", len(move.shows))
    assert faces[0] == play.faces[move.shows[0]]
    assert play.view(None).past == play.view(0).past == play.view(1).past


def test_a_simultaneous_choice_is_past_only_when_all_have_chosen():
    play = OpenDeck(Tiny(2, {"deals": 1}))
    play.act(0, Bid(1))
    assert play.view(1).past == ()
    play.act(1, Bid(2))
    assert [(one.seat, one.move) for one in play.view(0).past] == [(0, Bid(1)), (1, Bid(2))]


def test_a_spectator_sees_no_hand():
    play = OpenDeck(new_game("escoba", 2), [DECK])
    view = play.view(None)
    assert (view.seat, view.faces, view.options, view.turn) == (None, {}, None, (0,))


def test_a_view_is_a_copy():
    play = OpenDeck(new_game("escoba", 2), [DECK])
    before = play.run.fingerprint()
    view = play.view(0)
    view.game.score[0] = 99
    view.game.hands[0].clear()
    assert play.run.fingerprint() == before
    with pytest.raises(dataclasses.FrozenInstanceError):
        view.seat = 1
