"""The melds that picked cards make, against the rules that judge melds."""

from collections import Counter
from itertools import combinations_with_replacement, permutations
from random import Random

import pytest

from engine.core.cards import FRENCH_52, JOKER
from engine.games.kinaskak.groups import groups, readings
from engine.games.kinaskak.melds import PLACES, RANKS, RUN, SET, SUITS, Laid, lay
from engine.games.kinaskak.search import Asked


def written(meld):
    kind, cards = meld
    return f"{kind} {' '.join(face + stands for face, stands in cards)}"


def judged(meld, most_jokers=9):
    """Return whether the rules take this as a meld."""
    kind, cards = meld
    slots = tuple((slot, stands) for slot, (_, stands) in enumerate(cards))
    faces = {slot: face for slot, (face, _) in enumerate(cards)}
    return isinstance(lay(0, kind, slots, faces, most_jokers), Laid)


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        ("3d 3d 3h", ["set 3d 3d 3h"]),
        ("Kc * Kd", ["set Kc Kd *K"]),
        ("5h 7h 6h 8h", ["run 5h 6h 7h 8h"]),
        ("6h * 5h *", ["run *3h *4h 5h 6h", "run *4h 5h 6h *7h", "run 5h 6h *7h *8h"]),
        ("As 2s 3s *", ["run As 2s 3s *4s"]),
        ("As Ks Qs *", ["run *Js Qs Ks As"]),
        ("7c * * *", ["set 7c *7 *7 *7", *(f"run {' '.join(run)}" for run in (
            ("*4c", "*5c", "*6c", "7c"), ("*5c", "*6c", "7c", "*8c"),
            ("*6c", "7c", "*8c", "*9c"), ("7c", "*8c", "*9c", "*Tc")))]),
        ("3d 3h", []),
        ("3d 3h 4d", []),
        ("5h 6h 7h", []),
        ("5h 6h 6h 7h 8h", []),
    ],
)  # fmt: skip
def test_one_meld_in_all_its_readings(cards, found):
    assert [written(meld) for meld in readings(cards.split())] == found


def test_jokers_alone_stand_for_anything():
    found = readings([JOKER] * 4)
    assert len(found) == len(RANKS) + len(SUITS) * (len(PLACES) - 3)
    assert readings([JOKER] * 4, most_jokers=3) == ()


def test_an_ace_of_the_longest_run_lies_at_either_end():
    ranks = "23456789TJQK"
    found = [written(meld) for meld in readings([*(rank + "s" for rank in ranks), "As", JOKER])]
    middle = " ".join(rank + "s" for rank in ranks)
    assert found == [f"run As {middle} *As", f"run *As {middle} As"]


@pytest.mark.parametrize("seed", range(6))
def test_every_meld_that_the_rules_take_is_a_reading_of_its_cards(seed):
    """Try everything that a few cards could be."""
    random = Random(seed)
    suit = random.choice(SUITS)
    pool = [card for card in FRENCH_52 if card[1] == suit][: 5 + seed] + [JOKER] * 3
    for cards in combinations_with_replacement(random.sample(pool, 5), 4):
        expected = set()
        jokers = cards.count(JOKER)
        naturals = [card for card in cards if card != JOKER]
        for rank in RANKS:
            meld = (SET, tuple([(card, "") for card in naturals] + [(JOKER, rank)] * jokers))
            if judged(meld):
                expected.add((SET, *sorted(meld[1])))
        for low in range(len(PLACES) - 3):
            for one in SUITS:
                places = [place + one for place in PLACES[low : low + 4]]
                for order in set(permutations(cards)):
                    run = tuple(
                        (face, place if face == JOKER else "")
                        for face, place in zip(order, places, strict=True)
                    )
                    if judged((RUN, run)):
                        expected.add((RUN, *run))
        found = {(kind, *(sorted(meld) if kind == SET else meld)) for kind, meld in readings(cards)}
        assert found == expected, cards


def test_cards_for_several_melds_are_divided_and_all_of_them_used():
    cards = ["3d", "Ac", "3d", "Ah", "3h", "As"]
    assert [[written(meld) for meld in each] for each in groups(cards, Asked(0, 2))] == [
        ["set Ac Ah As", "set 3d 3d 3h"]
    ]
    both = [
        [written(meld) for meld in each] for each in groups(["Ac", "Ad", "As"] * 2, Asked(0, 2))
    ]
    assert both == [["set Ac Ac Ad", "set Ad As As"], ["set Ac Ac Ad Ad As As"]]


def test_two_of_three_melds_may_be_picked_together():
    cards = ["5h", "6h", "7h", "8h", "9c", "9d", "9s"]
    assert [[written(meld) for meld in each] for each in groups(cards, Asked(1, 2))] == [
        ["run 5h 6h 7h 8h", "set 9c 9d 9s"]
    ]


def test_no_groups_beyond_the_contract():
    assert groups(["3d", "3d", "3h"], Asked(2, 0)) == []
    assert groups(["5h", "6h", "7h", "8h"], Asked(1, 1, "cds")) == []
    assert groups(["5h", "6h", "7h", "8h"], Asked(0, 1)) == []


@pytest.mark.parametrize("seed", range(4))
def test_groups_use_all_cards_and_are_melds(seed):
    random, found = Random(seed), 0
    for _ in range(300):
        cards = [*random.sample([card for card in FRENCH_52 if card[0] in "5678"], 7), JOKER]
        for layout in groups(cards, Asked(1, 2)):
            assert Counter(face for _, meld in layout for face, _ in meld) == Counter(cards)
            assert all(map(judged, layout))
            found += 1
    assert found
