"""How often a player makes each of its plays, learned from watching it: a conditional logit."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from math import exp, log
from random import Random

from engine.bots import Bot
from tests.bots.duel import measured

ROUNDS, RATE = 30, 0.05

Choice = tuple[list[tuple[float, ...]], int]
"""The features of every play, and the place of the one that was made."""


def fitted(choices: Sequence[Choice]) -> list[float]:
    """Return the weights of the features that make the choices likeliest."""
    weights, random = [0.0] * len(choices[0][0][0]), Random(3)
    order = list(choices)
    for number in range(ROUNDS):
        random.shuffle(order)
        for seen, made in order:
            parts = shares(weights, seen)
            for at in range(len(weights)):
                mean = sum(part * one[at] for part, one in zip(parts, seen, strict=True))
                weights[at] += RATE / (1 + number) * (seen[made][at] - mean)
    return weights


def shares(weights: Sequence[float], seen: Sequence[Sequence[float]]) -> list[float]:
    """Return how often each play is made."""
    sums = [sum(w * x for w, x in zip(weights, one, strict=True)) for one in seen]
    most = max(sums)
    found = [exp(one - most) for one in sums]
    whole = sum(found)
    return [part / whole for part in found]


def surprise(choices: Sequence[Choice], weights: Sequence[float]) -> float:
    """Return the mean of the negated logarithm of how likely a choice was."""
    return -sum(log(shares(weights, seen)[made]) for seen, made in choices) / len(choices)


def learn_and_play(
    game: str,
    watched: Callable[[int], Iterable[Choice]],
    reply: Callable[[Sequence[float], float], Bot],
    deals: int,
    matches: int,
) -> None:
    """Learn a reply to the player of a game from watching it, and let it play against the player.

    The command line may set the deals watched, the matches, and the work for each decision.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--watched", type=int, default=deals)
    parser.add_argument("--matches", type=int, default=matches)
    parser.add_argument("--work", type=float, default=2.0)
    args = parser.parse_args()
    choices = list(watched(args.watched))
    learned, tested = choices[: len(choices) * 4 // 5], choices[len(choices) * 4 // 5 :]
    weights = fitted(learned)
    print(f"{len(learned)} choices; surprise at others {surprise(tested, weights):.3f}", flush=True)
    print([round(weight, 2) for weight in weights], flush=True)
    print("the player against it:", measured(game, reply(weights, args.work), args.matches))
