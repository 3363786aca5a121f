"""The terminal, as `doctor` sees it."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

from client.doctor import terminals


class Screen:
    """A terminal that draws some characters in other widths."""

    def __init__(self, widths: dict[str, int | None]) -> None:
        self.widths = {**terminals.WIDTHS, **widths}

    def drawn_columns(self, text):
        return self.widths[text]


@pytest.fixture
def screen(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    stream = type("Stream", (), {"isatty": lambda self: True, "encoding": "utf-8"})()
    monkeypatch.setattr(
        terminals.shutil, "get_terminal_size", lambda *_: os.terminal_size((80, 24))
    )

    def draws(widths):
        monkeypatch.setattr(terminals, "sys", SimpleNamespace(stdout=stream, platform="linux"))
        monkeypatch.setattr(terminals, "drawn_columns", Screen(widths).drawn_columns)

    return draws


def test_the_width_of_characters(screen):
    screen({})
    assert terminals.terminal().do == ""
    screen({"🙂": None, "─": None})  # it does not answer
    assert terminals.terminal().do == ""
    screen({"🙂": 1, "─": 2})
    assert terminals.terminal().do.startswith("The terminal draws 🙂 ─ in another width")


def test_a_locale_that_is_not_installed(screen, monkeypatch):
    monkeypatch.setenv("LC_ALL", "xx_XX.UTF-8")
    screen({})
    assert terminals.terminal().do.startswith("The locale xx_XX.UTF-8 is not installed")


@pytest.mark.parametrize(
    ("size", "encoding", "does"),
    [
        ((80, 24), "utf-8", ""),
        ((59, 24), "utf-8", "60 columns"),
        ((80, 19), "utf-8", "20 rows"),
        ((80, 24), "ascii", "UTF-8"),
    ],
)
def test_terminals(monkeypatch, size, encoding, does):
    monkeypatch.setenv("TERM", "xterm")
    stream = type("Stream", (), {"isatty": lambda self: True, "encoding": encoding})()
    monkeypatch.setattr(terminals, "sys", SimpleNamespace(stdout=stream, platform="linux"))
    monkeypatch.setattr(
        terminals.shutil, "get_terminal_size", lambda *_fallback, **_named: os.terminal_size(size)
    )
    found = terminals.terminal()
    assert found.ok
    assert (does in found.do) if does else not found.do
    monkeypatch.setenv("TERM", "dumb")
    assert "prints line by line" in terminals.terminal().says
