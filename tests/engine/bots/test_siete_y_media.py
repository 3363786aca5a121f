"""The computer player of siete y media: it beats chance, is quick, and makes no move that a player
would call silly."""

import pytest

from engine.bots import siete_y_media
from engine.bots.siete_y_media_ordinary import CAUTIOUS, DARING, STEADY, ordinary
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.siete_y_media.moves import Bet
from engine.scenario import do
from tests.sample import sample


def choice(deck, *actions, number=500, **options):
    """Return what the player does after these actions, in notation; `number` is what it draws where
    it mixes."""
    play = OpenDeck(new_game("siete-y-media", 2, options), [deck])
    for action in actions:
        do(play, action)
    seat = play.turn[0]
    return play.game.write(siete_y_media.play(play.view(seat), lambda n: number % n), play.faces)


def test_the_least_stake_does_not_tell_the_card():
    """Every card is bet low now and then."""
    for card in ("10o", "1o", "2o", "3o", "4o", "5o", "6o", "7o"):
        assert "bet 1" in {choice([card], number=number) for number in range(0, 1000, 50)}


@pytest.mark.parametrize("stakes", sample([250, 1000], 1))
def test_it_rates_a_thousand_stakes_too(stakes):
    play = OpenDeck(new_game("siete-y-media", 2, {"max_bet": stakes, "chips": 1000}), [["7o"]])
    assert len(siete_y_media.rate(play.view(1), lambda n: 0).moves) == stakes
    play.act(1, Bet(1))
    assert len(siete_y_media.rate(play.view(1), lambda n: 0).moves) == 3 * stakes


@pytest.mark.parametrize("habits", [STEADY, CAUTIOUS, DARING])
@pytest.mark.parametrize(
    ("score", "left", "least"),
    [((56, 44), 0, 7), ((44, 56), 0, 1), ((56, 44), 1, 1), ((80, 20), 0, 10)],
)
def test_an_ordinary_player_who_is_behind_in_the_last_deal_stakes_what_he_lacks(
    habits, score, left, least
):
    """The bank pays each chip that he wins, so half of the difference and one more will do."""
    for raises in (True, False):
        play = OpenDeck(
            new_game("siete-y-media", 2, {"deals": 1 + left, "raises": raises}),
            [["5o", "5c", "1o", "1c"]],
        )
        play.game.score = list(score)
        while play.turn and play.turn[0] == 1:
            move = ordinary(habits)(play.view(1), lambda n: 0)
            play.act(1, move)
            stakes = play.game.stakes.get(1, least)
        assert stakes >= least
        if least == 1 and habits is not DARING:
            assert stakes == 1, "he stakes no more than usual"
