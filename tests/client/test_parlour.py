"""The real application in this process: keys come from a pipe, and what is sent to the terminal is drawn by pyte."""

from __future__ import annotations

import io
import re
from argparse import Namespace
from collections.abc import Awaitable, Callable

import pyte
import pytest
import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from client import terminal
from client.desk import Desk, Page
from client.desk import Settings as DeskSettings
from client.parlour import Parlour, only_ascii
from client.settings import read_settings
from client.status import Status
from client.store import Home
from tests.screens.stage import Stage

PATIENCE = 60.0
Script = Callable[["Sight"], Awaitable[None]]


class Glass(io.StringIO):
    """What a terminal would be sent, drawn as it would draw it."""

    def __init__(self) -> None:
        super().__init__()
        self.rows, self.columns = 24, 80
        self.screen = pyte.Screen(80, 24)
        self.sent = ""
        self._stream = pyte.Stream(self.screen)

    def write(self, data: str) -> int:
        self.sent += data
        self._stream.feed(data)
        return len(data)

    def fileno(self) -> int:
        raise io.UnsupportedOperation

    def size(self) -> Size:
        return Size(self.rows, self.columns)


class Sight:
    """What a test sees of a parlour, and its keyboard."""

    def __init__(self, parlour: Parlour, glass: Glass, typed: Callable[[str], None]) -> None:
        self.parlour, self.glass, self.type = parlour, glass, typed

    @property
    def text(self) -> str:
        return "\n".join(self.glass.screen.display)

    async def sees(self, words: str) -> None:
        """Wait until something is to be seen."""
        with trio.move_on_after(PATIENCE):
            while words not in self.text:
                await trio.sleep(0.02)
            return
        raise AssertionError(f"{words!r} is not to be seen:\n{self.text}")

    async def resize(self, columns: int, rows: int) -> None:
        """Let the window have another size."""
        self.glass.columns, self.glass.rows = columns, rows
        self.glass.screen.resize(rows, columns)
        self.parlour._screen._app._on_resize()


@pytest.fixture
def spend(tmp_path) -> Callable[..., tuple[int, Glass]]:
    """Spend an evening as a script says; return the exit status, and what was sent to the terminal."""

    def spent(script: Script, *, depth: ColorDepth | None = None, **more: object) -> tuple[int, Glass]:
        words = {"color": "auto", "interface": "127.0.0.1", "lang": None, **more}
        home, glass = Home(tmp_path / "home"), Glass()
        parlour = Parlour(home, Desk(settings=DeskSettings(nick="Ane")), Namespace(**words), None)

        async def main() -> int:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(script, Sight(parlour, glass, source.send_text))
                status = await parlour.main()
                nursery.cancel_scope.cancel()
            return status

        output = Vt100_Output(glass, glass.size, enable_cpr=False, default_color_depth=depth, enable_bell=True)
        with create_pipe_input() as source:
            return terminal.run(parlour, main, source=source, output=output), glass

    return spent


def test_from_the_lobby_one_plays_a_first_move_that_rings_and_stands_in_the_title(spend):
    async def script(sight):
        await sight.sees("Settings")
        sight.type("1")
        await sight.sees("A new table")
        sight.type("\r")
        await sight.sees("▶ Your turn")
        sight.type("?")
        await sight.sees("A computer player would: play ")
        sight.type(":" + re.search(r"would: (.+)\.?$", sight.parlour.desk.notice)[1] + "\r")
        with trio.fail_after(PATIENCE):
            while not any(re.match("You (lay|play|take|sweep)", line) for line in sight.parlour.desk.log):
                await trio.sleep(0.02)
        sight.type("\x03\x03")

    status, glass = spend(script)
    assert status == Status.INTERRUPTED
    titles = r"\x1b\][^\x07]*\x07"  # these end with the same character
    assert "\a" in re.sub(titles, "", glass.sent)  # our turn rings
    assert "▶ Your turn · Sobremesa" in glass.sent  # and stands in the window's title


def test_a_window_is_drawn_in_any_size_and_below_the_least_says_so(spend):
    async def script(sight):
        await sight.sees("Settings")
        for columns, rows, words in ((59, 20, "60×20"), (60, 20, "Settings"), (10, 3, "60×20"), (200, 60, "Settings")):
            await sight.resize(columns, rows)
            await sight.sees(words)
        await sight.resize(80, 24)
        await sight.sees("Settings")
        sight.type("q")

    assert spend(script)[0] == Status.OK


async def quit_the_lobby(sight):
    await sight.sees("Settings")
    sight.type("q")


