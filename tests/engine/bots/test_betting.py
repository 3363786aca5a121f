"""The solver of betting games, on games whose solution is known."""

import pytest

from engine.bots.betting import Choice, Settled, Shown, Solver

STRONG, WEAK = 0, 1
SURE = [[1.0], [0.0]]
"""Side 0 has a hand that wins or one that loses; side 1 has one hand between."""


def betting(stake, pot, *, unmoved=0.0, accepts=0.0):
    """Return the game of one bet into a pot: side 0 bets or not, side 1 accepts or refuses."""
    half = pot / 2
    habit = {"accept": [accepts], "refuse": [1 - accepts]}
    answer = Choice(
        1, {"accept": Shown(half + stake, -half - stake), "refuse": Settled(half)}, unmoved, habit
    )
    return Choice(0, {"bet": answer, "": Shown(half, -half)})


def solved(game, rounds=600):
    solver = Solver(game, SURE, ([1.0, 1.0], [1.0]))
    solver.run(rounds)
    return solver


@pytest.mark.parametrize(("stake", "pot"), [(1, 1), (1, 2), (2, 1)])
def test_it_bluffs_and_accepts_as_often_as_the_theory_says(stake, pot):
    """A bluff is as often as makes accepting worth nothing, and it is accepted as often as makes
    bluffing worth nothing."""
    solver = solved(betting(stake, pot))
    assert solver.share((), STRONG)["bet"] == pytest.approx(1.0, abs=0.01)
    assert solver.share((), WEAK)["bet"] == pytest.approx(stake / (stake + pot), abs=0.03)
    assert solver.share(("bet",), 0)["accept"] == pytest.approx(pot / (stake + pot), abs=0.03)


def test_a_player_that_never_refuses_is_not_bluffed():
    solver = solved(betting(1, 1, unmoved=0.9, accepts=1.0))
    assert solver.share((), WEAK)["bet"] < 0.02


def test_a_player_that_always_refuses_is_always_bluffed():
    solver = solved(betting(1, 1, unmoved=0.9, accepts=0.0))
    assert solver.share((), WEAK)["bet"] > 0.98


def test_a_hand_that_is_never_held_has_an_even_share_at_first():
    solver = Solver(betting(1, 1), SURE, ([1.0, 0.0], [1.0]))
    solver.run(1)
    assert solver.share((), WEAK) == {"bet": 0.5, "": 0.5}
