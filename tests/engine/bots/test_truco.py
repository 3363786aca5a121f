"""The computer player of Truco: it beats chance, is quick, and makes none of the moves that a
player would call silly."""

from itertools import product
from random import Random

import pytest

from benchmarks.habits import always, never_folds, opens_blindly
from engine.bots import chance, character_for, truco
from engine.bots.truco_envido import CLASSES, shares
from engine.bots.truco_odds import standing
from engine.bots.truco_past import heard
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.truco.moves import TRUCO, Call, Play
from engine.scenario import do
from tests.bots.weak import weak_bot
from tests.sample import sample

ALL_SUNG = ("p1 truco", "p2 retruco", "p1 vale4", "p2 quiero")
"""Nothing more can be sung: only cards are left to play."""


def played(players, bots, seed, seen=lambda play, seat, move: None, **options):
    """Play a match; `seen` looks at every move before it is made."""
    random = Random(seed)
    play = OpenDeck(new_game("truco", players, options), shuffled(random.randrange), first=seed)
    while play.turn:
        seat = random.choice(play.turn)
        move = bots[seat](play.view(seat), random.randrange)
        seen(play, seat, move)
        play.act(seat, move)
    return play


def choice(hands, *actions, **options):
    """Return what the player on turn does with these hands after these actions, in notation."""
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    play = OpenDeck(new_game("truco", len(hands), options), [deck])
    for action in actions:
        do(play, action)
    return play.game.write(truco.play(play.view(play.turn[0]), lambda n: n // 2), play.faces)


def test_standing_is_a_chance():
    assert standing(15, 15) == pytest.approx(0.5)
    assert (standing(0, 3), standing(3, 0)) == (1.0, 0.0)
    assert all(standing(mine, 9) > standing(mine + 1, 9) for mine in range(1, 20))
    assert standing(3, 8) + standing(8, 3) == pytest.approx(1)


def test_it_does_not_beat_its_partner():
    assert (
        choice(
            ["1e 4c 5c", "4o 5o 6o", "3c 7o 6e", "4b 5b 6b"], *ALL_SUNG, "p1 play 1e", "p2 play 4o"
        )
        == "play 6e"
    )


def test_it_accepts_what_it_cannot_lose_and_refuses_what_it_cannot_win():
    after_two = ["p1 play 4c", "p2 play 1b", "p2 play 4e", "p1 play 6b"]
    assert choice(["4c 6b 1e", "1b 4e 7e"], *after_two, "p1 truco") != "no-quiero"
    # p1's last card is the strongest of all; p2's 12o has been beaten already.
    assert choice(["4c 6b 1e", "1b 12o 4e"], *after_two, "p1 play 1e", "p2 truco") == "retruco"
    assert choice(["4c 3b 4b", "1b 1e 4e"], "p1 play 4c", "p2 play 1b", "p2 truco") == "no-quiero"


@pytest.mark.parametrize(
    ("hands", "score", "actions"),
    [
        (
            ("1b 12c 6o", "10e 11c 11b"),
            (12, 11),
            ("p1 play 6o", "p2 truco", "p1 quiero", "p2 play 10e", "p2 play 11c", "p1 retruco"),
        ),
        (
            ("3e 5e 3b", "12o 1e 3o"),
            (8, 11),
            (
                *("p1 truco", "p2 quiero", "p1 play 3e"),
                *("p2 retruco", "p1 quiero", "p2 play 3o"),
            ),
        ),
    ],
)
def test_the_cautious_player_sings_no_vale_cuatro_on_middling_cards(hands, score, actions):
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    play = OpenDeck(new_game("truco", 2), [deck])
    play.game.score = list(score)
    for action in actions:
        do(play, action)
    player = character_for("truco", "Anselmo").play
    view = play.view(play.turn[0])
    assert Call("vale4") not in {player(view, Random(seed).randrange) for seed in range(12)}


def test_it_refuses_no_truco_where_that_loses_the_match():
    """It has no chance as far as it can see, and risks nothing more."""
    play = OpenDeck(new_game("truco", 2, {"target": 15}), [["4c", "1b", "3b", "1e", "4b", "4e"]])
    for action in ("p1 play 4c", "p2 play 1b", "p2 truco", "p1 retruco", "p2 vale4"):
        do(play, action)
    for theirs, refuses in ((11, {True}), (12, {False})):
        play.game.score = [6, theirs]
        assert {
            truco.play(play.view(0), Random(seed).randrange) == Call("no-quiero")
            for seed in range(8)
        } == refuses


def answering_envido(seed):
    """Return the view of a seat of four that is asked whether it wants an envido."""
    play = OpenDeck(new_game("truco", 4), shuffled(Random(seed).randrange), first=seed)
    while Call("envido") not in (options := play.view(play.turn[0]).options):
        play.act(play.turn[0], next(move for move in options if isinstance(move, Play)))
    play.act(play.turn[0], Call("envido"))
    return play.view(play.turn[0])


@pytest.mark.parametrize("seed", [8, 19, 53])
def test_a_hint_says_the_likeliest_word(seed):
    view = answering_envido(seed)
    mind = truco.Mind(view, lambda n: n // 2)
    often = mind.meant(mind.envido(view.options))
    assert truco.play(view, lambda n: n // 2) == Call(max(often, key=often.get))


def test_it_states_its_number_if_that_is_better_and_concedes_otherwise():
    assert choice(["7e 6e 1b", "5o 4o 12c"], "p1 envido", "p2 quiero") == "say 33"
    assert choice(["7e 6e 1b", "5o 4o 12c"], "p1 envido", "p2 quiero", "p1 say 33") == "son-buenas"
    assert choice(["5o 4o 12c", "7e 6e 1b"], "p1 envido", "p2 quiero", "p1 say 29") == "say 33"


def test_tricks_are_counted_as_the_rules_count_them():
    """The answers that are read from the past agree with the state of the match before each card
    was played."""
    count = 0
    for players, seed in product((2, 4), range(6)):
        seen = []

        def note(play, seat, move, seen=seen):
            if isinstance(move, Play):
                won = [None if by is None else by % 2 for by in play.game.results]
                seen.append((seat, play.faces[move.card], tuple(won), play.game.stake))

        play = played(players, [chance.play] * players, seed, note, target=9)
        cards = [word for word in heard(play.game, play.view(0).past) if word.question == "card"]
        assert [(word.seat, word.answer, word.results, word.stake) for word in cards] == seen
        count += len(seen)
    assert count > 60


QUICK = weak_bot("truco")
BLIND = {
    "falta-envido": opens_blindly("falta-envido", QUICK),
    "never-folds": never_folds(QUICK),
    "real-envido": opens_blindly("real-envido", QUICK),
    "always-truco": always(TRUCO, QUICK),
}


@pytest.mark.slow
@pytest.mark.parametrize("habit", sample(BLIND, 1))
def test_no_blind_player_beats_it(habit):
    """Each of these beat the player before this one, or nearly; tests.bots.duel measures all of
    them at length."""
    wins, matches = 0, 8
    for seed in range(matches):
        bots = [BLIND[habit]] * 2
        bots[seed % 2] = truco.play
        wins += seed % 2 in played(2, bots, seed // 2).game.winners
    assert 2 * wins >= matches


def test_no_hand_is_thought_to_hold_cards_that_lie_elsewhere():
    sevens = ["7o", "7c", "7e", "7b"]
    points = dict(zip(CLASSES, shares(["6o"], sevens), strict=True))
    assert points[7] == points[32] == points[33] == 0
    assert points[31] > 0  # with the five
    assert sum(points.values()) == pytest.approx(1)
