"""The program in one file: named in its advice as it was called, and started from a desktop."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from client import __main__ as command_line
from client.__main__ import COMMANDS, main
from client.i18n.translation import LOCALE, PROGRAM, _, as_called, call_program, speaking
from client.session.python_process import own_command
from docs.make_locale import template

CALLED = "./sobremesa-0.1.0-linux-x86_64"


@pytest.fixture(autouse=True)
def usual_name():
    yield
    call_program(PROGRAM)


@pytest.fixture
def one_file(tmp_path, monkeypatch) -> Path:
    """This process says that it is the one file, which was called by its relative path."""
    file = tmp_path / Path(CALLED).name
    file.touch(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(file))
    monkeypatch.setattr(sys, "argv", [CALLED])
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("SOBREMESA_HOME", str(tmp_path / "home"))
    return file


def test_the_help_of_the_one_file_names_it_as_it_was_called(one_file, capsys):
    assert main(["--help"]) == 0
    help_of_all = capsys.readouterr().out
    assert help_of_all.startswith(f"usage: {CALLED} [COMMAND]")
    assert f"For help on a command: {CALLED} COMMAND --help" in help_of_all
    assert main(["verify", "--help"]) == 0
    help_of_one = capsys.readouterr().out
    assert help_of_one.startswith(f"usage: {CALLED} verify ")
    assert f"Example:\n  {CALLED} verify MATCH.sobremesa" in help_of_one


@pytest.mark.parametrize("verb", COMMANDS)
def test_no_example_of_the_one_file_names_another_command(verb, one_file, capsys):
    assert main([verb, "--help"]) == 0
    shown = capsys.readouterr().out.replace(f"match.{PROGRAM}", "").replace(CALLED, "")
    assert f"{PROGRAM} " not in shown


def test_its_advice_names_it_too_and_its_errors_the_program(one_file, capsys):
    assert main(["play", "escoba", "--option", "x"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("sobremesa: ")
    assert f"`{CALLED} games` lists the options" in said


def test_a_file_with_the_usual_name_on_the_path_has_that_name(one_file):
    assert own_command() == CALLED
    (one_file.parent / PROGRAM).symlink_to(one_file)
    assert own_command() == PROGRAM


def test_another_program_of_that_name_on_the_path_is_not_ours(one_file):
    (one_file.parent / PROGRAM).touch(0o755)
    assert own_command() == CALLED


@pytest.mark.parametrize(
    ("called", "typed"),
    [
        ("/my games/sobremesa", "'/my games/sobremesa'"),
        ("/a{b}/sobremesa", "sobremesa"),
        ("/100%/sobremesa", "sobremesa"),
    ],
)
def test_a_file_in_an_odd_folder_can_be_typed(called, typed, one_file, monkeypatch):
    monkeypatch.setattr(sys, "argv", [called])
    call_program(own_command())
    assert as_called("`sobremesa games`: {x}").format(x=5) == f"`{typed} games`: 5"


def test_the_program_that_is_installed_has_its_usual_name(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/opt/env/bin/sobremesa"])
    assert own_command() == PROGRAM


def test_every_sentence_in_backticks_is_called_so():
    call_program("./me")
    texts = [text for message in template() for text in all_of(message.id)]
    named = [text for text in texts if "`sobremesa" in text]
    assert len(named) > 10
    for text in named:
        assert "`./me" in _(text)
        assert "`sobremesa" not in _(text)


def all_of(found: str | tuple[str, ...]) -> tuple[str, ...]:
    return found if isinstance(found, tuple) else (found,)


def test_words_for_others_and_words_of_a_page_have_the_usual_name():
    call_program("./me")
    others = "Others join with: sobremesa\N{NO-BREAK SPACE}join\N{NO-BREAK SPACE}{invite}"
    assert as_called(others) == others
    assert as_called(f"{LOCALE}/sobremesa {PROGRAM}.po") == f"{LOCALE}/sobremesa {PROGRAM}.po"
    with speaking("en"):
        assert as_called("`sobremesa verify`") == "`sobremesa verify`"
    assert as_called("`sobremesa verify` says") == "`./me verify` says"


# From a desktop.


@pytest.fixture
def opened(monkeypatch):
    """The faces that the lobby was asked for."""
    found = []

    class Lobby:
        @staticmethod
        def show_lobby(args):
            found.append("browser" if args.browser else "terminal")
            print("http://127.0.0.1:1/#secret")
            return 0

    load = command_line.import_module
    monkeypatch.setattr(
        command_line,
        "import_module",
        lambda name: Lobby if name == "client.ui.choose" else load(name),
    )
    return found


@pytest.fixture
def desktop(monkeypatch):
    for name in ("WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")


def test_a_click_on_the_one_file_opens_the_browser(one_file, desktop, opened, capsys):
    assert main([]) == 0
    assert opened == ["browser"]
    # the desktop would keep the address in a log
    assert capsys.readouterr().out == ""


def test_without_a_desktop_it_shows_its_help(one_file, desktop, opened, monkeypatch, capsys):
    monkeypatch.delenv("DISPLAY")
    monkeypatch.setattr(sys, "platform", "linux")
    assert main([]) == 2
    assert "Commands:" in capsys.readouterr().out
    assert not opened


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
def test_with_a_terminal_nothing_is_guessed(stream, one_file, desktop, opened, monkeypatch):
    monkeypatch.setattr(getattr(sys, stream), "isatty", lambda: True, raising=False)
    assert main([]) == 2
    assert not opened


def test_words_and_the_installed_program_are_taken_as_they_are(
    desktop, opened, one_file, monkeypatch
):
    assert main(["--plain"]) == 2
    monkeypatch.setattr(sys, "frozen", False)
    assert main([]) == 2
    assert not opened
