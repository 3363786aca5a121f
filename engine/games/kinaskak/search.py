"""The distance of a Kínaskák hand from its contract, and the best ways to lay it down.

Hints and computer players use them. A run is represented by four places in one suit (a window), a
set by three cards of a rank, which may take copies that runs leave. Longer melds come later: every
card beyond the fewest is just one card less in hand. Distances are in cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, islice, product
from typing import Any, NamedTuple, TypeAlias

from engine.core.cards import JOKER
from engine.core.moves import Face
from engine.games.kinaskak.melds import PLACES, RANKS, RUN, SET, SUITS, WORTH, contract_of

WINDOWS = tuple(0b1111 << low for low in range(len(PLACES) - 3))
LOOKED_AT = 1000
"""The most ways to lay down that are examined; only hands with many jokers have more."""

Layout: TypeAlias = tuple[tuple[str, tuple[tuple[Face, str], ...]], ...]
"""A way to lay down: for each meld `run` or `set`, and its cards with the meanings of jokers."""


Windows: TypeAlias = tuple[tuple[str, int], ...]
"""A suit and the place of the first of four cards, for each run."""


class Distance(NamedTuple):
    """How many cards a hand lacks for its contract, and which cards would help.

    A joker is among them if it would help.
    """

    cards: int
    wanted: frozenset[Face]


class Asked(NamedTuple):
    """The melds still to be laid down: runs of different suits among `suits`, and sets."""

    runs: int
    sets: int
    suits: str = SUITS


@dataclass(frozen=True)
class Way:
    """A way to lay down, with the cards kept, and the number of jokers in runs."""

    melds: Layout
    kept: tuple[Face, ...]
    jokers_in_runs: int

    @property
    def cost(self) -> int:
        """The cost of the cards kept if the round ended now."""
        return sum([WORTH[face] for face in self.kept])

    @property
    def natural_first(self) -> tuple[Any, ...]:
        """The sort key for people: fewest jokers, the dearest cards laid, fewest jokers in runs."""
        jokers = sum([_jokers(cards) for _, cards in self.melds])
        return (jokers, self.cost, self.jokers_in_runs, self.melds)


def distance(hand: Iterable[Face], contract: int, most_jokers: int = 9) -> Distance:
    """Return how far these cards are from a contract."""
    suits, ranks, jokers = _counted(hand)
    cards, wanted = _distance(suits, ranks, jokers, contract, most_jokers)
    return Distance(cards, _faces(wanted))


def ways(
    hand: Sequence[Face],
    contract: int,
    most_jokers: int = 9,
    *,
    spend: bool = False,
    best: int = 12,
) -> list[Way]:
    """Return the best ways to lay a hand down: those of natural cards first, and the cheapest.

    With `spend` every joker that can be laid is laid.
    """
    if distance(hand, contract, most_jokers).cards:
        return []
    return ways_for(hand, Asked(*contract_of(contract)), most_jokers, spend=spend, best=best)


def ways_for(
    hand: Sequence[Face],
    asked: Asked,
    most_jokers: int = 9,
    *,
    spend: bool = False,
    best: int = 12,
) -> list[Way]:
    """Return the best ways to lay down other melds than those of a whole contract."""
    found: dict[Layout, Way] = {}
    for windows, sets in islice(_cores(hand, asked, most_jokers), LOOKED_AT):
        way = _Layer(hand, most_jokers).laid(windows, sets, spend=spend)
        if way is not None:
            found[way.melds] = way
    in_order = sorted(found.values(), key=lambda way: way.natural_first)
    cheapest = sorted(in_order, key=lambda way: (way.cost, way.jokers_in_runs, way.melds))[:best]
    return [way for place, way in enumerate(in_order) if place < best or way in cheapest]


def _counted(hand: Iterable[Face]) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return the places held in each suit as bits, the copies of each rank, and the jokers.

    An ace has two places.
    """
    suits, ranks, jokers = dict.fromkeys(SUITS, 0), dict.fromkeys(RANKS, 0), 0
    for face in hand:
        if face == JOKER:
            jokers += 1
        else:
            suits[face[1]] |= _BITS[face[0]]
            ranks[face[0]] += 1
    return tuple(suits.values()), tuple(ranks.values()), jokers


_BITS = {
    rank: sum(1 << place for place, other in enumerate(PLACES) if other == rank) for rank in RANKS
}
_RANK_BITS = tuple(_BITS.values())


class _Shortage(NamedTuple):
    """The number of cards missing from a suit's best runs, and the helpful places as bits."""

    cards: int
    places: int


@cache
def _run_shortage(held: int) -> _Shortage:
    missing = [window & ~held for window in WINDOWS]
    least = min([places.bit_count() for places in missing])
    wanted = 0
    for places in missing:
        if places.bit_count() == least:
            wanted |= places
    return _Shortage(least, wanted)


