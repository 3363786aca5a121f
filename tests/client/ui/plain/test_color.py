"""When colours are written."""

import io

import pytest

from client.ui.plain.color import colorful


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")


def test_auto_is_on_a_terminal_only():
    assert colorful("auto", Terminal())
    assert not colorful("auto", io.StringIO())


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_the_environment_can_forbid_it(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert not colorful("auto", Terminal())
    assert colorful("always", Terminal())
