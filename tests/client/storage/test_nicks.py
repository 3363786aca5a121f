"""A player's nick fits into the terms of a match, however it was chosen: else there is no way back
into one."""

from __future__ import annotations

from argparse import Namespace

import pytest

from client.storage.nicks import fit_nick, known_nick, nick_of
from client.storage.settings import Settings, read_settings, write_settings
from client.ui.screen.kept import KeptState
from client.ui.screen.messages import Key
from client.ui.screen.react import react
from client.ui.screen.state import Page, ScreenState, TypedLine
from p2p.net.text import columns
from p2p.table.terms import NICK_BYTES
from tests.screens.stage import Stage

LONG = ["ẋ" * 24, "e\u0301\u0323" * 24, "漢" * 24, "🂡" * 24, "W" * 100, "ñ" * 25]
NOTHING = ["\u200b\u200d\ufeff", "\u0301\u0301", " \t", "\x1b[2J"]


def named(text: str) -> ScreenState:
    """Return a state at which a name was typed in the settings."""
    state = ScreenState(
        page=Page.SETTINGS,
        kept=KeptState(settings=Settings(nick="Ane")),
        typed=TypedLine("nick", text),
    )
    return react(state, Key("enter"))[0]


@pytest.mark.parametrize("text", LONG)
def test_a_nick_fits_into_terms_wherever_it_comes_from(text, tmp_path):
    write_settings(tmp_path, Settings(nick=text))
    for nick in (
        fit_nick(text),
        nick_of(Namespace(nick=text)),
        nick_of(Namespace(), text),
        named(text).kept.settings.nick,
        read_settings(tmp_path).nick,
    ):
        assert nick == fit_nick(text)
        assert 0 < len(nick.encode()) <= NICK_BYTES
        assert columns(nick) <= 24
        Stage("escoba", 2, nicks=(nick, "Jon"))  # its terms are spelled and read


@pytest.mark.parametrize("text", NOTHING)
def test_a_nick_of_nothing_that_can_be_seen_changes_nothing(text, tmp_path, monkeypatch):
    monkeypatch.setenv("LOGNAME", "jone")
    assert named(text).kept.settings.nick == "Ane"
    assert nick_of(Namespace(nick=text), "Ane") == "Ane"
    assert nick_of(Namespace(nick=None), text) == "jone"
    write_settings(tmp_path, Settings(nick=text))
    assert read_settings(tmp_path).nick == ""


def unknown():
    raise KeyError(12345)


@pytest.mark.parametrize("login", [unknown, lambda: "root", lambda: "Administrator"])
def test_a_user_without_a_name_has_a_nick_that_fits_into_terms(monkeypatch, login):
    monkeypatch.setattr("getpass.getuser", login)
    nick = nick_of(Namespace())
    assert nick == "somebody"
    Stage("escoba", 2, nicks=(nick, "Jon"))


def test_a_login_name_that_is_nobodys_is_no_nick(monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    assert known_nick(Namespace()) == ""
    assert nick_of(Namespace()) == "somebody"
    monkeypatch.setattr("getpass.getuser", lambda: "ane")
    assert known_nick(Namespace()) == nick_of(Namespace()) == "ane"
