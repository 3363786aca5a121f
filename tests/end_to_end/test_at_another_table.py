"""A player comes back to a match of two whose other player is at another table by now."""

from __future__ import annotations

import re
import signal
import socket
import time

import pytest

from tests.client.ui.screen.window import Terminal
from tests.end_to_end.processes import LOOPBACK, Machine, Person, address_of, eventually

WORDS = ("--plain", "--interface", LOOPBACK)


def begun(machine: Machine) -> tuple[Person, Person, str]:
    """Let Ane and Jon begin a match, and close Ane's window; return both and Jon's port."""
    ane = machine.person("ane", "host", "escoba", "--table", "first", *WORDS, "--nick", "ane")
    ane.reads("is open on port")
    with socket.create_server((LOOPBACK, 0)) as free:
        port = str(free.getsockname()[1])
    jon = machine.person("jon", "join", address_of(ane), *WORDS, "--nick", "jon", "--port", port)
    jon.reads("You are dealt")
    ane.signal(signal.SIGKILL)
    ane.process.wait()
    jon.reads("ane is away")
    return ane, jon, port


def opens_another_table(machine: Machine, port: str) -> Person:
    table = ("host", "siete-y-media", "--seats", "2", "--table", "second")
    jon = machine.person("jon", *table, *WORDS, "--nick", "jon", "--port", port)
    jon.reads("is open on port")
    return jon


@pytest.mark.slow
def test_a_player_comes_back_after_the_other_has_left_and_opened_another_table(machine):
    _ane, jon, port = begun(machine)
    jon.type("leave")
    jon.reads("leave yes")
    jon.type("leave yes")
    jon.reads("You have left the match, and lost it.")
    jon.reads("the program waits up to 10 seconds, to tell them too")
    jon.reads("Those who are away learn it later")
    assert jon.ends() == 0
    assert jon.out.count("You have left the match") == 1
    history = machine.player("jon", "history")
    assert history.ends() == 0
    assert "lost" in history.out
    assert "you left" in history.out
    opens_another_table(machine, port)
    ane = machine.person("ane", "resume", *WORDS)
    ane.reads("jon has left the match")
    ane.reads("You win!")
    assert ane.ends() == 0
    assert "jon is back" not in ane.out
    assert ane.journals == []
    judge = machine.player("judge", "verify", str(ane.logs[0]))
    assert judge.ends() == 0, judge.out


@pytest.mark.slow
@pytest.mark.parametrize("how", ["quit", "Ctrl-C"])
def test_a_player_that_has_left_for_good_may_end_the_program_at_once(machine, how):
    _ane, jon, _port = begun(machine)
    jon.type("leave")
    jon.reads("leave yes")
    jon.type("leave yes")
    jon.reads("the program waits up to 10 seconds, to tell them too")
    since = time.monotonic()
    if how == "quit":
        jon.type("quit")
    else:
        jon.interrupt()
    assert jon.ends() == (0 if how == "quit" else 130)
    assert time.monotonic() - since < 8
    assert "You do not leave for good" not in jon.out
    assert "waits for you" not in jon.out
    assert jon.journals == []
    again = machine.player("jon", "resume", *WORDS)
    assert again.ends() == 2
    assert again.sentence() == "there is no unfinished match to resume"


@pytest.mark.slow
def test_a_player_that_has_left_for_good_tells_it_from_the_lobby_too(machine):
    """Jon puts the match aside, leaves it for good in the lobby, and stays there."""
    _ane, jon, _port = begun(machine)
    jon.type("aside")
    assert jon.ends() == 0
    lobby = Terminal("-m", "client", "--interface", LOOPBACK, home=jon.home)
    try:
        lobby.wait_for("This match is not finished.")
        lobby.type("x")
        lobby.wait_for("Enter leave")
        lobby.type("\r")
        eventually(lambda: not jon.journals, "the end of the match for Jon")
        ane = machine.person("ane", "resume", *WORDS)
        ane.reads("jon has left the match")
        ane.reads("You win!")
        assert ane.ends() == 0
        assert ane.journals == []
    finally:
        lobby.close()


@pytest.mark.slow
def test_a_player_that_only_plays_elsewhere_is_said_to_be_at_another_table(machine):
    _ane, jon, port = begun(machine)
    jon.type("aside")
    assert jon.ends() == 0
    jon = opens_another_table(machine, port)
    ane = machine.person("ane", "resume", *WORDS)
    ane.reads("jon is at another table")
    assert not re.search("jon is back", ane.out)
    jon.interrupt()
    ane.reads("jon is away")
    ane.type("leave")
    ane.reads("leave yes")
    ane.type("leave yes")
    assert ane.ends() == 0
    assert ane.journals == []
    back = machine.person("jon", "resume", *WORDS, "--port", port)
    again = machine.player("ane", "host", "escoba", "--table", "third", *WORDS, "--nick", "ane")
    again.says("is open on port")
    back.reads("ane has left the match")
    back.reads("You win!")
    assert back.ends() == 0
