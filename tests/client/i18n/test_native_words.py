"""Words that speakers of a language use, and buttons that are called alike everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from docs.make_locale import LANGUAGES, catalogue_of


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


QUOTED = re.compile(r"[“«„]([^“”«»„]+)[”»“]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_quoted_button_has_its_own_words(language):
    catalogue = catalogue_of(language)
    said = [one for one in catalogue if isinstance(one.id, str) and one.id]
    titles: dict[str, set[str]] = {}
    for one in said:  # a bet has its chips behind it
        title = one.id.removesuffix(" {chips}").casefold()
        titles.setdefault(title, set()).add(one.string.removesuffix(" {chips}").casefold())
    for one in said:
        for name, quoted in zip(QUOTED.findall(one.id), QUOTED.findall(one.string), strict=False):
            known = titles.get(name.casefold())
            assert known is None or quoted.casefold().strip("¡!") in {
                title.strip("¡!") for title in known
            }, one.id
