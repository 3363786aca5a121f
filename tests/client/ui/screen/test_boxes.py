"""Everything that a page of the full screen says in English it says in every language: nothing is
cut."""

from __future__ import annotations

from functools import cache

import pytest

from docs.make_locale import LANGUAGES
from tests.client.ui.screen.boxes import SIZES, Place, cut, states
from tests.sample import pairs, sample


@cache
def english(name: str, size: tuple[int, int]) -> dict[Place, str]:
    return cut(states("en")[name], "en", *size)


def missing(
    language: str, size: tuple[int, int], names: list[str] | None = None
) -> dict[str, list[str]]:
    """Return the pieces of text for which a language has no room where English has, by page."""
    found: dict[str, list[str]] = {}
    for name, state in states(language).items():
        if names is not None and name not in names:
            continue
        ours, theirs = cut(state, language, *size), english(name, size)
        lost = [text for place, text in ours.items() if place not in theirs]
        if lost:
            found[name] = lost
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "size"), sample(pairs(LANGUAGES, SIZES), len(LANGUAGES), rows=True), ids=str
)
def test_text_that_fits_in_english_fits_in_every_language(language, size):
    assert states(language).keys() == states("en").keys()
    assert missing(language, size) == {}


@pytest.mark.slow
def test_english_fits_a_terminal_as_it_opens():
    # a second time, with more room
    overdrawn = ("o Open a table for others", "j Join with an address or an invite")
    found = {name: list(english(name, (80, 24)).values()) for name in states("en")}
    assert {name: lost for name, lost in found.items() if not set(lost) <= set(overdrawn)} == {}
