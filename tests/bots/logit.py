"""How often a player makes each of its plays, learned from watching it: a conditional logit."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from random import Random

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
