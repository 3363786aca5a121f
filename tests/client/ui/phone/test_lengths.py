"""Somebody in the network sees how long frames are, and no more: with other cards they are as long.

An opponent at the table is in the network too, and knows everything but our cards.
"""

from __future__ import annotations

import json

import pytest

from client.i18n.translation import languages, speaking
from client.ui.browser.shown import shown
from client.ui.screen.state import ScreenState
from crypto.channel import Channel, Key, Kind
from crypto.noise import TAG_BYTES
from engine.games import GAMES
from tests.client.ui.view.tables import TABLES
from tests.screens.stage import Stage
from tests.second_noise import SecondPage
from tests.standin import seeded

HOST, ROOT, FILES = "192.168.1.23:47757", b"r" * 32, b"f" * 32
DEALS = 12


@pytest.fixture
def ends() -> tuple[SecondPage, Channel]:
    page = SecondPage(Kind.SECRET, ROOT, HOST, seeded("page")(32))
    key = Key.of(Kind.SECRET, ROOT)
    channel = Channel.open(key, HOST, page.first, FILES, seeded("program"))
    page.finish(channel.answer)
    return page, channel


def sent(state: ScreenState) -> str:
    """Return what a page of this state is sent (`client.ui.browser.tab`)."""
    message = {"set": shown(state)[0], "number": 99}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def clicks(state: ScreenState) -> list[str]:
    """Return what the page may say then (`page.js`)."""
    names = [name for name in shown(state)[1] if not name.startswith("field:")]
    return [json.dumps({"click": name, "seen": 99_999}, separators=(",", ":")) for name in names]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_views_of_other_cards_are_as_long(ends, game, language):
    _page, channel = ends
    with speaking(language):
        stages = [
            Stage(game, GAMES[game].allowed_players[0], 0, seed=seed).until(
                lambda stage: stage.state.match.asked
            )
            for seed in range(DEALS)
        ]
        lengths = {len(frame) for stage in stages for frame in channel.seal_all(sent(stage.state))}
    assert len(lengths) == 1, lengths


@pytest.mark.parametrize("name", TABLES)
def test_every_table_and_every_click_on_it_is_as_long_as_any_other(ends, name):
    page, channel = ends
    state = TABLES[name]()
    (frame,) = channel.seal_all(sent(state))
    assert len(frame) == 32_768 + TAG_BYTES
    assert {len(page.seal(text)) for text in clicks(state)} <= {128 + TAG_BYTES}