@lru_cache(maxsize=1 << 13)
def _distance(
    suits: tuple[int, ...], ranks: tuple[int, ...], jokers: int, contract: int, most_jokers: int
) -> tuple[int, int]:
    """Try every choice of ranks for the sets and of suits for the runs.

    The wanted cards are bits of `_FACES`, since a set of them would take ten times the memory. A
    copy that both want serves one of them.
    """
    runs, sets = contract_of(contract)
    shortest = sorted([_run_shortage(held).cards for held in suits])
    at_least = sum(shortest[:runs])  # of the runs, if they share nothing
    least, wanted, joker_helps = 99, 0, False
    for chosen in combinations_with_replacement(range(len(RANKS)), sets):
        ranks_of_sets = tuple(dict.fromkeys(chosen))
        set_shortages = [max(0, 3 * chosen.count(rank) - ranks[rank]) for rank in ranks_of_sets]
        limits = [most_jokers] * runs + [most_jokers * chosen.count(rank) for rank in ranks_of_sets]
        if sum(set_shortages) + at_least - jokers > least:
            continue
        for some in combinations(range(4), runs):
            for left in _shared(suits, ranks, chosen, some):
                run_shortages = [_run_shortage(held) for held in left]
                each = [shortage.cards for shortage in run_shortages] + set_shortages
                use = sum(map(min, each, limits)) if most_jokers < 4 else sum(each)
                cost = sum(each) - min(jokers, use)
                if cost == 0:
                    return 0, 0
                if cost > least:
                    continue
                if cost < least:
                    least, wanted, joker_helps = cost, 0, False
                joker_helps = joker_helps or use > jokers
                for suit, own, shortage in zip(some, left, run_shortages, strict=True):
                    if use > jokers or shortage.cards > most_jokers:
                        wanted |= _suit_cards(suit, shortage.places) | _freed(
                            chosen, suits[suit] & ~own & shortage.places
                        )
                for rank, lacking, limit in zip(
                    ranks_of_sets, set_shortages, limits[runs:], strict=True
                ):
                    if lacking and (use > jokers or lacking > limit):
                        wanted |= _RANK_CARDS[rank]
    return least, wanted | joker_helps << _FACES.index(JOKER)


_FACES = (*(rank + suit for suit in SUITS for rank in RANKS), JOKER)


@lru_cache(maxsize=256)
def _faces(bits: int) -> frozenset[Face]:
    return frozenset([face for bit, face in enumerate(_FACES) if bits >> bit & 1])


_RANK_CARDS = tuple(sum(1 << (13 * suit + rank) for suit in range(4)) for rank in range(13))


def _suit_cards(suit: int, places: int) -> int:
    """Return places of a suit as bits of `_FACES`; both places of the ace are one card."""
    return ((places | places >> 13) & 0x1FFF) << (13 * suit)


def _freed(chosen: Sequence[int], lent: int) -> int:
    """Return the ranks whose other copy would give back to a run what a set took from it."""
    return sum([_RANK_CARDS[rank] for rank in dict.fromkeys(chosen) if _RANK_BITS[rank] & lent])


