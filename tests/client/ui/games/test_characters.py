"""The words about computer players: each character has a sentence in every language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from client.i18n.translation import languages, set_language
from client.session.characters import nicks_for, seat_characters
from client.ui.games.characters import ABOUT, about_computers, about_word, shown_word, strength_of
from engine.bots import MODULES, Character, Strength, characters_of

EVERYBODY = [(game, one) for game in MODULES for one in characters_of(game)]


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    set_language("en")


@pytest.mark.parametrize(("game", "one"), EVERYBODY, ids=[one.name for _game, one in EVERYBODY])
def test_each_character_is_described_in_a_sentence_of_its_own_in_every_language(
    game: str, one: Character
) -> None:
    said = set()
    for language in languages():
        set_language(language)
        sentence = about_computers(one.name)
        assert sentence.endswith(".")
        assert 10 < len(sentence) <= 80
        assert strength_of(game, one.name)
        said.add(sentence)
    assert len(said) == len(languages())


def test_no_name_is_that_of_two_characters_and_each_sentence_has_its_character() -> None:
    names = [one.name for _game, one in EVERYBODY]
    assert len(names) == len(set(names))
    assert len({ABOUT[name] for name in names}) == len(names)


@pytest.mark.parametrize("word", ["weak", "middle", "strong", "Eider"])
def test_all_names_that_sit_down_for_a_word_are_listed(word: str) -> None:
    for count in (3, 5):
        nicks = nicks_for(
            seat_characters("truco", (word,), count, Random(1).randrange), (), "Computer {number}"
        )
        listed_names = (
            about_word("truco", word, count)
            .partition(" In this game: ")[2]
            .rstrip(".")
            .replace(" and ", ", ")
            .split(", ")
        )
        assert sorted(listed_names) == sorted(nicks)


def test_a_word_is_shown_with_its_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    character = Character("Begoña", Strength.WEAK, characters_of("escoba")[0].play)
    monkeypatch.setattr("engine.bots.escoba.CHARACTERS", (*characters_of("escoba")[:1], character))
    assert shown_word("escoba", "Begoña") == "Begoña (weak)"
    assert shown_word("escoba", "middle") == "middle"
    assert about_computers("no such word") == ""
    assert about_word("escoba", "weak").endswith(" In this game: Begoña.")
    assert about_word("escoba", "Begoña") == about_computers("Begoña")
    assert about_word("no such game", "weak") == about_computers("weak")
