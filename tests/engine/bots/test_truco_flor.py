"""The computer players of Truco with the flor: they sing it, and raise with a good one."""

from random import Random

import pytest

from engine.bots import characters_of
from engine.bots.truco import Mind, play, rate
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from engine.games.truco.moves import Call
from engine.games.truco.worth import is_flor
from engine.scenario import do

HIGH, LOW = "7o 6o 5o", "10e 11e 12e"


def table(*hands, actions=(), **options):
    """Return a match with these hands of the first deal, after these actions."""
    deck = [card for turn in zip(*(hand.split() for hand in hands), strict=True) for card in turn]
    chosen = {"flor": True, "target": 30, **options}
    deal = OpenDeck(new_game("truco", len(hands), chosen), [deck])
    for action in actions:
        do(deal, action)
    return deal


def choice(deal):
    return deal.game.write(play(deal.view(deal.turn[0]), lambda n: 0), deal.faces)


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("character", characters_of("truco"), ids=lambda one: one.name)
def test_all_characters_play_whole_matches_with_the_flor(players, character):
    random = Random(f"{players}/{character.name}")
    deal = OpenDeck(
        new_game("truco", players, {"flor": True, "target": 12}), shuffled(random.randrange)
    )
    sung = 0
    while deal.turn:
        seat = random.choice(deal.turn)
        move = character.play(deal.view(seat), random.randrange)
        sung += move == Call("flor")
        deal.act(seat, move)
    assert deal.game.winners


def test_a_flor_meets_a_flor_and_is_rated():
    """Every question of the flor, with ratings for a hint."""
    met = 0
    for seed in range(400):
        random = Random(seed)
        deal = OpenDeck(new_game("truco", 2, {"flor": True}), shuffled(random.randrange))
        while deal.turn and deal.game.round < 6 and not met:
            (seat,) = deal.turn
            if deal.game.flor_open or Call("flor") in deal.options(seat):
                rated = rate(deal.view(seat), lambda n: 0).moves
                assert {one.move for one in rated} == set(deal.options(seat))
                assert all(0.0 <= one.value <= 1.0 for one in rated)
                met += len(deal.game.flors) > 1
            deal.act(seat, random.choice(list(deal.options(seat))))
    assert met


def test_it_raises_with_the_best_flor_and_gives_in_with_the_worst():
    assert choice(table(LOW, HIGH, actions=["p1 flor"])) == "contraflor-al-resto"
    assert choice(table("7o 6o 4o", LOW, actions=["p1 flor"])) == "con-flor-me-achico"
    raised = ["p1 flor", "p2 contraflor"]
    assert choice(table(LOW, HIGH, actions=raised)) == "con-flor-me-achico"
    assert choice(table(HIGH, LOW, actions=raised)) == "contraflor-al-resto"
    assert choice(table(HIGH, LOW, actions=["p1 flor", "p2 contraflor-al-resto"])) == (
        "con-flor-quiero"
    )


def test_it_reckons_with_the_flor_that_was_sung_and_with_none_that_was_not():
    deal = table("4e 5b 12o", HIGH, actions=["p1 play 4e", "p2 flor"])
    assert deal.turn == (1,)
    do(deal, "p2 play 5o")
    samples = Mind(deal.view(0), lambda n: 0).odds().samples
    assert samples
    assert all(is_flor(["5o", *hands[1]]) for hands in samples)
    deal = table("4e 5b 12c", "7e 6o 5o", actions=["p1 play 4e", "p2 play 5o"])
    samples = Mind(deal.view(0), lambda n: 0).odds().samples
    assert not any(is_flor(["5o", *hands[1]]) for hands in samples)
