"""Distances and ways to lay down, against a search that tries everything."""

from collections import Counter
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from engine.core.cards import FRENCH_52, JOKER
from engine.games.kinaskak.melds import (
    PACK,
    PLACES,
    RANKS,
    RUN,
    SUITS,
    Laid,
    contract_of,
    lay,
)
from engine.games.kinaskak.search import distance, ways
from tests.sample import sample


def some_hand(random, size, jokers):
    naturals = [card for card in PACK if card != JOKER]
    return random.sample(naturals, size - jokers) + [JOKER] * jokers


@cache
def melds(kind):
    """Every meld of the least length, as the natural cards it would be made of."""
    if kind == RUN:
        return tuple(
            (suit, tuple(PLACES[low + step] + suit for step in range(4)))
            for suit in SUITS
            for low in range(11)
        )
    return tuple(
        (rank, tuple(rank + suit for suit in group)) for rank in RANKS for group in sets_of_suits()
    )


def sets_of_suits():
    return [tuple(suits) for suits in product(SUITS, repeat=3) if list(suits) == sorted(suits)]


def lacking(hand, contract, most_jokers):
    """The least number of cards to be added, by trying all melds; for small contracts only."""
    runs, sets = contract_of(contract)
    best = 99
    have = Counter(card for card in hand if card != JOKER)
    jokers = hand.count(JOKER)
    for some in combinations(melds(RUN), runs):
        if len({suit for suit, _ in some}) < runs:
            continue
        for group in product(melds("set"), repeat=sets):
            left = have.copy()
            missing = []
            for _, cards in (*some, *group):
                gaps = 0
                for card in cards:
                    if left[card] > 0:
                        left[card] -= 1
                    else:
                        gaps += 1
                missing.append(gaps)
            best = min(
                best, sum(missing) - min(jokers, sum(min(gaps, most_jokers) for gaps in missing))
            )
    return best


@pytest.mark.parametrize(("contract", "hands", "size"), [(1, 12, 9), (3, 12, 10)])
@pytest.mark.parametrize("most_jokers", [1, 9])
@pytest.mark.slow
def test_distances_are_the_least(contract, hands, size, most_jokers):
    random = Random(contract)
    for number in range(hands):
        hand = some_hand(random, size, number % 4)
        assert distance(hand, contract, most_jokers).cards == lacking(
            hand, contract, most_jokers
        ), hand


@pytest.mark.parametrize("hands", sample([3, 12], 1))
@pytest.mark.parametrize("contract", range(1, 9))
@pytest.mark.parametrize("most_jokers", [1, 2, 9])
@pytest.mark.slow
def test_a_wanted_card_brings_nearer_and_no_other_does(contract, most_jokers, hands):
    random = Random(contract)
    for number in range(hands):
        hand = some_hand(random, 13, number % 3)
        now = distance(hand, contract, most_jokers)
        for card in (*FRENCH_52, JOKER):
            then = distance([*hand, card], contract, most_jokers).cards
            assert now.cards - then == int(card in now.wanted), (hand, card)


@pytest.mark.parametrize("contract", range(1, 9))
@pytest.mark.parametrize("most_jokers", [1, 9])
@pytest.mark.parametrize("spend", [True, False])
@pytest.mark.slow
def test_ways_are_ways(contract, most_jokers, spend):
    """Found ways can be laid down, from the hand and no more; there is one whenever nothing is
    lacking."""
    random = Random(contract)
    found = 0
    for number in range(30):
        hand = some_hand(random, 19, number % 5)
        all_ways = ways(hand, contract, most_jokers, spend=spend)
        assert bool(all_ways) == (distance(hand, contract, most_jokers).cards == 0)
        for way in all_ways:
            used = Counter(face for _, cards in way.melds for face, _ in cards)
            used.update(way.kept)
            assert used == Counter(hand)
            assert [kind for kind, _ in way.melds] == [RUN] * contract_of(contract)[0] + [
                "set"
            ] * contract_of(contract)[1]
            laid = [made(kind, cards, most_jokers) for kind, cards in way.melds]
            assert all(isinstance(meld, Laid) for meld in laid), way
            suits = [meld.of for meld in laid if meld.kind == RUN]
            assert len(set(suits)) == len(suits)
            assert way.natural_first >= all_ways[0].natural_first
            found += 1
    assert found > 0 or contract in (7, 8)


def made(kind, cards, most_jokers):
    return lay(
        0,
        kind,
        tuple((slot, stands) for slot, (_, stands) in enumerate(cards)),
        dict(enumerate(f for f, _ in cards)),
        most_jokers,
    )
