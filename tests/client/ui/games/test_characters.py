"""The words about computer players: each character has a sentence in every language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.i18n.translation import languages, set_language
from client.ui.games.characters import about_computers, strength_of
from engine.bots import MODULES, Character, characters_of

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
