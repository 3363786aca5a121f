"""The strongest player of Truco for two plays by lot from solved games.

It does nothing silly, and hint and analysis say the same."""

import hashlib
from collections import Counter
from random import Random

import pytest

from engine.bots import truco
from engine.bots.player import offering
from engine.bots.truco_solved import plan
from engine.bots.truco_table import follows, unpacked
from engine.core.cards import SPANISH_40
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.truco.moves import Call, Play
from engine.games.truco.worth import STRENGTH
from engine.scenario import do
from tests.bots import solve_truco
from tests.sample import sample

CHECKSUM = "4cb9cb84677e794f38facbe66b8a8d668d833d24153aeacb28a4da59767ce5f2"


def planned(hands, *actions, score=(0, 0)):
    """Return how often the strongest makes each move with these hands after these actions."""
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    play = OpenDeck(new_game("truco", 2), [deck])
    play.game.score = list(score)
    for action in actions:
        do(play, action)
    view = play.view(play.turn[0])
    return {play.game.write(move, play.faces): one.often for move, one in plan(view).items()}


def views(count):
    """Yield views where a seat has a choice, of deals played by lot at many scores."""
    random = Random(5)
    while count:
        play = OpenDeck(new_game("truco", 2), shuffled(random.randrange), first=random.randrange(2))
        play.game.score = [random.randrange(15), random.randrange(15)]
        while play.turn and play.game.round == 1 and count:
            view = play.view(play.turn[0])
            options = list(view.options)
            if not play.game.stating and len(options) > 1:
                yield view
                count -= 1
                options = [move for move in options if move != Call("mazo")]
            play.act(view.seat, options[0 if play.game.stating else random.randrange(len(options))])


# The table.


def test_the_table_is_the_one_that_was_computed():
    assert hashlib.sha256(solve_truco.PATH.read_bytes()).hexdigest() == CHECKSUM
    assert solve_truco.PATH.stat().st_size < 250_000


def test_a_part_of_the_table_is_computed_again():
    """Where both need one point; all other situations begin from the usual one too."""
    table = unpacked()
    again = bytearray(table)
    found = solve_truco.another(0, solve_truco.begins(table))
    assert len(found) > 3000
    solve_truco.written(again, found)
    assert bytes(again) == table


@pytest.mark.parametrize("third_tie", ["mano", "first"])
def test_the_order_of_play_is_that_of_the_rules(third_tie):
    random, ended = Random(8), Counter()
    for seed in range(150):
        play = OpenDeck(
            new_game("truco", 2, {"third_tie": third_tie}),
            shuffled(random.randrange),
            first=seed % 2,
        )
        mano, laid = play.game.mano, ()
        while True:
            side, winner = follows(laid, first_decides=third_tie == "first")
            if winner is not None:
                assert play.game.score[mano if winner == 0 else 1 - mano] == 1
                ended[len(laid)] += 1
                break
            seat = mano if side == 0 else 1 - mano
            assert play.turn == (seat,)
            move = random.choice([one for one in play.options(seat) if isinstance(one, Play)])
            laid = (*laid, STRENGTH[play.faces[move.card]])
            play.act(seat, move)
    assert ended.keys() == {4, 6}


# Nothing silly: each of these was seen of the player before this one.


@pytest.mark.parametrize("score", [(9, 10), (10, 9)])
def test_it_accepts_no_falta_envido_with_nothing(score):
    often = planned(("12c 11o 10b", "7o 6o 1c"), "p1 play 12c", "p2 falta-envido", score=score)
    assert often["quiero"] == 0.0


def folded(count, *actions):
    """Return how often a seat refuses after these actions of the mano, over random hands."""
    random, refused = Random(2), 0.0
    for _ in range(count):
        six = random.sample(SPANISH_40, 6)
        hands = (" ".join(six[:3]), " ".join(six[3:]))
        often = planned(hands, *actions)
        refused += often["no-quiero"]
    return refused / count


def test_it_folds_to_fewer_than_half_of_the_trucos_of_the_first_trick():
    """To fold to more than half would give one point to any hand."""
    assert folded(60, "p1 truco") < 0.5


@pytest.mark.parametrize("hand", ["6o 12c 11b", "6o 5c 3b", "6c 1o 2e"])
@pytest.mark.parametrize("score", [(12, 7), (7, 12)])
def test_with_six_points_it_raises_an_envido_to_falta_once_in_twenty_at_most(hand, score):
    often = planned(("4o 7c 5e", hand), "p1 envido", score=score)
    assert often["falta-envido"] < 0.05
    assert max(often, key=often.__getitem__) == "no-quiero"


