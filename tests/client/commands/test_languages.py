"""Nothing of a command stays English under another language: names of games, words of the usage,
labels."""

from __future__ import annotations

import re

import pytest

from client.__main__ import COMMANDS, main
from client.i18n.translation import _, set_language
from client.ui.games import title_of
from tests.ring import Ring

LANGUAGES = ("eu", "es", "is")


@pytest.fixture(autouse=True)
def english_again(monkeypatch):
    monkeypatch.setenv("LANGUAGE", "en")  # a command sets it for argparse
    yield
    set_language("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_usage_is_in_the_readers_language(language, capsys):
    assert main(["--lang", language, "--help"]) == 0
    out = capsys.readouterr().out
    assert "COMMAND" not in out
    assert f"sobremesa [{_('COMMAND')}] …" in out


VALUES = {
    "ADDRESS",
    "CODE",
    "FILE",
    "FOLDER",
    "GAME",
    "LOG",
    "MATCH",
    "NAME",
    "NICK",
    "OPTION",
    "PLAYER",
    "PORT",
    "SEAT",
}
VALUES |= {"SECONDS", "SECTION", "TABLE", "VALUE", "WHO", "DIR"}


@pytest.mark.parametrize("command", list(COMMANDS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_values_of_options_are_named_in_the_readers_language(language, command, capsys):
    assert main([command, "--lang", language, "--help"]) == 0
    out = capsys.readouterr().out.replace("MATCH.sobremesa", "")  # the example
    assert not VALUES & set(re.findall(r"\b[A-Z]+\b", out))


@pytest.mark.parametrize("language", LANGUAGES)
def test_verify_names_the_game_in_the_readers_language(language, capsys, tmp_path):
    path = tmp_path / "a.sobremesa"
    path.write_bytes(log())
    assert main(["verify", str(path), "--lang", language]) == 0
    out = capsys.readouterr().out
    assert "Dominoes" not in out
    assert title_of("domino") in out


def log() -> bytes:
    """Return the log of a match of dominoes."""
    ring = Ring("domino", 2, target=1, seed="verify")
    ring.play()
    return ring.logs[0]
