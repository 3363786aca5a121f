"""Habits of a side at Truco, from its words: how likely it calls without looking at its cards.

The words are those of this match.

Two stories are weighed: a player that calls by its hand, about as often as most, and one that says
each word with a frequency of its own, with any hand. Only public facts count: the words, the
questions that they answered, and the numbers stated. A habit may begin in the middle of a match:
the last deals are weighed alone too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.bots.truco_past import Heard

TYPICAL: Mapping[str, Mapping[str, float]] = {
    "open": {"": 0.68, "envido": 0.18, "real-envido": 0.09, "falta-envido": 0.05},
    "envido": {"quiero": 0.42, "no-quiero": 0.43, "raise": 0.15},
    "sing": {"": 0.85, "raise": 0.15},
    "truco": {"quiero": 0.5, "no-quiero": 0.38, "raise": 0.12},
}
"""How often a player who looks at its hand says what when it is asked."""
BLIND = 0.12
"""How likely a stranger does not look."""
BEFORE = 0.7
"""How many answers one is taken to have heard, as often as typical, before the first of one who
does not look.

Few, as such players mostly say one thing: the second time tells much, the first nothing.
"""
LATELY = 4
"""The last deals, which are weighed alone too."""
LOW, GOOD = 23, 27
LOW_SAID, GOOD_SAID = 5.0, 0.6
"""How much likelier a low number, and a good one, is after a call of a player who did not look."""


@dataclass(frozen=True)
class Habit:
    """How likely a side answers a question blindly, and how often it gives each answer then."""

    blind: float
    often: Mapping[str, float]


def habit(words: Sequence[Heard], side: int, question: str) -> Habit:
    """Return the habit of a side at one of the questions of TYPICAL."""
    mine = [word for word in words if word.seat % 2 == side]
    newest = words[-1].deal if words else 0
    lately = [word for word in mine if word.deal > newest - LATELY]
    whole = _habit(mine, question)
    return (
        whole
        if len(lately) == len(mine)
        else max(whole, _habit(lately, question), key=lambda one: one.blind)
    )


def _habit(mine: Sequence[Heard], question: str) -> Habit:
    typical = TYPICAL[question]
    counts = dict.fromkeys(typical, 0)
    ratio = BLIND / (1 - BLIND)
    for seen, word in enumerate(one for one in mine if one.question == question):
        answer = word.answer if word.answer in counts else "raise"
        ratio *= (counts[answer] / typical[answer] + BEFORE) / (seen + BEFORE)
        counts[answer] += 1
    if question == "open":
        ratio *= _told(mine)
    seen = sum(counts.values())
    often = {answer: (times + typical[answer]) / (seen + 1) for answer, times in counts.items()}
    return Habit(min(0.98, ratio / (1 + ratio)), often)


def _told(mine: Sequence[Heard]) -> float:
    """Return how much likelier the numbers that openers stated are if they did not look."""
    ratio = 1.0
    for word in mine:
        if word.question == "say" and word.opened:
            number = int(word.answer)
            ratio *= LOW_SAID if number < LOW else GOOD_SAID if number >= GOOD else 1.0
    return ratio
