"""No sentence of a window names a key: there is a button for each, and phones have no keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from client.i18n.translation import NO_BREAK, languages, set_language
from client.session.messages import Away, Late, News, Stored, Talked
from client.ui.view.parts import as_data
from client.ui.view.views import view_of
from p2p.table.events import Voted
from tests.client.ui.view.acts import State
from tests.client.ui.view.cast import STATES
from tests.screens.stage import Stage, theirs
from tests.screens.stage import view_of as seen

NAMED = re.compile(
    r":\s[a-zþðæöñáéíóúý]\.?$"  # the letter at the end of a sentence
    r"|`([a-zþðæöñáéíóúý]|Esc|Enter|[\w ]+)`"  # a key or a command to be typed
    r"|(?<!\w)(Esc|Enter|Ctrl)(?!\w)",
    re.IGNORECASE,
)
BRACKETS = re.compile(rf"{NO_BREAK}\([^)]*\)")
"""They are left out where there is no keyboard."""
TYPED = {"help", "about", "move", "invite"}
TYPED |= {"phone-code", "phone-silent", "phone-asks", "phone-late"}
"""The sheets whose words are to be typed, or compared letter by letter."""


def late(*, aside: bool = False) -> State:
    def make() -> Any:
        if aside:
            return theirs().tell(Late((1,), 60)).state
        stage = theirs(3).tick(30)
        stage.tell(Late((1,), 60)).tell(Away(1))
        votes = {1: (2,)}
        news = News(Voted(2, 1, 1, 2), seen(stage.state), (1,), last=True, votes=votes)
        return stage.tell(news).state

    return make


def wished() -> Any:
    stage = Stage("escoba", 3, target=5)
    stage.until(lambda stage: stage.over)
    stage.tell(Talked(1, "again", phrase=True))
    return stage.tell(Stored("0123.sobremesa")).state


MORE: dict[str, State] = {"late": late(), "late-aside": late(aside=True), "wished": wished}


def sentences(value: Any) -> Iterator[str]:
    """Give all that is read in the data of a view, but for the names of things."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            if name not in ("id", "key", "svg", "icon", "role", "kind", "face"):
                yield from sentences(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from sentences(part)


@pytest.fixture(params=languages())
def language(request):
    set_language(request.param)
    yield request.param
    set_language("en")


@pytest.mark.parametrize("name", [*MORE, *(name for name in STATES if name not in TYPED)])
def test_no_sentence_of_a_window_names_a_key(name, language):
    state = {**STATES, **MORE}[name]()
    said = [BRACKETS.sub("", one) for one in sentences(as_data(view_of(state)))]
    assert [one for one in said if NAMED.search(one)] == []
