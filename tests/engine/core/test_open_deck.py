from itertools import product

import pytest

from engine.core.moves import IllegalMove
from engine.core.open_deck import BadDeck, OpenDeck, complete, shuffled
from engine.core.requests import Deck
from engine.games import new_game
from engine.games.escoba.rules import Play
from tests.engine.tiny_game import Bid, Say, Tiny

DECK = ["7o", "10b", "5c", "2c", "12e", "3o", "5e", "3b", "4c", "6o"]


def tiny(players=3, decks=()):
    return OpenDeck(Tiny(players, {"deals": 2}), decks)


def test_a_refused_move_changes_nothing():
    play = OpenDeck(new_game("escoba", 2), [DECK])
    before = play.run.fingerprint()
    for seat, move in ((0, Play(0)), (0, Play(99)), (0, Play(0, (99,))), (1, Play(1)), (0, Bid(1))):
        with pytest.raises(IllegalMove):
            play.act(seat, move)
        with pytest.raises(IllegalMove):
            play.judge(seat, move)
    assert play.run.fingerprint() == before
    assert play.answers == []


def test_sealed_answers_wait_for_the_last():
    play = tiny()
    before = play.run.fingerprint()
    play.act(2, Bid(2))
    assert play.turn == (0, 1)
    assert play.game.bids == {}
    assert play.run.fingerprint() == before  # nothing of it is public
    with pytest.raises(IllegalMove):
        play.act(2, Bid(1))
    play.act(0, Bid(0))
    play.act(1, Bid(1))
    assert play.game.bids == {0: 0, 1: 1, 2: 2}


def test_programs_answer_their_questions_truthfully():
    play = tiny(2, [["7o", "1o", "7c", "2o"]])  # p1 holds both sevens
    assert play.attested == [
        (0, next(move for seat, move in play.attested if seat == 0)),
        (1, Say("deny")),
    ]
    assert play.game.faces[play.attested[0][1].card] in ("7o", "7c")


def test_a_match_is_replayed_from_its_decks_and_answers():
    play = OpenDeck(new_game("escoba", 3), shuffled(lambda n: n // 2), first=2)
    while len(play.answers) < 50:
        seat = play.turn[0]
        play.act(seat, next(play.options(seat)))
    play.leave(1)
    play.leave(0)
    again = OpenDeck(new_game("escoba", 3), play.laid, first=2)
    again.replay(play.answers)
    assert again.run.fingerprint() == play.run.fingerprint()
    assert again.over


def deck(*cards):
    return Deck(2, 0, cards, (0, 1))


def test_cards_that_are_not_there():
    with pytest.raises(BadDeck, match="deck 2 has d though it is not among those shuffled"):
        complete(deck("a", "b"), ["d"])
    with pytest.raises(BadDeck, match="deck 2 has a twice"):
        complete(deck("a", "b"), ["a", "a"])


def test_every_order_of_a_deck_comes_of_the_same_number_of_choices():
    orders = set()
    for chosen in product(range(3), range(2)):
        left = list(chosen)
        order = shuffled(lambda bound, left=left: left.pop(0) % bound)(Deck(1, 0, (*"abc",), (0,)))
        orders.add(tuple(order))
    assert len(orders) == 6
