"""Words that speakers of a language use, and those that they would take for a translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.make_locale import catalogue_of
from engine.games import GAMES

UI = Path(__file__).parents[3] / "client" / "ui"


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
