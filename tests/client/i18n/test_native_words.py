"""Words that speakers of a language use, and those that they would take for a translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.i18n.translation import languages, letter, set_language
from client.ui.analysis import amount
from client.ui.games import lesson_of, title_of
from client.ui.games.truco.screen import SAY
from docs.make_locale import catalogue_of
from engine.games import GAMES

UI = Path(__file__).parents[3] / "client" / "ui"


@pytest.fixture
def reader():
    yield set_language
    set_language("en")


def said(language: str, folder: str = "") -> Iterator[str]:
    """Give the sentences of a catalogue; with a folder, those that stand nowhere else."""
    for message in catalogue_of(language):
        if message.id and all(path.startswith(folder) for path, _line in message.locations):
            yield from (message.string,) if isinstance(message.string, str) else message.string


@pytest.mark.parametrize(
    ("language", "words"),
    [
        # the sweeps of Escoba, the lobby, a file, a trick, to take, to play, and to lay a card
        (
            "es",
            r"eskoba|vestíbulo|fichero|\bbaza|\bcog(e|es|er)\b|\bcógel|\btirar? tu primera|^echar$",
        ),
        # drawing from the stock, a nick, the lobby, to refuse
        ("eu", r"lapurt|goitizen|sarrerako gela|\bukatu"),
        # a player; cards that were shuffled, and melds from one to another
        ("is", r"leikma[ðn]n?|leikmenn|\(\{cards\} alls\)|niður:? \{first\} til"),
    ],
)
def test_a_catalogue_has_one_word_for_one_thing(language, words):
    assert [text for text in said(language) if re.search(words, text, re.IGNORECASE)] == []


VOSEO = re.compile(
    r"\b(vos|sos|tenés|podés|querés|decí|decís|tirás|ganás|perdés|elegí|salí|cantala|acá)\b",
    re.IGNORECASE,
)
"""Words of the River Plate, which nobody says in Spain."""


def test_spanish_speaks_to_its_reader_in_one_way():
    """Also at Truco, whose calls alone are those of the River Plate."""
    assert [text for text in said("es") if VOSEO.search(text)] == []


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda path: path.stem)
def test_no_words_are_chosen_by_the_name_of_a_game_outside_of_its_folder(path):
    """A game's own words and screen say what is special about it."""
    compared = [
        one.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare | ast.MatchValue)
        for one in ast.walk(node)
        if isinstance(one, ast.Constant)
    ]
    assert [one for one in compared if one in GAMES] == []


@pytest.mark.parametrize("language", languages())
def test_a_lesson_names_the_key_of_the_reader_for_envido_points(reader, language):
    reader(language)
    assert f"({letter(SAY)})" in " ".join(lesson_of("truco").one_turn())


def test_speakers_of_basque_have_a_name_for_siete_y_media(reader):
    reader("eu")
    assert title_of("siete-y-media") == "Zazpi t'erdi"
    assert not any("iete y media" in text for text in said("eu"))


@pytest.mark.parametrize(("language", "written"), [("en", "1.5"), ("es", "1,5"), ("is", "1,5")])
def test_a_difference_is_written_with_the_comma_of_the_reader(reader, language, written):
    reader(language)
    assert amount("points", 1.5).startswith(written)
    assert written in amount("win", 0.015)
