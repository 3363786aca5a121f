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
from client.session.context import Context
from client.session.match import MatchSession
from client.session.messages import Message
from client.session.setup_rules import LocalPlayer, SetupRules
from client.session.status import Status
from client.storage.history import MatchSummary
from client.storage.home import Home
from client.storage.settings import Settings, read_settings
from client.ui.screen import lobby
from client.ui.screen.kept import KeptState
from client.ui.screen.messages import MatchHistory
from client.ui.screen.sessions import seat_computers
from client.ui.screen.state import Page, ScreenState
from engine.bots import Character, Strength, chance
from p2p.net.errors import PortInUse
from p2p.table.lobby import Draft, SeatRequest
from tests.client.ui.screen import glass
from tests.client.ui.screen.glass import Glass, look_at_a_table
from tests.patience import PATIENCE
from tests.ring import terms_for
from tests.standin import seeded


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


@pytest.mark.slow
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


@pytest.mark.slow
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


# Impossible wishes.


@pytest.mark.slow
def test_damaged_contacts_are_named_and_one_plays_against_the_computer_all_the_same(
    spend, tmp_path
):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "peers.json").write_text("{bad")

    async def script(sight):
        await sight.sees("remove it to begin anew")
        await look_at_a_table(sight)

    assert spend(script)[0] == Status.INTERRUPTED


@pytest.mark.slow
def test_a_bug_beside_a_network_error_is_raised(spend):
    async def session(_player):
        raise ExceptionGroup("two", [PortInUse(1), ZeroDivisionError("a bug")])

    async def script(sight):
        await trio.sleep_forever()

    with pytest.raises(ExceptionGroup) as raised:
        spend(script, first=session)
    assert raised.group_contains(ZeroDivisionError)


# Things for this session only.


@pytest.fixture
def back_to_english() -> Iterator[None]:
    yield
    set_language("en")


@pytest.mark.slow
@pytest.mark.usefixtures("back_to_english")
def test_the_command_lines_language_and_nick_outlast_a_change_of_another_setting_and_are_not_kept(
    spend, tmp_path
):
    async def script(sight):
        set_language("is")  # as --lang does
        await sight.sees("Zoe")
        sight.type(letter(lobby.ACTIONS["settings"][1]) + "\x1b[B" * 6 + " ")
        with trio.fail_after(PATIENCE):
            while sight.application.state.kept.settings.sound:
                await trio.sleep(0.02)
        await trio.sleep(0.2)
        assert language() == "is"
        assert "Zoe" in sight.text
        sight.type("\x03")

    kept = Settings(nick="Ane", language="eu")
    spend(script, state=ScreenState(kept=KeptState(settings=kept, called="Zoe")), lang="is")
    assert read_settings(tmp_path / "home") == replace(kept, sound=False)


def test_characters_come_and_go_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tuple(Character(name, Strength.STRONG, chance.play) for name in ("Carmen", "Miren"))
    monkeypatch.setattr("engine.bots.escoba.CHARACTERS", made)
    context, told = Context(Home(tmp_path), entropy=seeded(3)), list[Message]()
    me = LocalPlayer(SeatRequest(context.identity, "carmen", context.entropy))
    terms = terms_for("escoba", 4, target=1)
    draft = Draft(
        "t", "escoba", terms.rules, terms.options, 60, spectators=False, seats=(None,) * 4
    )

    async def main() -> None:
        match_session = MatchSession(
            context, None, [me], told.append, SetupRules(held=True, computers=("strong",))
        )
        match_session.setup.open(draft, b"")
        seen = []
        for count in (1, 2, 3, 1, 9):
            seat_computers(match_session, context, count)
            table = match_session.setup.table
            assert table is not None
            players = match_session.setup.local_players
            characters = tuple(one.character for one in players if one.bot)
            assert len(characters) == table.taken - 1
            seen.append(([place.nick for place in table.seats if place], characters))
        first = seen[0][1][0]
        other = {"Carmen": "Miren", "Miren": "Carmen"}[first]
        assert [names for _nicks, names in seen[:2]] == [(first,), (first, other)]
        assert seen[2][1][:2] == (first, other)
        assert seen[3][1] == (first,)
        assert seen[4] == seen[3], "a table takes no more than its seats"
        for nicks, _names in seen:
            assert nicks[0] == "carmen"
            assert len({nick.casefold() for nick in nicks}) == len(nicks), (
                "two of one name are told apart"
            )

    trio.run(main)
