"""When colours are written."""

import io

import pytest

from client.ui.plain.color import RED, colorful, painted


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")


def test_the_requested_colour_counts():
    assert colorful("always", io.StringIO())
    assert not colorful("never", Terminal())


def test_auto_is_on_a_terminal_only():
    assert colorful("auto", Terminal())
    assert not colorful("auto", io.StringIO())


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_the_environment_can_forbid_it(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert not colorful("auto", Terminal())
    assert colorful("always", Terminal())


def test_old_windows_consoles_get_none(monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.delenv("WT_SESSION", raising=False)
    assert not colorful("auto", Terminal())
    monkeypatch.setenv("WT_SESSION", "1")
    assert colorful("auto", Terminal())


def test_painting():
    assert painted("x", RED, on=True) == "\x1b[31mx\x1b[0m"
    assert painted("x", RED, on=False) == "x"
