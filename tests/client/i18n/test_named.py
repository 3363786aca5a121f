"""Buttons are called in a sentence as they are called on the screen, in each language."""

from __future__ import annotations

import re

import pytest

from docs.make_locale import LANGUAGES, catalogue_of

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
