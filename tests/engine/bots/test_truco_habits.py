"""The computer player of Truco learns from earlier answers."""

import pytest

from engine.bots import truco
from engine.bots.truco_envido import Envido
from engine.bots.truco_habits import BLIND, habit
from engine.bots.truco_past import Heard, heard
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.scenario import do


def said(*answers, seat=1):
    """Return these answers of a seat, one in a deal: a question and a word each."""
    same = {"call": "envido", "opened": True, "stake": 1, "results": (), "on": (0, 0), "gone": ()}
    return [
        Heard(deal=deal, seat=seat, question=asked, answer=word, **same)
        for deal, (asked, word) in enumerate(answers)
    ]


def blind(*answers, side=1):
    return habit(said(*answers), side, "open").blind


def test_the_first_call_tells_nothing_and_each_further_one_more():
    often = [blind(*[("open", "real-envido")] * times) for times in range(6)]
    assert often[0] == pytest.approx(BLIND)
    assert often[1] == pytest.approx(BLIND)
    assert often[1] < often[2] < often[3] < often[4]
    assert often[4] > 0.9
    assert blind(*[("open", "real-envido")] * 5, side=0) == pytest.approx(BLIND)


def says_to_envido(hand, past):
    """Return how often a seat accepts a real envido of the other, whose answers these were."""
    deck = [card for turn in zip(hand.split(), ["7o", "6o", "1c"], strict=True) for card in turn]
    play = OpenDeck(new_game("truco", 2), [deck])
    do(play, "p1 play " + hand.split()[0])
    do(play, "p2 real-envido")
    view = play.view(0)
    mind = truco.Mind(view, lambda n: 0)
    words = [*past, *mind.words]
    return {
        word: one.often
        for word, one in Envido(view.game, 0, hand.split(), words, mind.worth)
        .says(last=False)
        .items()
    }


def test_a_blind_caller_is_accepted_with_less():
    hand = "4o 1o 1b"  # 25
    assert says_to_envido(hand, [])["no-quiero"] > 0.5
    assert says_to_envido(hand, said(*[("open", "real-envido")] * 5))["no-quiero"] < 0.1


def test_answers_are_heard():
    play = OpenDeck(new_game("truco", 2), [["4o", "7o", "2o", "6o", "1b", "1c"]])
    for action in (
        "p1 envido",
        "p2 quiero",
        "p1 say 26",
        "p2 say 33",
        "p1 play 1b",
        "p2 truco",
        "p1 no-quiero",
    ):
        do(play, action)
    view = play.view(0)
    assert [
        (word.deal, word.seat, word.question, word.answer) for word in heard(view.game, view.past)
    ] == [
        (1, 0, "open", "envido"),
        (1, 1, "envido", "quiero"),
        (1, 0, "say", "26"),
        (1, 1, "say", "33"),
        (1, 0, "sing", ""),
        (1, 0, "card", "1b"),
        (1, 1, "sing", "truco"),
        (1, 0, "truco", "no-quiero"),
    ]
