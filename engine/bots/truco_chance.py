"""The chance of a side to win a deal of Truco, by its own cards and the open ones.

Calls are made by this measure.

A team counts as one hand, its three best cards. The other side's next card is taken as drawn by
lot: the number orders hands and does no more. Cards are strengths; results are 1 for a trick of
ours, -1 for one of theirs, 0 for a tie.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import accumulate
from typing import TypeAlias

from engine.core.cards import SPANISH_40
from engine.games.truco.worth import STRENGTH, deal_winner

Held: TypeAlias = tuple[int, ...]
"""The strengths of a hand, the strongest first."""
Results: TypeAlias = tuple[int, ...]
Worth: TypeAlias = Callable[[int, int], float]
"""Returns the chance to win the match if the deal brings us and them these points."""

TOP = 14
SOME = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Places among all cards, from the weakest: the cards that they may lead."""


@cache
def spread(members: int) -> tuple[tuple[float, ...], tuple[float, ...], tuple[int, ...]]:
    """Return the chances of a side's card below and at each strength, and typical cards.

    Each of the side's `members` draws a card, and the best of these is the side's.
    """
    counts = [0] * (TOP + 1)
    for strength in STRENGTH.values():
        counts[strength] += 1
    upto = [(many / len(SPANISH_40)) ** members for many in accumulate(counts)]
    below = (0.0, *upto[:-1])
    typical = tuple(
        [next(place for place, share in enumerate(upto) if share >= part) for part in SOME]
    )
    return below, tuple([one - less for one, less in zip(upto, below, strict=True)]), typical


@lru_cache(maxsize=1 << 14)
def chance(
    results: Results,
    own: int,
    their: int,
    held: Held,
    *,
    mano: bool,
    first_decides: bool,
    members: int,
) -> float:
    """Return the chance of a side that is to play, or that has played `own` and waits.

    0 stands for no card in the trick.
    """
    if own and their:
        return _after(
            (*results, (own > their) - (own < their)),
            held,
            mano=mano,
            first_decides=first_decides,
            members=members,
        )
    if own:
        below, equal, _ = spread(members)
        won, tied, lost = [
            _after(
                (*results, result), held, mano=mano, first_decides=first_decides, members=members
            )
            for result in (1, 0, -1)
        ]
        return below[own] * won + equal[own] * tied + (1 - below[own] - equal[own]) * lost
    if not held:
        return 0.0  # some of the team have folded
    return max(
        chance(results, card, their, rest, mano=mano, first_decides=first_decides, members=members)
        for card, rest in choices(held)
    )


@lru_cache(maxsize=1 << 14)
def best_card(
    results: Results, their: int, held: Held, *, mano: bool, first_decides: bool, members: int
) -> int:
    """Return the card to play: the best chance, and of like ones the weakest."""
    best, found = -1.0, 0
    for card, rest in choices(held):
        value = (
            chance(
                results, card, their, rest, mano=mano, first_decides=first_decides, members=members
            )
            - card / 500
        )
        if value > best:
            best, found = value, card
    return found


@lru_cache(maxsize=4096)
def choices(held: Held) -> tuple[tuple[int, Held], ...]:
    """Return each card that can be played, and the cards left."""
    places = [place for place in range(len(held)) if held.index(held[place]) == place]
    return tuple([(held[place], held[:place] + held[place + 1 :]) for place in places])


@lru_cache(maxsize=1 << 14)
def _after(results: Results, held: Held, *, mano: bool, first_decides: bool, members: int) -> float:
    """Return the chance after a trick."""
    sides = [None if result == 0 else int(result < 0) for result in results]
    winner = deal_winner(sides, 0 if mano else 1, first_decides=first_decides)
    if winner is not None:
        return float(winner == 0)
    if not held:
        return 0.0
    if results[-1] > 0 or (results[-1] == 0 and mano):
        return chance(results, 0, 0, held, mano=mano, first_decides=first_decides, members=members)
    led = [
        chance(results, 0, card, held, mano=mano, first_decides=first_decides, members=members)
        for card in spread(members)[2]
    ]
    return sum(led) / len(led)
