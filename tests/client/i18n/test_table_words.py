"""A made-up name of a table is in the language of the player who opens it."""

from __future__ import annotations

import re

import pytest

from client.i18n.table_words import table_words
from client.i18n.translation import languages
from client.session.running import table_name
from client.session.table_choices import name_fault
from tests.client.ui.screen.boxes import reading


@pytest.mark.parametrize("language", languages())
def test_each_language_has_words_that_any_keyboard_types(language):
    with reading(language):
        words = table_words()
        assert len(words) == len(set(words)) >= 50
        assert all(re.fullmatch("[a-z]{3,10}", word) for word in words)
        assert not any(name_fault(f"{word}-99") for word in words)


def test_a_name_is_of_the_language_of_the_player_who_opens_the_table():
    names = []
    for language in ("en", "es", "eu", "is"):
        with reading(language):
            names.append(table_name(bytes))
    assert names == ["acorn-10", "aceite-10", "arbola-10", "alda-10"]
