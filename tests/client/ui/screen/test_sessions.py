"""The sessions of the full screen: wishes that are taken back, impossible ones, and things for one
session only."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio

from client.i18n.translation import language, letter, set_language
from client.session.status import Status
from client.storage.history import MatchSummary
from client.storage.home import Home
from client.storage.settings import Settings, read_settings
from client.ui.screen import lobby
from client.ui.screen.messages import MatchHistory
from client.ui.screen.state import Page, ScreenState
from p2p.net.errors import PortInUse
from tests.client.storage.homes import JON, SEED, played, put
from tests.client.ui.screen import glass
from tests.client.ui.screen.glass import Glass, look_at_a_table
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow


@pytest.fixture
def spend(tmp_path: Path) -> Callable[..., tuple[int, Glass]]:
    """Spend a session in a home of its own."""
    return partial(glass.spend, tmp_path / "home")


# Wishes, and taking them back.


@pytest.fixture
def deaf() -> Iterator[socket.socket]:
    """Somebody who may be called, and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        yield server


def test_esc_takes_back_what_is_waited_for(spend, deaf):
    async def script(sight):
        await sight.sees("Settings")
        sight.type(f"j127.0.0.1:{deaf.getsockname()[1]}\r")
        await sight.sees("Going to the table")
        await trio.sleep(0.5)
        sight.type("o")
        await trio.sleep(0.2)
        assert sight.application.state.page is Page.LOBBY  # nothing else can be done
        sight.type("\x1b")
        with trio.fail_after(PATIENCE):
            while sight.application.state.busy:
                await trio.sleep(0.02)
        assert sight.application.state.notice == ""
        sight.type("1\r")
        await sight.sees("Your turn")
        sight.type("\x03\x03")

    assert spend(script)[0] == Status.INTERRUPTED


@pytest.mark.parametrize("key", ["\x1b", "\x03"])
def test_a_log_that_takes_long_to_check_can_be_left(spend, key, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr("client.ui.screen.sessions.steps_of", lambda *_of: go_on.wait(PATIENCE))

    async def script(sight):
        await sight.sees("Settings")
        sight.application.tell(
            MatchHistory(
                (
                    MatchSummary(
                        "ab", "escoba", ("Ane", "Jon"), "2026-11-21", "/x", unfinished=False
                    ),
                )
            )
        )
        sight.type("p\r")
        await sight.sees("Checking the log")
        sight.type(key)
        if key == "\x1b":
            with trio.fail_after(PATIENCE):
                while sight.application.state.busy:
                    await trio.sleep(0.02)
            assert sight.application.state.page is Page.HISTORY
            sight.type("\x1bq")

    began = time.monotonic()
    spend(script)
    assert time.monotonic() - began < PATIENCE / 2
    go_on.set()


def test_past_matches_are_read_while_the_lobby_is_shown(spend, tmp_path, monkeypatch):
    # so that each log is read by itself
    monkeypatch.setattr("client.ui.screen.application.READING_S", 0.0)
    home = Home(tmp_path / "home")
    (home.path / "identity.key").write_text(SEED.hex())
    for number in range(3):
        put(home, played(JON, seed=f"{number}"), at=1_700_000_000 + number)
    put(home, b"no log", "bad", at=1_600_000_000)

    async def script(sight):
        await sight.sees("Settings")
        sight.type("p")
        await sight.sees("log damaged")
        await sight.sees("Complete: signed by every player that stayed.")
        with trio.fail_after(PATIENCE):
            while sight.application.state.unread:
                await trio.sleep(0.02)
        assert [one.ending for one in sight.application.state.history] == ["complete"] * 3 + [
            "damaged"
        ]
        sight.type("t")
        await sight.sees("Against people")
        sight.type("\x1b\x1b")
        await sight.sees("Settings")
        sight.type("q")

    assert spend(script)[0] == Status.OK
    assert (home.path / "history.index").exists()


# Impossible wishes.


def test_damaged_contacts_are_named_and_one_plays_against_the_computer_all_the_same(
    spend, tmp_path
):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "peers.json").write_text("{bad")

    async def script(sight):
        await sight.sees("remove it to begin anew")
        await look_at_a_table(sight)

    assert spend(script)[0] == Status.INTERRUPTED


def test_a_bug_beside_a_network_error_is_raised(spend):
    async def session(_player):
        raise ExceptionGroup("two", [PortInUse(1), ZeroDivisionError("a bug")])

    async def script(sight):
        await trio.sleep_forever()

    with pytest.raises(ExceptionGroup) as raised:
        spend(script, first=session)
    assert raised.group_contains(ZeroDivisionError)


def test_a_nick_as_long_as_can_be_typed_loses_no_match(spend):
    async def play(sight):
        await sight.sees("Settings")
        sight.type("s\r\x15" + "ẋ" * 24 + "\r\x1b")
        await sight.sees("F1 what is this?")
        await look_at_a_table(sight)

    async def come_back(sight):
        await sight.sees("Back to Escoba")
        sight.type("\r")
        await sight.sees("Esc menu")
        sight.type("\x03\x03")

    assert spend(play)[0] == Status.INTERRUPTED
    assert spend(come_back)[0] == Status.INTERRUPTED


# Things for this session only.


@pytest.fixture
def back_to_english() -> Iterator[None]:
    yield
    set_language("en")


@pytest.mark.usefixtures("back_to_english")
def test_the_command_lines_language_and_nick_outlast_a_change_of_another_setting_and_are_not_kept(
    spend, tmp_path
):
    async def script(sight):
        set_language("is")  # as --lang does
        await sight.sees("Zoe")
        sight.type(letter(lobby.ACTIONS["settings"][1]) + "\x1b[B" * 6 + " ")
        with trio.fail_after(PATIENCE):
            while sight.application.state.settings.sound:
                await trio.sleep(0.02)
        await trio.sleep(0.2)
        assert language() == "is"
        assert "Zoe" in sight.text
        sight.type("\x03")

    kept = Settings(nick="Ane", language="eu")
    spend(script, state=ScreenState(settings=kept, called="Zoe"), lang="is")
    assert read_settings(tmp_path / "home") == replace(kept, sound=False)
