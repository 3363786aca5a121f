"""The terminal is as it was, however the full screen ends: by a key, a signal, an error in either
loop, a closed window."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator

import pytest

from client.ui.screen.terminal import notice
from tests.client.ui.screen.window import Terminal
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow


@pytest.fixture
def open_terminal() -> Iterator:
    made: list[Terminal] = []

    def opened(*words: str, **how) -> Terminal:
        made.append(Terminal(*words, **how))
        return made[-1]

    yield opened
    for terminal in made:
        terminal.close()


# A face of our own, which fails where it is told to.


@pytest.mark.parametrize(
    ("how", "status", "said"),
    [
        ("well", 5, "tidied"),
        ("key", 1, "in a key"),
        ("trio", 1, "in trio"),
        ("renderer", 1, "in the renderer"),
        ("both", 1, "in trio"),
        ("screen", 0, "tidied"),
    ],
)
def test_after_a_key(open_terminal, how, status, said):
    terminal = open_terminal("-m", "tests.client.ui.screen.shown", how)
    terminal.wait_for(f"here: {how}")
    terminal.type("x")
    assert terminal.ends() == status
    assert said in terminal.shown.decode(errors="replace")
    terminal.check_clean()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_lets_the_screen_clean_up(open_terminal, number):
    terminal = open_terminal("-m", "tests.client.ui.screen.shown", "well")
    terminal.wait_for("here: well")
    terminal.process.send_signal(number)
    assert terminal.ends() == 128 + number
    assert "tidied" in terminal.shown.decode(errors="replace")
    terminal.check_clean()


def test_log_records_wait_until_the_screen_is_left(open_terminal):
    terminal = open_terminal("-m", "tests.client.ui.screen.shown", "log")
    terminal.wait_for("here: log")
    terminal.type("x")
    assert terminal.ends() == 5
    terminal.check_clean()
    _screen, _left, after = terminal.shown.partition(b"\x1b[?1049l")
    assert terminal.shown.count(b"a library complains") == 1
    assert b"a library complains" in after
    assert b"and chats" not in terminal.shown


# The program itself.


@pytest.fixture
def lobby(open_terminal, tmp_path) -> Terminal:
    terminal = open_terminal("-m", "client", "--interface", "127.0.0.1", home=tmp_path / "home")
    terminal.wait_for("Sobremesa")
    terminal.sees("Settings")
    return terminal


@pytest.fixture
def table(open_terminal, tmp_path) -> Terminal:
    """A match against the computer in which a card lies on the table."""
    terminal = open_terminal("-m", "client", "play", "escoba", home=tmp_path / "home")
    terminal.wait_for("proofs and moves checked")
    return terminal


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_during_the_first_frame_leaves_the_terminal_clean(open_terminal, tmp_path, number):
    ended = (
        "import client.ui.screen.pages as pages, os, sys\n"
        "draw = pages.draw\n"
        "def first(*how):\n"
        "    pages.draw = draw\n"
        f"    os.kill(os.getpid(), {int(number)})\n"
        "    return draw(*how)\n"
        "pages.draw = first\n"
        "from client.__main__ import main\n"
        "sys.exit(main(['--interface', '127.0.0.1']))\n"
    )
    terminal = open_terminal("-c", ended, home=tmp_path / "home")
    assert terminal.ends() == 128 + number
    terminal.check_clean()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_a_match_loses_nothing(table, number, tmp_path):
    table.process.send_signal(number)
    assert table.ends() == 128 + number
    table.check_clean()
    assert list((tmp_path / "home" / "journals").glob("*.match"))


def test_a_closed_window_ends_the_program_and_loses_nothing(table, tmp_path, open_terminal):
    os.close(table.slave)
    os.close(table.master)
    table.process.wait(PATIENCE)
    again = open_terminal("-m", "client", home=tmp_path / "home")
    again.sees("Back to Escoba")
    again.type("\r")
    again.sees("deal 1")
    again.type("\x03\x03")
    again.ends()
    again.check_clean()


def test_a_screen_that_fails_in_mid_match_leaves_the_terminal_clean_and_the_match_to_come_back_to(
    open_terminal, tmp_path
):
    home = tmp_path / "home"
    breaking = (
        "import client.ui.screen.play as play, client.ui.screen.pages as pages, sys\n"
        "from client.ui.screen.state import Page\n"
        "def broken(state, canvas):\n"
        "    if state.match.asked: raise ZeroDivisionError('drawn wrongly')\n"
        "    play.draw(state, canvas)\n"
        "pages.DRAW = {**pages.DRAW, Page.PLAY: broken}\n"
        "from client.__main__ import main\n"
        "sys.exit(main(['play', 'escoba']))\n"
    )
    terminal = open_terminal("-c", breaking, home=home)
    assert terminal.ends() == 1
    assert "drawn wrongly" in terminal.shown.decode(errors="replace")
    terminal.check_clean()
    again = open_terminal("-m", "client", home=home)
    again.sees("Back to Escoba")
    again.type("q")
    assert again.ends() == 0


def look_at_a_table(terminal: Terminal) -> bytes:
    """Look at the lobby and at a table at which it is our turn, and end; return what was shown."""
    terminal.sees("Settings")
    terminal.type("1\r")
    terminal.sees("Your name: ")
    terminal.type("\r")
    terminal.sees("Your turn")
    terminal.type("\x03\x03")
    assert terminal.ends() == 130
    return terminal.shown


def test_no_color_is_honoured(open_terminal, tmp_path):
    coloured = rb"\x1b\[[0-9;]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])\b[0-9;]*m"
    assert re.search(
        coloured, look_at_a_table(open_terminal("-m", "client", home=tmp_path / "home"))
    )
    assert not re.search(
        coloured,
        look_at_a_table(open_terminal("-m", "client", home=tmp_path / "bare", NO_COLOR="1")),
    )


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"TERM": "xterm-256color"}, ""),
        ({"TERM": "linux"}, ""),
        ({}, ""),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "\x1b]9;Your turn\x07"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "\x1b]9;Your turn\x07"),
        ({"TERM": "xterm-kitty"}, "\x1b]99;;Your turn\x1b\\"),
        ({"TERM": "foot-extra"}, "\x1b]777;notify;Sobremesa;Your turn\x07"),
        ({"TERM": "xterm-ghostty"}, "\x1b]777;notify;Sobremesa;Your turn\x07"),
        ({"TERM": "foot", "TMUX": "a socket,1,0"}, ""),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"}, ""),
    ],
)
def test_each_terminal_has_its_own_notice(environment, code):
    assert notice(environment, "Your turn") == code


@pytest.mark.parametrize(("how", "status"), [("at once", 7), ("before", 1)])
def test_when_the_session_ends_before_anything_is_shown(open_terminal, how, status):
    terminal = open_terminal("-m", "tests.client.ui.screen.shown", how)
    assert terminal.ends() == status
    assert terminal.settings() == terminal.before
