"""The command line: every mistake ends with its status and one sentence, never with a traceback."""

import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from client import __main__ as command_line
from client.__main__ import COMMANDS, main
from client.commands import games
from client.i18n.translation import set_language
from client.session.status import (
    NetworkError,
    Status,
    Stop,
    UsageError,
    as_stop,
)
from client.storage.home import StoreError
from tests.sample import sample

BAD_INPUT = (Path(__file__).parent / "bad_input.txt").read_text(encoding="utf-8").splitlines()
"""The exit status and the typed words; then a part of the sentence."""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("typed", "sentence"), list(zip(BAD_INPUT[::2], BAD_INPUT[1::2], strict=True)), ids=str
)
def test_bad_input(typed, sentence, capsys):
    status, _prompt, *words = typed.split()
    assert main(words) == int(status)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("sobremesa: ")
    assert err.count("\n") == 1
    assert sentence.strip() in err


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("rules ESCOBA", "escoba"),
        ("rules Dominoes", "domino"),
        ("--lang eu rules Eskoba", "escoba"),
        ("--lang es rules dominó", "domino"),
        ("--lang is rules kínaskák", "kinaskak"),
    ],
)
def test_a_game_may_be_called_by_its_title_in_the_readers_language(
    typed, name, capsys, monkeypatch
):
    monkeypatch.setenv("LANGUAGE", "en")
    assert main(typed.split()) == 0
    found = capsys.readouterr().out
    assert main([*typed.split()[:-1], name]) == 0
    assert capsys.readouterr().out == found
    set_language("en")


def run(*words, **more):
    return subprocess.run(
        [sys.executable, "-m", "client", *words],
        capture_output=True,
        text=True,
        check=False,
        **more,
    )


SELDOM = ("watch", "resume", "export", "peers")
"""Commands that other tests start in parents that have imported all commands (tests/starter.py)."""


@pytest.mark.parametrize(
    "verb", sample(sorted(COMMANDS, key=lambda verb: verb not in SELDOM), len(SELDOM))
)
def test_a_command_imports_what_it_needs(verb):
    done = run(verb, "--help")
    assert (done.returncode, done.stderr) == (0, "")


# Properties of every command.


def written(verb: str) -> bool:
    return (Path(command_line.__file__).parent / "commands" / f"{verb}.py").exists()


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_command_has_help_with_an_example(verb, capsys):
    if not written(verb):
        pytest.skip("another hand is writing it")
    example = import_module(f"client.commands.{verb}").EXAMPLE
    assert re.fullmatch(rf"sobremesa {verb}( .*)?", example)
    assert main([verb, "--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert f"Example:\n  {example}" in out
    for option in ("--lang", "--plain", "--color", "--interface", "--verbose", "--version"):
        assert option in out


@pytest.mark.parametrize("words", [[], ["--plain"]])
def test_where_no_lobby_can_be_shown_it_shows_the_commands_and_says_why(words, capsys):
    assert main(words) == 2
    shown = capsys.readouterr()
    assert all(f"  {verb} " in shown.out for verb in COMMANDS)
    assert "the lobby opens on a terminal with a cursor (TERM=dumb has none)" in shown.err
    assert main(["--help"]) == 0


def test_version_imports_nothing_heavy():
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(r"sobremesa \S", done.stdout)
    traced = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "client", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {
        line.rpartition("|")[2].strip().split(".")[0] for line in traced.stderr.splitlines()
    }
    assert not imported & {
        "trio",
        "prompt_toolkit",
        "zeroconf",
        "cryptography",
        "engine",
        "crypto",
        "p2p",
        "msgpack",
        "asyncio",
    }


# How a command ends.


def ending_with(monkeypatch, error: BaseException) -> int:
    def end(_args):
        raise error

    monkeypatch.setattr(games, "run", end)
    return main(["games"])


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (Stop, 1),
        (UsageError, 2),
        (NetworkError, 4),
        (lambda sentence: Stop(sentence, Status.VERSION), 5),
        (StoreError, 1),
    ],
)
def test_an_error_has_a_status_and_a_sentence(monkeypatch, capsys, kind, status):
    assert ending_with(monkeypatch, kind("so it is")) == status
    assert capsys.readouterr().err == "sobremesa: so it is\n"


def test_a_bug_is_not_hidden(monkeypatch):
    assert as_stop(KeyError("x")) is None
    with pytest.raises(KeyError):
        ending_with(monkeypatch, KeyError("x"))
    with pytest.raises(BaseExceptionGroup):
        ending_with(monkeypatch, ExceptionGroup("tasks", [NetworkError("no net"), KeyError("x")]))


@pytest.mark.parametrize("grouped", [False, True])
def test_ctrl_c_is_130_anywhere_without_a_word(monkeypatch, capsys, grouped):
    error = (
        BaseExceptionGroup("tasks", [KeyboardInterrupt(), KeyError("x")])
        if grouped
        else KeyboardInterrupt()
    )
    assert ending_with(monkeypatch, error) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("file", "kept"), [("x.log", False), (None, True)])
def test_the_traceback_of_an_error_about_no_file_is_kept(monkeypatch, home, contained, file, kept):
    home.mkdir()
    assert ending_with(monkeypatch, OSError(9, "Bad file descriptor", file)) == 1
    log = home / "errors.log"
    assert log.exists() == kept
    assert not kept or "Traceback" in log.read_text()
    contained.clear()


@pytest.mark.parametrize("how", ["Ctrl-C", "quit", "SIGTERM"])
def test_a_player_that_goes_in_the_middle_of_a_match_is_told_how_to_come_back(home, how):
    words = [sys.executable, "-u", "-m", "client", "play", "escoba", "--plain", "--nick", "Ane"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as player:
        assert any(line.startswith("Your turn.") for line in player.stdout)
        if how == "quit":
            player.stdin.write("quit\nquit yes\n")
            player.stdin.flush()
        else:
            player.send_signal(signal.SIGINT if how == "Ctrl-C" else signal.SIGTERM)
        said = player.stdout.read()
    assert player.wait() == {"Ctrl-C": 130, "quit": 1, "SIGTERM": 143}[how]
    (log,) = (home / "logs").iterdir()
    assert said.splitlines()[-1] == (
        f"The match is not finished, and waits for you: come back with `sobremesa resume`. Its log "
        f"so far: {log}"
    )