def dealt(random, high):
    """Return a hand of cards no stronger than `high`, and another, the strongest first."""
    weak = random.sample([card for card in SPANISH_40 if STRENGTH[card] <= high], 3)
    others = random.sample([card for card in SPANISH_40 if card not in weak], 3)
    return weak, sorted(others, key=STRENGTH.__getitem__, reverse=True)


def test_after_a_bluff_it_seldom_sings_vale_cuatro_on_weak_cards():
    random = Random(3)
    parts = [
        planned([" ".join(hand) for hand in dealt(random, 4)], "p1 truco", "p2 retruco")["vale4"]
        for _ in range(40)
    ]
    assert sum(parts) / len(parts) < 0.1


def test_leading_the_second_trick_it_sings_more_often_with_the_best_cards_than_with_others():
    """To sing more often with the lesser ones would give the hand away."""
    random, sung = Random(3), {True: [], False: []}
    while min(map(len, sung.values())) < 40:
        six = random.sample(SPANISH_40, 6)
        low, lead, high = sorted(six[:3], key=STRENGTH.__getitem__)
        if STRENGTH[six[3]] < STRENGTH[lead]:
            hands = f"{low} {lead} {high}", " ".join(six[3:])
            often = planned(hands, f"p1 play {lead}", f"p2 play {six[3]}")
            sung[STRENGTH[high] > STRENGTH["3o"]].append(often["truco"])
    near, less = [sum(parts) / len(parts) for parts in (sung[True], sung[False])]
    assert near > less


@pytest.mark.parametrize("count", sample([60, 300], 1))
def test_to_give_the_deal_up_is_never_better_than_to_play_on(count):
    """A seat that plays a card may give up later for the same points."""
    for view in views(count):
        value = {one.move: one.value for one in truco.rate(view, lambda n: 0).moves}
        played = [worth for move, worth in value.items() if isinstance(move, Play)]
        assert not played or max(played) >= value.get(Call("mazo"), 0.0)


@pytest.mark.parametrize(
    ("hands", "number"),
    [(("12b 2e 5c", "7c 6c 2o"), 5), (("4b 2b 7b", "7c 6c 2e"), 31)],
)
def test_after_a_number_that_few_hands_have_it_knows_these_hands(hands, number):
    """Of many hands only some are tried, but of those that have the number."""
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    play = OpenDeck(new_game("truco", 2), [deck])
    for action in ("p1 envido", "p2 quiero", f"p1 say {number}", "p2 say 33"):
        do(play, action)
    value = {one.move: one.value for one in truco.rate(play.view(0), lambda n: 0).moves}
    assert value[Call("truco")] > 0.3
    assert max(value.values()) > value[Call("mazo")]


def test_a_number_that_the_played_cards_belie_stops_no_player():
    """A liar is convicted when the cards are shown; until then all play on."""
    hands = "4b 2b 7b", "7c 6c 2e"
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    play = OpenDeck(new_game("truco", 2), [deck])
    told = ("p1 envido", "p2 quiero", "p1 say 31", "p2 say 33")
    for action in (*told, "p1 play 4b", "p2 play 7c", "p2 play 6c"):
        do(play, action)
    play.game.said[-1] = play.game.best = (1, 32)
    assert truco.rate(play.view(0), lambda n: 0).moves


# Hint and analysis.


@pytest.mark.parametrize(
    ("hands", "score"), [(("2e 5b 10o", "6o 4c 4b"), (0, 3)), (("3e 1b 7o", "6o 4c 4b"), (5, 9))]
)
def test_a_hint_is_a_word_only_if_that_is_likelier_than_any_card(hands, score):
    """To bluff is the likeliest single move there, but to say nothing is likelier."""
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    play = OpenDeck(new_game("truco", 2), [deck])
    play.game.score = list(score)
    often = {move: word.often for move, word in plan(play.view(0)).items()}
    assert max(often, key=often.__getitem__) == Call("falta-envido")
    assert isinstance(truco.play(play.view(0), lambda n: n // 2), Play)


@pytest.mark.parametrize("count", sample([60, 300], 1))
def test_hint_and_analysis_say_the_same(count):
    """After any move: the hint is the best move of the analysis, and moves that are mixed with it
    lose nothing there."""
    random = Random(4)
    for view in views(count):
        hint = truco.play(view, lambda n: n // 2)
        made = random.choice(view.options)
        ratings = truco.rate(offering(view, made), random.randrange)
        assert ratings.moves[0].move == hint
        value = {one.move: one.value for one in ratings.moves}
        drawn = truco.play(view, random.randrange)
        assert value[drawn] == value[hint]
