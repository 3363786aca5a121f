"""Whole sentences that are put into another one: no language writes a capital in the middle of it,
save in a name."""

from __future__ import annotations

import re

import pytest

from client.i18n.translation import languages, set_language
from client.session.messages import MoveRefused
from client.ui.games import words_of
from client.ui.games.words import WHY
from client.ui.model import Model
from client.ui.plain.lines import lines
from client.ui.update import update
from client.ui.view.views import view_of
from engine.games import GAMES
from tests.client.ui.view.cast import STATES

CAPITAL = re.compile(r": [A-ZÁÉÍÓÚÑÞÆÖÐ¿¡]")


@pytest.fixture(params=[code for code in languages() if code != "en"], autouse=True)
def language(request):
    set_language(request.param)
    yield request.param
    set_language("en")


def refusals(game: str) -> list[str]:
    model = Model(game=game)
    found = []
    for why in {**WHY, **words_of(game).why_words}:
        refused = MoveRefused((why, "7", "8"))
        found.append(lines(model, refused, update(model, refused)[0])[0])
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_has_no_capital_after_a_colon(game):
    said = refusals(game)
    assert len(said) >= len(WHY)
    assert [line for line in said if CAPITAL.search(line)] == []


def test_a_title_that_stands_by_itself_begins_with_a_capital(language):
    """Also after the sign that opens a question in Spanish."""
    title = view_of(STATES["about"]()).sheet.title
    assert title.lstrip("¿")[0].isupper(), title
