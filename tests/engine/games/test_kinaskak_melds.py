"""Cards and melds of Kínaskák: R1 to R5, and the cards that fit a meld on the table."""

import pytest

from engine.core.cards import JOKER
from engine.games.kinaskak.melds import (
    RUN,
    SET,
    Laid,
    canonical,
    lay,
    lay_off,
)


def cards(*words):
    """Return cards of a meld in slots 0, 1, ..., and the faces of those."""
    faces = {slot: JOKER if word[0] == JOKER else word for slot, word in enumerate(words)}
    return tuple(
        (slot, word[1:] if word[0] == JOKER else "") for slot, word in enumerate(words)
    ), faces


def made(kind, *words, most=9):
    found = lay(0, kind, *cards(*words), most_jokers=most)
    return (found.of, found.low) if isinstance(found, Laid) else found.why[0]


@pytest.mark.parametrize(
    ("run", "found"),
    [
        ("5h 6h 7h 8h", ("h", 4)),
        ("Ac 2c 3c 4c", ("c", 0)),
        ("Jc Qc Kc Ac", ("c", 10)),
        ("As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As", ("s", 0)),
        ("*Ad *2d *3d *4d", ("d", 0)),
        ("*Jd *Qd *Kd *Ad", ("d", 10)),
        ("Qs Ks As 2s", "no-run"),
        ("As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2s", "no-run"),
        ("5h 6h 7h 8d", "no-run"),
        ("8h 7h 6h 5h", "no-run"),
        ("5h 5h 6h 7h", "no-run"),
        ("5h 6h 8h 9h", "no-run"),
        ("5h 6h 7h", "short-run"),
        ("5h 6h *7 8h", "joker-misnamed"),
        ("5h 6h * 8h", "joker-unnamed"),
    ],
)
def test_R3_R5_runs(run, found):
    assert made(RUN, *run.split()) == found


@pytest.mark.parametrize(
    ("group", "found"),
    [
        ("7h 7h 7h", ("7", 0)),
        ("7h 7c *7 *7 7s 7d 7h 7h", ("7", 0)),
        ("*A *A *A", ("A", 0)),
        ("7h 7c 8h", "no-set"),
        ("7h 7c", "short-set"),
        ("7h 7c *7h", "joker-misnamed"),
        ("7h 7c *78", "joker-misnamed"),
        ("*A23456789TJQK Ac Ad", "joker-misnamed"),
        ("7h 7c *", "joker-unnamed"),
    ],
)
def test_R4_R5_sets(group, found):
    assert made(SET, *group.split()) == found


def test_R5_jokers_are_limited_if_the_table_says_so():
    assert made(SET, "7h", "*7", "*7", most=2) == ("7", 0)
    assert made(SET, "7h", "*7", "*7", most=1) == "too-many-jokers"
    assert made(RUN, "5h", "*6h", "*7h", "8h", most=1) == "too-many-jokers"


def test_a_natural_card_stands_for_nothing_else():
    assert (
        lay(0, SET, ((0, "7"), (1, ""), (2, "")), {0: "7c", 1: "7d", 2: "7h"}, 9).why[0]
        == "joker-misnamed"
    )
    meld = Laid(0, SET, "7", 0, ())
    assert lay_off(meld, ((0, "7"),), {0: "8c"}, 9, "m1").why[0] == "joker-misnamed"


def test_R19_an_ace_that_fits_at_both_ends_goes_to_the_low_end():
    words = [rank + "h" for rank in "23456789TJQK"]
    meld = lay(0, RUN, *cards(*words), most_jokers=9)
    faces = {**cards(*words)[1], 50: "Ah", 51: JOKER}
    low = lay_off(meld, ((50, ""),), faces, 9, "m1")
    assert (low.low, low.cards[0]) == (0, (50, ""))
    both = lay_off(low, ((51, "Ah"),), faces, 9, "m1")
    assert (len(both.cards), both.cards[-1], both.ends()) == (14, (51, "Ah"), [])
    assert lay_off(both, ((52, ""),), {52: "Ah"}, 9, "m1").why == ("does-not-fit", "Ah", "m1")


def test_R20_of_two_jokers_for_one_card_the_low_one_is_taken():
    low_and_high = lay(
        0, RUN, *cards("*Ah", *[rank + "h" for rank in "23456789TJQK"], "*Ah"), most_jokers=9
    )
    assert low_and_high.joker_for("Ah") == 0


def test_R16_cards_in_canonical_order():
    assert canonical(["*", "2c", "Ac", "Ac", "Ks", "*"]) == ("Ac", "2c", "Ks", "*", "*", "Ac")
