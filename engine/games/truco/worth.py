"""Values in Truco: trick cards, envido hands, bets; and cards that prove or refute a number."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from engine.core.cards import SPANISH_40, rank, suit
from engine.core.moves import Face

_BRAVAS = {"1e": 14, "1b": 13, "7e": 12, "7o": 11}
_RANKS = {"3": 10, "2": 9, "1": 8, "12": 7, "11": 6, "10": 5, "7": 4, "6": 3, "5": 2, "4": 1}

STRENGTH = {card: _BRAVAS.get(card, _RANKS[rank(card)]) for card in SPANISH_40}
"""R3. The value of a card in a trick: 14 the ace of espadas, 1 the fours."""

NUMBERS = (*range(8), *range(20, 34))
"""R20. The envido points that a hand can have."""

FLORS = range(20, 39)
"""R38. The values that a flor can have."""

FLOR_ALONE = 3
"""R39. The points of a flor that meets no other."""

BETS = {"envido": 2, "real-envido": 3}
"""R25. The points that a call adds. A falta envido adds nothing: it replaces all others."""

_COUNT = {card: int(rank(card)) if int(rank(card)) <= 7 else 0 for card in SPANISH_40}
_SUIT = {card: suit(card) for card in SPANISH_40}


def deal_winner(won: Sequence[int | None], mano: int, *, first_decides: bool) -> int | None:
    """R13, R14. Return the side that has won a deal, None while it is open.

    `won` are the sides that won its tricks, None if tied; `mano` is the mano's side.
    """
    match won:
        case [first, second]:
            if first is None or first == second:
                return second
            return first if second is None else None
        case [first, _, third]:
            if third is not None:
                return third
            return first if first_decides and first is not None else mano
    return None


def envido_points(cards: Iterable[Face]) -> int:
    """R20. The points of three cards: 20 and the two best of a suit, or the best single one."""
    best: dict[str, int] = {}
    pair = single = 0
    for card in cards:
        count, kind = _COUNT[card], _SUIT[card]
        single = max(single, count)
        if kind in best:
            pair = max(pair, 20 + count + best[kind])
            best[kind] = max(best[kind], count)
        else:
            best[kind] = count
    return pair or single


def proves(number: int, cards: Sequence[Face]) -> bool:
    """R29. Whether these cards show that a hand has at least this number."""
    if number <= 7:
        return any(_COUNT[card] == number for card in cards)
    pairs = combinations(cards, 2)
    return any(
        _SUIT[one] == _SUIT[other] and 20 + _COUNT[one] + _COUNT[other] == number
        for one, other in pairs
    )


def could_have(number: int, own: Collection[Face], others: Collection[Face]) -> bool:
    """R30. Whether a hand with `own` and without `others` can have exactly this number."""
    rest = [card for card in SPANISH_40 if card not in own and card not in others]
    return any(envido_points((*own, *more)) == number for more in combinations(rest, 3 - len(own)))


def raises(calls: Sequence[str]) -> Iterator[str]:
    """R23. The raises open after the last of these calls."""
    last = calls[-1]
    if calls == ["envido"]:
        yield "envido"
    if last == "envido":
        yield "real-envido"
    if last != "falta-envido":
        yield "falta-envido"


def refused_points(calls: Sequence[str]) -> int:
    """R25. The points of a refusal: the calls before the last one, at least 1."""
    return max(1, sum(BETS[call] for call in calls[:-1]))


def accepted_points(calls: Sequence[str], falta: int) -> int:
    """R25. The points of the winner; an accepted falta envido replaces the bets before it."""
    return falta if calls[-1] == "falta-envido" else sum(BETS[call] for call in calls)


def is_flor(cards: Collection[Face]) -> bool:
    """R38. Whether these cards are of one suit: three are a flor, fewer a part of one."""
    return len({_SUIT[card] for card in cards}) == 1


def flor_points(cards: Iterable[Face]) -> int:
    """R38. The value of a flor: 20 and the counts of its three cards."""
    return 20 + sum([_COUNT[card] for card in cards])


def could_be_flor(
    own: Collection[Face], others: Collection[Face], number: int | None = None
) -> bool:
    """R30. Whether a hand with `own` and without `others` can be a flor.

    If a number is given, the flor has exactly this value.
    """
    rest = [card for card in SPANISH_40 if card not in own and card not in others]
    return any(
        is_flor(cards) and number in (None, flor_points(cards))
        for more in combinations(rest, 3 - len(own))
        for cards in [(*own, *more)]
    )


def flor_accepted(calls: Sequence[str], falta: int) -> int:
    """R40. The points of the better flor after these calls of the flor, the last one accepted."""
    return {"flor": 4, "contraflor": 6}.get(calls[-1], 6 + falta)


def flor_refused(calls: Sequence[str]) -> int:
    """R40. The points for the last of these calls of the flor, if the others give in to it."""
    return {1: FLOR_ALONE, 2: 4}.get(len(calls), 6)


def falta_points(target: int, mine: int, theirs: int, *, malas: bool) -> int:
    """R26. The value of an accepted falta envido to its winner, who has `mine` points."""
    if malas and 2 * max(mine, theirs) < target:
        return target - mine
    return target - max(mine, theirs)
