"""The time of a computer player's answer follows from a draw alone: neither its cards nor its
computation show in it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from random import Random
from statistics import correlation

import pytest
import trio
from trio.testing import MockClock

from client.session.answers import answer_time, at_chosen_time
from engine.core.open_deck import OpenDeck, shuffled
from engine.games import new_game
from tests.bots.weak import weak_bot
from tests.standin import seeded


def answered(seconds: float, seed: int) -> float:
    """Return after how long an answer came whose computation took so many seconds, with the draws
    of this seed."""

    async def compute(_seconds: float) -> str:
        await trio.sleep(seconds)
        return "a move"

    async def main() -> float:
        began = trio.current_time()
        assert await at_chosen_time(compute, seeded(seed)) == "a move"
        return trio.current_time() - began

    return trio.run(main, clock=MockClock(autojump_threshold=0))


@pytest.mark.parametrize("seed", range(5))
def test_an_answer_comes_at_the_drawn_time_however_long_it_took_until_then(seed: int) -> None:
    drawn = answer_time(seeded(seed))
    assert {round(answered(share * drawn, seed), 6) for share in (0, 0.001, 0.3, 0.99)} == {
        round(drawn, 6)
    }


def test_the_time_is_drawn_before_the_computation_begins() -> None:
    done: list[str] = []

    def entropy(size: int) -> bytes:
        done.append("draw")
        return seeded(1)(size)

    async def compute(_seconds: float) -> None:
        done.append("compute")

    trio.run(at_chosen_time, compute, entropy, clock=MockClock(autojump_threshold=0))
    assert done == ["draw", "compute"]


@cache
def hands_and_costs() -> list[tuple[int, int, int]]:
    """Return of many decisions of a match: the legal moves, the best card that is held, and the
    numbers that were drawn."""
    found = []
    for seed in range(6):
        whims = Random(seed)
        deck = OpenDeck(new_game("truco", 2, {"target": 9}), shuffled(Random(seed).randrange), 0)
        while deck.turn:
            seat, draws = deck.turn[0], 0
            view = deck.view(seat)

            def choose(bound: int) -> int:
                nonlocal draws
                draws += 1
                return whims.randrange(bound)  # noqa: B023 - it is called within this turn of the loop

            move = weak_bot("truco")(view, choose)
            held = [int("".join(filter(str.isdigit, face)) or 0) for face in view.faces.values()]
            found.append((len(list(view.options or ())), max(held, default=0), draws))
            deck.act(seat, move)
    return found


@pytest.mark.parametrize("fact", [0, 1, 2], ids=["legal moves", "best card", "computation"])
def test_no_fact_of_the_hand_goes_with_the_time(fact: int) -> None:
    """Each decision computes for longer the more it has to look at; all of them, for up to 0.4
    s."""
    facts = hands_and_costs()
    assert len(facts) > 80
    most = max(sum(one) for one in facts)
    times = [answered(0.4 * sum(one) / most, seed) for seed, one in enumerate(facts)]
    limit = 3 / math.sqrt(len(facts))  # three standard deviations of a correlation that is none
    values = [one[fact] for one in facts]
    if len(set(values)) > 1:
        assert abs(correlation(values, times)) < limit
    assert _leak(lambda one: 0.7 + 0.4 * sum(one) / most, facts, fact) > limit, (
        "the measure finds the times of before"
    )


def _leak(
    time_of: Callable[[tuple[int, int, int]], float], facts: list[tuple[int, int, int]], fact: int
) -> float:
    """Return the correlation of a fact with times that follow the computation."""
    values = [one[fact] for one in facts]
    return (
        abs(correlation(values, [time_of(one) for one in facts]))
        if len(set(values)) > 1
        else math.inf
    )
