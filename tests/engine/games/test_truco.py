"""The rules of docs/rules/truco.md that the scenario files do not pin, and the events for
screens."""

import pytest

from engine.core.cards import SPANISH_40
from engine.core.moves import IllegalMove
from engine.core.open_deck import OpenDeck
from engine.games import new_game
from engine.games.truco import events
from engine.games.truco.moves import Play, Show
from engine.games.truco.rules import ENVIDO
from engine.games.truco.worth import deal_winner
from engine.scenario import do

# p1 is the mano.                 p1: 7e 6e 4c = 33    p2: 5o 4o 12o = 29
DECK = ["7e", "5o", "6e", "4o", "4c", "12o"]
# p1: 4o 5o 1e = 29   p2: 7c 4c 3b = 31   p3: 6e 5e 2b = 31   p4: 7b 6b 10o = 33
FOUR = ["4o", "7c", "6e", "7b", "5o", "4c", "5e", "6b", "1e", "3b", "2b", "10o"]


def opened(deck=(), players=2, first=0, **options):
    return OpenDeck(new_game("truco", players, options), [deck], first)


def after(play, *actions):
    """Do these; return all that was told, also before the next deal was shuffled."""
    told = []

    def noting(answer):
        def noted(request):
            told.extend(play.game.told)
            answer(request)

        return noted

    play.answer, play.attest = noting(play.answer), noting(play.attest)
    for action in actions:
        do(play, action)
        told.extend(play.game.told)
    del play.answer, play.attest
    return told


def refusal(play, action):
    with pytest.raises(IllegalMove) as refused:
        do(play, action)
    return refused.value.why


def legal(play, seat):
    return {play.game.write(move, play.faces) for move in play.options(seat)}


def test_R14_a_tied_third_trick():
    assert deal_winner([0, 1, None], 1, first_decides=False) == 1
    assert deal_winner([0, 1, None], 1, first_decides=True) == 0
    assert deal_winner([None, None, None], 1, first_decides=True) == 1


def test_R12_after_a_tie_the_next_to_the_mano_leads_if_it_has_folded():
    play = opened(["4o", "3o", "3c", "4c"], players=4)
    after(play, "p1 mazo", "p2 play 3o", "p3 play 3c", "p4 play 4c")
    assert play.game.results == [None]
    assert play.turn == (1,)


def test_R16_a_folded_winner_cannot_be_asked_and_the_trick_counts_as_it_lies():
    play = opened(["4o", "3o", "1e", "4c"], players=4)
    after(play, "p1 play 4o", "p2 play 3o", "p3 play 1e", "p4 mazo")
    assert (play.game.results, play.turn, play.hand(3)) == ([2], (2,), [])
    after(play, "p3 truco")
    assert play.turn == (1,)
    assert refusal(play, "p4 quiero") == ("not-your-turn",)


@pytest.mark.parametrize(
    ("actions", "early_mazo", "points", "how"),
    [
        (["p1 mazo"], 2, 2, "early-mazo"),
        (["p1 mazo"], 1, 1, "mazo"),
        (["p1 play 4c", "p2 mazo"], 2, 2, "early-mazo"),
        (["p1 play 4c", "p2 play 5o", "p2 mazo"], 2, 1, "mazo"),
        (["p1 envido", "p2 no-quiero", "p1 mazo"], 2, 1, "mazo"),
        (["p1 truco", "p2 quiero", "p1 mazo"], 2, 2, "mazo"),
    ],
)
def test_R17_what_giving_up_costs(actions, early_mazo, points, how):
    told = after(opened(DECK, early_mazo=early_mazo), *actions)
    (won,) = [event for event in told if isinstance(event, events.DealWon)]
    assert won == events.DealWon(int(actions[-1].startswith("p1")), points, how)


@pytest.mark.parametrize(
    ("players", "callers", "seats"),
    [
        (2, "left", {0, 1}),
        (2, "pies", {0, 1}),
        (4, "left", {1, 2}),
        (6, "left", {3, 4}),
        (4, "pies", {2, 3}),
        (6, "pies", {4, 5}),
        (6, "any", {0, 1, 2, 3, 4, 5}),
    ],
)
def test_R21_who_may_open(players, callers, seats):
    play = opened(players=players, envido_callers=callers)
    assert set(play.game.openers()) == seats
    for seat in range(players):
        assert (set(ENVIDO) <= legal(play, seat)) == (seat in seats)
        play.act(seat, next(play.options(seat)))


def test_R28_the_points_may_end_the_match_while_a_truco_waits():
    play = opened(DECK, target=5)
    after(play, "p1 truco", "p2 falta-envido", "p1 quiero", "p1 say 33", "p2 son-buenas")
    assert (play.over, play.game.score, play.game.waiting) == (True, [5, 0], None)
    assert play.game.table() == ["7e", "6e"]
    assert play.hand(0) == ["4c"]


# Refusals, notation, the pack.


def test_why_a_move_is_refused_that_no_notation_can_name():
    play = opened(DECK)
    assert play.game.why_not(0, Show((1,)), play.known(0)) == ("not-allowed-now",)
    play = opened(DECK)
    after(play, "p1 envido", "p2 quiero", "p1 say 33", "p2 son-buenas")
    assert play.game.why_not(0, Show((1,)), play.known(0)) == ("not-the-proof",)
    assert opened(DECK).game.why_not(0, Play(99), {}) == ("not-in-hand",)


def test_the_next_pack_is_certain_until_the_match_is_over():
    play = opened(players=4)
    assert play.game.next_pack() == (SPANISH_40, (0, 1, 2, 3))
    play.leave(1)
    assert play.game.next_pack() is None
