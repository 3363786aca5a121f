"""A player comes back to a match of two whose other player is at another table by now."""

from __future__ import annotations

import signal
import socket

import pytest

from tests.end_to_end.processes import LOOPBACK, Machine, Person, address_of

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
