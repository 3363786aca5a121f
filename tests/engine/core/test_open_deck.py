from random import Random

import pytest

from engine.core.moves import IllegalMove
from engine.core.open_deck import BadDeck, OpenDeck, complete, shuffled
from engine.core.requests import Deck
from engine.core.run import Run
from engine.games import new_game
from engine.games.escoba.rules import Play
from tests.engine.tiny_game import Bid, Doubled, Say, Tiny

DECK = ["7o", "10b", "5c", "2c", "12e", "3o", "5e", "3b", "4c", "6o"]


def tiny(players=3, decks=()):
    return OpenDeck(Tiny(players, {"deals": 2}), decks)


def test_it_stops_at_the_first_choice():
    play = OpenDeck(new_game("escoba", 2), [DECK], first=1)
    assert play.turn == (1,)
    assert play.hand(1) == ["7o", "5c", "12e"]
    assert play.hand(0) == ["10b", "2c", "3o"]
    assert play.laid[0][:10] == tuple(DECK)
    assert not play.over


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


def test_any_of_several_may_answer_for_all():
    play = tiny()
    for seat in range(3):
        play.act(seat, Bid(0))
    assert play.turn == (1, 2)
    play.act(2, Say("double"))
    assert Doubled(2) in play.game.told
    assert play.game.stake == 2
    assert play.turn == (0,)


def test_leaving_in_mid_window_drops_what_was_gathered():
    play = tiny()
    play.act(2, Bid(2))
    play.leave(1)
    assert play.game.round == 2
    assert play.turn == (0, 2)
    with pytest.raises(IllegalMove):
        play.leave(1)


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


def test_decks_are_completed_in_the_order_of_the_pack():
    assert complete(deck("a", "b", "a", "c"), ()) == ("a", "b", "a", "c")
    assert complete(deck("a", "b", "a", "c"), ["c", "a"]) == ("c", "a", "b", "a")


def test_cards_that_are_not_there():
    with pytest.raises(BadDeck, match="deck 2 has d though it is not among those shuffled"):
        complete(deck("a", "b"), ["d"])
    with pytest.raises(BadDeck, match="deck 2 has a twice"):
        complete(deck("a", "b"), ["a", "a"])


def test_shuffling_asks_for_numbers_in_range():
    asked = []

    def choose(n):
        asked.append(n)
        return n - 1

    assert shuffled(choose)(deck("a", "b", "c")) == ["a", "b", "c"]
    assert asked == [3, 2]


def test_every_request_is_made_by_the_tiny_game(monkeypatch):
    seen = set()
    advance = Run._advance

    def noting(self, *args):
        advance(self, *args)
        request = self.request
        name = type(request).__name__
        seen.add((name, request.kind, request.auto) if name == "Ask" else name)

    monkeypatch.setattr(Run, "_advance", noting)
    for seed in range(3):
        play = tiny(2, shuffled(Random(seed).randrange))
        while play.turn:
            seat = play.turn[-1]
            play.act(seat, next(play.options(seat)))
    asks = {
        ("Ask", "one", False),
        ("Ask", "one", True),
        ("Ask", "all", False),
        ("Ask", "all", True),
        ("Ask", "any", False),
    }
    assert seen == {"Shuffle", "Deal", "Open", "Prove", "Toss", "NoneType"} | asks
