"""The melds that picked cards make, against the rules that judge melds."""

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


def test_no_groups_beyond_the_contract():
    assert groups(["3d", "3d", "3h"], Asked(2, 0)) == []
    assert groups(["5h", "6h", "7h", "8h"], Asked(1, 1, "cds")) == []
    assert groups(["5h", "6h", "7h", "8h"], Asked(0, 1)) == []
