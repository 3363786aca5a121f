from collections import Counter

from engine.core.cards import DOMINOES, FRENCH_52, JOKER, SPANISH_40, french_packs, pips, rank, suit


def test_the_packs_are_whole_and_in_canonical_order():
    assert len(set(SPANISH_40)) == 40
    assert SPANISH_40[:11] == ("1o", "2o", "3o", "4o", "5o", "6o", "7o", "10o", "11o", "12o", "1c")
    assert SPANISH_40[-1] == "12b"
    assert len(set(FRENCH_52)) == 52
    assert (FRENCH_52[0], FRENCH_52[9], FRENCH_52[13], FRENCH_52[-1]) == ("Ac", "Tc", "Ad", "Ks")
    assert len(set(DOMINOES)) == 28
    assert DOMINOES[:6] == ("0-0", "1-0", "1-1", "2-0", "2-1", "2-2")
    assert DOMINOES[-1] == "6-6"


def test_packs_with_jokers_stand_one_after_another():
    packs = french_packs(3, 3)
    assert len(packs) == 165
    assert packs[52:55] == (JOKER,) * 3
    assert packs[55] == "Ac"
    assert Counter(packs)["7h"] == 3


def test_the_parts_of_a_card():
    assert (rank("12e"), suit("12e")) == ("12", "e")
    assert (rank("Td"), suit("Td")) == ("T", "d")
    assert (rank(JOKER), suit(JOKER)) == ("", "*")
    assert pips("6-4") == (6, 4)
