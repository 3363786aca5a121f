"""Somebody in the network, an opponent perhaps, sees how long frames are and when they go, and no
more: with other cards they are as long, and go at the same moments."""

from __future__ import annotations

import json

import pytest
import trio

from client.i18n.translation import languages, speaking
from client.ui.browser.shown import shown
from client.ui.phone.visitor import SHOW_S, SealedLink
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


class Program:
    """A visitor that notes when texts go to its page."""

    def __init__(self) -> None:
        self.moments: list[float] = []

    async def tell(self, _connection: int, _text: str) -> bool:
        await trio.lowlevel.checkpoint()
        self.moments.append(trio.current_time())
        return True


@pytest.mark.parametrize("took", [(0.0007, 0.0012), (0.004, 0.011), (0.0, 0.019)])
async def test_a_view_goes_when_it_would_have_gone_with_any_other_hand(autojump_clock, took):
    moments = []
    for made_in in took:
        program = Program()
        link = SealedLink(program, 1)
        began = (trio.current_time() // SHOW_S + 1) * SHOW_S
        await trio.sleep_until(began)
        await trio.sleep(made_in)
        await link.send("a view")
        moments.append(round(program.moments[0] - began, 9))
    assert moments == [SHOW_S, SHOW_S]
