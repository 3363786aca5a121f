"""The melds that use up given cards, for a player who picks cards of a hand.

A single meld is found in every reading that the rules allow. Of several melds at once only the most
likely division is found: a player who wants another one makes them one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.core.cards import JOKER
from engine.core.moves import Face
from engine.games.kinaskak.melds import LEAST, PLACES, RANKS, RUN, SET, SUITS
from engine.games.kinaskak.search import Asked, Layout, ways_for


def groups(cards: Sequence[Face], asked: Asked, most_jokers: int = 9) -> list[Layout]:
    """Return the melds that use up these cards: all that are asked for, fewer, or one."""
    counts = sorted(
        [(runs, sets) for runs in range(asked.runs + 1) for sets in range(asked.sets + 1)],
        key=lambda count: (-sum(count), count),
    )
    found: list[Layout] = []
    for runs, sets in counts:
        if runs + sets > 1:
            some = ways_for(cards, Asked(runs, sets, asked.suits), most_jokers, spend=True)
            found += [way.melds for way in some if not way.kept]
    for kind, meld in readings(cards, most_jokers):
        suit = (meld[0][1] or meld[0][0])[-1]
        if asked.sets if kind == SET else asked.runs and suit in asked.suits:
            found.append(((kind, meld),))
    return found


def readings(cards: Sequence[Face], most_jokers: int = 9) -> Layout:
    """R3, R4, R5. Return every meld of all these cards, with every meaning of its jokers."""
    naturals = sorted([card for card in cards if card != JOKER], key=_in_a_set)
    if len(cards) - len(naturals) > most_jokers:
        return ()
    found = [(SET, meld) for meld in _sets(naturals, len(cards))]
    return (*found, *dict.fromkeys((RUN, meld) for meld in _runs(naturals, len(cards))))


def _sets(naturals: Sequence[Face], length: int) -> Iterator[tuple[tuple[Face, str], ...]]:
    ranks = dict.fromkeys(card[0] for card in naturals) or dict.fromkeys(RANKS)
    if length >= LEAST[SET] and (len(ranks) == 1 or not naturals):
        for rank in ranks:
            jokers = [(JOKER, rank)] * (length - len(naturals))
            yield (*((card, "") for card in naturals), *jokers)


def _runs(naturals: Sequence[Face], length: int) -> Iterator[tuple[tuple[Face, str], ...]]:
    """Yield runs; an ace that fits both ends is low first, then high."""
    suits = dict.fromkeys(card[1] for card in naturals) or dict.fromkeys(SUITS)
    if length < LEAST[RUN] or (len(suits) > 1 and naturals):
        return
    for suit in suits:
        for low in range(len(PLACES) - length + 1):
            places = [place + suit for place in PLACES[low : low + length]]
            for upwards in (True, False):
                left, run = Counter(naturals), list[tuple[Face, str]]()
                for place in places if upwards else reversed(places):
                    run.append((place, "") if left[place] else (JOKER, place))
                    left[place] -= left[place] > 0
                if not left.total():
                    yield tuple(run if upwards else reversed(run))


def _in_a_set(card: Face) -> tuple[int, int]:
    return RANKS.index(card[0]), SUITS.index(card[1])
