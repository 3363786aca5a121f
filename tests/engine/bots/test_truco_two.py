"""The strongest player of Truco for two plays by lot from solved games.

It does nothing silly, and hint and analysis say the same."""

import hashlib
from collections import Counter
from itertools import combinations
from random import Random
from subprocess import run
from sys import executable

import pytest

from engine.bots import truco
from engine.bots.player import offering
from engine.bots.truco_solved import plan
from engine.bots.truco_table import CLASSES, CODES, cards, follows, mix, place, unpacked
from engine.core.cards import SPANISH_40
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.truco.moves import TRUCO, Call, Play
from engine.games.truco.worth import STRENGTH
from engine.scenario import do
from tests.bots import solve_truco
from tests.sample import sample

CHECKSUM = "9d5bfcdc8de21c356b37a9a3b35c52cb6b86f3dd8f847fd1d525dc1b07c88cab"


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


def test_nobody_loads_the_table_before_it_is_used():
    code = "import engine.bots.truco, engine.bots.truco_table as t; print(t.unpacked.cache_info())"
    told = run([executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "currsize=0" in told


def test_positions_of_one_class_have_as_many_choices():
    random, counts = Random(3), {}
    for _ in range(3000):
        six = random.sample(list(STRENGTH.values()), 6)
        hands = [tuple(sorted(half, reverse=True)) for half in (six[:3], six[3:])]
        laid = ()
        while follows(laid)[1] is None:
            side = follows(laid)[0]
            options = cards(laid, hands[side])
            for by in (0, 1):
                number = place(by, laid, hands[by])
                assert 0 <= number < CLASSES
                if by == side:
                    assert counts.setdefault(number, len(options)) == len(options)
            card = random.choice(options)
            rest = list(hands[side])
            rest.remove(card)
            hands[side], laid = tuple(rest), (*laid, card)
    assert len(counts) > 1000


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


@pytest.mark.parametrize("hand", ["6c 11o 1b", "6c 11o 4b"])
def test_it_hardly_raises_to_falta_envido_with_six_when_ahead(hand):
    often = planned((hand, "7o 6o 1c"), "p1 play 6c", "p2 envido", score=(12, 7))
    assert often.get("falta-envido", 0.0) < 0.05


def test_it_sings_no_vale_cuatro_on_two_weak_cards_after_two_bluffs():
    for hand in ("4c 5b 10o", "6c 4b 11o", "4c 4b 7c"):
        first = hand.split()[0]
        bluffs = [f"p1 play {first}", "p2 play 12e", "p2 truco", "p1 retruco", "p2 quiero"]
        often = planned((hand, "12e 3c 2b"), *bluffs)
        assert sum(share for word, share in often.items() if word in TRUCO) < 0.05
        bluffs = ["p1 truco", "p2 retruco"]
        assert planned((hand, "12e 3c 2b"), *bluffs).get("vale4", 0.0) < 0.05


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


def test_its_singing_does_not_give_its_hand_away():
    """Leading the second trick, it sings with more of the hands that are nearly certain than of the
    others, and of the hands that sing a fair part are no such."""
    sings = {True: [], False: []}
    for one, other in combinations(sorted(set(STRENGTH.values()), reverse=True), 2):
        key = place(0, (9, 3), (one, other)) * CODES + solve_truco.USUAL * 9
        sings[one >= 11 and other >= 9].append(mix(key, 3)[0])
    certain, lesser = (sum(kept) / len(kept) for kept in (sings[True], sings[False]))
    assert certain > 0.6
    assert lesser < certain
    assert sum(sings[False]) > 0.2 * sum(sings[True])


def test_to_play_on_is_worth_no_less_than_to_give_up():
    compared = 0
    for view in views(60):
        values = {one.move: one.value for one in truco.rate(view, lambda n: 0).moves}
        if Call("mazo") in values:
            compared += 1
            assert (
                max(value for move, value in values.items() if isinstance(move, Play))
                >= values[Call("mazo")]
            )
            first = truco.rate(view, lambda n: 0).moves[0].move
            assert first != Call("mazo")
    assert compared > 20


# Hint and analysis.


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


def test_it_plays_by_lot_and_the_same_lot_gives_the_same_move():
    drawn = Counter()
    for view in views(3):
        for seed in range(12):
            move = truco.play(view, Random(seed).randrange)
            assert move == truco.play(view, Random(seed).randrange)
            drawn[view.game.round, move] += 1
    assert len(drawn) > 3