def _shared(
    suits: Sequence[int], ranks: Sequence[int], chosen: Sequence[int], some: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the places that runs in these suits may use if sets take their cards first."""
    held = [suits[suit] for suit in some]
    scarce: list[list[tuple[int, ...]]] = []
    for rank in dict.fromkeys(chosen):
        slack = max(0, ranks[rank] - 3 * chosen.count(rank))
        bits = _RANK_BITS[rank]
        who = [place for place, own in enumerate(held) if own & bits]
        if len(who) > slack:
            scarce.append(
                [
                    tuple(
                        bits if place in who and place not in keep else 0
                        for place in range(len(some))
                    )
                    for keep in combinations(who, slack)
                ]
            )
    for cuts in product(*scarce):
        yield tuple(own & ~sum(cut[place] for cut in cuts) for place, own in enumerate(held))


def _cores(
    hand: Sequence[Face], asked: Asked, most_jokers: int
) -> Iterator[tuple[Windows, tuple[str, ...]]]:
    """Yield each choice of windows and of ranks that these cards and jokers fill.

    A window is a suit and its low place. Those with the fewest jokers come first.
    """
    suits, _, jokers = _counted(hand)
    counts = Counter(face[0] for face in hand if face != JOKER)
    held = dict(zip(SUITS, suits, strict=True))
    for spent in range(jokers + 1):
        most = min(spent, most_jokers)
        per_suit = {
            suit: [
                (low, window & held[suit], lacking)
                for low, window in enumerate(WINDOWS)
                if (lacking := (window & ~held[suit]).bit_count()) <= most
            ]
            for suit in asked.suits
        }
        for some in combinations(asked.suits, asked.runs):
            for windows in product(*(per_suit[suit] for suit in some)):
                left = spent - sum([lacking for _, _, lacking in windows])
                if left < 0:
                    continue
                spare = counts.copy()
                for low, used, _ in windows:
                    spare.subtract(
                        PLACES[place] for place in range(low, low + 4) if used >> place & 1
                    )
                named = tuple((suit, low) for suit, (low, _, _) in zip(some, windows, strict=True))
                for ranks in _set_choices(spare, asked.sets, left, most_jokers):
                    yield named, ranks


def _set_choices(
    spare: Counter[str], sets: int, jokers: int, most_jokers: int
) -> Iterator[tuple[str, ...]]:
    """Yield the ranks of this many sets that lack exactly as many cards as there are jokers."""
    possible = [rank for rank in RANKS if spare[rank] + min(jokers, most_jokers) >= 3]
    for ranks in combinations_with_replacement(possible, sets):
        lacking = [max(0, 3 * ranks.count(rank) - spare[rank]) for rank in dict.fromkeys(ranks)]
        if sum(lacking) == jokers:
            yield ranks


class _Layer:
    """Lays a hand down card by card."""

    def __init__(self, hand: Sequence[Face], most_jokers: int) -> None:
        self._left = Counter(hand)
        self._most = most_jokers
        self._reserved: Counter[str] = Counter()
        self._of_rank = Counter(face[0] for face in hand if face != JOKER)

    def laid(self, windows: Windows, sets: Sequence[str], *, spend: bool) -> Way | None:
        """Return the way that begins with these windows and ranks.

        None if a meld would have too many jokers.
        """
        spans = [(suit, low, low + 4) for suit, low in windows]
        runs = [
            [self._card(PLACES[place] + suit) for place in range(low, high)]
            for suit, low, high in spans
        ]
        self._reserved = Counter({rank: 3 * sets.count(rank) for rank in sets})
        spans = [self._extended(run, *span) for run, span in zip(runs, spans, strict=True)]
        laid_sets = [self._set(rank) for rank in sets]
        for rank, cards in zip(sets, laid_sets, strict=True):
            cards += [
                (face, "")
                for suit in SUITS
                for face in [rank + suit] * self._left.pop(rank + suit, 0)
            ]
        melds = [(RUN, run) for run in runs] + [(SET, cards) for cards in laid_sets]
        if self._left[JOKER] < 0 or any(_jokers(cards) > self._most for _, cards in melds):
            return None
        if spend:
            self._spend(melds, spans)
        kept = tuple(sorted(self._left.elements()))
        layout = tuple((kind, tuple(cards)) for kind, cards in melds)
        return Way(layout, kept, sum(_jokers(run) for run in runs))

    def _card(self, face: Face) -> tuple[Face, str]:
        """Take a card of the hand, or a joker for it."""
        if self._left[face] > 0:
            self._left[face] -= 1
            self._of_rank[face[0]] -= 1
            return (face, "")
        self._left[JOKER] -= 1
        return (JOKER, face)

    def _extended(
        self, run: list[tuple[Face, str]], suit: str, low: int, high: int
    ) -> tuple[str, int, int]:
        """Extend a run with cards that no set needs; return its suit and its places."""
        while low > 0 and self._spare(PLACES[low - 1] + suit):
            low -= 1
            run.insert(0, self._card(PLACES[low] + suit))
        while high < len(PLACES) and self._spare(PLACES[high] + suit):
            run.append(self._card(PLACES[high] + suit))
            high += 1
        return suit, low, high

    def _spare(self, face: Face) -> bool:
        return self._left[face] > 0 and self._of_rank[face[0]] > self._reserved[face[0]]

    def _set(self, rank: str) -> list[tuple[Face, str]]:
        """Take three of a rank, natural cards first."""
        natural = [face for suit in SUITS for face in [rank + suit] * self._left[rank + suit]][:3]
        self._left.subtract(natural)
        lacking = 3 - len(natural)
        self._left[JOKER] -= lacking
        return [(face, "") for face in natural] + [(JOKER, rank)] * lacking

    def _spend(
        self, melds: list[tuple[str, list[tuple[Face, str]]]], spans: Sequence[tuple[str, int, int]]
    ) -> None:
        """Lay the remaining jokers too: on sets, where they cannot be taken, then on runs."""
        for number, (kind, cards) in reversed([*enumerate(melds)]):
            while self._left[JOKER] > 0 and _jokers(cards) < self._most:
                if kind == SET:
                    cards.append((JOKER, cards[0][1] or cards[0][0][0]))
                else:
                    suit, low, high = spans[number][0], *_places(cards)
                    if low > 0:
                        cards.insert(0, (JOKER, PLACES[low - 1] + suit))
                    elif high < len(PLACES):
                        cards.append((JOKER, PLACES[high] + suit))
                    else:
                        break
                self._left[JOKER] -= 1


def _places(run: Sequence[tuple[Face, str]]) -> tuple[int, int]:
    """Return the place of a run's first card and the one after its last."""
    low = PLACES.index((run[0][1] or run[0][0])[0])
    return low, low + len(run)


def _jokers(cards: Sequence[tuple[Face, str]]) -> int:
    return sum([face == JOKER for face, _ in cards])
