"""Characters at a table: which sit down for the words of a person, and under which nicks."""

from __future__ import annotations

from random import Random

import pytest

from client.session.characters import (
    NoSuchPlayerError,
    bot_of,
    nicks_for,
    read_words,
    seat_characters,
)
from client.storage.computers import FURTHER_NICKS
from engine.bots import Character, Strength, bot_for, chance
from engine.core.moves import Choose, Move
from engine.core.view import View


def first(bound: int) -> int:
    assert bound > 0
    return 0


def other(view: View, choose: Choose) -> Move:
    return chance.play(view, choose)


@pytest.fixture(autouse=True)
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Escoba have five characters, and Dominoes a strong one alone."""
    made = [("Carmen", 3), ("Þóra", 3), ("Joseba", 2), ("Begoña", 1), ("Tom", 1)]
    monkeypatch.setattr(
        "engine.bots.escoba.CHARACTERS",
        tuple(Character(name, Strength(how), other) for name, how in made),
    )
    monkeypatch.setattr(
        "engine.bots.domino.CHARACTERS", (Character("Lorenzo", Strength.STRONG, other),)
    )


def test_names_may_be_typed_without_capitals_and_accents() -> None:
    assert read_words("escoba", "thora, BEGONA,Middle") == ("Þóra", "Begoña", "middle")


@pytest.mark.parametrize("text", ["nobody", "Carmen,", "Lorenzo", "3"])
def test_a_word_that_names_nobody_here_is_refused_with_the_words_that_do(text: str) -> None:
    with pytest.raises(NoSuchPlayerError) as caught:
        read_words("escoba", text)
    assert "Begoña" in caught.value.known


def test_different_characters_of_a_strength_sit_down_as_long_as_there_are() -> None:
    for seed in range(10):
        found = seat_characters("escoba", ("strong",), 4, Random(seed).randrange)
        assert sorted(found) == ["Carmen", "Carmen", "Þóra", "Þóra"]
        assert set(found[:2]) == {"Carmen", "Þóra"}
    assert {
        seat_characters("escoba", ("weak",), 1, Random(seed).randrange) for seed in range(10)
    } == {("Begoña",), ("Tom",)}


def test_the_last_word_is_for_all_that_follow_and_those_who_sit_there_stay() -> None:
    assert seat_characters("escoba", ("Tom", "middle"), 3, first) == ("Tom", "Joseba", "Joseba")
    assert seat_characters("escoba", ("strong",), 2, first, ("Carmen",)) == ("Carmen", "Þóra")
    assert seat_characters("escoba", ("strong",), 1, first, ("Carmen", "Þóra")) == ("Carmen",)


def test_a_nick_that_another_is_like_gives_way_to_a_further_one() -> None:
    unnamed = "Computer {number}"
    assert nicks_for(["Carmen", "Joseba", "Carmen"], ["Ane"], unnamed) == [
        "Carmen",
        "Joseba",
        "Amaia",
    ]
    assert nicks_for(["Carmen", "Carmen"], ["Carmen", "benito"], unnamed) == ["Amaia", "Halla"]
    assert nicks_for(["Carmen"], ["carmen"], unnamed) == ["Amaia"]
    assert nicks_for([""], ["Computer 1"], unnamed) == ["Computer 2"]
    assert nicks_for(["Carmen"], ["Carmen", *FURTHER_NICKS, "Computer 1"], unnamed) == [
        "Computer 2"
    ]


def test_a_name_that_no_character_has_is_played_by_the_strongest() -> None:
    assert bot_of("domino", "Lorenzo") is other
    assert bot_of("truco", "") is bot_for("truco")
    assert bot_of("truco", "gone since") is bot_for("truco")
