"""Arguments that several commands have. The mistakes one can make are in the table of test_main."""

import io
from argparse import ArgumentParser, ArgumentTypeError
from types import SimpleNamespace

import pytest

from client.__main__ import main
from client.commands.common import (
    Choice,
    add_game,
    number,
    read_choice,
    read_file,
)
from client.session.status import UsageError


def choice(*words, **settings) -> Choice:
    parser = ArgumentParser()
    add_game(parser, **settings)
    return read_choice(parser.parse_args(list(words)))


def test_options_are_read_by_their_kind_and_the_last_word_counts():
    found = choice(
        "escoba",
        "--seats",
        "4",
        "--option",
        "target=5",
        "--option",
        "teams=true",
        "--option",
        "target=7",
    )
    assert (found.seats, found.options["target"], found.options["teams"]) == (4, 7, True)


@pytest.mark.parametrize("text", ["", "0", "11", "-1", "1.5", "٣", "9" * 99])
def test_numbers_are_in_their_range(text):
    read = number(1, 10)
    assert read("10") == 10
    with pytest.raises(ArgumentTypeError):
        read(text)


def test_standard_input_is_a_file_too(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"abc")))
    assert read_file("-", 10) == b"abc"
    (tmp_path / "file").write_bytes(b"abcd")
    assert read_file(str(tmp_path / "file"), 4) == b"abcd"
    with pytest.raises(UsageError, match="too long"):
        read_file(str(tmp_path / "file"), 3)


@pytest.mark.parametrize("named", ["", "strong,,weak", "Nobody"])
def test_a_computer_player_that_there_is_not_is_refused(named, capsys):
    assert main(["play", "escoba", "--auto", "--computers", named]) == 2
    assert (
        "a computer player of escoba is weak, middle, strong, Begoña, Joseba or Carmen, not"
        in capsys.readouterr().err
    )