@pytest.mark.parametrize(
    ("depth", "has", "lacks"),
    [
        (ColorDepth.DEPTH_1_BIT, (), ("\x1b[0;3", ";5;", ";2;")),
        (ColorDepth.DEPTH_4_BIT, ("Sobremesa",), (";5;", ";2;")),
        (ColorDepth.DEPTH_8_BIT, ("Sobremesa",), (";2;",)),
        (ColorDepth.DEPTH_24_BIT, ("Sobremesa",), (";5;",)),
    ],
)
def test_no_more_colours_are_sent_than_the_terminal_knows(spend, depth, has, lacks):
    status, glass = spend(quit_the_lobby, depth=depth)
    assert status == Status.OK
    assert all(words in glass.sent for words in has)
    assert not any(words in glass.sent for words in lacks)


def test_who_wants_no_colour_gets_none_whatever_the_terminal_knows(spend):
    async def script(sight):
        await sight.sees("Settings")
        sight.type("1\r")
        await sight.sees("▶ Your turn")
        sight.type("\x03\x03")

    coloured = r"\x1b\[[0-9;]*\b(3[0-8]|9[0-7])\b[0-9;]*m"
    assert re.search(coloured, spend(script, depth=ColorDepth.DEPTH_24_BIT)[1].sent)
    assert not re.search(coloured, spend(script, depth=ColorDepth.DEPTH_24_BIT, color="never")[1].sent)


def test_what_is_pasted_into_a_line_stays_in_it_and_plays_nothing(spend):
    async def script(sight):
        await sight.sees("Settings")
        sight.type("j")
        await sight.sees("Address or invite:")
        sight.type("\x1b[200~no such\nplace q\x1b[201~")
        await sight.sees("no such place q")
        sight.type("\r")
        await sight.sees("is neither an address nor an invite")
        sight.type("q")

    assert spend(script)[0] == Status.OK


@pytest.mark.parametrize("keys", ["\x1b[23~\x1b[1;5A", "\x1bx", "\x00\x1f\x1c", "\x1b[<0;3;4M", "ñ漢🂡", "\x1b[200~q\x1b[201~"])
def test_keys_that_mean_nothing_do_nothing(spend, keys):
    async def script(sight):
        await sight.sees("Settings")
        before = sight.parlour.desk
        sight.type(keys)
        await trio.sleep(0.3)
        assert sight.parlour.desk.page is before.page
        assert sight.parlour.desk.typed is None
        sight.type("q")

    assert spend(script)[0] == Status.OK


def test_enter_held_down_opens_one_table(spend):
    async def script(sight):
        await sight.sees("Settings")
        sight.type("1")
        await sight.sees("A new table")
        sight.type("\r" * 30)
        await sight.sees("Esc menu")
        match = sight.parlour.desk.match.match
        sight.type("\x1b")
        await sight.sees("To the lobby")
        sight.type("\x1b[A\r")
        await sight.sees("To the lobby?")
        sight.type("\r")
        await sight.sees("Back to Escoba")
        await trio.sleep(1.5)
        assert sight.parlour.desk.page is Page.LOBBY
        assert [past.match for past in sight.parlour.desk.past if past.unfinished] == [
            match[: len(sight.parlour.desk.past[0].match)]
        ]
        sight.type("q")

    assert spend(script)[0] == Status.OK


async def test_another_match_may_be_wished_before_the_last_one_is_sealed(tmp_path):
    over = Stage("escoba", 2, target=5).until(lambda stage: stage.over).tick(30).press("enter")
    parlour = Parlour(Home(tmp_path / "home"), over.desk, Namespace(color="auto", interface=None, lang=None), None)
    parlour.press("r", "r")
    parlour.press("r", "r")
    with trio.fail_after(5):
        assert await parlour.again()
    with trio.move_on_after(0.1) as asked:  # the next one is asked for anew
        await parlour.again()
    assert asked.cancelled_caught


def test_a_setting_is_kept(spend, tmp_path):
    async def script(sight):
        await sight.sees("Settings")
        sight.type("s")
        await sight.sees("Your name")
        sight.type("\x1b[B" * 4 + " ")
        await sight.sees("◀ off ▶")
        sight.type("\x1b")
        await sight.sees("F1 what is this?")
        sight.type("q")

    assert spend(script)[0] == Status.OK
    assert read_settings(tmp_path / "home").sound is False


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


def test_an_ascii_terminal_is_sent_nothing_else(spend, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    assert spend(quit_the_lobby)[1].sent.isascii()
