"""The real application in this process: keys come from a pipe, and pyte draws the bytes for the
terminal."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from prompt_toolkit.output import ColorDepth

from client.session.context import Context
from client.session.messages import Message
from client.session.status import Status
from client.storage.home import Home
from client.storage.settings import Settings
from client.ui.drawing.style import SCHEMES
from client.ui.interactive import only_ascii
from client.ui.screen.application import TuiApplication
from client.ui.screen.kept import KeptState
from client.ui.screen.overlay import AlarmSheet
from client.ui.screen.react import BANNER_S
from client.ui.screen.state import Page, ScreenState
from engine.games.truco.moves import Call
from tests.client.ui.screen import glass
from tests.client.ui.screen.glass import Glass, look_at_a_table
from tests.hints import sent
from tests.patience import PATIENCE
from tests.sample import pairs, sample
from tests.screens.stage import Stage

pytestmark = pytest.mark.slow


@pytest.fixture
def spend(tmp_path: Path) -> Callable[..., tuple[int, Glass]]:
    """Spend a session in a home of its own."""
    return partial(glass.spend, tmp_path / "home")


def test_from_the_lobby_one_plays_a_first_move_that_rings_and_stands_in_the_title(spend):
    async def script(sight):
        await sight.sees("Settings")
        sight.type("1")
        await sight.sees("A new table")
        sight.type("\r")
        await sight.sees("▶ Your turn")
        sight.type("?")
        await sight.sees("Hint: ")
        for key in sent(re.search(r"Choose: (.+)", sight.application.state.notice)[1]):
            sight.type(key)
        with trio.fail_after(PATIENCE):
            while not any(
                re.match("You (lay|play|take|sweep)", line) for line in sight.application.state.log
            ):
                await trio.sleep(0.02)
        sight.type("\x03\x03")

    status, shown = spend(script)
    assert status == Status.INTERRUPTED
    titles = r"\x1b\][^\x07]*\x07"  # these end with the same character
    assert "\a" in re.sub(titles, "", shown.sent)  # our turn rings
    assert "▶ Your turn · Sobremesa" in shown.sent  # and stands in the window's title


def test_a_window_is_drawn_in_any_size_and_below_the_least_says_so(spend):
    async def script(sight):
        await sight.sees("Settings")
        for columns, rows, words in (
            (59, 20, "60×20"),
            (60, 20, "Settings"),
            (10, 3, "60×20"),
            (200, 60, "Settings"),
        ):
            await sight.resize(columns, rows)
            await sight.sees(words)
        await sight.resize(80, 24)
        await sight.sees("Settings")
        sight.type("q")

    assert spend(script)[0] == Status.OK


def colours_sent(shown: Glass) -> set[str]:
    """Return the colours in the bytes that were sent: `31`, or `38;5;196` and `38;2;255;0;0` where
    they are not of the sixteen."""
    sent = ";".join(re.findall(r"\x1b\[([0-9;]*)m", shown.sent))
    return set(
        re.findall(
            r"(?<![0-9])(?:[34]8;5;[0-9]+|[34]8;2(?:;[0-9]+){3}|[34][0-7]|9[0-7]|10[0-7])(?![0-9])",
            sent,
        )
    )


DEPTHS = [ColorDepth.DEPTH_4_BIT, ColorDepth.DEPTH_8_BIT, ColorDepth.DEPTH_24_BIT]
EIGHT = {str(low + number) for low in (30, 40) for number in range(8)}


@pytest.mark.parametrize(
    ("depth", "scheme"), sample(pairs(DEPTHS, SCHEMES), len(DEPTHS), rows=True), ids=str
)
def test_only_the_colours_of_the_scheme_are_sent(spend, depth, scheme):
    async def script(sight):
        await sight.sees("An alarm")  # a red that is there whatever the cards are
        sight.type("\x1b")
        await look_at_a_table(sight)

    alarm = AlarmSheet("An alarm", ("Something is wrong.",))
    state = ScreenState(kept=KeptState(settings=Settings(nick="Ane", scheme=scheme)), overlay=alarm)
    found = colours_sent(spend(script, depth=depth, state=state)[1])
    assert found
    if depth is ColorDepth.DEPTH_4_BIT:
        assert found <= EIGHT
        return
    rgb = [
        tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
        for colour in SCHEMES[scheme].values()
    ]
    if depth is ColorDepth.DEPTH_24_BIT:
        assert found <= {"38;2;{};{};{}".format(*colour) for colour in rgb}
    else:
        assert all(colour.startswith("38;5;") for colour in found)
        assert len(found) <= len(set(rgb))


def test_pasted_text_stays_in_its_line_and_plays_nothing(spend):
    async def script(sight):
        await sight.sees("Settings")
        sight.type("j")
        await sight.sees("Address or invite:")
        sight.type("\x1b[200~no such\nplace q\x1b[201~")
        await sight.sees("no such place q")
        sight.type("\r")
        await sight.sees("is neither an address nor an invite")
        await sight.sees("Address or invite: no such place q")
        sight.type("\x1b")
        await trio.sleep(0.3)
        sight.type("q")

    assert spend(script)[0] == Status.OK


def test_enter_held_down_opens_one_table(spend):
    async def script(sight):
        await sight.sees("Settings")
        sight.type("1")
        await sight.sees("A new table")
        sight.type("\r" * 30)
        await sight.sees("Esc menu")
        match = sight.application.state.match.match
        sight.type("\x1b")
        await sight.sees("Put the match aside;")
        sight.type("\x1b[A\x1b[A\r")
        await sight.sees("Put the match aside?")
        sight.type("\r")
        await sight.sees("Back to Escoba")
        await trio.sleep(1.5)
        assert sight.application.state.page is Page.LOBBY
        assert [
            summary.match for summary in sight.application.state.kept.history if summary.unfinished
        ] == [match[: len(sight.application.state.kept.history[0].match)]]
        sight.type("q")

    assert spend(script)[0] == Status.OK


class Listening(Stage):
    """A stage that records its messages."""

    told: list[Message]

    def tell(self, message: Message) -> Stage:
        self.__dict__.setdefault("told", []).append(message)
        return super().tell(message)


async def test_call_is_shown_for_its_full_time_while_the_table_waits(tmp_path, autojump_clock):
    """While the table waits, a tick lasts a second. The tick under way when a call comes must not
    age the call."""
    stage: Any = (
        Listening("truco", 2)
        .until(lambda stage: Call("truco") in (stage.table.view(1).options or ()))
        .tick(20)
    )
    application = TuiApplication(
        Context(Home(tmp_path / "home")),
        stage.state,
        Namespace(color="auto", interface=None, lang=None),
        None,
    )
    before = stage.state.waited[1]
    stage.told.clear()
    stage.do("p2 truco")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(application.let_time_pass)
        await trio.sleep(1.9)
        assert application.state.waited == {1: before + 1.0}
        for message in stage.told:
            application.tell(message)
        assert application.state.moment is not None
        await trio.sleep(BANNER_S - 0.15)
        assert application.state.moment is not None
        await trio.sleep(0.3)
        assert application.state.moment is None
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("environment", "ascii_only"),
    [
        ({}, False),
        ({"LANG": "eu_ES.UTF-8"}, False),
        ({"LANG": "eu_ES.utf8"}, False),
        ({"LC_ALL": "C"}, True),
        ({"LC_ALL": "", "LANG": "C"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({"LC_CTYPE": "es_AR.ISO-8859-1", "LANG": "C.UTF-8"}, True),
    ],
)
def test_ascii_is_for_terminals_that_are_said_to_know_no_utf_8(environment, ascii_only):
    assert only_ascii(environment) is ascii_only
