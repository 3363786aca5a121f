import pytest

from engine.core.moves import IllegalMove, NotAMove
from engine.core.notation import (
    find_slot,
    find_slots,
    in_any_case,
    read_action,
    read_card,
    read_number,
    read_seat,
    write_faces,
    write_seat,
)
from engine.games.escoba.rules import Escoba


def test_seats():
    assert [write_seat(seat) for seat in range(3)] == ["p1", "p2", "p3"]
    assert [read_seat(f"p{number}", 3) for number in (1, 2, 3)] == [0, 1, 2]


@pytest.mark.parametrize("text", ["p0", "p4", "p01", "P1", "1", "", "p", "p1 ", "p-1", "p+1", "p١"])
def test_text_that_is_no_seat(text):
    with pytest.raises(NotAMove):
        read_seat(text, 3)


def test_actions():
    assert read_action("p2 play 7o take 5c", 2) == (1, "play 7o take 5c")
    assert read_action("p1 leave", 2) == (0, "leave")


@pytest.mark.parametrize("text", ["", " ", "p1", "play 7o", "p3 play 7o", "7o play p1"])
def test_text_that_is_no_action(text):
    with pytest.raises(NotAMove):
        read_action(text, 2)


def test_numbers():
    assert [read_number(text) for text in ("0", "7", "10", "123456789")] == [0, 7, 10, 123456789]
    assert read_number("9" * 9000) == 10**18  # a number, and out of every range


@pytest.mark.parametrize("text", ["", "-1", "+1", "01", "00", "1.0", "1e3", " 1", "٣", "²", "x"])
def test_text_that_is_no_number(text):
    with pytest.raises(NotAMove):
        read_number(text)


def test_cards_are_those_of_the_game():
    assert read_card("12e", Escoba.is_card) == "12e"
    for text in ("8o", "7O", "Td", "6-6", "*", "", "07o"):
        with pytest.raises(NotAMove):
            read_card(text, Escoba.is_card)


HAND = {4: "7h", 2: "7h", 9: "7h", 5: "Kc"}


def test_of_equal_faces_the_public_one_is_named_then_the_lowest():
    assert find_slot(0, "7h", [9, 4, 2, 5], HAND, {}) == 2
    assert find_slot(0, "7h", [9, 4, 2, 5], HAND, {9: "7h"}) == 9
    assert find_slots(0, ["7h", "Kc", "7h"], [9, 4, 2, 5], HAND, {9: "7h"}) == (9, 5, 2)


def test_a_card_that_is_not_there_is_illegal_and_says_why():
    with pytest.raises(IllegalMove) as refused:
        find_slot(1, "Ac", [9, 4, 2, 5], HAND, {})
    assert (refused.value.seat, refused.value.why) == (1, ("not-in-hand", "Ac"))
    with pytest.raises(IllegalMove) as refused:
        find_slots(1, ["Kc", "Kc"], [5], HAND, {})
    assert refused.value.why == ("named-twice", "Kc")
    with pytest.raises(IllegalMove) as refused:
        find_slots(1, ["Kc", "Ac"], [5], HAND, {}, "not-on-table")
    assert refused.value.why == ("not-on-table", "Ac")


def test_faces_as_text():
    assert write_faces((5, 4), HAND) == "Kc 7h"


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        ("PLAY 7O  take 5C 10b", "play 7o take 5c 10b"),
        ("MELD RUN 7D 8d *9D", "meld run 7d 8d *9d"),
        ("Lay AC *a on M2", "lay Ac *A on m2"),
        ("discard *", "discard *"),
        ("play 6-4 LEFT", "play 6-4 left"),
    ],
)
def test_a_line_in_any_case_is_spelled_as_the_notation_does(typed, spelled):
    assert in_any_case(typed) == spelled
