"""Dominoes with a large hand and a small graveyard: few layings are possible, and all are tried."""

from collections import Counter
from random import Random

import pytest

from engine.bots import domino
from engine.bots.domino_worlds import Worlds
from engine.bots.small_change import Dice
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.domino.moves import Place
from tests.sample import sample


def large(seed, mine, theirs, asleep):
    """Return a position with so many tiles in the hand that is asked, in the other, and asleep, in
    a match that is played by chance."""
    random = Random(seed)
    play = OpenDeck(new_game("domino", 2, {}), shuffled(random.randrange))
    while True:
        seat = play.turn[0]
        options, game = list(play.options(seat)), play.game
        sizes = (len(game.hands[seat]), len(game.hands[1 - seat]), len(game.stock))
        if sizes == (mine, theirs, asleep) and len(options) > 1 and isinstance(options[0], Place):
            return play.view(seat)
        play.act(seat, random.choice(options))


POSITIONS = [
    (5, 12, 3, 4),
    (1225, 10, 2, 5),
    (82, 13, 3, 3),
    (1469, 10, 2, 5),
    (3205, 10, 2, 5),
]


@pytest.mark.parametrize(
    ("at", "best"), [((5, 12, 3, 4), "play 2-0 left"), ((82, 13, 3, 3), "play 4-2 right")]
)
@pytest.mark.parametrize("seed", sample(range(4), 2))
def test_with_a_huge_hand_the_play_is_found_that_wins_more_often(at, best, seed):
    """Each was tried for itself, in 9,000 deals: it won 0.90 and 0.77 of the matches, the play that
    the player made before 0.77 and 0.70."""
    view = large(*at)
    assert view.game.write(domino.play(view, Random(seed).randrange), view.faces) == best


@pytest.mark.parametrize("at", POSITIONS)
def test_a_few_layings_are_not_left_to_luck(at):
    """Each way to lay the hidden tiles comes as often whatever is drawn, but for rounding."""
    view = large(*at)
    found = [
        Counter(
            deal.hands[1 - view.seat]
            for deal in Worlds(view, view.game, view.seat, Dice(Random(seed).randrange)).several(
                domino.LAYINGS
            )
        )
        for seed in (1, 2)
    ]
    assert all(abs(found[0][hand] - found[1][hand]) <= 1 for hand in found[0] | found[1])
